import assert from 'node:assert/strict'
import { statSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, count, messages, reads, visitor } from './visitor.ts'

// Makes docs/pictures/kill-9.svg anew: npm run pictures. Each frame is a picture of the page, and the numbers are those of the run.

const file = fileURLToPath(new URL('../../docs/pictures/kill-9.svg', import.meta.url))
const size = { width: 880, height: 680 }
const lineHeight = 22
/** The column in which a comment begins. */
const comment = 22
const maxBytes = 1_000_000

type Frame = { readonly seconds: number; readonly picture: string; readonly lines: readonly string[] }

const browser = await launchBrowser()
const server = await pageServer()

test('the server is killed in the middle of a reply and started again', async () => {
  const ada = await visitor(browser, server, '/c/demo', { viewport: size, locale: 'en-US', colorScheme: 'light', reducedMotion: 'reduce' })
  const { page } = ada
  const frames: Frame[] = []
  const lines: string[] = ['$ parley demo']
  async function take(seconds: number): Promise<void> {
    const picture = (await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64')
    frames.push({ seconds, picture, lines: [...lines] })
  }

  await page.locator('#composer').press('Enter')
  const draft = page.locator('[data-part="draft"]')
  for (const words of ['Hello, I am Ada', 'no model is behind me', 'how Parley works']) {
    await draft.getByText(words).waitFor()
    await take(0.9)
  }
  lines.push(`$ kill -9 ${server.pid()}`.padEnd(comment) + '# in the middle of the reply')
  await server.kill()
  await page.locator('[data-state="reconnecting"]').waitFor()
  await take(2.5)
  lines.push('$ parley demo'.padEnd(comment) + '# in the same folder')
  await server.start()
  await page.getByText('Connection: Live').waitFor()
  await page.getByRole('region', { name: 'What should the reading list be for?' }).waitFor()
  const dialog = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const { items } = (await server.call('GET', `/v1/events?stream=${dialog}&limit=500`)) as { items: { seq: number }[] }
  const numbers = items.map(({ seq }) => seq)
  assert.deepEqual(
    numbers,
    Array.from({ length: numbers.length }, (_, at) => at + 1),
    'every event, once and in order',
  )
  for (const words of ['Hello, I am Ada', 'and answer later.'])
    await reads(async () => count((await messages(page)).join('\n'), words), 1, words)
  lines.push(`  ${numbers.length} events, numbered 1 to ${numbers.length}: none missing, none twice.`)
  await take(5)

  writeFileSync(file, draw(frames))
  const { size: bytes } = statSync(file)
  assert.ok(bytes < maxBytes, `${file} has ${bytes} bytes`)
  assertNoFaults(ada)
  await ada.context.close()
})

/** One picture after the other, with the terminal below. A reader who wants no motion sees the last one. */
function draw(frames: readonly Frame[]): string {
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0)
  const longest = Math.max(...frames.map(({ lines }) => lines.length))
  const height = size.height + longest * lineHeight + 20
  let begin = 0
  const rules: string[] = []
  const groups = frames.map(({ seconds, picture, lines }, at) => {
    const from = ((100 * begin) / total).toFixed(2)
    begin += seconds
    const to = ((100 * begin) / total).toFixed(2)
    rules.push(
      `@keyframes f${at}{0%{opacity:0}${from}%{opacity:1}${at === frames.length - 1 ? '' : `${to}%{opacity:0}`}100%{opacity:${at === frames.length - 1 ? 1 : 0}}}`,
      `#f${at}{animation:f${at} ${total}s step-end infinite}`,
    )
    const text = lines.map(
      (line, row) => `<text x="16" y="${size.height + 26 + row * lineHeight}" xml:space="preserve">${escape(line)}</text>`,
    )
    return `<g id="f${at}" class="frame"><image width="${size.width}" height="${size.height}" href="data:image/png;base64,${picture}"/>${text.join('')}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" role="img" aria-label="The server is killed in the middle of a reply and started again; the reply is whole and the question is open.">
<style>
rect{fill:#1d1c1a}text{fill:#eceae4;font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}.frame{opacity:0}
${rules.join('\n')}
@media (prefers-reduced-motion:reduce){.frame{animation:none!important}#f${frames.length - 1}{opacity:1}}
</style>
<rect width="${size.width}" height="${height}" rx="8"/>
${groups.join('\n')}
</svg>
`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
