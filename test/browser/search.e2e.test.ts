import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from '@playwright/test'
import { agentFile } from '../fixtures/agent-file.ts'
import { eventually } from '../fixtures/eventually.ts'
import { assertAccessible } from './accessibility.ts'
import { pickLooks } from './looks.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, becomes, reads, visitor } from './visitor.ts'

// Search over everything that was said, and links to messages, courses and questions.

const browser = await launchBrowser()
const server = await pageServer({
  fast: true,
  config: `team:\n  members:\n    ada: { runtime: scripted, module: ${agentFile('chat')}, diligence-push-max: 0 }\n`,
})

type Detail = { id: string; status: string; questions: { id: string }[]; course: number }

async function talk(...texts: string[]): Promise<string> {
  const { id } = (await server.call('POST', '/v1/dialogs', { title: `About ${texts[0]}`, text: texts[0] })) as Detail
  for (const text of texts.slice(1)) await server.call('POST', `/v1/dialogs/${id}/messages`, { text })
  await eventually(
    async () => ['ready', 'waiting'].includes(((await server.call('GET', `/v1/dialogs/${id}`)) as Detail).status),
    'it rests',
  )
  return id
}

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['PARLEY_SHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

const noOverflow = (page: Page): Promise<void> => becomes(page, `document.documentElement.scrollWidth - innerWidth <= 0`, true)

const wide = { viewport: { width: 1280, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] }

const hits = (page: Page): Locator => page.getByRole('option').filter({ has: page.locator('mark') })

const long = await talk('The zebra begins 斑马的故事', ...Array.from({ length: 150 }, (_, index) => `filler ${index}`))
const other = await talk('A second zebra')

test('the palette finds what was said in English and Chinese, and a result opens its message, also far back', async () => {
  const ada = await visitor(browser, server, `/c/${other}`, wide)
  const { page } = ada
  await page.getByRole('button', { name: /^Search/ }).click()
  const field = page.getByRole('combobox', { name: 'Search and commands' })
  await field.fill('zebra')
  await hits(page).filter({ hasText: 'begins' }).first().waitFor()
  await page.getByText('4 results', { exact: true }).waitFor()
  assert.deepEqual([...new Set(await page.locator('mark').allInnerTexts())], ['zebra'])
  assert.match(await hits(page).first().innerText(), /Ada[\s\S]*About A second zebra/)
  await assertAccessible(page, 'results')
  await shot(page, 'search-results')

  await field.fill('斑马 故事')
  await reads(async () => [...new Set(await page.locator('mark').allInnerTexts())], ['斑马', '故事'])
  await field.fill('nobody said xylophone')
  await page.getByText('No results for “nobody said xylophone”.').waitFor()
  await field.fill('?!')
  await page.getByText('No results for “?!”.').waitFor()
  assert.equal(await page.getByRole('option').count(), 0)

  // By keyboard alone: the result is the first after the chats of that name.
  await field.fill('斑马')
  await hits(page).nth(1).waitFor()
  const count = await page.getByRole('option').count()
  for (let step = 0; step < count; step += 1) {
    if (/^Y\s+You[\s\S]*The zebra begins/.test(await page.locator('[role=option][aria-selected=true]').innerText())) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/c/${long}#`))
  const target = page.locator('[data-linked]')
  await target.waitFor()
  assert.match(await target.innerText(), /zebra begins/)
  await becomes(page, `document.activeElement === document.querySelector('[data-linked]')`, true)
  await shot(page, 'linked-message')
  await assertAccessible(page, 'a linked message')

  await page.goBack()
  await page.waitForURL(new RegExp(`/c/${other}$`))
  await page.getByRole('heading', { name: 'About A second zebra' }).waitFor()
  assertNoFaults(ada)
  await ada.context.close()
})

test('a second result in the same chat moves there, and a failed search says so', async () => {
  const ada = await visitor(browser, server, `/c/${long}`, wide)
  const { page } = ada
  const find = async (words: string): Promise<void> => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill(words)
    await hits(page).first().waitFor()
    await hits(page).filter({ hasText: words }).last().click()
    await reads(async () => (await page.locator('[data-linked]').allInnerTexts()).some((text) => text.includes(words)), true)
  }
  await page.getByRole('log').getByText('filler 149', { exact: true }).first().waitFor()
  await find('filler 20')
  await find('filler 120')
  await page.goBack()
  await reads(async () => (await page.locator('[data-linked]').innerText()).includes('filler 20'), true)

  await page.route('**/v1/search?*', (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'x', hint: '' } } }),
  )
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('zebra')
  await page.getByText('The search did not work.').waitFor()
  await assertAccessible(page, 'a failed search')
  await ada.context.close()
})

test('the link of a message is copied and works; a link to nothing says so', async () => {
  const ada = await visitor(browser, server, `/c/${other}`, wide)
  const { page } = ada
  const message = page.locator('[data-part=message]').first()
  await message.hover()
  await message.getByRole('button', { name: 'Copy link' }).click()
  const id = (await message.getAttribute('id'))?.replace('row-', '') ?? ''
  await reads(() => page.evaluate<string>('navigator.clipboard.readText()'), `${server.url}/c/${other}#${id}`)
  await page.goto(`${server.url}/c/${other}#${id}`)
  await page.locator(`#row-${id}[data-linked]`).waitFor()
  await page.goto(`${server.url}/c/${other}#msg_0`)
  await page.reload()
  await page.getByText('This message was not found here.').last().waitFor()
  assertNoFaults(ada)
  await ada.context.close()
})

test('a link to a course shows where it begins', async () => {
  const id = await talk('First course')
  await server.call('POST', `/v1/dialogs/${id}/messages`, { text: 'clear your mind' })
  await eventually(async () => ((await server.call('GET', `/v1/dialogs/${id}`)) as Detail).course === 2, 'a second course')
  const ada = await visitor(browser, server, `/c/${id}?course=2`, wide)
  const { page } = ada
  await page.locator('[id^=row-course-][data-linked]').waitFor()
  await page.goto(`${server.url}/c/${id}?course=1`)
  await page.locator('[data-linked]').filter({ hasText: 'First course' }).waitFor()
  await page.goto(`${server.url}/c/${id}?course=9`)
  await page.getByText('This chat has no course 9.').last().waitFor()
  assertNoFaults(ada)
  await ada.context.close()
})

test('a link to a question opens its chat, says how it ended, or that it is not for the reader', async () => {
  const id = await talk('choose')
  const detail = (await server.call('GET', `/v1/dialogs/${id}`)) as Detail
  const question = detail.questions[0]?.id ?? ''
  assert.notEqual(question, '')
  const ada = await visitor(browser, server, `/q/${question}`, wide)
  const { page } = ada
  await page.waitForURL(`${server.url}/c/${id}#${question}`)
  await page.locator('#question-card').waitFor()
  await server.call('POST', `/v1/questions/${question}/decline`, { reason: 'not now' })
  await page.goto(`${server.url}/q/${question}`)
  await page.getByText('declined to answer').waitFor()
  await shot(page, 'question-closed')
  await assertAccessible(page, 'a closed question')
  await page.getByRole('link', { name: 'Open the chat at this question' }).click()
  await page.locator(`#row-${question}[data-linked]`).waitFor()
  await page.goto(`${server.url}/q/q_00000000`)
  await page.getByRole('heading', { name: 'This question is not for you' }).waitFor()
  await assertAccessible(page, 'a question of others')
  assertNoFaults(ada)
  await ada.context.close()
})

for (const { width, locale, colorScheme } of pickLooks(0))
  test(`search and linked messages fit into ${width} px, ${locale}, ${colorScheme}`, async () => {
    const ada = await visitor(browser, server, `/c/${other}`, { viewport: { width, height: 740 }, locale, colorScheme })
    const { page } = ada
    await page.locator('[data-part=message]').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('zebra')
    await hits(page).first().waitFor()
    await noOverflow(page)
    await assertAccessible(page, `${width} ${locale} ${colorScheme}`)
    await shot(page, `search-${width}-${locale}-${colorScheme}`)
    await hits(page).first().click()
    await page.locator('[data-linked]').waitFor()
    await noOverflow(page)
    await assertAccessible(page, `linked ${width} ${locale} ${colorScheme}`)
    await shot(page, `linked-${width}-${locale}-${colorScheme}`)
    assertNoFaults(ada)
    await ada.context.close()
  })
