import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from './accessibility.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, becomes, visitor } from './visitor.ts'

/** The build of the demo, played by the real server with its scripted agent. */

const browser = await launchBrowser()
const server = await pageServer({ fast: true })

test('the demo’s build by keyboard alone, from the list to the result', async () => {
  const mia = await visitor(browser, server, '/b')
  const { page } = mia
  const { keyboard } = page
  // Enter before the server said that this is the demo: the field is empty, and the complaint goes when its first words arrive.
  const info = Promise.withResolvers<void>()
  await page.route('**/v1/info', async (route) => {
    await info.promise
    await route.continue()
  })
  await page.reload()
  await page.locator('#build-prompt').focus()
  await keyboard.press('Enter')
  const complaint = page.getByRole('alert').getByText('Describe what should be built.')
  await complaint.waitFor()
  info.resolve()
  await becomes(page, `!!document.getElementById('build-prompt')?.value`, true)
  await complaint.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate('document.activeElement.id'), 'build-prompt')
  await keyboard.press('Enter')
  await page.waitForURL(/\/b\/[\da-f]{8}-/)
  await becomes(page, 'document.activeElement.id', 'question-card')
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowDown')
  await assertAccessible(page, 'a question', { bestPractices: true })
  await keyboard.press('Enter')
  await page.getByRole('img', { name: 'Question 1 of 2' }).waitFor()
  await becomes(page, 'document.activeElement.id', 'question-card')
  await keyboard.press('ArrowDown')
  await keyboard.press('Space')
  await keyboard.press('Enter')
  await becomes(page, 'document.activeElement.tagName', 'TEXTAREA')
  await keyboard.type('Rivers')
  await keyboard.press('Enter')
  await page.getByRole('region', { name: 'Your result' }).waitFor()
  await assertAccessible(page, 'the result', { bestPractices: true })
  assert.equal(await page.locator('[aria-current="step"]').count(), 0)
  assertNoFaults(mia)
  await mia.context.close()
})

test('the same on a phone of 360 px in Chinese, by touch', async () => {
  const mei = await visitor(browser, server, '/b', {
    viewport: { width: 360, height: 740 },
    locale: 'zh-CN',
    hasTouch: true,
    isMobile: true,
  })
  const { page } = mei
  const fits = (): Promise<unknown> => page.evaluate('document.documentElement.scrollWidth <= innerWidth')
  await becomes(page, `!!document.getElementById('build-prompt')?.value`, true)
  await page.getByRole('button', { name: '开始构建' }).tap()
  await page.waitForURL(/\/b\/[\da-f]{8}-/)
  const card = page.locator('#question-card')
  await card.waitFor()
  assert.equal(await fits(), true)
  await assertAccessible(page, 'a question on a phone', { bestPractices: true })
  await card.locator('[data-item] button').first().tap()
  await card.getByRole('radio').first().tap({ force: true })
  await card.getByRole('button', { name: '下一题' }).tap()
  await card.getByRole('textbox').fill('河流')
  await card.getByRole('button', { name: '发送回答' }).tap()
  await page.getByRole('region', { name: '您的结果' }).waitFor()
  assert.equal(await fits(), true)
  await assertAccessible(page, 'the result on a phone', { bestPractices: true })
  // Nothing of another language is left in what Parley itself says.
  assert.doesNotMatch(await page.locator('#log').innerText(), /\b(Ready|Stop|Send|answer)\b/)
  assertNoFaults(mei)
  await mei.context.close()
})
