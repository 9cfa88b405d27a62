import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, becomes, reads, visitor } from './visitor.ts'

const browser = await launchBrowser()
const server = await pageServer({ fast: true })

test('language, appearance and the sending key are remembered, and other tabs follow', async () => {
  const ada = await visitor(browser, server, '/c/demo', { colorScheme: 'light' })
  const { page } = ada
  const tab = await ada.context.newPage()
  await tab.goto(`${server.url}/c/new`)
  await tab.getByRole('heading', { name: 'What should we work on?' }).waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Send messages with').selectOption('ctrl-enter')
  await page.getByLabel('Appearance').selectOption('dark')
  await page.getByLabel('Language').selectOption('zh')
  await page.getByRole('heading', { level: 1, name: '设置' }).waitFor()
  await tab.getByRole('heading', { name: '今天要做什么？' }).waitFor()
  await page.goBack()
  await page.reload()
  await page.getByRole('textbox', { name: '给代理的消息' }).waitFor()
  await becomes(page, 'document.documentElement.lang', 'zh-CN')
  await becomes(page, 'document.documentElement.dataset.theme', 'dark')
  await reads(() => page.locator('#composer').inputValue(), '帮我做一个书单代理')
  await page.locator('#composer').press('End')
  await page.locator('#composer').press('Enter')
  await reads(() => page.locator('#composer').inputValue(), '帮我做一个书单代理\n')
  await page.locator('#composer').press('Control+Enter')
  await page.getByRole('region', { name: '这份书单是为了什么？' }).waitFor()
  assertNoFaults(ada)
  await ada.context.close()
})

test('a newer page on the server is offered, never forced, and the draft is kept', async () => {
  const ada = await visitor(browser, server, '/c/new')
  const { page } = ada
  await page.getByText('Connection: Live').waitFor()
  assert.equal(await page.getByText('A new version is available.').count(), 0)
  await page.routeWebSocket(/\/v1\/live$/, (mine) => {
    const theirs = mine.connectToServer()
    theirs.onMessage((frame) => mine.send(String(frame).replace(/"build":"[^"]*"/, '"build":"000000000000"')))
  })
  await page.locator('#composer').fill('half a thought')
  await page.reload()
  await page.getByText('A new version is available.').waitFor()
  await page.getByRole('button', { name: 'Reload' }).click()
  await becomes(page, `document.getElementById('composer')?.value ?? ''`, 'half a thought')
  assertNoFaults(ada)
  await ada.context.close()
})

test('the search finds dialogs by words, opens one by keyboard, and says when it finds none', async () => {
  await server.call('POST', '/v1/dialogs', { text: 'About whales' })
  await server.call('POST', '/v1/dialogs', { text: 'About rivers' })
  const ada = await visitor(browser, server, '/')
  const { page } = ada
  await page.getByRole('navigation', { name: 'Dialogs' }).getByText('About whales').waitFor()
  await page.keyboard.press('Control+k')
  const search = page.getByRole('dialog', { name: 'Search and commands' })
  const field = search.getByRole('combobox')
  const chats = search.getByRole('option').filter({ hasNot: page.locator('mark') })
  await chats.filter({ hasText: 'About whales' }).waitFor()
  await field.fill('no such thing')
  await search.getByText('No results for “no such thing”.').waitFor()
  await field.fill('rivers')
  await reads(async () => (await chats.allInnerTexts()).map((text) => text.split('\n')[0]), ['About rivers'])
  await field.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'About rivers' }).waitFor()
  await search.waitFor({ state: 'detached' })
  assertNoFaults(ada)
  await ada.context.close()
})

test('signed-in browsers are listed, and signing one out ends its page at once', async () => {
  const phone = await visitor(browser, server, '/', { userAgent: 'Mozilla/5.0 (Linux; Android 16) Chrome/140.0.0.0 Mobile Safari/537.36' })
  const ada = await visitor(browser, server, '/', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' })
  const { page } = ada
  await phone.page.getByText('Connection: Live').waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  const dialog = page.getByRole('main')
  await dialog.getByText('Signed-in browsers').click()
  await dialog.getByText('Firefox · Linux').waitFor()
  await dialog.getByText('This browser', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Sign out Chrome · Android' }).click()
  await dialog.getByText('Chrome · Android').waitFor({ state: 'detached' })
  await phone.page.getByText('parley link').waitFor()
  await phone.page.reload()
  await phone.page.getByText('parley link').waitFor()
  assertNoFaults(ada, phone)
  await Promise.all([ada.context.close(), phone.context.close()])
})
