import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from '@playwright/test'
import { assertAccessible } from './accessibility.ts'
import { pickLooks } from './looks.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, reads, visitor } from './visitor.ts'

const browser = await launchBrowser()

/** A model server that refuses every key. */
const provider = createServer((_request, response) => {
  response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"bad key"}}')
})
await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
after(() => provider.close())
const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`

const config = `# The family's agents
models:
  main: # the cheap one
    provider: openai-compatible
    baseUrl: ${baseUrl}
    model: small
    apiKey: sk-written-down-0123456789
team:
  members:
    ada: { runtime: model, model: main, about: Answers } # the friendly one
people:
  mia: { role: owner }
  ann: { role: operator }
`
const server = await pageServer({ fast: true, config })
const file = join(server.dir, 'parley.yaml')
const text = (): string => readFileSync(file, 'utf8')

async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['PARLEY_SHOTS']
  if (folder) await page.screenshot({ path: `${folder}/settings-${name}.png`, fullPage: true })
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

test('an agent is changed: the difference is shown, the file keeps its comments, and it is in force', async () => {
  const ada = await visitor(browser, server, '/settings', { viewport: { width: 1280, height: 900 } })
  const { page } = ada
  await page.getByRole('link', { name: 'Agents and models' }).click()
  await page.getByRole('button', { name: 'Edit ada' }).click()
  await page.getByLabel('Purpose').fill('Answers with care')
  await page.getByLabel('Read files').check()
  await page.getByRole('button', { name: 'Review change' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Change parley.yaml' })
  const diff = dialog.getByRole('region', { name: 'Difference' })
  await diff.getByText('Answers with care').waitFor()
  assert.ok(!(await diff.innerText()).includes('sk-written-down'))
  assert.equal(text(), config, 'nothing is written before the reader says so')
  await shoot(page, 'diff')
  await assertAccessible(page, 'the difference')
  await dialog.getByRole('button', { name: 'Write to the file' }).click()
  await page.getByText('Saved. It is in force now.').first().waitFor()
  for (const part of ["# The family's agents", '# the cheap one', '# the friendly one', 'Answers with care', 'ws_read'])
    assert.ok(text().includes(part), part)
  const { agents } = (await server.call('GET', '/v1/info')) as { agents: { about: string }[] }
  assert.ok(agents.some(({ about }) => about === 'Answers with care'))
  assertNoFaults(ada)
  await ada.context.close()
})

test('a file that changed meanwhile is not overwritten: the newer text is shown, and the change can be made on it', async () => {
  writeFileSync(file, config)
  const ada = await visitor(browser, server, '/settings/server', { viewport: { width: 1280, height: 900 } })
  const { page } = ada
  await page.getByRole('button', { name: 'Edit main' }).click()
  await page.getByRole('textbox', { name: 'Model' }).fill('large')
  await page.getByRole('button', { name: 'Review change' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Change parley.yaml' })
  await dialog.getByText('large').waitFor()
  writeFileSync(file, config.replace('the cheap one', 'the dear one'))
  await dialog.getByRole('button', { name: 'Write to the file' }).click()
  await dialog.getByText('Nothing was written.').waitFor()
  await dialog.getByText('Newer text of the file').click()
  await dialog.getByText('the dear one').first().waitFor()
  assert.ok(!text().includes('large'))
  await shoot(page, 'conflict')
  assert.equal(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth), 0, 'the texts scroll inside their own frames')
  await assertAccessible(page, 'a file that changed meanwhile')
  await dialog.getByRole('button', { name: 'Write to the file' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.ok(text().includes('model: large') && text().includes('the dear one'))
  assertNoFaults(ada)
  await ada.context.close()
})

test('a model is added with a key that is never shown again, and tested', async () => {
  writeFileSync(file, config)
  const ada = await visitor(browser, server, '/settings/server', { viewport: { width: 1280, height: 900 } })
  const { page } = ada
  await page.getByRole('button', { name: 'Add a model' }).click()
  const form = page.locator('[data-part="entry-form"]')
  await form.getByLabel('Name', { exact: true }).fill('second')
  await form.getByLabel('Address').fill(baseUrl)
  await form.getByRole('textbox', { name: 'Model' }).fill('tiny')
  await form.getByLabel('New key (not shown)').fill('sk-typed-on-the-page')
  await form.getByRole('button', { name: 'Review change' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change parley.yaml' })
  await dialog.getByText('${PARLEY_SECOND_KEY}').waitFor()
  await dialog.getByRole('button', { name: 'Write to the file' }).click()
  await page.getByRole('button', { name: 'Test second' }).click()
  await page.getByText('✗ Answers').waitFor()
  assert.ok(text().includes('apiKey: ${PARLEY_SECOND_KEY}'))
  assert.ok(!(await page.content()).includes('sk-typed-on-the-page'))
  assert.ok(readFileSync(join(server.dir, 'data/secrets.env'), 'utf8').includes('PARLEY_SECOND_KEY=sk-typed-on-the-page'))
  // A wrong value is told in words, and nothing is written.
  await page.getByRole('button', { name: 'Edit second' }).click()
  await page.getByLabel('Context window (tokens)').fill('0.5')
  await page.locator('[data-part="entry-form"]').getByRole('button', { name: 'Review change' }).click()
  await page.getByRole('dialog', { name: 'Change parley.yaml' }).getByRole('alert').getByText('models.second.contextLength').waitFor()
  assert.ok(!text().includes('0.5'))
  assertNoFaults(ada)
  await ada.context.close()
})

test('an operator has no such page, and budgets and chat apps are set by the owner', async () => {
  writeFileSync(file, config)
  const ann = await visitor(browser, server, '/settings', { person: 'ann' })
  await ann.page.getByRole('link', { name: 'General' }).waitFor()
  assert.equal(await ann.page.getByRole('link', { name: 'Agents and models' }).count(), 0)
  await ann.page.goto(`${server.url}/settings/server`)
  await ann.page.getByText('Only the owner changes these settings.').waitFor()
  const mia = await visitor(browser, server, '/settings/server', { person: 'mia', viewport: { width: 1280, height: 900 } })
  const { page } = mia
  await page.getByRole('group', { name: 'Each day' }).getByLabel('Tokens').fill('5000')
  await page.getByRole('region', { name: 'Budgets' }).getByRole('button', { name: 'Review change' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change parley.yaml' })
  await dialog.getByRole('button', { name: 'Write to the file' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.match(text(), /day:\n\s+tokens: 5000/)
  await page.getByRole('button', { name: 'Add a chat app' }).click()
  await page.getByLabel('Platform').selectOption('telegram')
  await page.getByLabel('Token from @BotFather (not shown)').fill('123456:not-a-real-token-0123456789')
  await page.locator('[data-part="entry-form"]').getByRole('button', { name: 'Review change' }).click()
  await dialog.getByText('${TELEGRAM_TOKEN}').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await reads(async () => text().includes('telegram'), false)
  assertNoFaults(ann, mia)
  await Promise.all([ann.context.close(), mia.context.close()])
})

const words = { en: { title: 'Agents and models', edit: 'Edit ada', add: 'Add a model' }, zh: { title: '代理和模型', edit: '编辑 ada', add: '添加模型' } } // prettier-ignore

for (const { width, language, locale, colorScheme } of pickLooks(2))
  test(`the page fits into ${width} px and is accessible (${language}, ${colorScheme})`, async () => {
    writeFileSync(file, config)
    const texts = words[language]
    const ada = await visitor(browser, server, '/settings/server', {
      viewport: { width, height: 800 },
      locale,
      colorScheme,
      hasTouch: width < 820,
    })
    const { page } = ada
    await page.getByRole('heading', { level: 1, name: texts.title }).waitFor()
    await page.getByRole('button', { name: texts.edit }).click()
    await page.getByRole('button', { name: texts.add }).click()
    await assertAccessible(page, `the settings at ${width} px`)
    assert.ok((await overflow(page)) <= 0, `wider than ${width} px`)
    await shoot(page, `${language}-${colorScheme}-${width}`)
    assertNoFaults(ada)
    await ada.context.close()
  })
