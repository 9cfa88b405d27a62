import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { BrowserContextOptions } from '@playwright/test'
import { assertAccessible } from './accessibility.ts'
import { scripted } from '../fixtures/agent-file.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, type Visitor, visitor } from './visitor.ts'

const browser = await launchBrowser()
const server = await pageServer({ fast: true, config: `team:\n  members:\n    card: ${scripted('card')}\n` })

async function open(options: BrowserContextOptions = {}): Promise<Visitor & { dialog: string }> {
  const { id } = (await server.call('POST', '/v1/dialogs', { text: 'check the disk' })) as { id: string }
  const one = await visitor(browser, server, `/c/${id}`, { reducedMotion: 'reduce', ...options })
  await one.page.locator('[data-part="presentation"]').getByText('Picture of the disk').waitFor()
  return { ...one, dialog: id }
}

suite('a presentation of a reply on the page', () => {
  test('a tap with a confirmation counts once, and the other controls are over', async () => {
    const mia = await open()
    const { page, dialog } = mia
    const card = page.locator('[data-part="presentation"]')
    await card.getByRole('button', { name: 'Clean up' }).click()
    await card.getByText('Delete old logs?').waitFor()
    await card.getByRole('button', { name: 'Confirm' }).press('Enter')
    await page.locator('[data-part="message"]').getByText('Heard: Clean up').waitFor()
    await card.getByText('Chosen by you').waitFor()
    assert.equal(await card.getByRole('button', { name: 'Later' }).getAttribute('aria-disabled'), 'true')
    assert.equal(await card.getByRole('combobox').isDisabled(), true)
    assert.equal(await card.getByRole('link', { name: 'Look' }).getAttribute('href'), 'https://example.org/disk')
    const { items } = (await server.call('GET', `/v1/events?stream=${dialog}`)) as { items: { data: { text?: string; tap?: object } }[] }
    const taps = items.filter(({ data }) => data.tap)
    assert.deepEqual(
      taps.map(({ data }) => data.text),
      ['Clean up\n[button: clean]'],
    )
    assertNoFaults(mia)
    await mia.context.close()
  })

  test('an option of a select is a tap, and a second device shows it', async () => {
    const mia = await open()
    const other = await visitor(browser, server, `/c/${mia.dialog}`, { reducedMotion: 'reduce' })
    await mia.page.locator('[data-part="presentation"]').getByRole('combobox').selectOption({ label: 'Next week' })
    const card = other.page.locator('[data-part="presentation"]')
    await card.getByText('Chosen by you').waitFor()
    assert.equal(await card.getByRole('combobox').inputValue(), '1')
    assertNoFaults(mia)
    assertNoFaults(other)
    await mia.context.close()
    await other.context.close()
  })

  for (const [width, locale, colorScheme] of [
    [360, 'en-US', 'light'],
    [360, 'zh-CN', 'dark'],
    [1280, 'zh-CN', 'light'],
    [1280, 'en-US', 'dark'],
  ] as const)
    test(`it is accessible and does not scroll sideways: ${width}, ${locale}, ${colorScheme}`, async () => {
      const one = await open({ viewport: { width, height: 1100 }, locale, colorScheme })
      const what = `presentation ${width} ${locale} ${colorScheme}`
      await assertAccessible(one.page, what)
      assert.equal(await one.page.evaluate('document.scrollingElement.scrollWidth > innerWidth'), false, `${what} scrolls sideways`)
      if (process.env['PARLEY_SHOTS'])
        await one.page.screenshot({ path: `${process.env['PARLEY_SHOTS']}/${what.replaceAll(' ', '-')}.png` })
      assertNoFaults(one)
      await one.context.close()
    })
})
