import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import type { PageServer } from './page-server.ts'

export type Visitor = { context: BrowserContext; page: Page; faults: string[] }

/** A person with a browser of their own, signed in. What the page complains about in the console is gathered. */
export async function visitor(
  browser: Browser,
  server: PageServer,
  path: string,
  { person, ...options }: BrowserContextOptions & { person?: string } = {},
): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, locale: 'en-US', ...options })
  const page = await context.newPage()
  const faults = watchFaults(page)
  await page.goto(await server.link(path, person))
  await page.locator('#root header').first().waitFor({ state: 'attached' })
  return { context, page, faults }
}

/** Faults of the page and breaches of its content security policy; a lost connection is no fault. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/ERR_CONNECTION|ERR_INTERNET|WebSocket|Failed to load resource/.test(message.text()))
      faults.push(message.text())
  })
  return faults
}

export const assertNoFaults = (...visitors: Visitor[]): void => {
  for (const { faults } of visitors) assert.deepEqual(faults, [])
}

/** The words of every message on the page, in order; what is still being written is not among them. */
export const messages = (page: Page): Promise<string[]> => page.locator('#log [data-part="message"]').allInnerTexts()

export const count = (text: string, part: string): number => text.split(part).length - 1

/** Looks until a reading of the page is this value. What it shows last is compared when the time is up. */
export async function reads<Value>(read: () => Promise<Value>, wanted: Value, what?: string): Promise<void> {
  const until = Date.now() + 60_000
  let value = await read()
  while (!isDeepStrictEqual(value, wanted) && Date.now() < until) {
    await pause(50)
    value = await read()
  }
  assert.deepEqual(value, wanted, what)
}

/** Looks until an expression in the page has this value. Playwright's own way compiles text, which the page's policy forbids. */
export const becomes = (page: Page, expression: string, wanted: string | number | boolean): Promise<void> =>
  reads(() => page.evaluate<unknown>(expression), wanted, expression)

/** Keeps what the page tells people who listen, in `heard` of the page: a later sentence takes the place of an earlier one. */
export const listen = (page: Page): Promise<unknown> =>
  page.evaluate(`
    globalThis.heard = []
    const told = document.querySelector('[aria-live=polite][aria-atomic=true]')
    const note = () => heard.push({ text: told.textContent.trim(), at: performance.now() })
    new MutationObserver(note).observe(told, { childList: true, characterData: true, subtree: true })
  `)

/** A request by the person in the browser, with their own cookie. */
export async function callAs({ page }: Visitor, path: string, body: object): Promise<unknown> {
  const options = `{ method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))} }`
  const { status, text } = await page.evaluate<{ status: number; text: string }>(
    `fetch(${JSON.stringify(path)}, ${options}).then(async (response) => ({ status: response.status, text: await response.text() }))`,
  )
  assert.ok(status < 300, `${path} answered ${status}: ${text}`)
  return JSON.parse(text)
}
