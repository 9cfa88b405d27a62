import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { scripted } from '../fixtures/agent-file.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, becomes, type Visitor, visitor } from './visitor.ts'

const widths = [320, 360, 412, 820, 1024, 1280]
const height = 740
const languages = { en: 'en-US', zh: 'zh-CN' } as const
/** A folder for pictures at 360 px; none are taken without it. */
const shots = process.env['PARLEY_SHOTS']

const browser = await launchBrowser()
const yaml = `team:\n  members:\n    ada: ${scripted('phone')}\n    bob: ${scripted('phone')}\n`
const server = await pageServer({ fast: true, config: yaml })

/** The status each first word leads to. */
const states = {
  text: 'ready',
  set: 'waiting',
  approve: 'waiting',
  fail: 'failed',
  retry: 'working',
  tools: 'ready',
  steps: 'ready',
  delegate: 'delegated',
} as const

type State = keyof typeof states

async function openDialogs(): Promise<Record<State, string>> {
  const opened: [string, string][] = []
  for (const [state, status] of Object.entries(states)) {
    const text = `${state} ${'a title that is longer than a phone is wide '.repeat(2)}`
    const { id } = (await server.call('POST', '/v1/dialogs', { text })) as { id: string }
    opened.push([state, id])
    for (let tries = 0; ; tries += 1) {
      const dialog = (await server.call('GET', `/v1/dialogs/${id}`)) as { status: string; failure: unknown }
      if (dialog.status === status && (state !== 'retry' || dialog.failure !== null)) break
      assert.ok(tries < 400, `${state} does not become ${status}: ${JSON.stringify(dialog).slice(0, 300)}`)
      await pause(25)
    }
  }
  return Object.fromEntries(opened) as Record<State, string>
}

/** Lists what does not fit the screen. Content that scrolls within its own box may be wider. */
const findFaults = `(() => {
  const width = document.documentElement.clientWidth
  const faults = []
  const name = (element) => element.tagName.toLowerCase() + ' "' + (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40) + '"'
  if (document.scrollingElement.scrollWidth > width) faults.push('the page scrolls sideways: ' + document.scrollingElement.scrollWidth + ' px')
  const scrolls = (element) => {
    for (let box = element.parentElement; box; box = box.parentElement)
      if (/auto|scroll/.test(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth) return true
    return false
  }
  const open = document.querySelector('dialog[open]')
  for (const element of (open ?? document).querySelectorAll('button, a, input, textarea, select, summary, label, h1, h2, p, span, bdi, strong, li, dd, time')) {
    const box = element.getBoundingClientRect()
    if (box.width === 0 || box.height === 0 || box.bottom < 0 || element.closest('.hidden-visually') || getComputedStyle(element).visibility === 'hidden') continue
    if ((box.right > width + 0.5 || box.left < -0.5) && !scrolls(element)) faults.push(name(element) + ' ends at ' + Math.round(box.right) + ' px')
  }
  for (const element of document.querySelectorAll('header :is(a, button), nav :is(a, button)')) {
    const box = element.getBoundingClientRect()
    if (box.width > 0 && box.width < 24) faults.push(name(element) + ' is ' + Math.round(box.width) + ' px wide')
  }
  const composer = open ? null : document.getElementById('composer')
  const box = composer?.getBoundingClientRect()
  if (box && box.height > 0) {
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    if (box.bottom > innerHeight || !composer.contains(hit)) faults.push('the composer is covered or below the screen')
  }
  const log = document.getElementById('log')
  if (log && log.clientHeight < 96) faults.push('the log is ' + log.clientHeight + ' px high')
  return faults
})()`

const isLogAtEnd = `(() => {
  const log = document.getElementById('log')
  return String(log.scrollHeight - log.scrollTop - log.clientHeight < 2)
})()`

async function measure({ page }: Visitor, language: string, what: string, faults: string[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height })
    // The page draws for the new width with the next frames.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    for (const fault of await page.evaluate<string[]>(findFaults)) faults.push(`${what}, ${language}, ${width} px: ${fault}`)
    if (shots && width === 360) {
      mkdirSync(shots, { recursive: true })
      await page.screenshot({ path: join(shots, `${what.replaceAll(/\W+/g, '-')}-${language}.png`) })
    }
  }
}

/** Within the page, because a reload for each state would take most of the time. */
async function visit(page: Page, path: string, shown: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
  await page.locator(shown).first().waitFor()
}

test('every screen and state fits every width in both languages', { timeout: 120_000 }, async () => {
  const dialogs = await openDialogs()
  const faults: string[] = []
  const people: [string, Visitor][] = []
  for (const [language, locale] of Object.entries(languages)) {
    const mia = await visitor(browser, server, '/', { viewport: { width: 360, height }, locale, isMobile: true, hasTouch: true })
    people.push([language, mia])
    const { page } = mia
    const check = (what: string): Promise<void> => measure(mia, language, what, faults)
    await page.getByRole('navigation', { name: 'Parley' }).waitFor()
    await check('list')
    for (const [what, path, shown] of [
      ['new chat', '/c/new', '#composer'],
      ['demo chat', '/c/demo', '#composer'],
      ['waiting', '/o', 'main [data-action]'],
      ['builds', '/b', 'main h1'],
      ['chats', '/chats', 'main h1'],
      ['grants', '/grants', 'main h1'],
      ['no such page', '/nowhere', 'main h1'],
      ['settings', '/settings', 'main select'],
    ] as const) {
      await visit(page, path, shown)
      await check(what)
    }
    for (const [state, dialog] of Object.entries(dialogs)) {
      const screens = {
        set: '#question-card',
        delegate: '#question-card',
        approve: '#question-card [data-action]',
        fail: 'main details',
        tools: '[data-part="tool"]',
        steps: '[data-part="work"]',
      }[state]
      await visit(page, `/c/${dialog}`, screens ?? '#log [data-part]')
      if (state === 'retry') await page.getByText(language === 'en' ? /Retrying in \d+ s\./ : /\d+ 秒后重试/).waitFor()
      await check(`dialog ${state}`)
      if (state === 'steps') {
        const line = page.locator('[data-part="work"]')
        assert.match(await line.innerText(), language === 'en' ? /in 3 steps\s+3 failed/ : /共 3 步\s+3 次失败/)
        await line.locator('summary').first().click()
        await line.locator('[data-part="tool"]').nth(2).locator('summary').click()
        await line.locator('pre').first().waitFor()
        await check('steps of a turn')
      }
      if (state === 'tools') {
        await page.locator('[data-part="tool"] summary').first().click()
        await page.locator('[data-part="tool"] pre').first().waitFor()
        const texts = await page.locator('[data-part="tool"]').allInnerTexts()
        assert.equal(texts.length, 1, 'equal failures are one row')
        assert.match(
          texts[0] ?? '',
          language === 'en' ? /×4[^]*Input[^]*"command"[^]*Error[^]*Duration\s+[\d.]+\ss/ : /×4[^]*输入[^]*错误[^]*用时\s+[\d.]+\s秒/,
        )
        await check('tool call')
      }
    }
    // A question that comes from elsewhere takes room from the log, which stays at its end; the message field stays.
    const { id } = (await server.call('POST', '/v1/dialogs', { text: 'text' })) as { id: string }
    await visit(page, `/c/${id}`, '#log pre')
    await server.call('POST', `/v1/dialogs/${id}/messages`, { text: 'set' })
    await page.locator('#question-card').waitFor()
    await becomes(page, isLogAtEnd, 'true')
    await check('set from elsewhere')
    await page.keyboard.press('Control+k')
    await page.locator('dialog[open] [role=option]').first().waitFor()
    await check('search')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.locator('dialog[open] kbd').first().waitFor()
    await check('shortcuts')
    await page.keyboard.press('Escape')
  }
  await server.call('POST', '/v1/stop-all', {})
  for (const [language, mia] of people) {
    await visit(mia.page, `/c/${dialogs.set}`, '#question-card')
    await mia.page.locator('[class*="banner"], [class*="emergency"]').first().waitFor()
    await measure(mia, language, 'all stopped', faults)
  }
  await server.kill()
  for (const [language, mia] of people) {
    await mia.page.locator('[data-state="reconnecting"] button').waitFor()
    await measure(mia, language, 'reconnecting', faults)
  }
  assert.deepEqual(faults, [])
  assertNoFaults(...people.map(([, mia]) => mia))
})
