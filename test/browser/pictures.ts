import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from '@playwright/test'
import { scripted } from '../fixtures/agent-file.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, callAs, type Visitor, visitor } from './visitor.ts'

// Makes the pictures in docs/pictures anew: npm run pictures. They are made of the page itself, so they show what it is.

const folder = fileURLToPath(new URL('../../docs/pictures', import.meta.url))
const wide: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }
const phone: BrowserContextOptions = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
const english: BrowserContextOptions = { locale: 'en-US', colorScheme: 'light', reducedMotion: 'reduce' }
const chinese: BrowserContextOptions = { locale: 'zh-CN', colorScheme: 'dark', reducedMotion: 'reduce' }

const browser = await launchBrowser()
const demo = await pageServer({ fast: true })
const team = await pageServer({
  fast: true,
  config: `people:\n  mia: { name: Mia, role: owner }\nteam:\n  members:\n    ada: ${scripted('cautious')}\n`,
})

async function take(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  // Nothing is selected and no field has the focus, so that no picture depends on how its state was reached.
  await page.evaluate(`document.activeElement?.blur(); getSelection()?.removeAllRanges()`)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

async function begin(look: BrowserContextOptions): Promise<Visitor> {
  const one = await visitor(browser, demo, '/c/demo', look)
  await one.page.locator('#composer').press('Enter')
  await one.page.locator('#question-card [data-item] button').first().waitFor()
  return one
}

test('chat and the finished tour', async () => {
  const one = await begin({ ...wide, ...english })
  const { page } = one
  const card = page.locator('#question-card')
  await take(page, 'chat')
  await card.locator('[data-item] button').first().click()
  await card.getByRole('radio').first().check()
  await card.locator('button[type=submit]').click()
  await card.locator('textarea').fill('Rivers')
  await card.locator('button[type=submit]').click()
  await page.getByText('Short books or long ones?').first().waitFor()
  await take(page, 'side-dialog')
  await card.locator('[data-item] button').first().click()
  await page.locator('[data-part="message"]').getByText('That was the tour').waitFor()
  await take(page, 'finished')
  assertNoFaults(one)
  await one.context.close()
})

test('a question on a phone in Chinese', async () => {
  const one = await begin({ ...phone, ...chinese })
  await take(one.page, 'phone-question-zh')
  assertNoFaults(one)
  await one.context.close()
})

test('an approval, and the inbox that holds it', async () => {
  const one = await visitor(browser, team, '/o', { ...wide, ...english })
  const { id } = (await callAs(one, '/v1/dialogs', { text: 'run git log -3' })) as { id: string }
  await one.page.locator('main [data-action]').first().waitFor()
  await take(one.page, 'inbox')
  await one.page.goto(`${team.url}/c/${id}`)
  await one.page.locator('#question-card [data-action]').first().waitFor()
  await take(one.page, 'approval')
  assertNoFaults(one)
  await one.context.close()
})

test('a build that asks', async () => {
  const one = await visitor(browser, demo, '/b', { ...wide, ...chinese })
  const { page } = one
  await page.locator('#build-prompt').fill('帮我做一个书单代理')
  await page.locator('#build-prompt').press('Enter')
  await page.locator('#question-card [data-item] button').first().waitFor()
  await take(page, 'build-zh')
  assertNoFaults(one)
  await one.context.close()
})
