import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { type RawData, WebSocket } from 'ws'
import type { LiveFrame } from '../../shapes/wire.ts'
import type { Parley } from '../../shapes/parley.ts'
import type { Store } from '../../ports/store.ts'
import type { SimulatedClock } from '../../testing/simulated-clock.ts'
import type { ConnectionLimits } from '../connections.ts'
import { serverUnderTest, type ServerUnderTest, until } from './server-under-test.ts'

type Options = Parameters<typeof serverUnderTest>[0]

export async function serverWith(t: TestContext, connections: Partial<ConnectionLimits>, more: Options = {}): Promise<ServerUnderTest> {
  const under = await serverUnderTest({ ...more, limits: { connections, requestsPerMinute: 1_000_000, strangersPerMinute: 1_000_000 } })
  t.after(() => under.close())
  return under
}

/** Events of one stream that are larger than everything the two kernels buffer for one connection. */
export async function fill(store: Store, count: number, chars = 100_000, stream = 'large'): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => ({ type: 'note.added', at: 1, data: { index, text: 'x'.repeat(chars) } }))
  const [result] = await store.commit([{ append: [{ stream, expect: 0, events }] }])
  assert.equal(result?.ok, true)
}

export function raw(t: TestContext, under: ServerUnderTest, text: string): Socket {
  const socket = connect(under.server.port, '127.0.0.1')
  t.after(() => socket.destroy())
  socket.on('error', () => {})
  socket.write(text)
  return socket
}

export const heading = (path: string, token: string, more = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n${more}\r\n`

export const asStream = 'accept: text/event-stream\r\n'

export function live(t: TestContext, under: ServerUnderTest, token: string): WebSocket {
  const socket = new WebSocket(`${under.url.replace('http', 'ws')}/v1/live`, { headers: { authorization: `Bearer ${token}` } })
  t.after(() => socket.terminate())
  socket.on('error', () => {})
  return socket
}

export const getFrame = (data: RawData): LiveFrame => JSON.parse((data as Buffer).toString()) as LiveFrame

const ownTokens = new WeakMap<ServerUnderTest, Promise<string>>()

export async function metric(under: ServerUnderTest, name: string): Promise<number> {
  const token = ownTokens.get(under) ?? under.token(['admin'])
  ownTokens.set(under, token)
  const response = await fetch(`${under.url}/metrics`, { headers: { authorization: `Bearer ${await token}` } })
  const line = (await response.text()).split('\n').find((one) => one.startsWith(`parley_${name} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}

/** Everything the server could hand to kernel and reader was handed over; the rest waits. */
export async function untilStalled(under: ServerUnderTest): Promise<void> {
  let before = -1
  await until(async () => {
    const now = await metric(under, 'connections_buffered_bytes')
    const isSame = now > 0 && now === before
    before = now
    if (!isSame) await new Promise((resolve) => setTimeout(resolve, 200))
    return isSame
  }, 30_000)
}

export async function pass(clock: SimulatedClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) await clock.advance(1_000)
}

/** Counts events that were read for readers. */
export function countReads(counted: { events: number }): (parley: Parley) => Parley {
  return (parley) => ({
    ...parley,
    events: {
      ...parley.events,
      async read(query) {
        const events = await parley.events.read(query)
        counted.events += events.length
        return events
      },
    },
  })
}

/** Counts requests that Node has read, on all connections. */
export function countRequests(t: TestContext): { count: number } {
  const requests = { count: 0 }
  const add = (): void => void (requests.count += 1)
  subscribe('http.server.request.start', add)
  t.after(() => unsubscribe('http.server.request.start', add))
  return requests
}
