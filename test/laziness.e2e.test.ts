import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { telegramEmulator } from '../src/testing/telegram-emulator/telegram-emulator.ts'
import { eventually } from './fixtures/eventually.ts'

const cli = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
const noting = new URL('./fixtures/note-modules.ts', import.meta.url).href

/** The libraries of chat platforms, those of channels to come included. */
const libraries = /node_modules\/(grammy|@grammyjs|@slack|discord\.js|@discordjs|@microsoft\/teams|@larksuiteoapi|@line|@mattermost)\//

const telegram = (apiRoot: string, token: string): string => `channels:\n  telegram:\n    token: "${token}"\n    apiRoot: ${apiRoot}\n`

function project(t: TestContext, yaml: string | null) {
  const dir = mkdtempSync(join(tmpdir(), 'parley-lazy-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const modulesFile = join(dir, 'modules.txt')
  writeFileSync(modulesFile, '')
  if (yaml !== null) writeFileSync(join(dir, 'parley.yaml'), yaml)
  const env = { ...process.env, NO_COLOR: '1', PARLEY_TEST_MODULES: modulesFile }
  const modules = (): string[] => readFileSync(modulesFile, 'utf8').split('\n').filter(Boolean)
  return {
    modules,
    loaded: () => modules().filter((url) => libraries.test(url)),
    parley: async (...args: string[]) =>
      (await promisify(execFile)(process.execPath, ['--import', noting, cli, ...args], { cwd: dir, env })).stdout,
    async serve(): Promise<void> {
      const child = spawn(process.execPath, ['--import', noting, cli, 'serve', '--port', '0', '--json'], { cwd: dir, env, stdio: 'ignore' })
      t.after(() => child.kill('SIGKILL'))
      await eventually(() => {
        try {
          return readFileSync(join(dir, '.parley', 'server.json'), 'utf8')
        } catch {
          return undefined
        }
      }, 'the server')
    },
  }
}

test('help and the list of channels load no library of a platform, also where one is configured', async (t) => {
  const { parley, loaded, modules } = project(t, telegram('http://127.0.0.1:9', '1:never-asked'))
  assert.match(await parley('--help'), /channels/)
  assert.match(await parley('channels', 'list'), /telegram/)
  assert.ok(
    modules().some((url) => url.includes('/src/cli/')),
    'something was written down',
  )
  assert.deepEqual(loaded(), [])
})

test('a server without chat apps loads none; one with Telegram does', async (t) => {
  const without = project(t, null)
  await without.serve()
  assert.ok(
    without.modules().some((url) => url.includes('/src/app/serve.ts')),
    'something was written down',
  )
  assert.deepEqual(without.loaded(), [])

  const emulator = await telegramEmulator()
  t.after(() => emulator.close())
  const connected = project(t, telegram(emulator.url, emulator.token))
  await connected.serve()
  await emulator.until(() => emulator.isPolled(), 'a reader')
  assert.ok(connected.loaded().some((url) => url.includes('/grammy/')))
  assert.deepEqual(emulator.failures, [])
})

test('an account that is switched off, or has no token, loads none', async (t) => {
  const off = project(t, `channels:\n  telegram:\n    enabled: false\n    token: "1:never-asked"\n  other:\n    kind: telegram\n`)
  await off.serve()
  assert.deepEqual(off.loaded(), [])
})
