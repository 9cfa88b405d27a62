import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { ClientError, type ParleyClient } from '../../src/client/index.ts'
import { eventually } from '../fixtures/eventually.ts'
import { Fleet } from '../fixtures/fleet.ts'
import { startPostgres, type PostgresServer } from '../fixtures/postgres-server.ts'

let postgres: PostgresServer
before(async () => {
  postgres = await startPostgres()
})
after(() => postgres.stop())

async function fleetOf(t: TestContext, members: readonly string[], sections = ''): Promise<Fleet> {
  const fleet = new Fleet(await postgres.database(), members, sections)
  t.after(() => fleet.close())
  return fleet
}

const untilStatus = (client: ParleyClient, dialog: string, status: string): Promise<true> =>
  eventually(async () => (await client.dialogs.get(dialog)).status === status, `${dialog} is ${status}`)

/** Waits until it holds and returns how long that took. A second is promised; the rest is for a busy machine. */
async function within(what: string, holds: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now()
  await eventually(holds, what)
  return performance.now() - startedAt
}

const isRefused = (call: Promise<unknown>, ...codes: string[]): Promise<boolean> =>
  call.then(
    () => false,
    (error: unknown) => {
      if (error instanceof ClientError && codes.includes(error.code)) return true
      throw error
    },
  )

test('--only: a web process takes requests, a worker runs them, and the worker answers only probes', { timeout: 120_000 }, async (t) => {
  const fleet = await fleetOf(t, ['load'])
  const web = await fleet.start('web')
  const client = web.client()
  const { id } = await client.dialogs.open({ title: 'one', text: 'mark one' })
  assert.equal((await client.dialogs.get(id)).status, 'working', 'no turn runs without a worker')
  const worker = await fleet.start('worker')
  await untilStatus(client, id, 'ready')
  assert.equal(fleet.marks().length, 1)
  assert.equal((await fetch(`${worker.url}/readyz`)).status, 200)
  for (const path of ['/v1/dialogs', '/v1/openapi.json', '/']) {
    const { status } = await fetch(worker.url + path, { headers: { authorization: `Bearer ${fleet.token}` } })
    assert.equal(status, 404, path)
  }
  await worker.end('SIGTERM')
  const { id: second } = await client.dialogs.open({ title: 'two', text: 'mark two' })
  assert.equal((await client.dialogs.get(second)).status, 'working')
  await fleet.start(null)
  await untilStatus(client, second, 'ready')
})

test('a stop, an emergency stop and a revoked token of one process hold in the others at once', { timeout: 180_000 }, async (t) => {
  const fleet = await fleetOf(t, ['hang', 'load'])
  const [one, two] = await Promise.all([fleet.start('web'), fleet.start('web')])
  await fleet.start('worker')
  const [first, second] = [one.client(), two.client()]
  const took: string[] = []

  const { id } = await first.dialogs.open({ agent: 'hang', title: 'hangs', text: 'hang 9' })
  await eventually(() => fleet.marks().length === 1, 'the turn runs')
  await second.dialogs.get(id)
  await first.dialogs.stop(id)
  took.push(`stop ${await within('the turn was stopped', async () => (await second.dialogs.get(id)).status === 'stopped')}`)
  // The other process knew the dialog without its stop: continuing there must not be mistaken for nothing to do.
  await second.dialogs.continue(id)
  await eventually(() => fleet.marks().length === 2, 'the turn runs again')

  await second.dialogs.stopAll()
  took.push(`emergency stop ${await within('the turn was cut', async () => (await first.dialogs.get(id)).status !== 'working')}`)
  const { id: held } = await first.dialogs.open({ agent: 'load', title: 'held', text: 'mark held' })
  await first.dialogs.resumeAll()
  await untilStatus(second, held, 'ready')

  const { token, view } = await first.tokens.create('other', ['read'])
  const guest = two.client(token)
  assert.ok(Array.isArray((await guest.dialogs.list()).items))
  await first.tokens.revoke(view.id)
  took.push(`token ${await within('the token is refused', () => isRefused(guest.dialogs.list(), 'bad_token'))}`)
  for (const each of took) assert.ok(Number(each.split(' ').at(-1)) < 20_000, `${took.join(', ')} ms`)
  t.diagnostic(took.join(' ms, ') + ' ms')
})

test('a policy and a revoked grant count for calls in every process', { timeout: 180_000 }, async (t) => {
  const fleet = await fleetOf(t, ['approval'])
  const [one, two] = await Promise.all([fleet.start('web'), fleet.start('web')])
  await fleet.start('worker')
  const [first, second] = [one.client(), two.client()]
  const { id } = await first.dialogs.open({ agent: 'approval', title: 'pays', text: 'Tom' })
  await untilStatus(second, id, 'waiting')
  const [question] = (await second.dialogs.get(id)).questions
  await second.questions.approve(question?.id ?? '', { decision: 'always' })
  await untilStatus(first, id, 'ready')
  await first.dialogs.say(id, 'Tom')
  await eventually(
    async () => JSON.stringify(await second.events.read({ stream: id, limit: 500 })).split('tool.returned').length === 3,
    'a call without a question',
  )
  await untilStatus(first, id, 'ready')
  const [grant] = await first.grants.list()
  await first.grants.revoke(grant?.id ?? '')
  await second.dialogs.say(id, 'Tom')
  await untilStatus(second, id, 'waiting')
  // The open approval ends when the rules decide it.
  fleet.configure(['approval'], 'policy:\n  rules:\n    - deny: tool(pay)\n')
  const tookMs = await within('the rule ended the approval', async () => (await second.dialogs.get(id)).status === 'ready')
  assert.ok(tookMs < 20_000, `${tookMs} ms`)
})
