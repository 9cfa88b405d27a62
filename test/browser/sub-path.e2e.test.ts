import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { echo } from '../../examples/mount/agents.ts'
import { toHandler } from '../../examples/mount/express.ts'
import { memoryStore, parley } from '../../src/index.ts'
import { builtPage } from './built-page.ts'
import { launchBrowser } from './find-browser.ts'

await builtPage()
const browser = await launchBrowser()
const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tools/parley`
const app = await parley({ store: memoryStore(), agents: [echo], web: { url }, fast: true })
const handler = toHandler(app.fetch)
server.on('request', (incoming, outgoing) => {
  // Nothing of the page may lie outside its own path.
  if (!incoming.url?.startsWith('/tools/parley')) return outgoing.writeHead(418).end()
  void handler(incoming, outgoing)
})
server.on('upgrade', app.upgrade)
after(async () => {
  await app.close()
  server.close()
  server.closeAllConnections()
})

test('the page works below a path of another server: sign-in, links, deep links and parts loaded on demand', async () => {
  const page = await (await browser.newContext()).newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(await app.link('/c/new'))
  const devtools = await page.context().newCDPSession(page)
  const { errors, manifest } = await devtools.send('Page.getAppManifest')
  assert.deepEqual(errors, [])
  assert.deepEqual([manifest?.startUrl, manifest?.scope], [`${url}/`, `${url}/`])
  await page.locator('#composer').fill('Hello')
  await page.locator('#composer').press('Enter')
  await page.getByText('You said: Hello', { exact: true }).first().waitFor()
  await page.waitForURL(new RegExp(`^${url}/c/dlg_`))

  await page.reload()
  await page.getByText('You said: Hello', { exact: true }).first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('said hello')
  await page
    .getByRole('option')
    .filter({ has: page.locator('mark') })
    .first()
    .click()
  await page.waitForURL(new RegExp(`^${url}/c/dlg_\\w+#\\w+`))
  await page.locator('[data-linked]').getByText('You said: Hello', { exact: true }).waitFor()
  await page.reload()
  await page.locator('[data-linked]').waitFor()

  await page.goto(`${url}/grants`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.goto(`${url}/b`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  assert.deepEqual(faults, [])
})
