import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { builtPage } from './built-page.ts'

const command = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

export type PageServer = {
  readonly url: string
  readonly dir: string
  /** An address that signs a browser in once, as the owner or as a person of parley.yaml. */
  link(path: string, person?: string): Promise<string>
  /** A request to the API with the token of the data folder. */
  call(method: string, path: string, body?: object): Promise<unknown>
  /** The number of its process. */
  pid(): number
  /** Ends it without a word, as a power cut would. */
  kill(): Promise<void>
  /** The same data at the same address. */
  start(): Promise<void>
}

/** A real server process with its own data, serving the built page until the tests of the file have ended. `config` is the text of a parley.yaml instead of the demo's. */
export async function pageServer({
  fast = false,
  config,
  seed,
}: {
  fast?: boolean
  config?: string
  /** Fills the data folder before the server opens it. */
  seed?: (data: string) => Promise<void>
} = {}): Promise<PageServer> {
  await builtPage()
  const dir = mkdtempSync(join(tmpdir(), 'parley-page-'))
  const data = join(dir, 'data')
  const configFile = join(dir, 'parley.yaml')
  if (config !== undefined) writeFileSync(configFile, config)
  await seed?.(data)
  let child: ChildProcess | null = null
  let url = ''

  async function start(): Promise<void> {
    const what = config !== undefined ? ['serve', '--config', configFile] : ['demo', '--no-open']
    const port = url === '' ? '0' : new URL(url).port
    const mine = spawn(process.execPath, [command, ...what, '--port', port, '--data', data, '--json', ...(fast ? ['--fast'] : [])], {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = mine
    let output = ''
    mine.stderr?.on('data', (piece: Buffer) => (output += piece.toString()))
    const lines = createInterface({ input: mine.stdout ?? process.stdin })
    const first = await Promise.race([once(lines, 'line').then(([line]) => String(line)), once(mine, 'exit').then(() => null)])
    if (first === null) throw new Error(`the server ended before it was ready: ${output}`)
    const ready = JSON.parse(first) as { url: string }
    assert.ok(url === '' || url === ready.url, 'it must come back at the same address')
    url = ready.url
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const mine = child
    child = null
    if (!mine || mine.exitCode !== null) return
    const exit = once(mine, 'exit')
    mine.kill(signal)
    await exit
  }

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const { token } = JSON.parse(readFileSync(join(data, 'server.json'), 'utf8')) as { token: string }
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    assert.ok(response.ok, `${method} ${path} answered ${response.status}`)
    return response.json()
  }

  after(async () => {
    await end('SIGTERM')
    rmSync(dir, { recursive: true, force: true })
  })
  await start()
  return {
    get url() {
      return url
    },
    dir,
    async link(path, person) {
      const created = (await call('POST', '/v1/links', person === undefined ? {} : { for: person })) as { url: string }
      const key = new URL(created.url).hash.replace(/^#(k=)?/, '')
      return `${url}${path}#k=${key}`
    },
    call,
    pid: () => child?.pid ?? 0,
    kill: () => end('SIGKILL'),
    start,
  }
}
