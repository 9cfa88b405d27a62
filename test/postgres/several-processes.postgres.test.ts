import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ClientError, type ParleyClient } from '../../src/client/index.ts'
import { startDeafProxy } from '../../src/store/postgres/test/deaf-proxy.ts'
import { eventually } from '../fixtures/eventually.ts'
import { Fleet, type FleetProcess } from '../fixtures/fleet.ts'
import { startPostgres, type PostgresServer } from '../fixtures/postgres-server.ts'

let postgres: PostgresServer
before(async () => {
  postgres = await startPostgres()
})
after(() => postgres.stop())

async function startFleet(t: TestContext, members: readonly string[], url?: string): Promise<Fleet> {
  const fleet = new Fleet(url ?? (await postgres.database()), members)
  t.after(() => fleet.close())
  return fleet
}

const untilStatus = (client: ParleyClient, dialog: string, status: string): Promise<true> =>
  eventually(async () => (await client.dialogs.get(dialog)).status === status, `${dialog} is ${status}`)

/**
 * Waits until it holds, which must not take longer than the second that is promised. On a busy machine the commits and
 * requests behind it take longer: five times what the slowest look took.
 */
async function within(t: TestContext, what: string, holds: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now()
  let slowestMs = 0
  const look = async (): Promise<boolean> => {
    const lookedAt = performance.now()
    const value = await holds()
    slowestMs = Math.max(slowestMs, performance.now() - lookedAt)
    return value
  }
  await eventually(look, what, { everyMs: 20 })
  const tookMs = performance.now() - startedAt
  const mostMs = 1_000 + 5 * slowestMs
  t.diagnostic(`${what} after ${Math.round(tookMs)} ms of at most ${Math.round(mostMs)}`)
  assert.ok(tookMs < mostMs, `${what} after ${tookMs} ms, promised within ${mostMs}`)
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
  const fleet = await startFleet(t, ['load'])
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

const isOn = async ({ client }: FleetProcess, dialog: string, status: string): Promise<boolean> =>
  (await client().dialogs.get(dialog)).status === status

/** Signs a browser in and returns what asks as that browser. */
async function signIn({ url, client }: FleetProcess): Promise<{ session: string; status(at: FleetProcess): Promise<number> }> {
  const link = await client().link()
  const known = new Set((await client().sessions.list()).map(({ id }) => id))
  const response = await fetch(`${url}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ key: link.url.slice(link.url.indexOf('#k=') + 3) }),
  })
  const cookie = (response.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  const session = (await client().sessions.list()).find(({ id }) => !known.has(id))?.id ?? ''
  return { session, status: async (at) => (await fetch(`${at.url}/v1/dialogs`, { headers: { cookie } })).status }
}

/** Latches, a revoked token and a revoked session of one process, seen by the other. */
async function assertSeenInTime(t: TestContext, fleet: Fleet): Promise<void> {
  const [one, two] = await Promise.all([fleet.start('web'), fleet.start('web')])
  await fleet.start('worker')
  const [first, second] = [one.client(), two.client()]

  const { id } = await first.dialogs.open({ agent: 'hang', title: 'hangs', text: 'hang 9' })
  await eventually(() => fleet.marks().length === 1, 'the turn runs')
  await second.dialogs.get(id)
  await first.dialogs.stop(id)
  await within(t, 'the turn was stopped', () => isOn(two, id, 'stopped'))
  // The other process knew the dialog without its stop: continuing there must not be mistaken for nothing to do.
  await second.dialogs.continue(id)
  await eventually(() => fleet.marks().length === 2, 'the turn runs again')

  await second.dialogs.stopAll()
  await within(t, 'the emergency stop cut the turn', async () => !(await isOn(one, id, 'working')))
  const { id: held } = await first.dialogs.open({ agent: 'load', title: 'held', text: 'mark held' })
  // Longer than any notification or poll takes: whoever has not heard of the stop would run it meanwhile.
  await pause(1_500)
  assert.equal(fleet.marks().length, 2, 'a turn ran after the emergency stop')
  await first.dialogs.resumeAll()
  await untilStatus(second, held, 'ready')

  const { token, view } = await first.tokens.create('other', ['read'])
  const guest = two.client(token)
  assert.ok(Array.isArray((await guest.dialogs.list()).items))
  await first.tokens.revoke(view.id)
  await within(t, 'the token was refused', () => isRefused(guest.dialogs.list(), 'bad_token'))

  const browser = await signIn(one)
  assert.equal(await browser.status(two), 200)
  await first.sessions.revoke(browser.session)
  await within(t, 'the session was refused', async () => (await browser.status(two)) === 401)
}

test('a stop, an emergency stop, a revoked token and a revoked session hold in the other processes', { timeout: 180_000 }, async (t) => {
  await assertSeenInTime(t, await startFleet(t, ['hang', 'load']))
})

test('the same holds behind a pooler that delivers no notifications', { timeout: 180_000 }, async (t) => {
  const proxy = await startDeafProxy(await postgres.database())
  t.after(() => proxy.close())
  await assertSeenInTime(t, await startFleet(t, ['hang', 'load'], proxy.url))
})

test('a policy and a revoked grant count for calls in every process', { timeout: 180_000 }, async (t) => {
  const fleet = await startFleet(t, ['approval'])
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
  const explain = (client: ParleyClient): Promise<string> =>
    client.policy.explain({ tool: 'pay', agent: 'approval', input: { to: 'Tom', amount: 5 } }).then(({ decision }) => decision)
  await within(t, 'the rule counted in both', async () => (await explain(first)) === 'deny' && (await explain(second)) === 'deny')
  await untilStatus(second, id, 'ready')
})
