import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, becomes, visitor } from './visitor.ts'

const messageCount = 160

const browser = await launchBrowser()
const server = await pageServer({ fast: true })

const atEnd = `String((() => { const log = document.getElementById('log'); return log.scrollHeight - log.scrollTop - log.clientHeight < 60 })())`

test('a long dialog opens at its end, goes back by button, and never loads all of itself', async () => {
  const opened = (await server.call('POST', '/v1/dialogs', { text: 'message number 0' })) as { id: string }
  for (let index = 1; index <= messageCount; index += 1)
    await server.call('POST', `/v1/dialogs/${opened.id}/messages`, { text: `message number ${index}` })
  const ada = await visitor(browser, server, `/c/${opened.id}`)
  const { page } = ada
  await page.getByRole('log').getByText(`message number ${messageCount}`, { exact: true }).waitFor()
  await becomes(page, atEnd, 'true')
  assert.ok((await rows(page)) <= 120, 'only the last part is drawn')

  // Reading further up is left in peace, and there is a way back.
  await page.evaluate(`document.getElementById('log').scrollTo(0, 0)`)
  const newest = page.getByRole('button', { name: 'Jump to newest' })
  await newest.waitFor()
  await server.call('POST', `/v1/dialogs/${opened.id}/messages`, { text: 'one more' })
  await page.locator('[data-part="message"]').getByText('one more', { exact: true }).waitFor({ state: 'attached' })
  assert.equal(await page.evaluate(atEnd), 'false')
  await newest.click()
  await becomes(page, atEnd, 'true')

  // To the very first message: beyond two hundred rows only those on screen are in the document.
  const earlier = page.getByRole('button', { name: 'Earlier messages' })
  for (let steps = 0; steps < 20 && (await earlier.count()) > 0; steps += 1) {
    await earlier.click()
    await page.locator('#log button[aria-disabled=true]').waitFor({ state: 'detached' })
  }
  await page.evaluate(`document.getElementById('log').scrollTo(0, 0)`)
  await page.getByRole('log').getByText('message number 0', { exact: true }).waitFor()
  assert.ok((await rows(page)) < 150, 'rows far away are not in the document')
  assert.equal(await page.getByRole('log').getByText('message number 0', { exact: true }).count(), 1)
  assertNoFaults(ada)
  await ada.context.close()
})

const rows = (page: Page): Promise<number> => page.locator('#log article').count()
