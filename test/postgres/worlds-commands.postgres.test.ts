import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { scripted } from '../fixtures/agent-file.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type PostgresServer, startPostgres } from '../fixtures/postgres-server.ts'

const cli = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

let postgres: PostgresServer
before(async () => {
  postgres = await startPostgres()
})
after(() => postgres.stop())

type Place = { dir: string; env: NodeJS.ProcessEnv }

async function start(t: TestContext, { dir, env }: Place, args: string[]): Promise<Record<string, string>> {
  const child: ChildProcess = spawn(process.execPath, [cli, ...args, '--json'], { cwd: dir, env, stdio: ['ignore', 'pipe', 'ignore'] })
  t.after(() => child.kill('SIGKILL'))
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return eventually(() => {
    try {
      return JSON.parse(text) as Record<string, string>
    } catch {
      return null
    }
  }, args.join(' '))
}

test('worlds host, key, peers and export work on PostgreSQL', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'parley-worlds-postgres-'))
  t.after(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
  const make = async (name: string): Promise<Place> => {
    mkdirSync(join(root, name))
    return { dir: join(root, name), env: { ...process.env, NO_COLOR: '1', DATABASE_URL: await postgres.database() } }
  }
  const place = await make('host')
  const { url = '' } = await start(t, place, ['worlds', 'host', '--port', '0', '--store', '${DATABASE_URL}'])
  assert.equal(existsSync(join(place.dir, '.parley-worlds', 'parley.db')), false, 'no database in the folder')

  const owner = await make('owner')
  const members = ['ada', 'mira'].map((name) => `    ${name}: ${scripted('reader')}\n`).join('')
  const config = `store: { url: "\${DATABASE_URL}" }\nteam:\n  members:\n${members}worlds:\n  host: ${url}\n  agents:\n    ada: {}\n    mira: {}\n`
  writeFileSync(join(owner.dir, 'parley.yaml'), config)
  await start(t, owner, ['serve', '--port', '0'])
  const parley = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await promisify(execFile)(process.execPath, [cli, ...args, '--json'], { cwd: owner.dir, env: owner.env })).stdout)
  for (const name of ['ada', 'mira']) await parley('worlds', 'set', name, '--name', name, '--profile', '')
  const accounts = (await parley('worlds', 'account')) as { items: { name: string; account: { identity: { agentCode: string } } }[] }
  const code = accounts.items.find(({ name }) => name === 'mira')?.account.identity.agentCode ?? ''
  const { keys } = (await parley('worlds', 'key')) as { keys: { code: string; key: string }[] }
  assert.equal(keys.length, 2)

  const sent = (await parley('requests', 'send', `mira#${code}`, '--brief', 'Find one book about cities.', '--account', 'ada')) as {
    request: { request: string }
  }
  const { request } = sent.request
  const waiting = async (): Promise<boolean> => JSON.stringify(await parley('inbox', 'list')).includes(request)
  await eventually(waiting, 'the request is in the inbox')
  await parley('requests', 'accept', request, '--account', 'mira')
  type Talk = { turns: unknown[] }
  await eventually(async () => ((await parley('requests', 'show', request, '--account', 'ada')) as Talk).turns.length > 0, 'a turn')
  const exported = async (): Promise<string> =>
    (await promisify(execFile)(process.execPath, [cli, 'worlds', 'export', request], { cwd: owner.dir, env: owner.env })).stdout
  await eventually(async () => (await exported().catch(() => '')).includes('"type":"turn"'), 'a signed transcript')
  const { peers } = (await parley('worlds', 'peers')) as { peers: { code: string; key: string }[] }
  assert.ok(peers.some((peer) => peer.code === code && keys.some(({ key }) => key === peer.key)))
})
