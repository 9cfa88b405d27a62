import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { KillableServer } from './fixtures/killable-server.ts'
import { eventually } from './fixtures/eventually.ts'

const cli = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))

type Failure = { error: { code: string; message: string; hint: string } }

/** A server whose files cannot grow beyond a size: the system refuses the write, as it does on a full disk. */
class LimitedServer extends KillableServer {
  mostFileKilobytes: number | null = null

  protected override command(server: string[]): string[] {
    if (this.mostFileKilobytes === null) return server
    // The signal is ignored so that the write itself fails.
    return ['bash', '-c', 'trap "" XFSZ; ulimit -f "$0"; exec "$@"', String(this.mostFileKilobytes), ...server]
  }

  get data(): string {
    return join(this.dir, '.parley', 'parley.db')
  }

  async ready(): Promise<{ status: number; body: Failure }> {
    const response = await fetch(`http://127.0.0.1:${this.port}/readyz`)
    return { status: response.status, body: (await response.json()) as Failure }
  }

  async say(dialog: string, text: string): Promise<{ status: number; body: Failure }> {
    const { token } = this.note()
    const response = await fetch(`http://127.0.0.1:${this.port}/v1/dialogs/${dialog}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    })
    return { status: response.status, body: (await response.json()) as Failure }
  }

  note(): { token: string } {
    return JSON.parse(readFileSync(join(this.dir, '.parley', 'server.json'), 'utf8')) as { token: string }
  }

  async parley(...args: string[]): Promise<string> {
    return (await promisify(execFile)(process.execPath, [cli, ...args], { cwd: this.dir, env: { ...process.env, NO_COLOR: '1' } })).stdout
  }
}

async function started(t: TestContext): Promise<{ server: LimitedServer; dialog: string }> {
  const server = new LimitedServer('load')
  t.after(async () => {
    await server.end('SIGKILL')
    server.remove()
  })
  await server.start()
  const { id } = await server.client().dialogs.open({ title: 'kept' })
  return { server, dialog: id }
}

test('a database removed under a running server: nothing more is acknowledged, and it is not ready', { timeout: 60_000 }, async (t) => {
  const { server, dialog } = await started(t)
  assert.equal((await server.ready()).status, 200)
  assert.equal((await server.say(dialog, 'before')).status, 201)
  rmSync(server.data)
  const refused = await server.say(dialog, 'after')
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'store_gone'])
  await untilNotReady(server)
  const { status, body } = await server.ready()
  assert.deepEqual([status, body.error.code], [503, 'store_gone'])
  assert.match(body.error.hint, /docs\/guides\/backup\.md/)
  await server.end('SIGTERM')
  await assert.rejects(server.start(), /parley\.db is missing[\s\S]*parley store accept/)
  assert.match(await server.parley('doctor'), /✗ Acknowledged data is missing: parley\.db is missing/)
  assert.equal(existsSync(server.data), false, 'no empty database was made')
})

test('a write-ahead log removed after a kill stops the start, and the command it names goes on', { timeout: 60_000 }, async (t) => {
  const { server, dialog } = await started(t)
  assert.equal((await server.say(dialog, 'hello')).status, 201)
  await server.end('SIGKILL')
  rmSync(`${server.data}-wal`)
  const refusal = await server.start().then(
    () => assert.fail('it started'),
    (error: Error) => error.message,
  )
  assert.match(refusal, /parley\.db-wal is missing/)
  const [, command = ''] = /on purpose: parley (.+)$/m.exec(refusal) ?? []
  assert.equal(command, `store accept --data ${join(server.dir, '.parley')}`)
  assert.match(await server.parley('doctor'), /✗ Acknowledged data is missing[\s\S]*parley store accept/)
  assert.match(await server.parley(...command.split(' ')), /accepted as it is[\s\S]*parley serve/)
  assert.doesNotMatch(await server.parley('doctor'), /data is missing/)
  await server.start()
  assert.equal((await server.ready()).status, 200)
  await server.end('SIGTERM')
  await server.start()
})

test('a full disk: messages are refused, it is not ready, and nothing that was acknowledged is lost', { timeout: 120_000 }, async (t) => {
  const { server, dialog } = await started(t)
  await server.end('SIGTERM')
  server.mostFileKilobytes = 512
  await server.start()
  const acknowledged: string[] = []
  let failure: Failure | null = null
  for (let count = 0; count < 400 && !failure; count += 1) {
    const text = `${count} ${'x'.repeat(4_000)}`
    const { status, body } = await server.say(dialog, text)
    if (status === 201) acknowledged.push(text)
    else failure = body
  }
  assert.ok(acknowledged.length > 0 && failure, `${acknowledged.length} messages were acknowledged`)
  assert.equal(failure.error.code, 'store_unwritable')
  await untilNotReady(server)
  const { status, body } = await server.ready()
  assert.deepEqual([status, body.error.code], [503, 'store_unwritable'])
  assert.match(body.error.hint, /Free space/)

  await server.end('SIGKILL')
  server.mostFileKilobytes = null
  await server.start()
  assert.equal((await server.ready()).status, 200)
  const client = server.client()
  const texts: string[] = []
  for (let after = 0; ;) {
    const { items } = await client.events.read({ stream: dialog, after, limit: 1_000 })
    if (items.length === 0) break
    after = items.at(-1)?.seq ?? after
    for (const { type, data } of items) if (type === 'message.said') texts.push((data as { text: string }).text)
  }
  assert.deepEqual(
    acknowledged.filter((text) => !texts.includes(text)),
    [],
  )
})

/** Its answer is a second old at most. */
const untilNotReady = (server: LimitedServer): Promise<true> =>
  eventually(async () => (await server.ready()).status === 503, 'a server that is not ready')
