import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import type { BrowserContextOptions, Locator, Page } from '@playwright/test'
import { assertAccessible } from './accessibility.ts'
import { scripted } from '../fixtures/agent-file.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, becomes, messages, reads, type Visitor, visitor } from './visitor.ts'

const goOn = 'A. Continue'
const enough = 'B. Stop here, no further action needed'
const phone: BrowserContextOptions = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }

const browser = await launchBrowser()
const yaml = `team:
  default: chat
  members:
    chat: ${scripted('chat')}
    colleague: ${scripted('colleague')}
plugins:
  reply-end-controls: {}
`
const server = await pageServer({ fast: true, config: yaml })

/** A visitor of a new dialog in which this was said and answered. */
async function visitorAfter(text: string, options: BrowserContextOptions = {}): Promise<Visitor & { dialog: string }> {
  const { id } = (await server.call('POST', '/v1/dialogs', { text, language: /\p{Script=Han}/u.test(text) ? 'zh' : 'en' })) as {
    id: string
  }
  const one = await visitor(browser, server, `/c/${id}`, { reducedMotion: 'reduce', ...options })
  await one.page.locator('[data-part="message"]').getByText(`Heard: ${text}`).waitFor()
  return { ...one, dialog: id }
}

const controls = (page: Page): Locator => page.getByRole('group', { name: 'Optional replies' })
const replyEnd = (page: Page): Locator => page.locator('[data-part="reply-end"]')

async function say(page: Page, text: string): Promise<void> {
  await page.locator('#composer').fill(text)
  await page.locator('#composer').press('Enter')
}

const untilHeard = (page: Page, text: string): Promise<void> => page.locator('[data-part="message"]').getByText(`Heard: ${text}`).waitFor()

async function leave(...all: Visitor[]): Promise<void> {
  assertNoFaults(...all)
  for (const { context } of all) await context.close()
}

async function check(page: Page, what: string): Promise<void> {
  await assertAccessible(page, what)
  assert.equal(await page.evaluate('document.scrollingElement.scrollWidth > innerWidth'), false, `${what} scrolls sideways`)
  if (process.env['PARLEY_SHOTS']) await page.screenshot({ path: `${process.env['PARLEY_SHOTS']}/${what.replaceAll(' ', '-')}.png` })
}

suite('the two controls below a reply', () => {
  test('by mouse: stop closes the reply, and the next one ends without a suggestion', async () => {
    const mia = await visitorAfter('one')
    const { page } = mia
    await controls(page).waitFor()
    await reads(() => controls(page).getByRole('button').allInnerTexts(), [goOn, enough])
    await check(page, 'controls')
    await controls(page).getByRole('button', { name: enough }).click()
    await replyEnd(page).getByText('Closed, no follow-up').waitFor()
    await replyEnd(page).getByText('Stop here, no further action needed').waitFor()
    await page.getByRole('status').getByText('Closed, no follow-up').waitFor()
    await controls(page).waitFor({ state: 'hidden' })
    await check(page, 'controls chosen')
    // The server stores the choice, so a reload does not ask again.
    const asked = page.waitForResponse((response) => response.url().endsWith('/controls'))
    await page.reload()
    assert.deepEqual(((await (await asked).json()) as { rows: unknown[] }).rows, [])
    await untilHeard(page, 'one')
    await controls(page).waitFor({ state: 'hidden' })
    await say(page, 'two')
    await untilHeard(page, 'two')
    assert.match((await messages(page)).at(-1) ?? '', /closed the previous reply/)
    assert.doesNotMatch((await messages(page)).at(-1) ?? '', /Shall I go on\?/)
    await leave(mia)
  })

  test('by keyboard: from the log to the first control, and continue allows a suggestion', async () => {
    const mia = await visitorAfter('one')
    const { page } = mia
    await controls(page).waitFor()
    await page.locator('#log').focus()
    // Only what can be done with the two messages stands before them.
    const focused = (expression: string): Promise<unknown> => page.evaluate<unknown>(`document.activeElement.${expression}`)
    await page.keyboard.press('Tab')
    for (let actions = 0; actions < 12 && (await focused(`closest('[data-part="acts"]') !== null`)) === true; actions += 1)
      await page.keyboard.press('Tab')
    assert.equal(await focused('textContent'), goOn)
    await page.keyboard.press('Enter')
    await replyEnd(page).getByText('Noted: continue').waitFor()
    assert.match(await replyEnd(page).innerText(), /^Continue/)
    // The focus is not lost with the button.
    await becomes(page, 'document.activeElement.dataset.part', 'reply-end')
    // The button that attaches files stands before the field.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.id'), 'composer')
    await page.keyboard.type('two')
    await page.keyboard.press('Enter')
    await untilHeard(page, 'two')
    assert.match((await messages(page)).at(-1) ?? '', /asked to continue.*Shall I go on\?/s)
    await leave(mia)
  })

  test('who writes needs no control: they go at once, and come back with the next reply', async () => {
    const mia = await visitorAfter('one')
    const { page } = mia
    await controls(page).waitFor()
    const tab = await mia.context.newPage()
    await tab.goto(page.url())
    await controls(tab).waitFor()
    await say(page, 'wait here')
    await controls(page).waitFor({ state: 'hidden' })
    // A message in one tab removes the buttons in every tab.
    await tab.getByRole('button', { name: 'Stop' }).waitFor()
    await controls(tab).waitFor({ state: 'hidden' })
    writeFileSync(`${server.dir}/go-here`, '')
    await untilHeard(page, 'wait here')
    await controls(page).waitFor()
    await controls(tab).waitFor()
    assert.doesNotMatch((await messages(page)).at(-1) ?? '', /previous reply|asked to continue/)
    await leave(mia)
  })

  test('a second tab that is late is told so, and its controls go', async () => {
    const mia = await visitorAfter('one')
    const { page } = mia
    const tab = await mia.context.newPage()
    await tab.goto(page.url())
    await controls(tab).waitFor()
    await controls(page).getByRole('button', { name: goOn }).click()
    await replyEnd(page).getByText('Noted: continue').waitFor()
    await controls(tab).getByRole('button', { name: enough }).click()
    await replyEnd(tab).getByText('These options are no longer active').waitFor()
    await tab.getByRole('status').getByText('These options are no longer active').waitFor()
    await reads(() => replyEnd(tab).innerText(), 'These options are no longer active', 'what did not count is not shown as chosen')
    await controls(tab).waitFor({ state: 'hidden' })
    await leave(mia)
  })

  test('nothing stands below a question, and nothing in a side dialog', async () => {
    const { id } = (await server.call('POST', '/v1/dialogs', { text: 'delegate it' })) as { id: string }
    const mia = await visitor(browser, server, `/c/${id}`)
    const { page } = mia
    await page.locator('[data-part="tellask"] a').first().click()
    const card = page.locator('#question-card')
    const choice = card.locator('[data-item] button').first()
    await choice.waitFor()
    assert.equal(await controls(page).count(), 0)
    await choice.click()
    await page.locator('[data-part="given"] a').waitFor()
    const requests: string[] = []
    page.on('request', (request) => void requests.push(request.url()))
    await page.reload()
    await page.locator('[data-part="given"] a').click()
    await page.locator('[data-part="message"]').getByText('painted it').waitFor()
    await controls(page).waitFor()
    const about = requests.filter((url) => url.endsWith('/controls'))
    assert.deepEqual([...new Set(about)], [`${server.url}/v1/dialogs/${id}/controls`], 'a side dialog is not even asked about')
    await leave(mia)
  })

  test('they are asked for when the dialog comes to rest, never in between, and their room is there from the start', async () => {
    const mia = await visitorAfter('one')
    const { page } = mia
    await controls(page).waitFor()
    const requests: string[] = []
    page.on(
      'request',
      (request) => void (request.method() === 'GET' && request.url().endsWith('/controls') && requests.push(request.url())),
    )
    await page.reload()
    await controls(page).waitFor()
    assert.equal(requests.length, 1)
    // The answer is held back: where they will stand is free already, so nothing moves when it comes.
    let answer = (): void => {}
    const barrier = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/controls', async (route) => {
      await barrier
      await route.continue()
    })
    await say(page, 'two')
    await untilHeard(page, 'two')
    const last = page.locator('[data-part="message"]').last()
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    const place = await last.boundingBox()
    answer()
    await controls(page).waitFor()
    assert.deepEqual(await last.boundingBox(), place)
    await leave(mia)
  })

  test('in Chinese, on a phone', async () => {
    const mia = await visitorAfter('你好', { ...phone, locale: 'zh-CN' })
    const { page } = mia
    const group = page.getByRole('group', { name: '可选的回复' })
    await group.waitFor()
    await reads(() => group.getByRole('button').allInnerTexts(), ['A. 繼續', 'B. 就這樣吧,不需要額外處理'])
    await check(page, 'controls zh phone')
    await group.getByRole('button', { name: '就這樣吧' }).tap()
    await replyEnd(page).getByText('已收尾,不再延伸').waitFor()
    await check(page, 'controls chosen zh phone')
    await leave(mia)
  })

  test('on an English phone the long label fits', async () => {
    const mia = await visitorAfter('one', { ...phone, colorScheme: 'dark' })
    await controls(mia.page).waitFor()
    await check(mia.page, 'controls dark phone')
    await leave(mia)
  })
})
