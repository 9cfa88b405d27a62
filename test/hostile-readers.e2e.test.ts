import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parleyClient, type ParleyClient } from '../src/client/index.ts'
import { eventsIn } from '../src/client/sse.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { HostileClients, hostileClients } from './fixtures/hostile-clients.ts'
import { KillableServer } from './fixtures/killable-server.ts'
import { repetitions } from './fixtures/campaign.ts'
import { eventually } from './fixtures/eventually.ts'

/** The requirement. Usual are 220; garbage that a busy machine collects late comes on top. */
const mostMegabytes = 300
const listConnections = {
  unreadEventStream: 100,
  unreadSocket: 60,
  followingSocket: 20,
  floodingSocket: 60,
  slowFrame: 15,
  fragments: 15,
  halfOpenRequest: 70,
  largeHeaders: 30,
  pipelinedRequests: 50,
  unreadResponses: 40,
  stalledBody: 40,
} as const satisfies Record<keyof typeof hostileClients, number>
const total = Object.values<number>(listConnections).reduce((sum, count) => sum + count, 0)
const attackMs = repetitions(10, 60) * 1_000
/** The attack goes on until so many messages were taken and lists read, however busy the machine is. */
const leastMessages = 10
const leastLists = 5
const writeEveryMs = 250
const readEveryMs = 1_000

const megabytes = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

/** Written directly to the store: a dialog of this size would be in the server's memory for other reasons. */
async function fillStore(server: KillableServer): Promise<{ large: string; streams: string[] }> {
  const store = sqliteStore({ path: join(server.dir, '.parley', 'parley.db') })
  const append = async (stream: string, expect: number, texts: string[]): Promise<void> => {
    const events = texts.map((text) => ({ type: 'note.added', at: 1, data: { text } }))
    const [result] = await store.commit([{ append: [{ stream, expect, events }] }])
    assert.equal(result?.ok, true)
  }
  const large = 'large'
  for (let seq = 0; seq < 400; seq += 20)
    await append(
      large,
      seq,
      Array.from({ length: 20 }, () => 'x'.repeat(100_000)),
    )
  const streams = Array.from({ length: 100 }, (_, index) => `small${index}`)
  for (const stream of streams) await append(stream, 0, ['x'])
  await store.close()
  return { large, streams }
}

/** The numbers of a dialog's events, as a client with a token of its own reads them from an event stream. */
function readEventStream(url: string, token: string, stream: string): { seen: number[]; close(): void } {
  const over = new AbortController()
  const numbers: number[] = []
  const read = async (): Promise<void> => {
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
    const response = await fetch(`${url}/v1/events?stream=${stream}`, { headers, signal: over.signal })
    assert.equal(response.status, 200)
    assert.ok(response.body)
    for await (const events of eventsIn(response.body)) numbers.push(...events.filter(({ id }) => id !== '').map(({ id }) => Number(id)))
  }
  // The end of the test checks that it read everything.
  read().catch(() => {})
  return { seen: numbers, close: () => over.abort() }
}

/** The requests of a page or a terminal that opens. */
async function readLists(client: ParleyClient, dialog: string): Promise<void> {
  const [{ items }, { id }] = await Promise.all([client.dialogs.list(), client.dialogs.get(dialog), client.inbox(), client.info()])
  assert.equal(items.length > 0 && id === dialog, true)
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

test(`${total} hostile connections: at most ${mostMegabytes} MB, and others are served`, { timeout: 280_000 }, async (t) => {
  const server = new KillableServer('load')
  const attack = new HostileClients()
  t.after(async () => {
    attack.end()
    await server.end('SIGKILL')
    server.remove()
  })
  await server.start()
  await server.end('SIGTERM')
  const filled = await fillStore(server)

  await server.start()
  const pid = server.child.pid ?? 0
  const url = `http://127.0.0.1:${server.port}`
  const owner = server.client()
  t.after(() => owner.close())
  const tokens = await Promise.all(
    Array.from(
      { length: 4 },
      async (_, index) => (await owner.tokens.create(`weak ${index}`, ['read', 'chat'], { role: 'operator' })).token,
    ),
  )
  const token = (index: number): string => tokens[index % tokens.length] ?? ''
  const { token: readerToken } = await owner.tokens.create('reader', ['read'], { role: 'operator' })
  const reader = parleyClient({ baseUrl: url, token: readerToken, timeoutMs: 60_000 })
  t.after(() => reader.close())
  const { id } = await owner.dialogs.open({ text: 'hello' })
  const idle = megabytes(pid, 'VmRSS')

  for (const [name, count] of Object.entries(listConnections))
    attack.add({ port: server.port, token, dialog: id, ...filled }, count, hostileClients[name as keyof typeof hostileClients])

  // Meanwhile the owner talks and reads over a WebSocket, and another client reads an event stream and lists.
  const seenLive: number[] = []
  owner.live().follow(id, 0, { onEvents: (events) => seenLive.push(...events.map(({ seq }) => seq)) })
  const stream = readEventStream(url, readerToken, id)
  t.after(() => stream.close())
  let messageCount = 0
  let lists = 0
  const begin = Date.now()
  const end = begin + attackMs
  const write = async (): Promise<void> => {
    for (; Date.now() < end || messageCount < leastMessages; messageCount += 1) {
      await owner.dialogs.say(id, `message ${messageCount}`)
      const now = megabytes(pid, 'VmRSS')
      assert.ok(now <= mostMegabytes, `${now} MB after ${messageCount} messages and ${attack.opened} hostile connections`)
      await sleep(writeEveryMs)
    }
  }
  const read = async (): Promise<void> => {
    for (; Date.now() < end || lists < leastLists; lists += 1) {
      await readLists(reader, id)
      await sleep(readEveryMs)
    }
  }
  await Promise.all([write(), read()])
  const seconds = Math.round((Date.now() - begin) / 1000)

  const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${readerToken}` } })
  const figures = (await metrics.text()).split('\n').filter((line) => /^parley_(connections|live)/.test(line))
  attack.end()
  const { head } = await owner.dialogs.get(id)
  await eventually(() => Math.min(seenLive.length, stream.seen.length) >= head, 'all events at both readers')
  const highest = megabytes(pid, 'VmHWM')
  t.diagnostic(
    `${attack.opened} hostile connections in ${seconds} s; memory ${idle} MB idle, ${highest} MB at most; ${messageCount} messages, lists read ${lists} times`,
  )
  t.diagnostic(figures.join(' · '))
  assert.deepEqual(seenLive.slice(0, head), upTo(head))
  assert.deepEqual(stream.seen.slice(0, head), upTo(head))
  assert.ok(highest <= mostMegabytes, `${highest} MB at most`)
})
