import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, suite, test } from 'node:test'
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

const ada = (await server.call('PATCH', '/v1/account', { account: 'ada', displayName: 'Ada', profile: 'Reads.' })) as Account
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
  if (!shots) return
  // The page scrolls inside: a picture of all of it needs a window of its height.
  const [size, height] = [page.viewportSize(), await page.evaluate<number>('document.querySelector("main").scrollHeight + 120')]
  if (size) await page.setViewportSize({ ...size, height })
  await page.screenshot({ path: `${shots}/${name.replaceAll(' ', '-')}.png` })
  if (size) await page.setViewportSize(size)
}

/** The page of a world as the owner of one of the two agents sees it. */
const openWorld = (page: Page, world: string, account: string): Promise<unknown> => page.goto(`${server.url}/w/${account}/world/${world}`)

async function leave(one: Visitor): Promise<void> {
  assertNoFaults(one)
  await one.context.close()
}

const looks: [name: string, options: BrowserContextOptions][] = [
  ['320 en dark', { viewport: { width: 320, height: 700 }, isMobile: true, hasTouch: true, colorScheme: 'dark' }],
  ['360 zh', { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, locale: 'zh-CN' }],
  ['412 zh dark', { viewport: { width: 412, height: 800 }, isMobile: true, hasTouch: true, locale: 'zh-CN', colorScheme: 'dark' }],
  ['1280 en', { viewport: { width: 1280, height: 800 } }],
  ['1280 zh', { viewport: { width: 1280, height: 800 }, locale: 'zh-CN' }],
  ['360 en', { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
]

const views = new Map<string, Visitor>()
/** A page in the look. Its window is opened once, because that takes longer than a page. */
async function view(name: string, options: BrowserContextOptions, path: string): Promise<Page> {
  const there = views.get(name)
  if (there) await there.page.goto(server.url + path)
  const one = there ?? (await visitor(browser, server, path, options))
  views.set(name, one)
  return one.page
}

suite('worlds on the page', () => {
  after(async () => {
    for (const one of views.values()) await leave(one)
  })

  test('an owner joins a world, accepts a request, reads the talk and the report', async () => {
    const olga = await visitor(browser, server, '/w', { viewport: { width: 1280, height: 800 } })
    const { page } = olga
    const card = page.locator(`[data-world="${club.world}"]`)
    await card.getByRole('link', { name: 'Reading club: ada is not a member' }).click()
    await page.getByText('Say what you look for.').waitFor()
    await page.getByLabel('Your text about ada for members of this world').fill('Looks for books.')
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.getByRole('heading', { name: 'Membership of ada' }).waitFor()
    const request = await send('Find one book about cities.', 'A book about <i>cities</i>', club.world)

    for (const [name, options] of looks) {
      const inbox = await view(name, options, '/o')
      await inbox.getByText('A book about <i>cities</i>').waitFor()
      await check(inbox, `worlds request ${name}`)
    }

    await page.goto(`${server.url}/o`)
    const asked = page.locator(`[data-request="${request}"]`)
    await asked.getByText('Your policy leaves this decision to you.').waitFor()
    await asked.getByText('24 turns at most · Costs 1.00 at most · Report at the end').waitFor()
    await asked
      .getByRole('list', { name: /will not see$/ })
      .getByText('Your name, files and memories')
      .waitFor()
    await asked.getByRole('button', { name: 'Change limits' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Turns of both sides together, 1 to 24').fill('10')
    await dialog.getByLabel('Most that your side may cost').fill('0.2')
    await dialog.getByLabel('Reports to you').selectOption({ label: 'Report after each turn' })
    await check(page, 'worlds limits dialog')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await asked.getByText('10 turns at most · Costs 0.20 at most · Report after each turn').waitFor()
    await asked.getByLabel('Brief for mira (optional, never sent to the other side)').fill('Be kind.')
    await asked.getByRole('button', { name: /^Accept: Ada#/ }).press('Enter')
    await page.getByRole('status').getByText('Accepted. mira talks with').waitFor()
    await asked.waitFor({ state: 'detached' })

    await page.goto(`${server.url}/w/mira/${request}`)
    await page.getByText('The **Lisbon atlas**. <b>Enjoy it!</b>', { exact: true }).waitFor()
    await page.getByText('♥ Like', { exact: true }).waitFor()
    await page.getByText('We talked about the Lisbon atlas.').waitFor()
    const seat = (await server.call('GET', `/v1/conversations/${request}?account=mira`)) as { seat: { limits: object; reporting: string } }
    assert.deepEqual([seat.seat.limits, seat.seat.reporting], [{ tokens: 200_000, money: 0.2, turns: 10 }, 'each_turn'])
    assert.equal(await page.getByText('[[like]]').count(), 0)
    await page.getByRole('button', { name: 'Share picture' }).click()
    await page.getByLabel('Your words on it (optional)').fill('A good evening')
    const [picture] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save picture' }).click()])
    assert.match(readFileSync(await picture.path(), 'utf8'), /^<svg .*A good evening/s)
    await page.getByText('In no turn:').waitFor()
    await page.getByRole('link', { name: 'Turn 2:' }).click()
    assert.equal(new URL(page.url()).hash, '#turn-2')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('radio', { name: 'JSONL, for programs' }).check()
    await check(page, 'worlds export dialog')
    const [turns] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save file' }).click()])
    assert.match(readFileSync(await turns.path(), 'utf8'), /^{"type":"conversation".*\n{"type":"turn","turn":1/)
    await page.goto(`${server.url}/w`)
    const own = page.getByRole('button', { name: 'Share picture of mira' })
    const [portrait] = await Promise.all([page.waitForEvent('download'), own.click()])
    assert.match(readFileSync(await portrait.path(), 'utf8'), new RegExp(`>Mira#${mira.account.identity.agentCode}<`))
    for (const [name, options] of looks) {
      for (const [what, path] of [
        ['talk', `/w/mira/${request}`],
        ['home', '/w'],
      ] as const) {
        const talk = await view(name, options, path)
        await talk.getByText('We talked about the Lisbon atlas.').first().waitFor()
        await check(talk, `worlds ${what} ${name}`)
      }
    }
    await leave(olga)
  })

  test('a member reports another one; the owner of the world mutes, bans, invites, broadcasts and edits the text', async () => {
    const olga = await visitor(browser, server, `/w/ada/world/${club.world}`)
    const { page } = olga
    await page.getByRole('button', { name: /^Report abuse: Mira#/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('What is wrong').fill('Advertises.')
    await dialog.getByLabel('The words it is about (optional)').fill('Buy <b>this</b> atlas!')
    await check(page, 'world report dialog')
    await dialog.getByRole('button', { name: 'Send report' }).click()
    await page.getByRole('status').getByText('Reported Mira#').waitFor()
    await openWorld(page, club.world, 'mira')
    await page.getByText('Buy <b>this</b> atlas!').waitFor()
    for (const [name, options] of looks) {
      const world = await view(name, options, `/w/mira/world/${club.world}`)
      await world.getByText('Buy <b>this</b> atlas!').waitFor()
      await check(world, `world moderation ${name}`)
    }
    await page.getByRole('button', { name: 'Change budget of this world' }).click()
    await dialog.getByLabel('Most money of a day').fill('0.5')
    await check(page, 'world budget dialog')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Talks here may cost 0.50 and 2,000,000 tokens a day.').waitFor()
    await page.getByRole('button', { name: 'Mute this world' }).click()
    await page.getByText('Requests from this world to mira are declined.').waitFor()
    await check(page, 'world muted')
    await page.getByRole('button', { name: 'Allow requests again' }).click()
    await page.getByText('Members of this world can ask mira for a talk').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('No open report.').waitFor()
    await page.getByLabel('Allow broadcasts, one a day').click()
    await page.getByLabel('Reason, shown to every member').fill('Reading evening?')
    await page.getByLabel(/^Brief for mira: goal/).fill('Invite them. Stop after one answer.')
    await page.getByRole('button', { name: 'Ask all members' }).click()
    await page.getByText('One broadcast a day.').waitFor()
    await page.getByRole('button', { name: /^Ban: Ada#/ }).click()
    await dialog.getByLabel('Reason, for the log of this world').fill('Too loud.')
    await dialog.getByRole('button', { name: 'Ban', exact: true }).click()
    await page.getByRole('heading', { name: 'Bans' }).waitFor()
    await check(page, 'world with a ban')
    await page.getByRole('button', { name: /^Lift ban: Ada#/ }).click()
    await page.getByRole('heading', { name: 'Bans' }).waitFor({ state: 'detached' })
    await page.getByLabel('Name and code of the agent').fill(`Ada#${ada.account.identity.agentCode}`)
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByRole('button', { name: /^Revoke: Ada#/ }).waitFor()
    const log = await page.locator('section', { has: page.getByRole('heading', { name: 'Log' }) }).innerText()
    for (const act of ['Report settled: dismissed', 'Broadcast: Reading evening?', ': Too loud.', 'Lifted the ban of Ada#', 'Invited Ada#'])
      assert.ok(log.includes(act), `${act} in ${log}`)

    await openWorld(page, club.world, 'ada')
    await page.getByLabel('Your text about ada for members of this world').fill('Looks for maps.')
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.getByRole('heading', { name: 'Membership of ada' }).waitFor()
    await openWorld(page, club.world, 'mira')
    await page.getByLabel('Text of the world; members see what changed').fill('Say what you look for.\nFive turns at most.')
    await page.getByRole('button', { name: 'Save', exact: true }).last().click()
    await page.getByText('Text changed').waitFor()
    for (const [name, options] of looks.slice(0, 2)) {
      // Reading a text counts, so each look gets a text of its own.
      const act = { do: 'edit-text', text: `Say what you look for.\nFive turns at most, ${name}.` }
      await server.call('POST', `/v1/worlds/${club.world}/moderation`, { account: 'mira', act })
      const one = await visitor(browser, server, `/w/ada/world/${club.world}`, options)
      await one.page.locator('ins').filter({ hasText: name }).waitFor()
      await check(one.page, `world text changed ${name}`)
      await leave(one)
    }
    await leave(olga)
  })

  test('an owner sees that the key of a peer changed, and decides', async () => {
    // The agents of this server are a household and have no keys: the answer of the server is played.
    const offered = { key: 'new-key', fingerprint: '2f9a 11bc 7d02 88e1' }
    const changed = { account: 'ada', agentCode: '8K4TQZ', fingerprint: 'c41d 0a77 19fe 5530', offered }
    const decided: unknown[] = []
    for (const [name, options] of looks.slice(0, 2)) {
      const one = await visitor(browser, server, '/o', options)
      await one.page.route('**/v1/account/peers', async (route) => {
        if (route.request().method() === 'POST') decided.push(route.request().postDataJSON())
        await route.fulfill({ json: { items: decided.length > 0 ? [] : [changed] } })
      })
      await one.page.goto(`${server.url}/w`)
      await one.page.getByText('2f9a 11bc 7d02 88e1').waitFor()
      await check(one.page, `worlds key changed ${name}`)
      if (name.includes('en')) {
        await one.page.getByRole('button', { name: 'Accept new key: 8K4TQZ' }).click()
        await one.page.getByText('2f9a 11bc 7d02 88e1').waitFor({ state: 'detached' })
        assert.deepEqual(decided.splice(0), [{ account: 'ada', agentCode: '8K4TQZ', key: 'new-key', isAccepted: true }])
      }
      await leave(one)
    }
  })

  test('an owner takes over a talk, writes a turn, and ends the talk', async () => {
    const request = await send('Say hello quietly.', 'Hello')
    await server.call('POST', `/v1/chat-requests/${request}/accept`, { account: 'mira' })
    const olga = await visitor(browser, server, `/w/mira/${request}`)
    const { page } = olga
    await page.getByText('Hello from afar.').waitFor()
    await page.getByRole('button', { name: 'Let me write this one' }).click()
    await page.getByLabel('Your turn, sent exactly as written').fill('I write this one myself. Where do you live?')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'I write this one myself. Where do you live?' })
      .getByText('written by the owner')
      .waitFor()
    for (const [name, options] of looks) {
      for (const [what, account, text] of [
        ['taken over', 'mira', 'Let the agent write again'],
        ['owner question', 'ada', 'May I say where you live?'],
      ] as const) {
        const talk = await view(name, options, `/w/${account}/${request}`)
        if (name.includes('en')) await talk.getByText(text).waitFor()
        else
          await talk
            .locator(account === 'ada' ? '[data-question]' : 'textarea')
            .first()
            .waitFor()
        await check(talk, `worlds ${what} ${name}`)
      }
    }
    await page.goto(`${server.url}/w/ada/${request}`)
    await page.getByLabel('Your answer, for ada alone').fill('Portugal.')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await page.getByRole('status').getByText('Answered. Your agent goes on.').waitFor()
    await page.getByText('In Portugal.').waitFor()
    await page.goto(`${server.url}/w/mira/${request}`)
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
