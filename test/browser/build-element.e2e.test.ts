import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from '@playwright/test'
import { shop } from '../../examples/embed-build/shop.ts'
import { pagePolicy } from '../../src/server/static-page.ts'
import { ended, failedFor, numbered, opening, said, status, through, wholeBuild } from '../../src/client/test/build-logs.ts'
import { assertAccessible } from './accessibility.ts'
import { buildBackend } from './build-backend.ts'
import { launchBrowser } from './find-browser.ts'
import { becomes, reads, watchFaults } from './visitor.ts'

const shopPage = readFileSync(new URL('../../examples/embed-build/page.html', import.meta.url), 'utf8')

const browser = await launchBrowser()
const backend = await buildBackend()

/** The page of the example. */
async function visit(build: string, options: BrowserContextOptions = {}): Promise<{ page: Page; leave(): Promise<void> }> {
  backend.serve(`/shop/${build}`, shopPage.replace('{{build}}', build))
  const context = await browser.newContext({ viewport: { width: 900, height: 700 }, locale: 'en-US', ...options })
  const page = await context.newPage()
  const faults = watchFaults(page)
  await page.goto(`${backend.url}/shop/${build}`)
  await page.locator('parley-build').waitFor()
  return {
    page,
    async leave() {
      await context.close()
      assert.deepEqual(faults, [])
    },
  }
}

test('a whole build in another site: answered there, with events for the site', async () => {
  backend.record('whole', { events: wholeBuild })
  const { page, leave } = await visit('whole')
  const element = page.locator('parley-build')
  await page.locator('#news').getByText('It asks: What is the list for?').waitFor()
  await element.getByText('Gathering what we need', { exact: true }).waitFor()
  await element.getByRole('button', { name: 'Send answer' }).click()
  await element.getByText('Choose one of the answers.').waitFor()
  await element.getByRole('radio', { name: 'Read for pleasure' }).check()
  await page.keyboard.press('Enter')
  await element.getByText('2 questions for you').first().waitFor()
  await element.getByRole('radio', { name: 'Weekly' }).check()
  await element.getByRole('textbox', { name: 'Which topic first?' }).fill('Rivers')
  await element.getByRole('textbox', { name: 'Which topic first?' }).press('Enter')
  await element.getByRole('region', { name: 'Your result' }).getByText('One book each week').waitFor()
  await page.locator('#news').getByText('Done: whole').waitFor()
  await reads(() => element.locator('ol li[data-state=done]').count(), 7)
  assert.deepEqual(
    backend.asked.filter(({ path }) => path === '/v1/builds/whole/answers').map(({ body }) => body),
    [{ question_id: 'q-goal', answer: 'joy' }, { answers: { 'q-often': 'w', 'q-topic': 'Rivers' } }],
  )
  await leave()
})

test('the focus of the page around is left alone; who works inside is taken along', async () => {
  backend.record('focus', { events: wholeBuild })
  const { page, leave } = await visit('focus')
  const element = page.locator('parley-build')
  await element.getByRole('heading', { name: 'What is the list for?' }).waitFor()
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'BODY')
  await element.getByRole('radio').first().focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await becomes(page, `document.activeElement.shadowRoot?.activeElement?.className ?? ''`, 'card')
  await leave()
})

test('a lost connection is shown in one line and restored', async () => {
  backend.record('cut', { events: wholeBuild })
  const { page, leave } = await visit('cut')
  const element = page.locator('parley-build')
  await element.getByRole('radio').first().waitFor()
  backend.cut(true)
  await element.getByText('Connection lost.').waitFor()
  backend.cut(false)
  await element.getByText('Connection lost.').waitFor({ state: 'hidden' })
  await element.getByRole('radio').first().check()
  await element.getByRole('button', { name: 'Send answer' }).click()
  await element.getByText('2 questions for you').first().waitFor()
  await reads(() => element.locator('.mine').count(), 2)
  await leave()
})

test('a failed build is started again in its place', async () => {
  const failing = numbered([
    ...opening('A'),
    ...through('build_record', 'parse'),
    said('Sorry.'),
    status('failed'),
    failedFor('took too long'),
  ])
  backend.record('failed', { events: failing })
  const { page, leave } = await visit('failed')
  await page.locator('#news').getByText('Not done: slow').waitFor()
  await page.locator('parley-build').getByRole('button', { name: 'Try again' }).click()
  await page.locator('parley-build').getByRole('radio').first().waitFor()
  assert.equal(await page.locator('parley-build').getAttribute('build-id'), 'failed')
  await page.locator('parley-build').getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' })
  await leave()
})

test('it speaks Chinese when it is told to, and says what it cannot show', async () => {
  backend.record('chinese', { events: wholeBuild })
  const { page, leave } = await visit('chinese', { viewport: { width: 360, height: 640 } })
  const element = page.locator('parley-build')
  await element.getByRole('radio').first().waitFor()
  await page.evaluate(`document.querySelector('parley-build').setAttribute('lang', 'zh')`)
  await element.getByText('正在收集所需内容', { exact: true }).waitFor()
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  await page.evaluate(`document.querySelector('parley-build').setAttribute('build-id', 'nothing-here')`)
  await element.getByText('这个构建不存在。').waitFor()
  await leave()
})

test('no rule of accessibility is broken, light and dark', async () => {
  const done = numbered([
    ...opening('A'),
    said('Ready.'),
    status('complete', '# It\n\n```js\nlet a = 1\n```\n\n[x](https://example.org)'),
    ended,
  ])
  backend.record('axe-asks', { events: wholeBuild })
  backend.record('axe-done', { events: done })
  for (const look of [{}, { colorScheme: 'dark' }] as const) {
    for (const [build, mark] of [
      ['axe-asks', 'input'],
      ['axe-done', '.result'],
    ] as const) {
      const { page, leave } = await visit(build, look)
      await page.locator(`parley-build ${mark}`).first().waitFor()
      await assertAccessible(page, build)
      await leave()
    }
  }
})

test('an expired token is named as such, and a new one continues in place', async () => {
  backend.record('expired', { events: wholeBuild })
  backend.refuse('/v1/builds/expired/events', 401, 'token_expired')
  const { page, leave } = await visit('expired')
  const element = page.locator('parley-build')
  await element.getByText('The access token of this page has expired.').waitFor()
  backend.accept('/v1/builds/expired/events')
  await page.evaluate(`document.querySelector('parley-build').token = 'fresh'`)
  await element.getByRole('radio').first().waitFor()
  await leave()
})

test('a failure is explained once: the summary of the agent, and a button below it', async () => {
  const summary = 'I couldn’t finish this build in the time I had.'
  backend.record('once', { events: numbered([...opening('A'), said(summary), status('failed'), failedFor('took too long')]) })
  const { page, leave } = await visit('once')
  const element = page.locator('parley-build')
  await element.getByRole('region', { name: 'This build could not be finished.' }).getByRole('button', { name: 'Try again' }).waitFor()
  const text = await element.locator('.body').innerText()
  assert.equal(text.split(/finish this build|could not be finished|took longer/).length - 1, 1, text)
  await leave()
})

test('whatever a result holds, nothing in it runs', async () => {
  const bad =
    '<script>window.hit=1</script>\n\n<img src=x onerror="window.hit=1">\n\n[press](javascript:window.hit=1)\n\n![p](https://example.org/p.png)'
  backend.record('bad', { events: numbered([...opening('A'), said('Ready.'), status('complete', bad), ended]) })
  const { page, leave } = await visit('bad')
  await page.locator('parley-build').getByText('<script>').waitFor()
  assert.equal(await page.evaluate('window.hit'), undefined)
  assert.equal(await page.locator('parley-build img').count(), 0)
  assert.equal(await page.locator('parley-build a[href^="javascript"]').count(), 0)
  await leave()
})

test('the strictest page can hold it: no inline style, no text that becomes markup', async () => {
  backend.record('strict', { events: wholeBuild })
  backend.serve(
    '/strict',
    `<!doctype html><html lang="en"><title>Strict</title><meta http-equiv="content-security-policy" content="${pagePolicy.replace(/; frame-ancestors 'none'/, '')}"><script type="module" src="/parley-build.js"></script><parley-build build-id="strict"></parley-build>`,
  )
  const context = await browser.newContext()
  const page = await context.newPage()
  const faults = watchFaults(page)
  await page.goto(`${backend.url}/strict`)
  const element = page.locator('parley-build')
  await element.getByRole('radio').first().waitFor()
  assert.equal(await page.evaluate(`getComputedStyle(document.querySelector("parley-build")).display`), 'block')
  await context.close()
  assert.deepEqual(faults, [])
})

test('behind a server of one’s own, which keeps the token and decides who sees what', async () => {
  backend.record('mine', { events: wholeBuild })
  backend.record('theirs', { events: wholeBuild })
  const own = await shop({ parley: backend.url, token: 'kept-on-the-server', mayUse: (_request, build) => build === 'mine' })
  const url = `http://127.0.0.1:${(own.address() as AddressInfo).port}`
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${url}/builds/mine`)
  const element = page.locator('parley-build')
  await element.getByRole('radio').first().check()
  await element.getByRole('button', { name: 'Send answer' }).click()
  await element.getByText('2 questions for you').first().waitFor()
  assert.equal((await page.content()).includes('kept-on-the-server'), false)
  await page.goto(`${url}/builds/theirs`)
  await element.getByText('This build does not exist.').waitFor()
  await element.getByText('Getting ready…').waitFor({ state: 'detached' })
  assert.equal((await fetch(`${url}/v1/dialogs`)).status, 404)
  await context.close()
  own.closeAllConnections()
  own.close()
})
