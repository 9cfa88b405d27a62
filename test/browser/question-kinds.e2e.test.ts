import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { BrowserContextOptions, Page } from '@playwright/test'
import { assertAccessible } from './accessibility.ts'
import { scripted } from '../fixtures/agent-file.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, type Visitor, visitor } from './visitor.ts'

const browser = await launchBrowser()
const server = await pageServer({ fast: true, config: `team:\n  members:\n    form: ${scripted('form')}\n` })

async function asked(kind: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const { id } = (await server.call('POST', '/v1/dialogs', { text: kind })) as { id: string }
  const one = await visitor(browser, server, `/c/${id}`, { reducedMotion: 'reduce', ...options })
  await one.page.locator('#question-card').waitFor()
  return one
}

async function check(page: Page, what: string): Promise<void> {
  await assertAccessible(page, what)
  assert.equal(await page.evaluate('document.scrollingElement.scrollWidth > innerWidth'), false, `${what} scrolls sideways`)
  if (process.env['PARLEY_SHOTS']) await page.screenshot({ path: `${process.env['PARLEY_SHOTS']}/${what.replaceAll(' ', '-')}.png` })
}

const stored = (page: Page, text: string): Promise<void> => page.locator('[data-part="message"]').getByText(`Stored: ${text}`).waitFor()

suite('questions of every kind on the page', () => {
  test('number: by keyboard, with a fault that is read out, and a typed unit', async () => {
    const mia = await asked('number')
    const { page } = mia
    const field = page.getByRole('textbox', { name: 'How many guests?' })
    await field.fill('13')
    await field.press('Enter')
    await page.locator('#question-card [aria-invalid="true"]').waitFor()
    assert.equal(await field.getAttribute('inputmode'), 'numeric')
    assert.match((await page.locator('#question-card').innerText()) ?? '', /Enter a whole number from 1 to 12 \(people\), such as 5\./)
    await field.fill('5 people')
    await field.press('Enter')
    await stored(page, '{"guests":"5"}')
    await page.locator('[data-part="asked"]').getByText('5 people').waitFor()
    assertNoFaults(mia)
    await mia.context.close()
  })

  test('date: the browser offers its own control, with the bounds', async () => {
    const mia = await asked('date')
    const { page } = mia
    const field = page.locator('#question-card input[type="date"]')
    assert.deepEqual(
      [await field.getAttribute('type'), await field.getAttribute('min'), await field.getAttribute('max')],
      ['date', '2026-01-01', '2030-12-31'],
    )
    await field.fill('2031-01-01')
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByText('Enter a date from 2026-01-01 to 2030-12-31').waitFor()
    await field.fill('2026-12-24')
    await page.getByRole('button', { name: 'Send answer' }).click()
    await stored(page, '{"day":"2026-12-24"}')
    assertNoFaults(mia)
    await mia.context.close()
  })

  test('choices: checkboxes by keyboard, and the count is asked for', async () => {
    const mia = await asked('choices')
    const { page } = mia
    await page.getByRole('checkbox', { name: 'Cake' }).press('Space')
    await page.getByRole('button', { name: 'Send answer' }).press('Enter')
    await page.locator('#question-card fieldset[aria-invalid="true"]').waitFor()
    await page.getByRole('checkbox', { name: 'Soup' }).press('Space')
    await page.getByRole('button', { name: 'Send answer' }).press('Enter')
    await stored(page, '{"dishes":"soup\\ncake"}')
    await page.locator('[data-part="asked"]').getByText('Soup, Cake').waitFor()
    assertNoFaults(mia)
    await mia.context.close()
  })

  for (const [locale, colorScheme] of [
    ['en-US', 'light'],
    ['zh-CN', 'dark'],
  ] as const)
    test(`a set at 360 pixels is accessible: ${locale}, ${colorScheme}`, async () => {
      const phone = await asked('form', { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, locale, colorScheme })
      const { page } = phone
      await check(page, `question kinds ${locale} ${colorScheme}`)
      const go = page.locator('#question-card button[type="submit"]')
      await go.tap()
      await page.locator('#question-card input[aria-invalid="true"]').waitFor()
      await check(page, `question kinds with a faulty number ${locale} ${colorScheme}`)
      await page.locator('#question-card input').fill('5')
      await go.tap()
      await page.locator('#question-card input[type="date"]').fill('2026-12-24')
      await check(page, `question kinds with a date ${locale} ${colorScheme}`)
      await go.tap()
      await page.getByRole('checkbox').first().waitFor()
      await go.tap()
      await page.locator('#question-card fieldset[aria-invalid="true"]').waitFor()
      const text = await page.locator('#question-card').innerText()
      assert.match(text, locale === 'en-US' ? /Choose at least 2\./ : /请至少选择 2 项。/)
      await check(page, `question kinds with faults ${locale} ${colorScheme}`)
      assertNoFaults(phone)
      await phone.context.close()
    })
})
