import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from '@playwright/test'
import { scripted } from '../fixtures/agent-file.ts'
import { assertAccessible } from './accessibility.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, callAs, type Visitor, visitor } from './visitor.ts'

const phone: BrowserContextOptions = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
const wide: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }
/** Pictures are taken of both; otherwise each size is checked in one, because a check takes seconds. */
const themesAt = (size: string): ('light' | 'dark')[] =>
  process.env['PARLEY_SHOTS'] ? ['light', 'dark'] : [size === '360' ? 'dark' : 'light']

const browser = await launchBrowser()
const yaml = `people:\n  bob: { name: Bob Lee, role: member }\nteam:\n  members:\n    ada: ${scripted('cautious')}\n`
const server = await pageServer({ fast: true, config: yaml })

/** Opens a dialog that waits for approvals; the card is on the screen. */
async function show(mia: Visitor, text: string): Promise<string> {
  const { page } = mia
  const { id } = (await callAs(mia, '/v1/dialogs', { text })) as { id: string }
  await page.goto(`${server.url}/c/${id}`)
  await page.locator('#question-card [data-action]').first().waitFor()
  return id
}

async function decide(dialog: string, decision: string): Promise<void> {
  const { questions } = (await server.call('GET', `/v1/dialogs/${dialog}`)) as { questions: { id: string }[] }
  for (const { id } of questions) await server.call('POST', `/v1/questions/${id}/answer`, { decision })
}

/** Facts of an approval that take a restart, a changed tool or several people to come about. */
const rare = {
  changed: { isChanged: true },
  keys: { keys: 2, keysGiven: ['Ann Li'] },
  interrupted: { isInterrupted: true, offersWorkspace: true },
}

async function withExtras(page: Page, extras: object, act: () => Promise<void>): Promise<void> {
  const detail = /\/v1\/dialogs\/dlg_\w+$/
  await page.route(detail, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { questions: { approval?: object }[] }
    const questions = body.questions.map((question) => ({ ...question, approval: { ...question.approval, ...extras } }))
    await route.fulfill({ response, json: { ...body, questions } })
  })
  await act()
  await page.unroute(detail)
}

/** No rule of accessibility is broken (checked in English), nothing is wider than the screen, and a finger hits every button. */
async function look(page: Page, what: string, size: string): Promise<void> {
  for (const theme of themesAt(size)) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    // Colours change with the next frames.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))')
    // Rules of accessibility depend on size and theme. Text of another language changes only how much room it takes.
    if (what.endsWith('en')) await assertAccessible(page, `${what} ${theme}`)
    if (process.env['PARLEY_SHOTS']) await page.screenshot({ path: `${process.env['PARLEY_SHOTS']}/${what}-${theme}.png` })
  }
  assert.equal(await page.evaluate('document.scrollingElement.scrollWidth > innerWidth'), false, `${what} scrolls sideways`)
  assert.deepEqual(await page.evaluate(widerThanTheirBox), [], `${what}: text that only scrolls sideways`)
  if (size === '360') assert.deepEqual(await page.evaluate(smallTargets), [], `${what}: too small for a finger`)
}

/** Parts of a card that a person would have to scroll sideways to read. */
const widerThanTheirBox = `[...document.querySelectorAll('main, main pre, main [data-grant], main [data-part="approval"]')]
  .filter((element) => element.scrollWidth > element.clientWidth + 1)
  .map((element) => element.tagName + ' ' + element.innerText.slice(0, 40))`

const smallTargets = `[...document.querySelectorAll('main :is([data-approval], [data-grant], dialog[open]) :is(button, a, summary, input[type=date], label:has(input[type=radio]))')]
  .filter((element) => { const { width, height } = element.getBoundingClientRect(); return width > 0 && (height < 44 || width < 44) && getComputedStyle(element).display !== 'inline' })
  .map((element) => element.innerText + ' ' + element.getBoundingClientRect().height)`

const long = `run for name in $(cat ${'folder/'.repeat(12)}names.txt); do printf '%s\u202E\\n' "$name"; done && ${'git log --oneline --graph '.repeat(14)}`
const message = 'send Good evening! The blog moves to the new server tonight at 02:00. 今晚 02:00 博客将迁移到新服务器。'

// Chinese needs less room than English, so only the narrow screen can be too small for it.
for (const [language, locale, sizes] of [
  ['en', 'en-US', { 1280: wide, 360: phone }],
  ['zh', 'zh-CN', process.env['PARLEY_SHOTS'] ? { 1280: wide, 360: phone } : { 360: phone }],
] as const) {
  for (const [size, options] of Object.entries(sizes)) {
    test(`approvals in ${language} at ${size} px: every state is readable, accessible and within the screen`, async () => {
      const mia = await visitor(browser, server, '/grants', { ...options, locale, reducedMotion: 'reduce' })
      const { page } = mia
      const name = (state: string): string => `${state}-${size}-${language}`
      const card = page.locator('#question-card')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await look(page, name('grants-before'), size)

      const command = await show(mia, 'run git log -3')
      await look(page, name('command'), size)
      await card.locator('[data-action="always"]').click()
      await card.getByRole('radio').first().waitFor()
      await look(page, name('scope'), size)
      await card.locator('textarea').fill('run(*)')
      await card.locator('[data-kind="main"]').click()
      await card.locator('[data-kind="bad"]').waitFor()
      await look(page, name('wide'), size)
      await card.getByRole('button').last().click()
      await card.locator('[data-action="denyWithNote"]').click()
      await card.locator('textarea').waitFor()
      await look(page, name('note'), size)
      await decide(command, 'chat')
      await page.locator('[data-part="approval"] details').first().waitFor()
      await look(page, name('decided'), size)

      await show(mia, 'run npm test')
      await card.locator('[data-action="always"]').click()
      await card.getByRole('radio').first().waitFor()
      await look(page, name('unbound'), size)
      await card.getByRole('button').last().click()
      await page.getByRole('button', { name: language === 'en' ? 'Later' : '稍后' }).click()
      await card.waitFor({ state: 'detached' })
      await look(page, name('not-now'), size)
      await page.reload()
      await card.locator('[data-action="chat"]').click()
      await page.locator('[data-part="toast"]').waitFor()
      await look(page, name('toast'), size)

      const once = await show(mia, long)
      assert.match(await card.locator('pre').innerText(), /⟨U\+202E⟩/)
      await look(page, name('long'), size)
      await decide(once, 'deny')

      const change = await show(mia, 'edit dns/zone.txt')
      await look(page, name('diff'), size)
      await decide(change, 'always')

      const post = await show(mia, message)
      await look(page, name('message'), size)
      await decide(post, 'deny')

      const pay = await show(mia, 'pay Eve')
      await look(page, name('irreversible'), size)

      for (const [what, extras] of Object.entries(rare))
        await withExtras(page, extras, async () => {
          const dialog = await show(mia, `run make ${what}`)
          await look(page, name(what), size)
          await decide(dialog, 'deny')
        })

      const stopped = await show(mia, 'run make dinner')
      await server.call('POST', `/v1/dialogs/${stopped}/stop`)
      await card.waitFor({ state: 'detached' })
      await look(page, name('stopped'), size)

      const bob = await visitor(browser, server, '/', { ...options, locale, reducedMotion: 'reduce', person: 'bob' })
      const { id: asked } = (await callAs(bob, '/v1/dialogs', { text: 'run make tea' })) as { id: string }
      await bob.page.goto(`${server.url}/c/${asked}`)
      await bob.page.locator('[data-approval]').waitFor()
      assert.ok(!(await bob.page.locator('[data-approval]').innerText()).includes('make tea'), 'the requester sees no arguments')
      await look(bob.page, name('waiting'), size)
      assertNoFaults(bob)
      await bob.context.close()
      await decide(asked, 'deny')

      await show(mia, 'several')
      await look(page, name('batch'), size)

      await page.goto(`${server.url}/o`)
      await page.locator('li[data-kind="approval"] button').first().waitFor()
      await look(page, name('inbox'), size)
      await decide(pay, 'deny')

      await page.goto(`${server.url}/grants`)
      await page.locator('[data-grant]').first().waitFor()
      await look(page, name('grants'), size)
      const { items } = (await server.call('GET', '/v1/grants')) as { items: { id: string; end: object | null }[] }
      for (const { id, end } of items) if (end === null) await server.call('DELETE', `/v1/grants/${id}`)
      const { items: open } = (await server.call('GET', '/v1/questions?state=open')) as { items: { id: string }[] }
      for (const { id } of open) await server.call('POST', `/v1/questions/${id}/answer`, { decision: 'deny' })
      assertNoFaults(mia)
      await mia.context.close()
    })
  }
}
