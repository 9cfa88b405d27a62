import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, becomes, listen, messages, reads, visitor } from './visitor.ts'

const browser = await launchBrowser()
const server = await pageServer({ fast: true })

test('Enter that only chooses a character sends nothing, in no field', async () => {
  const ada = await visitor(browser, server, '/c/new')
  const { page } = ada
  const cdp = await ada.context.newCDPSession(page)
  const compose = async (pinyin: string): Promise<void> => {
    await cdp.send('Input.imeSetComposition', { text: pinyin, selectionStart: pinyin.length, selectionEnd: pinyin.length })
    // Key code 229: sent by a keyboard during a composition, and by Safari right after it.
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 })
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 })
  }
  await page.locator('#composer').focus()
  await compose('nihao')
  assert.equal(new URL(page.url()).pathname, '/c/new')
  await reads(() => page.locator('#composer').inputValue(), 'nihao')
  await cdp.send('Input.insertText', { text: '你好' })
  await reads(() => page.locator('#composer').inputValue(), '你好')
  assert.equal(await page.locator('[data-part="letter"]').count(), 0)
  await page.locator('#composer').press('Enter')
  await page.waitForURL(/\/c\/dlg/)
  assert.equal((await until(page, 1))[0]?.includes('你好'), true)

  // The text field of a question keeps to the same rule.
  const goal = page.locator('#question-card')
  await goal.locator('[data-item] button').first().click()
  const topic = page.locator('#question-card textarea')
  await page.locator('#question-card').getByRole('radio').first().check()
  await goal.getByRole('button', { name: 'Next' }).click()
  await topic.focus()
  await compose('chengshi')
  await reads(() => topic.inputValue(), 'chengshi')
  await cdp.send('Input.insertText', { text: '城市' })
  await reads(() => topic.inputValue(), '城市')
  await topic.press('Enter')
  await page.locator('#question-card').waitFor({ state: 'detached' })
  await page.getByRole('log').getByText('城市').first().waitFor()
  assertNoFaults(ada)
  await ada.context.close()
})

test('the whole flow by keyboard alone', async () => {
  const ada = await visitor(browser, server, '/c/demo')
  const { page } = ada
  const { keyboard } = page
  await becomes(page, 'document.activeElement.id', 'composer')
  await keyboard.press('Shift+Enter')
  await keyboard.type('please')
  await reads(() => page.locator('#composer').inputValue(), 'Build me a reading-list agent\nplease')
  await keyboard.press('Enter')

  // The composer is empty, so the question takes the focus.
  await becomes(page, 'document.activeElement.id', 'question-card')
  await keyboard.press('2')
  const set = page.getByRole('region', { name: 'Before I go on, two details.' })
  await set.waitFor()
  await becomes(page, 'document.activeElement.id', 'question-card')
  for (let key = 0; key < 3; key += 1) await keyboard.press('Tab')
  await keyboard.press('Space')
  await keyboard.press('Enter')
  await becomes(page, 'document.activeElement.tagName', 'TEXTAREA')
  await keyboard.type('Rivers')
  await keyboard.press('Enter')

  // Down the tree to the teammate who asks: t goes to the tree, the rest are its own keys.
  await page.getByRole('region', { name: 'Waiting for a teammate' }).getByText('Your turn').waitFor()
  await page.locator('#log').focus()
  await keyboard.press('t')
  await becomes(page, 'document.activeElement.id', 'dialog-tree')
  await keyboard.press('ArrowRight')
  await page.locator('[role=treeitem][aria-level="2"]').waitFor()
  await keyboard.press('ArrowRight')
  await keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Path to this side dialog' }).waitFor()
  const length = page.getByRole('region', { name: 'Short books or long ones?' })
  await length.waitFor()
  await page.locator('#log').focus()
  await keyboard.press('q')
  await becomes(page, 'document.activeElement.id', 'question-card')
  await keyboard.press('1')
  const way = page.locator('[data-part="given"]').getByRole('link', { name: 'Go to the reply' })
  await way.focus()
  await keyboard.press('Enter')
  await page.locator('[data-part="message"]').getByText('That was the tour').waitFor()
  assert.match((await messages(page)).join('\n'), /get better at work/)

  // Letters are shortcuts outside of fields only; Escape closes what they opened and discards nothing.
  await page.locator('#composer').fill('?')
  await page.locator('#log').focus()
  await keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await keys.waitFor()
  await keyboard.press('Escape')
  await keys.waitFor({ state: 'hidden' })
  assert.equal(await page.locator('#composer').inputValue(), '?')
  await page.locator('#log').focus()
  await keyboard.press('c')
  await becomes(page, 'document.activeElement.id', 'composer')
  await keyboard.press('Escape')
  assert.equal(await page.locator('#composer').inputValue(), '?')
  assertNoFaults(ada)
  await ada.context.close()
})

test('while a person writes, a new question does not take the focus', async () => {
  const ada = await visitor(browser, server, '/c/new')
  const { page } = ada
  await page.locator('#composer').fill('hello')
  await page.locator('#composer').press('Enter')
  await page.locator('#question-card').waitFor()
  await page.locator('#composer').fill('half a sentence')
  const dialog = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const { items } = (await server.call('GET', '/v1/questions?state=open&limit=200')) as { items: { id: string; dialog: string }[] }
  const open = items.find((question) => question.dialog === dialog)
  assert.ok(open)
  await server.call('POST', `/v1/questions/${open.id}/answer`, { choice: 'fun' })
  await page.getByRole('region', { name: 'Before I go on, two details.' }).waitFor()
  assert.equal(await page.evaluate('document.activeElement.id'), 'composer')
  assert.equal(await page.locator('#composer').inputValue(), 'half a sentence')
  await page
    .getByRole('status')
    .getByText(/Answered by/)
    .waitFor()
  await page.reload()
  await page.locator('#question-card').waitFor()
  await reads(() => page.locator('#composer').inputValue(), 'half a sentence', 'a draft survives a reload')
  assertNoFaults(ada)
  await ada.context.close()
})

test('the next question keeps the focus when the answer before it is confirmed late', async () => {
  const ada = await visitor(browser, server, '/c/new')
  const { page } = ada
  await page.locator('#composer').fill('hello')
  await page.locator('#composer').press('Enter')
  const card = page.locator('#question-card')
  const fun = card.getByRole('button', { name: 'Just for fun' })
  await fun.waitFor()
  // The live connection brings the next question before the request is answered.
  const isWriting = Promise.withResolvers<void>()
  await page.route('**/answer', async (route) => {
    const response = await route.fetch()
    await isWriting.promise
    await route.fulfill({ response })
  })
  await fun.click()
  await card.getByRole('radio').first().check()
  await card.getByRole('button', { name: 'Next' }).click()
  await card.locator('textarea').fill('Cit')
  await listen(page)
  isWriting.resolve()
  await becomes(page, `heard.some(({ text }) => text === 'Answer sent')`, true)
  await page.keyboard.type('ies')
  await reads(() => card.locator('textarea').inputValue(), 'Cities')
  assertNoFaults(ada)
  await ada.context.close()
})

test('a question answered by another person shows who, and nothing is sent twice', async () => {
  const ada = await visitor(browser, server, '/c/new')
  const { page } = ada
  await page.locator('#composer').fill('hello')
  await page.locator('#composer').press('Enter')
  const card = page.getByRole('region', { name: 'What should the reading list be for?' })
  const fun = card.getByRole('button', { name: 'Just for fun' })
  await fun.waitFor()
  await page.route('**/answer', async (route) => {
    const question = new URL(route.request().url()).pathname.split('/').at(-2) ?? ''
    await server.call('POST', `/v1/questions/${question}/answer`, { choice: 'work' })
    await route.continue()
  })
  await fun.click()
  await page
    .getByRole('status')
    .getByText(/Answered by/)
    .waitFor()
  await page.getByRole('log').getByText('Get better at work', { exact: true }).waitFor()
  await page.getByRole('log').getByText('“Get better at work”, good.').waitFor()
  assertNoFaults(ada)
  await ada.context.close()
})

/** The messages, once there are so many. */
async function until(page: Page, least: number): Promise<string[]> {
  await page
    .locator('[data-part="message"]')
    .nth(least - 1)
    .waitFor()
  return messages(page)
}
