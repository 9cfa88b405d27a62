import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { eventually } from '../fixtures/eventually.ts'
import { KillableServer } from '../fixtures/killable-server.ts'
import { startPostgres, type PostgresServer } from '../fixtures/postgres-server.ts'

const password = 'correct-horse-battery'
const cli = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

let postgres: PostgresServer
before(async () => {
  postgres = await startPostgres()
})
after(() => postgres.stop())

const withPassword = (url: string): string => url.replace('parley@', `parley:${password}@`)

function serverOn(t: TestContext, url: string): KillableServer {
  const server = new KillableServer('load')
  server.storeUrl = url
  t.after(async () => {
    await server.end('SIGKILL')
    server.remove()
  })
  return server
}

function run(server: KillableServer, ...args: string[]): { status: number | null; output: string } {
  const ran = spawnSync(process.execPath, [cli, ...args], {
    cwd: server.dir,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', ...(server.storeUrl !== null && { DATABASE_URL: server.storeUrl }) },
  })
  return { status: ran.status, output: ran.stdout + ran.stderr }
}

test('store.url: dialogs and files are in PostgreSQL and survive the end of the process', async (t) => {
  const server = serverOn(t, withPassword(await postgres.database()))
  await server.start()
  const client = server.client()
  const file = await client.files.add('hello.txt', new Blob(['hello']))
  const { id } = await client.dialogs.open({ title: 'kept' })
  await client.dialogs.say(id, 'hello', { files: [file.file] })
  await eventually(async () => (await client.dialogs.get(id)).status === 'ready', 'a reply')
  await server.end('SIGKILL')
  await server.start()
  const detail = await server.client().dialogs.get(id)
  assert.equal(detail.title, 'kept')
  const { token } = JSON.parse(readFileSync(join(server.dir, '.parley', 'server.json'), 'utf8')) as { token: string }
  const sent = await fetch(server.client().files.address(id, file.file), { headers: { authorization: `Bearer ${token}` } })
  assert.equal(await sent.text(), 'hello')
  assert.equal(existsSync(join(server.dir, '.parley', 'parley.db')), false, 'no database in the data folder')
  assert.equal(existsSync(join(server.dir, '.parley', 'files')), false, 'no files in the data folder')
  assert.ok(!server.said.includes(password), server.said)
})

test('parley doctor: names server and database of store.url, never its password', async (t) => {
  const server = serverOn(t, withPassword(await postgres.database()))
  await server.start()
  await server.end('SIGTERM')
  const good = run(server, 'doctor')
  assert.match(good.output, /✓ PostgreSQL \d+\S* .*answers at 127\.0\.0\.1:\d+\/test_\d+\./)
  server.storeUrl = `postgres://parley:${password}@127.0.0.1:1/none`
  const bad = run(server, 'doctor')
  assert.match(bad.output, /✗ 127\.0\.0\.1:1\/none: PostgreSQL cannot be reached/)
  const refused = run(server, 'serve', '--port', '0')
  assert.equal(refused.status, 1)
  assert.match(refused.output, /PostgreSQL cannot be reached/)
  assert.ok(![good, bad, refused].some(({ output }) => output.includes(password)))
})

test('a fault in the section store stops the start, so that no data is written elsewhere', async (t) => {
  const server = serverOn(t, '')
  for (const [store, why] of [
    ['store: { url: "${DATABASE_URL}" }', /store\.url: the environment variable DATABASE_URL is not set/],
    [`store: { url: "mysql://root:${password}@db/parley" }`, /store\.url: .*expected an address such as postgres:\/\//],
    ['store: { ulr: "postgres://db/parley" }', /store\.ulr/],
  ] as const) {
    writeFileSync(join(server.dir, 'parley.yaml'), `${store}\n`)
    const { status, output } = run(server, 'serve', '--port', '0')
    assert.equal(status, 1, output)
    assert.match(output, why)
    assert.ok(!output.includes(password), output)
    assert.equal(existsSync(join(server.dir, '.parley', 'parley.db')), false)
  }
})

test('parley config: hides the password of store.url and takes none on the command line', (t) => {
  const server = serverOn(t, '')
  writeFileSync(join(server.dir, 'parley.yaml'), `store: { url: "postgres://me:${password}@db/parley" }\n`)
  assert.match(run(server, 'config', 'get', 'store').output, /postgres:\/\/me:••••••@db\/parley/)
  const refused = run(server, 'config', 'set', 'store.url', `postgres://me:${password}@db/parley`)
  assert.match(refused.output, /ends up in the history of the shell/)
  assert.equal(run(server, 'config', 'set', 'store.url', 'postgres://me:${PGPASSWORD}@db/parley').status, 0)
})
