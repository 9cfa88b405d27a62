// needs: sandbox
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { reads, watchFaults } from './visitor.ts'

const program = fileURLToPath(new URL('../fixtures/build-program.ts', import.meta.url))

/** A site of its own origin. Its server makes the tokens; its pages have the strict policy that the guide names. */
type Shop = { readonly url: string; tokensMade: number; isDown: boolean; close(): void }

async function open(): Promise<Shop> {
  const made = { tokensMade: 0, isDown: false }
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop')
    const [, what, build = ''] = pathname.split('/')
    if (what === 'copy.js')
      return void response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(readFileSync(new URL('../../dist/web/parley-build.js', import.meta.url)))
    if (what === 'token') {
      made.tokensMade += 1
      if (made.isDown) return void response.writeHead(503).end()
      return void parley
        .call('POST', `/v1/builds/${build}/tokens`, { name: 'Nori', role: 'guest' })
        .then((body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)))
    }
    const policy = `default-src 'none'; script-src 'self' ${parley.url}; connect-src 'self' ${parley.url}; require-trusted-types-for 'script'; trusted-types 'none'`
    const script = searchParams.has('copy') ? '/copy.js' : `${parley.url}/parley-build.js`
    const tokens = searchParams.has('alone') ? '' : `token-url="/token/${build}"`
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
      .end(
        `<!doctype html><html lang="en"><title>Shop</title><script type="module" src="${script}"></script><parley-build src="${parley.url}" build-id="${build}" ${tokens}></parley-build>`,
      )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(made, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
}

const browser = await launchBrowser()
const shop = await open()
const stranger = await open()
const yaml = `server: { embedOrigins: ['${shop.url}'] }
team:
  default: builder
  members:
    builder: { runtime: command, command: [${JSON.stringify(process.execPath)}, ${JSON.stringify(program)}] }
`
const parley = await pageServer({ config: yaml })
after(() => {
  shop.close()
  stranger.close()
})

const begin = async (): Promise<string> =>
  ((await parley.call('POST', '/v1/builds', { prompt: 'A reading list' })) as { build_id: string }).build_id

async function visit(address: string): Promise<{ page: Page; faults: string[]; leave(): Promise<void> }> {
  const context = await browser.newContext({ viewport: { width: 800, height: 900 }, locale: 'en-US' })
  const page = await context.newPage()
  const faults = watchFaults(page)
  await page.goto(address)
  return { page, faults, leave: () => context.close() }
}

test('a page of another origin: question, message, a killed server, a renewed token, result and change', async () => {
  const build = await begin()
  const { page, faults, leave } = await visit(`${shop.url}/builds/${build}`)
  const element = page.locator('parley-build')
  await element.getByRole('radio', { name: 'Read for pleasure' }).check()
  await element.getByRole('textbox', { name: 'Message to the build' }).fill('In blue, please')
  await element.getByRole('button', { name: 'Send', exact: true }).click()
  await element.getByText('Will be read at the next step').waitFor()
  await parley.kill()
  await element.getByText('Connection lost.').waitFor()
  await parley.start()
  await element.getByText('Connection lost.').waitFor({ state: 'hidden' })

  const madeBefore = shop.tokensMade
  await parley.call('DELETE', `/v1/builds/${build}/tokens`)
  await reads(async () => shop.tokensMade > madeBefore, true, 'the page asks its own server for another token')
  await element.getByRole('radio', { name: 'Read for pleasure' }).check()
  await element.getByRole('button', { name: 'Send answer', exact: true }).click()
  await element.getByText('2 questions for you').first().waitFor()
  await element.getByRole('radio', { name: 'Weekly' }).check()
  await element.getByRole('textbox', { name: 'Which topic first?' }).fill('Rivers')
  await element.getByRole('button', { name: 'Send answers' }).click()
  await element.getByRole('region', { name: 'Your result' }).getByText('One book each week').waitFor()

  const { items } = (await parley.call('GET', `/v1/builds/${build}/tokens`)) as { items: { role: string; name: string }[] }
  assert.deepEqual([...new Set(items.map(({ role, name }) => `${name} ${role}`))], ['Nori guest'])
  await element.getByRole('textbox', { name: 'Ask for a change' }).fill('One every month')
  await page.keyboard.press('Enter')
  await element.getByText('One every month').waitFor()
  await reads(() => element.getByText('Your reading-list agent is ready.').count(), 2, 'the answers are kept, so the new round ends too')
  assert.deepEqual(
    faults.filter((text) => !/CORS|401/.test(text)),
    [],
  )
  await leave()
})

test('a callback of the page gives the token, and what was written stays while it is renewed', async () => {
  const build = await begin()
  const { page, leave } = await visit(`${shop.url}/builds/${build}?alone`)
  const element = page.locator('parley-build')
  await element.getByText('its access token is missing or no longer valid').waitFor()
  await page.evaluate(`
    globalThis.asked = 0
    document.querySelector('parley-build').renewToken = async () => {
      asked += 1
      return (await (await fetch('/token/${build}', { method: 'POST' })).json()).token
    }`)
  await element.getByRole('radio').first().waitFor()
  await element.getByRole('textbox', { name: 'Message to the build' }).fill('Half a sentence')
  await parley.call('DELETE', `/v1/builds/${build}/tokens`)
  await reads(() => page.evaluate('asked'), 2)
  await element.getByRole('textbox', { name: 'Message to the build' }).press('Enter')
  await element.getByText('Half a sentence').waitFor()
  assert.equal((await page.content()).includes('parley_bt_'), false, 'no token in the markup')
  await leave()
})

test('the cookie of a person who is signed in at Parley counts for nothing in the other page', async () => {
  const build = await begin()
  const context = await browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  await page.goto(await parley.link('/o'))
  await page.locator('#root header').first().waitFor({ state: 'attached' })
  await page.goto(`${shop.url}/builds/${build}?alone`)
  await page.locator('parley-build').getByText('its access token is missing or no longer valid').waitFor()
  await context.close()
})

test('the element says why it cannot connect: origin not listed, no renewal, server gone', async () => {
  const build = await begin()
  const unlisted = await visit(`${stranger.url}/builds/${build}`)
  await unlisted.page.locator('parley-build').getByText(`${parley.url} does not accept pages from ${stranger.url}.`).waitFor()
  await unlisted.leave()

  const lost = await visit(`${shop.url}/builds/${build}`)
  const element = lost.page.locator('parley-build')
  await element.getByRole('radio').first().waitFor()
  shop.isDown = true
  await parley.call('DELETE', `/v1/builds/${build}/tokens`)
  await element.getByText('The access token of this page could not be renewed.').waitFor()
  shop.isDown = false
  await element.getByText('could not be renewed').waitFor({ state: 'hidden' })
  await lost.leave()

  await parley.kill()
  const gone = await visit(`${shop.url}/builds/${build}?copy&alone`)
  await gone.page.locator('parley-build').getByText(`No answer from ${parley.url}.`).waitFor()
  await parley.start()
  await gone.page.locator('parley-build').getByText('its access token is missing or no longer valid').waitFor()
  await gone.leave()
})
