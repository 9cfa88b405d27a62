import assert from 'node:assert/strict'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { faultyLine } from '../../../test/chaos/faulty-line.ts'
import { startPostgres, withClient, type PostgresServer } from '../../../test/fixtures/postgres-server.ts'
import { systemClock } from '../../ports/clock.ts'
import type { Store, Unit } from '../../ports/store.ts'
import { encodeUnits } from './encode-units.ts'
import { startDeafProxy } from './test/deaf-proxy.ts'
import { postgresStore, type PostgresOptions } from './postgres-store.ts'

let server: PostgresServer
before(async () => {
  server = await startPostgres()
})
after(() => server.stop())

const hourMs = 3_600_000
const say = (stream: string, expect: number): Unit => ({
  append: [{ stream, expect, events: [{ type: 'word.said', at: Date.now(), data: {} }] }],
})
const wake = (key: string, at = Date.now()): Unit => ({ wake: [{ kind: 'turn', key, at }] })

async function opener(t: TestContext): Promise<{ url: string; open: (more?: Partial<PostgresOptions>) => Promise<Store> }> {
  const url = await server.database()
  const stores: Store[] = []
  t.after(() => Promise.all(stores.map((store) => store.close().catch(() => {}))))
  const open = async (more: Partial<PostgresOptions> = {}): Promise<Store> => {
    const store = await postgresStore({ url, ...more })
    stores.push(store)
    return store
  }
  return { url, open }
}

async function eventually(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + 60_000
  while (Date.now() < end) {
    if (await holds()) return
    await pause(20)
  }
  assert.fail(`never happened: ${what}`)
}

test('readAll: shows no event while a commit with a lower position is still running', async (t) => {
  const { url, open } = await opener(t)
  const store = await open()
  await store.commit([say('a', 0)])
  await withClient(url, async (slow) => {
    const { units, texts } = encodeUnits([say('b', 0)], Date.now())
    await slow.query('BEGIN')
    await slow.query('SELECT parley.commit_units($1, $2, $2, true, $3, $4)', ['slow', Date.now(), units, texts])
    const [later] = await store.commit([say('c', 0)])
    assert.ok(later?.ok)
    assert.equal(later.events[0]?.position, 3)
    assert.deepEqual(
      (await store.readAll(0, 10)).map(({ stream }) => stream),
      ['a'],
    )
    assert.equal(await store.position(), 1)
    assert.equal(await store.head('c'), 1, 'a reader of one stream sees it at once')
    await slow.query('COMMIT')
  })
  assert.deepEqual(
    (await store.readAll(1, 10)).map(({ stream }) => stream),
    ['b', 'c'],
  )
})

test('readAll: a commit that is undone leaves a gap and holds nothing back', async (t) => {
  const { url, open } = await opener(t)
  const store = await open()
  await withClient(url, async (slow) => {
    const { units, texts } = encodeUnits([say('b', 0)], Date.now())
    await slow.query('BEGIN')
    await slow.query('SELECT parley.commit_units($1, $2, $2, true, $3, $4)', ['slow', Date.now(), units, texts])
    await store.commit([say('c', 0)])
    await slow.query('ROLLBACK')
  })
  assert.deepEqual(
    (await store.readAll(0, 10)).map(({ stream, position }) => [stream, position]),
    [['c', 2]],
  )
})

test('clocks of hosts: work is due and leases end by the clock of the database', async (t) => {
  const { open } = await opener(t)
  const shifted = (byMs: number) => ({ clock: { ...systemClock, now: () => Date.now() + byMs } })
  const [ahead, behind] = [await open(shifted(hourMs)), await open(shifted(-hourMs))]
  await ahead.commit([wake('now', Date.now() + hourMs)])
  const [lease] = await behind.claim('turn', 5, 60_000)
  assert.equal(lease?.key, 'now')
  assert.ok(Math.abs((lease?.until ?? 0) - (Date.now() - hourMs + 60_000)) < 30_000, 'the end of the lease is in the time of its holder')
  assert.deepEqual(await ahead.claim('turn', 5, 60_000), [])
  const due = (await ahead.nextDue('turn')) ?? 0
  assert.ok(Math.abs(due - (Date.now() + hourMs + 60_000)) < 30_000)
})

test('once-only keys and sums that several processes use for the first time at the same moment count once', async (t) => {
  const { open } = await opener(t)
  const stores = await Promise.all(Array.from({ length: 6 }, () => open()))
  for (let round = 0; round < 20; round++) {
    const sum = { view: 'sums', key: `r${round}`, group: '', sort: 0, add: { used: 1 }, bounds: [{ fields: ['used'], most: 4 }] }
    const results = await Promise.all(
      stores.map((store, index) =>
        store.commit([{ once: [{ key: `r${round}`, value: index }] }, { sums: [sum] }, say(`s${round}-${index}`, 0)]),
      ),
    )
    const accepted = (unit: number): number => results.filter((result) => result[unit]?.ok).length
    assert.deepEqual([accepted(0), accepted(1), accepted(2)], [1, 4, 6])
  }
})

test('a restart of the server: commits fail while it is down, then everything goes on, hints included', async (t) => {
  const own = await startPostgres(['fsync=on'])
  t.after(() => own.stop())
  const url = await own.database()
  const [one, two] = await Promise.all([postgresStore({ url }), postgresStore({ url })])
  t.after(() => Promise.all([one.close(), two.close()]))
  let acknowledged = 0
  const heads: number[] = []
  two.hints.onStream((_, head) => heads.push(head))
  for (const how of ['immediate', 'fast'] as const) {
    const restarting = own.restart(how)
    await eventually('a commit after the restart', async () => {
      // A commit without an answer may have happened: its number is read, not guessed.
      const head = await one.head('s').catch(() => null)
      if (head === null) return false
      const result = await one.commit([say('s', head)]).catch(() => null)
      if (result?.[0]?.ok) acknowledged = head + 1
      return result?.[0]?.ok === true && (await restarting.then(() => true))
    })
    assert.ok((await one.head('s')) >= acknowledged)
    const headBefore = await one.head('s')
    await eventually('a hint after the restart', async () => {
      await one.commit([say('s', await one.head('s'))])
      return heads.some((head) => head > headBefore)
    })
  }
  assert.equal((await two.read('s', 0, 1_000)).length, await two.head('s'))
})

test('a process that is killed loses its work to another one within seconds; one that was stopped cannot commit', async (t) => {
  const { url, open } = await opener(t)
  const store = await open()
  await store.commit([wake('a')])
  const start = async (leaseMs: number): Promise<ChildProcess> => {
    const child = fork(new URL('./test/claiming-process.ts', import.meta.url), [url, `${leaseMs}`], { stdio: 'inherit' })
    t.after(() => child.kill('SIGKILL'))
    assert.deepEqual(await once(child, 'message').then(([message]) => message), 'claimed')
    return child
  }
  const killed = await start(hourMs)
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  let lease = (await store.claim('turn', 1, 1))[0]
  await eventually('the work was claimed again', async () => {
    lease ??= (await store.claim('turn', 1, 1))[0]
    return lease !== undefined
  })
  assert.ok(lease)
  assert.equal(lease.attempts, 2)

  await store.commit([{ lease, settle: { retryAt: Date.now() } }])
  const stopped = await start(50)
  stopped.kill('SIGSTOP')
  await eventually('its lease ended', async () => (await store.claim('turn', 1, hourMs)).length === 1)
  stopped.kill('SIGCONT')
  stopped.send('commit')
  assert.deepEqual((await once(stopped, 'message'))[0], 'fenced')
})

test('claim: work whose claim got no answer is claimed again at once, and a claim with an answer is kept', async (t) => {
  const { url, open } = await opener(t)
  const line = await faultyLine(Number(new URL(url).port))
  t.after(() => line.close())
  const store = await open({ url: url.replace(/:\d+\//, `:${line.port}/`) })
  await store.commit([wake('known')])
  const [known] = await store.claim('turn', 1, 30_000)
  assert.equal(known?.key, 'known')
  await store.commit([wake('lost')])
  line.loseAnswerTo('claim_work')
  await assert.rejects(store.claim('turn', 5, 30_000))
  await withClient(url, async (client) => {
    const { rows } = await client.query("SELECT owner FROM parley.work WHERE key = 'lost'")
    assert.equal(rows[0]?.owner, store.owner, 'the claim happened')
  })
  const again = await store.claim('turn', 5, 30_000)
  assert.deepEqual(
    again.map(({ key, attempts }) => [key, attempts]),
    [['lost', 1]],
  )
  assert.deepEqual(await store.claim('turn', 5, 30_000), [], 'a later look takes nothing back')
  assert.deepEqual(await store.extend([known], 30_000), [])
})

test('hints: events of a process that ended before it could notify are found within a second', async (t) => {
  const { url, open } = await opener(t)
  const store = await open()
  await store.commit([say('a', 0)])
  const heads: [string, number][] = []
  store.hints.onStream((stream, head) => heads.push([stream, head]))
  await withClient(url, async (other) => {
    const { units, texts } = encodeUnits([say('a', 1), say('b', 0)], Date.now())
    await other.query('SELECT parley.commit_units($1, $2, $2, true, $3, $4)', ['other', Date.now(), units, texts])
  })
  const committedAt = Date.now()
  await eventually('both streams were announced', () => heads.length >= 2)
  assert.deepEqual(
    heads.toSorted(([one], [two]) => one.localeCompare(two)),
    [
      ['a', 2],
      ['b', 1],
    ],
  )
  t.diagnostic(`after ${Date.now() - committedAt} ms`)
})

test('a pooler that delivers no notifications: the store says so, finds changes by polling and releases nothing too early', async (t) => {
  const { url, open } = await opener(t)
  const proxy = await startDeafProxy(url)
  t.after(() => proxy.close())
  const warnings: string[] = []
  const deaf = await open({ url: proxy.url, log: (_, message) => warnings.push(message) })
  assert.ok(
    warnings.some((message) => message.includes('found by polling')),
    warnings.join(),
  )
  const other = await open()
  const heads: [string, number][] = []
  deaf.hints.onStream((stream, head) => heads.push([stream, head]))
  await other.commit([say('x', 0), wake('w')])
  await eventually('the change was found', () => heads.some(([stream, head]) => stream === 'x' && head === 1))
  const [lease] = await deaf.claim('turn', 1, 60_000)
  assert.ok(lease)
  assert.equal((await deaf.commit([{ lease, settle: 'done' }]))[0]?.ok, true)
})
