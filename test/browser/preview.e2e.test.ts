import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from './accessibility.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, visitor } from './visitor.ts'

const browser = await launchBrowser()
const server = await pageServer({ fast: true })

test('a message is drawn for seven chat apps from its requests, with losses, at any width', async () => {
  const ada = await visitor(browser, server, '/chats')
  const { page } = ada
  await page.getByRole('link', { name: 'Preview a message in every chat app' }).click()
  const platforms = page.locator('main h2')
  await platforms.first().waitFor()
  assert.deepEqual(await platforms.allTextContents(), ['Discord', 'Feishu', 'LINE', 'Mattermost', 'Slack', 'Microsoft Teams', 'Telegram'])
  const slack = page.locator('main li', { has: page.getByRole('heading', { level: 2, name: 'Slack' }) })
  await slack.getByRole('button', { name: 'Deploy' }).waitFor()
  await slack.locator('strong', { hasText: '214' }).waitFor()
  assert.match((await slack.textContent()) ?? '', /table → text/)
  await slack.getByText('The request').click()
  assert.match(await slack.locator('pre').innerText(), /"operation": "chat.postMessage"/)
  const field = page.getByLabel('Message: text in Markdown')
  await field.fill('Only **words**')
  await page.locator('main strong', { hasText: 'words' }).first().waitFor()
  assert.equal((await page.getByText('Everything is shown as written').count()) > 3, true)
  await field.fill('{"text":"x","components":[]}')
  await page.getByRole('alert').getByText('components').waitFor()
  await field.fill('{"title":"T","blocks":[{"type":"nonsense"},{"type":"text","text":"left"}]}')
  await page.getByRole('list', { name: 'Skipped parts' }).getByText('blocks[0]').waitFor()
  await page.reload()
  await page.getByRole('list', { name: 'Skipped parts' }).waitFor()
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 })
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${width} px`)
    await assertAccessible(page, `preview at ${width} px`)
  }
  assertNoFaults(ada)
  await ada.context.close()
})
