import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { pageBuild, staticPage } from './static-page.ts'

describe('the page', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-page-'))
    mkdirSync(join(folder, 'site', 'assets'), { recursive: true })
    writeFileSync(join(folder, 'secret.txt'), 'outside')
    writeFileSync(join(folder, 'site', 'index.html'), '<!doctype html><title>page</title>')
    writeFileSync(join(folder, 'site', '.hidden'), 'hidden')
    writeFileSync(join(folder, 'site', 'build.json'), '{"build":"abc"}')
    writeFileSync(join(folder, 'site', 'assets', 'app-1.js'), 'run()')
    writeFileSync(join(folder, 'site', 'assets', 'app-1.js.br'), brotliCompressSync('run()'))
  })
  after(() => rmSync(folder, { recursive: true }))

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    staticPage(join(folder, 'site'))(path, (name) => headers[name])

  test('built files are kept for ever, the page itself is asked for again', async () => {
    const script = await get('/assets/app-1.js')
    assert.equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.equal(await script.text(), 'run()')
    const packed = await get('/assets/app-1.js', { 'accept-encoding': 'gzip, br' })
    assert.equal(packed.headers.get('content-encoding'), 'br')
    for (const path of ['/', '/c/dlg_1', '/index.html']) {
      const page = await get(path)
      assert.equal(page.headers.get('cache-control'), 'no-cache')
      assert.match(
        page.headers.get('content-security-policy') ?? '',
        /^default-src 'none'; script-src 'self'; .*trusted-types parley-worker$/,
      )
      assert.match(await page.text(), /page/)
    }
  })

  test('the page is told how the command line is started here', async () => {
    const read = async (...name: string[]): Promise<string> =>
      (await staticPage(join(folder, 'site'), '', ...name)('/', () => undefined)).text()
    writeFileSync(join(folder, 'site', 'index.html'), '<html lang="en">page')
    assert.equal(await read(), '<html lang="en">page')
    assert.equal(await read('npm run parley --'), '<html data-base="" data-command="npm run parley --" lang="en">page')
  })

  test('a file is read once, and again when it has changed', async () => {
    const page = staticPage(join(folder, 'site'))
    const read = async (): Promise<string> => (await page('/assets/notes.txt', () => undefined)).text()
    const file = join(folder, 'site', 'assets', 'notes.txt')
    const write = (text: string, changedAt: number): void => {
      writeFileSync(file, text)
      utimesSync(file, changedAt, changedAt)
    }
    write('first', 1_000)
    assert.equal(await read(), 'first')
    write('other', 1_000)
    assert.equal(await read(), 'first')
    write('other', 1_001)
    assert.equal(await read(), 'other')
    writeFileSync(file, 'longer than before')
    assert.equal(await read(), 'longer than before')
  })

  test('nothing outside the folder, nothing hidden', async () => {
    for (const path of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/assets/..%5c..%5csecret.txt',
      '/.hidden',
      '/%00.js',
      '/%ff.js',
      '/nothing.js',
      '/assets/app-1.js.br',
    ]) {
      await assert.rejects(get(path), { code: 'not_found' }, path)
    }
  })

  test('its build is known; without a build, it says what to do', async () => {
    assert.equal(pageBuild(join(folder, 'site')), 'abc')
    assert.equal(pageBuild(folder), null)
    const bare = await staticPage(folder)('/', () => undefined)
    assert.match(await bare.text(), /npm run build/)
    assert.match(bare.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  })
})
