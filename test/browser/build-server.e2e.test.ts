// needs: sandbox
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { shop } from '../../examples/embed-build/shop.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, becomes, reads, visitor } from './visitor.ts'

const program = fileURLToPath(new URL('../fixtures/build-program.ts', import.meta.url))
const yaml = `team:
  default: builder
  members:
    builder: { runtime: command, command: [${JSON.stringify(process.execPath)}, ${JSON.stringify(program)}] }
`

const browser = await launchBrowser()
const server = await pageServer({ config: yaml })

async function start(page: Page): Promise<void> {
  await page.locator('#build-prompt').fill('Build me a reading-list agent')
  await page.locator('#build-prompt').press('Enter')
  await page.waitForURL(/\/b\/[\da-f]{8}-/)
}

test('a build that waits is on the page of what waits for you, and counted in the title, until it is answered', async () => {
  const [ada, bo] = [await visitor(browser, server, '/o'), await visitor(browser, server, '/o', { locale: 'zh-CN' })]
  const { page } = ada
  await page.getByText('You’re all caught up').waitFor()
  const { build_id: build } = (await server.call('POST', '/v1/builds', { prompt: 'A **reading** list' })) as { build_id: string }
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Build · A reading list' })
  const there = bo.page.getByRole('main').getByRole('listitem').filter({ hasText: '构建 · A reading list' })
  await there.getByRole('link', { name: '到构建中回答' }).waitFor()
  await becomes(page, 'document.title', '(1) Parley')
  await page.getByRole('link', { name: 'Inbox, 1 waiting for you' }).waitFor()
  await row.getByRole('link', { name: 'Answer in the build' }).click()
  await page.waitForURL(`**/b/${build}`)
  await page.getByRole('button', { name: 'Stop this build' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop the build' }).click()
  await becomes(page, 'document.title', 'Parley')
  await there.getByText('已处理').waitFor()
  await there.waitFor({ state: 'detached' })
  assertNoFaults(ada, bo)
  await Promise.all([ada.context.close(), bo.context.close()])
})

test('a real build by a program, by keyboard alone, through a server that dies while it waits', async () => {
  const ada = await visitor(browser, server, '/b')
  const { page } = ada
  await start(page)
  await becomes(page, 'document.activeElement.id', 'question-card')
  await page.keyboard.press('ArrowDown')
  await server.kill()
  await page.getByText('Reconnecting').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Your answer will be sent when the connection is back.').waitFor()
  await server.start()

  await page.getByRole('region', { name: 'Before I go on, two details.' }).waitFor()
  await page.locator('#log').getByText('Get better at work').waitFor()
  await page.getByRole('radio', { name: 'Weekly' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await becomes(page, 'document.activeElement.tagName', 'TEXTAREA')
  await page.keyboard.type('Rivers')
  await page.keyboard.press('Enter')
  const result = page.getByRole('region', { name: 'Your result' })
  await result.getByText('One book each week').waitFor()
  await reads(() => page.locator('#log [data-part="mine"]').count(), 3)
  const shown = await page.locator('#log [data-part]').allInnerTexts()
  await page.reload()
  await result.waitFor()
  await reads(() => page.locator('#log [data-part]').allInnerTexts(), shown)
  await page.getByRole('textbox', { name: 'Ask for a change' }).fill('One every month')
  await page.keyboard.press('Enter')
  await page.locator('#log').getByText('One every month').waitFor()
  await reads(() => page.locator('#log').getByText('Your reading-list agent is ready.').count(), 2)
  await page.getByRole('link', { name: 'Builds', exact: true }).click()
  await page.getByRole('listitem').filter({ hasText: 'Build me a reading-list agent' }).getByText('Done').waitFor()
  assertNoFaults(ada)
  await ada.context.close()
})

test('a real build is stopped and started again', async () => {
  const ada = await visitor(browser, server, '/b')
  const { page } = ada
  await start(page)
  await page.locator('#question-card').waitFor()
  const first = page.url()
  await page.getByRole('button', { name: 'Stop this build' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop the build' }).click()
  await page.getByRole('region', { name: 'This build was stopped.' }).getByRole('button', { name: 'Start again' }).click()
  await page.locator('#question-card').waitFor()
  assert.equal(page.url(), first)
  await page.goto(`${server.url}/b/nothing`)
  await page.getByRole('heading', { name: 'This build does not exist.' }).waitFor()
  assertNoFaults(ada)
  await ada.context.close()
})

test('the element shows a real build in a shop’s page, behind the shop’s own server', async () => {
  const { token } = (await server.call('POST', '/v1/tokens', { name: 'shop', role: 'operator', scopes: ['read', 'chat', 'answer'] })) as {
    token: string
  }
  const { build_id: build } = (await server.call('POST', '/v1/builds', { prompt: 'A reading list' })) as { build_id: string }
  const own = await shop({ parley: server.url, token, mayUse: (_request, asked) => asked === build })
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${(own.address() as AddressInfo).port}/builds/${build}`)
  const element = page.locator('parley-build')
  await element.getByRole('radio', { name: 'Read for pleasure' }).check()
  await element.getByRole('button', { name: 'Send answer' }).click()
  await element.getByRole('radio', { name: 'Monthly' }).check()
  await element.getByRole('textbox', { name: 'Which topic first?' }).fill('Rivers')
  await element.getByRole('button', { name: 'Send answers' }).click()
  await element.getByRole('region', { name: 'Your result' }).getByText('One book each week').waitFor()
  await page.locator('#news').getByText(`Done: ${build}`).waitFor()
  await context.close()
  own.closeAllConnections()
  own.close()
})
