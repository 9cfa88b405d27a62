import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { assertAccessible } from './accessibility.ts'
import { agentFile } from '../fixtures/agent-file.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, reads, visitor } from './visitor.ts'

// Acts of a person on a chat as a whole and on a message of it: menu, delete, search, links, branches, Undo.

const browser = await launchBrowser()
const server = await pageServer({
  fast: true,
  config: `team:\n  members:\n    ada: { runtime: scripted, module: ${agentFile('chat')}, diligence-push-max: 0 }\n`,
})

const open = async (title: string, text?: string): Promise<string> =>
  ((await server.call('POST', '/v1/dialogs', { title, ...(text === undefined ? {} : { text }) })) as { id: string }).id

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['PARLEY_SHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, colorScheme: 'dark' } as const
const wide = { viewport: { width: 1280, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] }

test('the menu of a chat renames, pins, archives, exports and copies its link', async () => {
  const id = await open('First plan')
  const other = await open('Later plan')
  const ada = await visitor(browser, server, `/c/${id}`, wide)
  const { page } = ada
  const menu = page.getByRole('dialog', { name: 'Dialog menu' })
  const openMenu = (): Promise<void> => page.getByRole('button', { name: 'Dialog menu' }).click()
  const titles = (): Promise<string[]> =>
    page.getByRole('treeitem').evaluateAll((all) => all.map(({ id: line }) => line.replace('line-', '')))
  await reads(titles, [other, id])

  await openMenu()
  await menu.getByRole('button', { name: 'Pin', exact: true }).waitFor()
  await assertAccessible(page, 'the menu')
  await shot(page, 'menu')
  await menu.getByRole('button', { name: 'Pin', exact: true }).click()
  await reads(titles, [id, other])
  await page.getByRole('treeitem', { name: 'First plan, @ada, Done, pinned' }).waitFor()
  await shot(page, 'pinned')

  await openMenu()
  await menu.getByRole('button', { name: 'Rename…' }).click()
  const rename = page.getByRole('dialog', { name: 'Rename this chat' })
  await rename.getByRole('textbox', { name: 'Title' }).fill('Second plan 第二版')
  await assertAccessible(page, 'the new name')
  await shot(page, 'rename')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Second plan 第二版' }).waitFor()

  await openMenu()
  const download = page.waitForEvent('download')
  await menu.getByRole('link', { name: 'Export as Markdown' }).click()
  assert.equal((await download).suggestedFilename(), `${id}.md`)
  await menu.getByRole('button', { name: 'Copy link' }).click()
  await reads(() => page.evaluate<string>('navigator.clipboard.readText()'), `${server.url}/c/${id}`)

  await openMenu()
  await menu.getByRole('button', { name: 'Archive', exact: true }).click()
  await reads(titles, [other])
  await page.getByRole('button', { name: 'Archived' }).click()
  await reads(titles, [id])
  await shot(page, 'archived')
  await assertAccessible(page, 'the archive')
  await page.getByRole('button', { name: 'Back to chats' }).click()
  await reads(titles, [other])
  assertNoFaults(ada)
  await ada.context.close()
})

test('a chat is deleted after one question, and its link says so in every tab', async () => {
  const id = await open('Old plan', 'Hello')
  const ada = await visitor(browser, server, `/c/${id}`, phone)
  const second = await ada.context.newPage()
  await second.goto(`${server.url}/c/${id}`)
  await second.getByRole('heading', { name: 'Old plan' }).waitFor()
  const { page } = ada
  await page.locator('#log').getByText('Heard: Hello').waitFor()
  await page.getByRole('button', { name: 'Dialog menu' }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  const ask = page.getByRole('dialog', { name: 'Delete this chat?' })
  await ask.waitFor()
  await assertAccessible(page, 'the question before a chat is deleted')
  await shot(page, 'delete')
  await ask.getByRole('button', { name: 'Delete', exact: true }).click()
  await reads(() => page.evaluate<string>('location.pathname'), '/')
  await second.getByRole('heading', { name: 'This chat was deleted' }).waitFor()
  await assertAccessible(second, 'a deleted chat')
  await shot(second, 'deleted')
  assertNoFaults(ada)
  await ada.context.close()
})

test('a message is edited, asked again and branched from, and the first chat stays', async () => {
  const id = await open('Trip', 'Paris')
  const ada = await visitor(browser, server, `/c/${id}`, wide)
  const { page } = ada
  const log = page.locator('#log')
  await log.getByText('Heard: Paris').waitFor()
  await log.getByRole('button', { name: 'Edit' }).click()
  const field = page.getByRole('textbox', { name: 'Edit' })
  await field.fill('Rome')
  await assertAccessible(page, 'a message that is edited')
  await shot(page, 'edit')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'Trip (branch)' }).waitFor()
  await log.getByText('Heard: Rome').waitFor()
  await reads(async () => (await log.innerText()).includes('Paris'), false)

  await log.getByRole('button', { name: 'Branch' }).click()
  await page.getByText('Branched from').waitFor()
  await log.getByText('Heard: Rome').waitFor()
  await assertAccessible(page, 'a branch')
  await shot(page, 'branch')
  await log.getByRole('button', { name: 'Retry' }).click()
  await reads(() => log.getByText('Heard: Rome').count(), 1)
  await page.goto(`${server.url}/c/${id}`)
  await log.getByText('Heard: Paris').waitFor()
  assertNoFaults(ada)
  await ada.context.close()
})
