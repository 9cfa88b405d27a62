import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { BrowserContextOptions, Page } from '@playwright/test'
import { scripted } from '../fixtures/agent-file.ts'
import { assertAccessible } from './accessibility.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, type Visitor, visitor } from './visitor.ts'

const browser = await launchBrowser()
const server = await pageServer({
  fast: true,
  config: `team:
  members:
    ada: ${scripted('reader')}
    mira: ${scripted('reader')}
worlds:
  agents:
    ada: {}
    mira: {}
`,
})

type Account = { account: { identity: { agentCode: string } } }

await server.call('PATCH', '/v1/account', { account: 'ada', displayName: 'Ada', profile: 'Reads.' })
const mira = (await server.call('PATCH', '/v1/account', { account: 'mira', displayName: 'Mira', profile: '' })) as Account
const club = (await server.call('POST', '/v1/worlds', {
  account: 'mira',
  displayName: 'Reading club',
  summary: 'Swap reading lists.',
  text: 'Say what you look for.',
  joinText: 'Collects atlases.',
})) as { world: string }

/** Ada's owner asks Mira for a talk; resolves with the id of the request. */
async function send(brief: string, purpose: string, world?: string): Promise<string> {
  const to = `Mira#${mira.account.identity.agentCode}`
  const sent = await server.call('POST', '/v1/chat-requests', { account: 'ada', to, brief, purpose, ...(world ? { world } : {}) })
  return (sent as { request: { request: string } }).request.request
}

async function check(page: Page, name: string): Promise<void> {
  await assertAccessible(page, name)
  assert.equal(await page.evaluate('document.scrollingElement.scrollWidth > innerWidth'), false, `${name} scrolls sideways`)
  const shots = process.env['PARLEY_SHOTS']
  if (shots) await page.screenshot({ path: `${shots}/${name.replaceAll(' ', '-')}.png`, fullPage: true })
}

async function leave(one: Visitor): Promise<void> {
  assertNoFaults(one)
  await one.context.close()
}

const looks: [name: string, options: BrowserContextOptions][] = [
  ['320 en dark', { viewport: { width: 320, height: 700 }, isMobile: true, hasTouch: true, colorScheme: 'dark' }],
  ['360 zh', { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, locale: 'zh-CN' }],
  ['412 zh dark', { viewport: { width: 412, height: 800 }, isMobile: true, hasTouch: true, locale: 'zh-CN', colorScheme: 'dark' }],
  ['1280 en', { viewport: { width: 1280, height: 800 } }],
]

suite('worlds on the page', () => {
  test('an owner joins a world, accepts a request, reads the talk and the report', async () => {
    const olga = await visitor(browser, server, '/w', { viewport: { width: 1280, height: 800 } })
    const { page } = olga
    await page.getByRole('button', { name: 'Read the text: Reading club (ada)' }).click()
    await page.getByText('Say what you look for.').waitFor()
    await page.getByLabel('Your text about ada for members of this world').fill('Looks for books.')
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.getByText('ada is a member').waitFor()
    const request = await send('Find one book about cities.', 'A book about <i>cities</i>', club.world)

    for (const [name, options] of looks) {
      const one = await visitor(browser, server, '/o', options)
      await one.page.getByText('A book about <i>cities</i>').waitFor()
      await check(one.page, `worlds request ${name}`)
      await leave(one)
    }

    await page.goto(`${server.url}/o`)
    const card = page.locator(`[data-request="${request}"]`)
    await card.getByText('Your policy leaves this decision to you.').waitFor()
    await card.getByLabel('Brief for mira (optional, never sent to the other side)').fill('Be kind.')
    await card.getByRole('button', { name: /^Accept: Ada#/ }).press('Enter')
    await page.getByRole('status').getByText('Accepted. mira talks with').waitFor()
    await card.waitFor({ state: 'detached' })

    await page.goto(`${server.url}/w/mira/${request}`)
    await page.getByText('The **Lisbon atlas**. <b>Enjoy it!</b>', { exact: true }).waitFor()
    await page.getByText('♥ Like').waitFor()
    await page.getByText('We talked about the Lisbon atlas.').waitFor()
    assert.equal(await page.getByText('[[like]]').count(), 0)
    for (const [name, options] of looks) {
      for (const [what, path] of [
        ['talk', `/w/mira/${request}`],
        ['home', '/w'],
      ] as const) {
        const one = await visitor(browser, server, path, options)
        await one.page.getByText('We talked about the Lisbon atlas.').first().waitFor()
        await check(one.page, `worlds ${what} ${name}`)
        await leave(one)
      }
    }
    await leave(olga)
  })

  test('an owner takes over a talk, writes a turn, and ends the talk', async () => {
    const request = await send('Say hello quietly.', 'Hello')
    await server.call('POST', `/v1/chat-requests/${request}/accept`, { account: 'mira' })
    const olga = await visitor(browser, server, `/w/mira/${request}`)
    const { page } = olga
    await page.getByText('Hello from afar.').waitFor()
    await page.getByRole('button', { name: 'Let me write this one' }).click()
    await page.getByLabel('Your turn, sent exactly as written').fill('I write this one myself.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('listitem').filter({ hasText: 'I write this one myself.' }).getByText('written by the owner').waitFor()
    await check(page, 'worlds taken over')
    await page.getByRole('button', { name: 'End talk' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End talk' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: /^Ended/ })
      .waitFor()
    assert.equal(await page.getByRole('button', { name: 'End talk' }).count(), 0)
    await leave(olga)
  })

  test('declined and blocked requests leave the inbox; the kill switch stops an agent', async () => {
    const first = await send('Find another book.', 'Another book')
    const olga = await visitor(browser, server, '/o')
    const { page } = olga
    await page.getByRole('button', { name: /^Decline: Ada#/ }).click()
    await page.locator(`[data-request="${first}"]`).waitFor({ state: 'detached' })
    await send('Find a third book.', 'A third book')
    await page.getByRole('button', { name: /^Block: Ada#/ }).click()
    await page.getByRole('status').getByText('Blocked Ada#').waitFor()
    await page.getByRole('link', { name: 'Worlds' }).click()
    await page.getByRole('button', { name: 'Stop all talks of mira' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop all talks' }).click()
    await page.getByRole('button', { name: 'Allow talks of mira again' }).click()
    await page.getByRole('button', { name: 'Stop all talks of mira' }).waitFor()
    await leave(olga)
  })
})
