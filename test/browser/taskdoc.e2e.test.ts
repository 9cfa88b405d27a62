import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import { assertAccessible } from './accessibility.ts'
import { agentFile } from '../fixtures/agent-file.ts'
import { pickLooks } from './looks.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, reads, visitor } from './visitor.ts'

const browser = await launchBrowser()
const config = `team:
  members:
    notes:
      runtime: scripted
      module: ${agentFile('notes')}
people:
  mia: { role: owner }
  ann: { role: operator }
`
const server = await pageServer({ fast: true, config })

/** A picture of the page, where they are wanted. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['PARLEY_SHOTS']
  if (folder) await page.screenshot({ path: `${folder}/taskdoc-${name}.png` })
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

async function dialogWith(path: string, sections: Readonly<Record<string, string>>): Promise<string> {
  mkdirSync(join(server.dir, path), { recursive: true })
  const { id } = (await server.call('POST', '/v1/dialogs', { title: 'Garden', taskdoc: path })) as { id: string }
  for (const [selector, content] of Object.entries(sections))
    await server.call('PATCH', `/v1/dialogs/${id}/taskdoc`, { selector, content, knownHash: 'none' })
  return id
}

test('New chat: a task document is made and chosen, and the chat that is opened has it', async () => {
  const ada = await visitor(browser, server, '/c/new', { viewport: { width: 1280, height: 800 } })
  const { page } = ada
  await page.getByRole('button', { name: 'Task document' }).click()
  const dialog = page.getByRole('dialog', { name: 'Task document' })
  await dialog.getByText('This project has no task documents yet.').waitFor()
  await dialog.getByLabel('New task document').fill('../up')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('New task document').fill('plans/garden')
  await shoot(page, 'choose')
  await assertAccessible(page, 'choosing a task document')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Task document: plans/garden.tsk' }).waitFor()
  await page.locator('#composer').fill('Hello')
  await page.keyboard.press('Enter')
  const pane = page.getByRole('complementary', { name: 'Task document' })
  await pane.getByText('plans/garden.tsk').waitFor()
  await pane.getByRole('heading', { name: 'Goals' }).waitFor()
  assertNoFaults(ada)
  await ada.context.close()
})

test('a person edits a section, and other copies of the page show the text and who wrote it', async () => {
  const id = await dialogWith('shared.tsk', { goals: 'A **garden** for spring' })
  const mia = await visitor(browser, server, `/c/${id}`, { viewport: { width: 1280, height: 800 }, person: 'mia' })
  const ann = await visitor(browser, server, `/c/${id}`, { viewport: { width: 1280, height: 800 }, person: 'ann' })
  const pane = mia.page.getByRole('complementary', { name: 'Task document' })
  await pane.getByText('garden', { exact: true }).waitFor()
  await pane.getByRole('button', { name: 'Edit Constraints' }).click()
  await pane.getByRole('textbox', { name: 'Text of Constraints' }).fill('At most 200 €')
  await pane.getByRole('button', { name: 'Save' }).click()
  await pane.getByText('Last changed by You, now').first().waitFor()
  const other = ann.page.getByRole('complementary', { name: 'Task document' })
  await other.getByText('At most 200 €').waitFor()
  await other.getByText('Last changed by mia').waitFor()
  await ann.page.getByText('mia changed "constraints" in the task document').waitFor()
  // Of an operator the text counts less, and the page says so before it is written.
  await other.getByRole('button', { name: 'Edit Progress' }).click()
  await other.getByText('Your text counts with your role (operator).').waitFor()
  assertNoFaults(mia, ann)
  await Promise.all([mia.context.close(), ann.context.close()])
})

test('a newer version is shown beside the own text and not overwritten; then either may be kept', async () => {
  const id = await dialogWith('conflict.tsk', { goals: 'first' })
  const file = join(server.dir, 'conflict.tsk/goals.md')
  const ada = await visitor(browser, server, `/c/${id}`, { viewport: { width: 1280, height: 800 } })
  const { page } = ada
  const pane = page.getByRole('complementary', { name: 'Task document' })
  await pane.getByRole('button', { name: 'Edit Goals' }).click()
  const field = pane.getByRole('textbox', { name: 'Text of Goals' })
  await field.fill('mine')
  writeFileSync(file, 'theirs, meanwhile')
  await field.press('Control+Enter')
  await pane.getByText('Nothing was overwritten.').waitFor()
  await pane.getByRole('region', { name: 'Newer text' }).getByText('theirs, meanwhile').waitFor()
  assert.equal(await field.inputValue(), 'mine')
  assert.equal(readFileSync(file, 'utf8'), 'theirs, meanwhile')
  await shoot(page, 'conflict')
  await assertAccessible(page, 'a conflict in the task document')
  await pane.getByRole('button', { name: 'Save my text instead' }).click()
  await field.waitFor({ state: 'detached' })
  assert.equal(readFileSync(file, 'utf8'), 'mine')
  await pane.getByRole('button', { name: 'History of Goals' }).click()
  const versions = pane.getByRole('listitem')
  await reads(() => versions.count(), 2)
  await versions.first().getByRole('button', { name: 'Show' }).click()
  await versions.first().getByText('theirs, meanwhile').waitFor()
  await shoot(page, 'history')
  await assertAccessible(page, 'the history of a section')
  await versions.first().getByRole('button', { name: 'Edit from here' }).click()
  await reads(() => field.inputValue(), 'theirs, meanwhile')
  assertNoFaults(ada)
  await ada.context.close()
})

const words = { en: { title: 'Task document', goals: 'Goals', edit: 'Edit Goals', close: 'Close' }, zh: { title: '任务文档', goals: '目标', edit: '编辑目标', close: '关闭' } } // prettier-ignore

for (const { width, language, locale, colorScheme } of pickLooks(1))
  test(`the pane fits into ${width} px and is accessible (${language}, ${colorScheme})`, async () => {
    const id = await dialogWith(`fit-${language}-${colorScheme}-${width}.tsk`, {
      goals: `A garden\n\n- beds\n- ${'pond'.repeat(40)}\n\n| a | b |\n|---|---|\n| 1 | 2 |`,
      progress: '```sh\nnpm run a-long-command-that-does-not-fit-on-a-phone -- --with --many --flags\n```',
    })
    const texts = words[language]
    const ada = await visitor(browser, server, `/c/${id}`, {
      viewport: { width, height: 800 },
      locale,
      colorScheme,
      hasTouch: width < 820,
    })
    const { page } = ada
    const pane = page.getByRole('complementary', { name: texts.title })
    // Where there is no room beside the messages, it is opened over them.
    if (width < 1200) await page.getByRole('button', { name: texts.title }).click()
    await pane.getByRole('heading', { name: texts.goals }).waitFor()
    await assertAccessible(page, `the pane at ${width} px`)
    assert.ok((await overflow(page)) <= 0, `wider than ${width} px`)
    await shoot(page, `${language}-${colorScheme}-${width}`)
    await pane.getByRole('button', { name: texts.edit }).click()
    await pane.getByRole('textbox').first().waitFor()
    assert.ok((await overflow(page)) <= 0, `the editor is wider than ${width} px`)
    if (width === 360) await shoot(page, `${language}-${colorScheme}-edit`)
    await pane.getByRole('button', { name: texts.close, exact: true }).click()
    await pane.waitFor({ state: 'detached' })
    assertNoFaults(ada)
    await ada.context.close()
  })
