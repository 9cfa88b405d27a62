import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, becomes, count, listen, messages, reads, visitor } from './visitor.ts'

const browser = await launchBrowser()
const server = await pageServer()

test('the server is killed in the middle of a reply: the page comes back by itself, with every word once', async () => {
  const ada = await visitor(browser, server, '/c/demo')
  const { page } = ada
  await page.locator('#composer').press('Enter')
  await page.locator('[data-part="draft"]').getByText('I can show you how Parley works').waitFor()
  await server.kill()

  // The half reply stays, the pill says what is going on, writing goes on and waits to be sent.
  await page.locator('[data-state="reconnecting"]').waitFor()
  assert.match(await page.getByRole('log').innerText(), /Hello, I am Ada/)
  await page.locator('#composer').fill('a thought of mine')
  await page.locator('#composer').press('Enter')
  await page.locator('[data-part="letter"]').getByText('a thought of mine').waitFor()
  await page.locator('#composer').fill('not yet sent')

  await server.start()
  const card = page.getByRole('region', { name: 'What should the reading list be for?' })
  await card.waitFor()
  await page.getByText('Connection: Live').waitFor()
  await page.locator('[data-part="letter"]').waitFor({ state: 'detached' })
  for (const words of ['Hello, I am Ada', 'even stop the server, and answer later.', 'a thought of mine'])
    await reads(async () => count((await messages(page)).join('\n'), words), 1, words)
  assert.equal(await page.locator('#composer').inputValue(), 'not yet sent')

  // Killed again while the question is open: it is still open. An answer given meanwhile waits, and goes out by itself.
  await server.kill()
  await page.locator('[data-state="reconnecting"]').waitFor()
  await card.getByRole('button', { name: 'Get better at work' }).click()
  await card.getByText('Your answer will be sent when the connection is back.').waitFor()
  await server.start()
  await page.getByRole('region', { name: 'Before I go on, two details.' }).waitFor()
  await reads(async () => count((await messages(page)).join('\n'), '“Get better at work”, good.'), 1)

  // A reloaded page shows the same.
  const texts = await messages(page)
  await page.reload()
  await page.getByRole('region', { name: 'Before I go on, two details.' }).waitFor()
  await reads(() => messages(page), texts)
  assertNoFaults(ada)
  await ada.context.close()
})

test('a message that waits is sent once, also when the page is loaded again meanwhile', async () => {
  const ada = await visitor(browser, server, '/c/new')
  const { page } = ada
  await page.locator('#composer').fill('hello')
  await page.locator('#composer').press('Enter')
  await page.getByRole('region', { name: 'What should the reading list be for?' }).waitFor()
  await ada.context.setOffline(true)
  await page.locator('#composer').fill('sent from a train')
  await page.locator('#composer').press('Enter')
  await page.locator('[data-part="letter"]').getByText('sent from a train').waitFor()
  await ada.context.setOffline(false)
  await page.reload()
  await page.locator('[data-part="message"]').getByText('sent from a train').waitFor()
  await page.locator('[data-part="letter"]').waitFor({ state: 'detached' })
  await page.locator('[data-part="message"]').getByText('still open').waitFor()
  assert.equal(count((await messages(page)).join('\n'), 'sent from a train'), 1)
  assertNoFaults(ada)
  await ada.context.close()
})

test('without a network the page says so, takes words, and sends them when it is back', async () => {
  const ada = await visitor(browser, server, '/c/new')
  const { page } = ada
  await page.locator('#composer').fill('hello')
  await page.locator('#composer').press('Enter')
  await page.getByRole('region', { name: 'What should the reading list be for?' }).waitFor()
  await server.kill()
  await ada.context.setOffline(true)
  await page.locator('[data-state="offline"]').waitFor()
  await page.locator('#composer').fill('written offline')
  await page.locator('#composer').press('Enter')
  await page.locator('[data-part="letter"]').getByText('written offline').waitFor()
  await page.getByText('Waiting to send').waitFor()
  await listen(page)
  await server.start()
  await ada.context.setOffline(false)
  await page.getByText('Connection: Live').waitFor()
  await page.locator('[data-part="message"]').getByText('written offline').waitFor()
  await becomes(page, `heard.some(({ text }) => ['Reconnected', 'Message sent'].includes(text))`, true)
  assertNoFaults(ada)
  await ada.context.close()
})
