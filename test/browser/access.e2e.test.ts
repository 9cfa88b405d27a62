// needs: sandbox
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from '@playwright/test'
import { repetitions } from '../fixtures/campaign.ts'
import { assertAccessible } from './accessibility.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, type Visitor, visitor, watchFaults } from './visitor.ts'

const phone = { width: 360, height: 740 }
const looks: { name: string; options: BrowserContextOptions }[] = [
  { name: 'light', options: { colorScheme: 'light' } },
  { name: 'dark Chinese', options: { colorScheme: 'dark', locale: 'zh-CN' } },
  { name: 'dark Chinese phone', options: { viewport: phone, isMobile: true, hasTouch: true, colorScheme: 'dark', locale: 'zh-CN' } },
]

const browser = await launchBrowser()
const demo = await pageServer({ fast: true })
const failing = await pageServer({
  config: `team:\n  members:\n    broken:\n      runtime: command\n      command: [${JSON.stringify(process.execPath)}, '-e', 'process.exit(3)']\n`,
})

// The wide page in Chinese has its words in common with the phone, and its layout with the English one.
for (const { name, options } of looks.filter((_, at) => at !== 1 || repetitions(0, 1) === 1)) {
  describe(`the page is accessible: ${name}`, () => {
    test('new chat, choice, set, side dialog, finished chat, tree, overview, settings', async () => {
      const ada = await visitor(browser, demo, '/c/demo', { reducedMotion: 'reduce', ...options })
      const { page } = ada
      await check(page, 'new chat')
      await page.locator('#composer').press('Enter')
      const card = page.locator('#question-card')
      const choice = card.locator('[data-item] button').first()
      await choice.waitFor()
      await check(page, 'a choice')
      await choice.click()
      await card.getByRole('radio').first().waitFor()
      await check(page, 'a set')
      await card.locator('button[type=submit]').click()
      await card.locator('[aria-invalid=true]').first().waitFor()
      await check(page, 'a set with a fault')
      await card.getByRole('radio').first().check()
      await card.locator('button[type=submit]').click()
      await card.locator('textarea').fill('城市 & cities')
      await card.locator('button[type=submit]').click()
      const there = page.locator('[data-part="tellask"] a').first()
      await there.waitFor()
      await page.locator('main [data-shape="turn"]').first().waitFor({ state: 'attached' })
      await check(page, 'waiting for a teammate')
      await page.goto(`${demo.url}/o`)
      await page.locator('main [role=group] button').first().waitFor()
      await check(page, 'the overview with a question')
      await page.goBack()
      await there.click()
      await page.locator('[data-part="assignment"]').waitFor()
      await choice.waitFor()
      await check(page, 'a side dialog')
      await page.getByRole('button', { name: /^(Give up…|放弃…)$/ }).click()
      await page.locator('dialog[open]').waitFor()
      await check(page, 'giving up')
      await page.keyboard.press('Escape')
      await choice.click()
      await page.locator('[data-part="given"] a').click()
      await page.locator('[data-part="message"] table').waitFor()
      await card.waitFor({ state: 'detached' })
      await check(page, 'a finished chat')
      await page.goto(`${demo.url}/`)
      await page.locator('[role=treeitem][aria-level="2"]').first().waitFor()
      await check(page, 'the tree')
      await page.goto(`${demo.url}/o`)
      await page.locator('main h1').waitFor()
      await check(page, 'the overview')
      await page.keyboard.press('Control+k')
      await page.locator('dialog[open] [role=option]').first().waitFor()
      await check(page, 'the search')
      await page.goto(`${demo.url}/settings`)
      await page.locator('main select').first().waitFor()
      await check(page, 'the settings')
      await leave(ada)
    })

    test('a failed turn says why, what is kept and what to do', async () => {
      const ada = await visitor(browser, failing, '/c/new', { reducedMotion: 'reduce', ...options })
      const { page } = ada
      await page.locator('#composer').fill('hello')
      await page.locator('#composer').press('Enter')
      const ended = page.locator('[data-status="failed"][aria-label]')
      await ended.waitFor()
      await ended.locator('summary').click()
      await ended.getByText('command_failed').waitFor()
      await check(page, 'a failed turn')
      await leave(ada)
    })

    test('signed out', async () => {
      const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, locale: 'en-US', ...options })
      const page = await context.newPage()
      const faults = watchFaults(page)
      await page.goto(`${demo.url}/c/demo#k=no-such-key`)
      await page.getByText('parley link', { exact: true }).waitFor()
      await page.getByRole('alert').waitFor()
      assert.equal(new URL(page.url()).hash, '')
      await check(page, 'signed out')
      assert.deepEqual(faults, [])
      await context.close()
    })
  })
}

/** No breach of WCAG A and AA, and nothing to scroll sideways. */
async function check(page: Page, what: string): Promise<void> {
  await assertAccessible(page, what)
  assert.deepEqual(await page.evaluate(sideways), [], `${what} scrolls sideways`)
  if (process.env['PARLEY_SHOTS'])
    await page.screenshot({ path: `${process.env['PARLEY_SHOTS']}/${what.replaceAll(' ', '-')}-${(shots += 1)}.png` })
}

let shots = 0

/** Only code and tables may be wider than the screen, each in its own frame. */
const sideways = `[...document.querySelectorAll('*')]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && ['auto', 'scroll'].includes(getComputedStyle(each).overflowX) && !each.matches('pre, .md-table'))
  .map((each) => each.outerHTML.slice(0, 120))
  .concat(document.scrollingElement.scrollWidth > innerWidth ? ['the page'] : [])`

async function leave(one: Visitor): Promise<void> {
  assertNoFaults(one)
  await one.context.close()
}
