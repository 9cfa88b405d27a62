import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { assertAccessible } from './accessibility.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, becomes, visitor } from './visitor.ts'

const browser = await launchBrowser()
const server = await pageServer({ fast: true })
const picture = fileURLToPath(new URL('../../docs/pictures/chat.png', import.meta.url))
const text = fileURLToPath(new URL('../../LICENSE', import.meta.url))

const isDrawn = (part: string): string => `(document.querySelector('[data-part="${part}"] img')?.naturalWidth ?? 0) > 0`

test('a picture is drawn in the composer and in the log, another file is named, and one can be taken out again', async () => {
  const mia = await visitor(browser, server, '/c/new', { viewport: { width: 360, height: 740 } })
  const { page } = mia
  await page.locator('#composer').fill('Please look at this.')
  await page.locator('input[type=file]').setInputFiles([picture, text, picture])
  const chosen = page.locator('[data-part="attachments"] li')
  await chosen.nth(2).waitFor()
  await becomes(page, isDrawn('attachments'), true)
  await assertAccessible(page, 'chosen files')
  await chosen.nth(2).getByRole('button').click()
  await chosen.nth(2).waitFor({ state: 'detached' })
  await page.locator('#composer').press('Enter')
  await page.waitForURL(/\/c\/dlg/)
  const files = page.locator('[data-part="files"]').first()
  await files.scrollIntoViewIfNeeded()
  await becomes(page, isDrawn('files'), true)
  assert.equal(await files.locator('li').count(), 2)
  await files.getByText('LICENSE').waitFor()
  await assertAccessible(page, 'files of a message')
  const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
  assert.equal(isTooWide, false)
  assertNoFaults(mia)
})
