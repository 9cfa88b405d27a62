import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test, type TestContext } from 'node:test'
import { setImmediate as loopTurn } from 'node:timers/promises'
import { type RawData, WebSocket } from 'ws'
import { everything } from '../client/live.ts'
import type { EventView, LiveFrame } from '../client/wire.ts'
import type { Parley } from '../ports/parley.ts'
import type { Store } from '../ports/store.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { type SimulatedClock, simulatedClock } from '../testing/simulated-clock.ts'
import type { ConnectionLimits } from './connections.ts'
import { socketLimits } from './live-sockets.ts'
import { serverUnderTest, type ServerUnderTest, until } from './test/server-under-test.ts'
import { turnLimits, turns } from './turns.ts'

type Options = Parameters<typeof serverUnderTest>[0]

async function serverWith(t: TestContext, connections: Partial<ConnectionLimits>, more: Options = {}): Promise<ServerUnderTest> {
  const under = await serverUnderTest({ ...more, limits: { connections, requestsPerMinute: 1_000_000, strangersPerMinute: 1_000_000 } })
  t.after(() => under.close())
  return under
}

/** Events of one stream that are larger than everything the two kernels buffer for one connection. */
async function fill(store: Store, count: number, chars = 100_000, stream = 'large'): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => ({ type: 'note.added', at: 1, data: { index, text: 'x'.repeat(chars) } }))
  const [result] = await store.commit([{ append: [{ stream, expect: 0, events }] }])
  assert.equal(result?.ok, true)
}

function raw(t: TestContext, under: ServerUnderTest, text: string): Socket {
  const socket = connect(under.server.port, '127.0.0.1')
  t.after(() => socket.destroy())
  socket.on('error', () => {})
  socket.write(text)
  return socket
}

const heading = (path: string, token: string, more = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n${more}\r\n`

const asStream = 'accept: text/event-stream\r\n'

function live(t: TestContext, under: ServerUnderTest, token: string): WebSocket {
  const socket = new WebSocket(`${under.url.replace('http', 'ws')}/v1/live`, { headers: { authorization: `Bearer ${token}` } })
  t.after(() => socket.terminate())
  socket.on('error', () => {})
  return socket
}

const frameOf = (data: RawData): LiveFrame => JSON.parse((data as Buffer).toString()) as LiveFrame

const ownTokens = new WeakMap<ServerUnderTest, Promise<string>>()

async function metric(under: ServerUnderTest, name: string): Promise<number> {
  const token = ownTokens.get(under) ?? under.token(['admin'])
  ownTokens.set(under, token)
  const response = await fetch(`${under.url}/metrics`, { headers: { authorization: `Bearer ${await token}` } })
  const line = (await response.text()).split('\n').find((one) => one.startsWith(`parley_${name} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}

/** Everything the server could hand to kernel and reader was handed over; the rest waits. */
async function untilStalled(under: ServerUnderTest): Promise<void> {
  let before = -1
  await until(async () => {
    const now = await metric(under, 'connections_buffered_bytes')
    const isSame = now > 0 && now === before
    before = now
    if (!isSame) await new Promise((resolve) => setTimeout(resolve, 200))
    return isSame
  }, 30_000)
}

async function pass(clock: SimulatedClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) await clock.advance(1_000)
}

/** Counts events that were read for readers. */
function countReads(counted: { events: number }): (parley: Parley) => Parley {
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
function countRequests(t: TestContext): { count: number } {
  const requests = { count: 0 }
  const add = (): void => void (requests.count += 1)
  subscribe('http.server.request.start', add)
  t.after(() => unsubscribe('http.server.request.start', add))
  return requests
}

describe('pages of events', () => {
  test('GET /v1/events: a page ends at its bytes, and `next` leads through all of them', async (t) => {
    const under = await serverWith(t, {})
    await fill(under.store, 30, 30_000)
    const client = await under.client(['read'])
    for (const query of [{ stream: 'large' }, {}]) {
      const seen: EventView[] = []
      let pages = 0
      for (let after: number | null = 0; after !== null;) {
        const { items, next } = await client.events.read({ ...query, after, limit: 1_000 })
        assert.equal(JSON.stringify(items).length < 110_000, true)
        seen.push(...items.filter(({ stream }) => stream === 'large'))
        pages += 1
        after = next === null ? null : Number(next)
      }
      assert.deepEqual(
        seen.map(({ seq }) => seq),
        Array.from({ length: 30 }, (_, index) => index + 1),
      )
      assert.equal(pages >= 10, true, `${pages} pages`)
    }
  })

  test('events of a build: `next` leads on, also over pages in which nothing is for this reader', async (t) => {
    const under = await serverWith(t, {})
    const client = await under.client()
    const { build_id: build } = await client.builds.start({ prompt: 'anything' })
    await until(async () => ['complete', 'failed'].includes((await client.builds.get(build)).status))
    const head = await under.store.head(build)
    const kinds = [...Array.from({ length: 12 }, () => 'build.unheard'), 'build.instructed', 'build.unheard', 'build.instructed']
    const events = kinds.map((type) => ({ type, at: 1, data: { text: 'x'.repeat(40_000), by: 'x' } }))
    const [result] = await under.store.commit([{ append: [{ stream: build, expect: head, events }] }])
    assert.equal(result?.ok, true)
    const found = await client.builds.events(build, head)
    assert.deepEqual(
      found.map(({ seq }) => seq),
      [head + 13, head + 15],
    )
    const first = await fetch(`${under.url}/v1/builds/${build}/events?include=all&after=${head}`, {
      headers: { authorization: `Bearer ${await under.token()}` },
    })
    const page = (await first.json()) as { events: unknown[]; next: string | null }
    assert.deepEqual([page.events.length, page.next], [2, String(head + 2)])
  })
})

describe('a reader that does not read', () => {
  test('server-sent events: closed with a reason after the time bound, resumed with Last-Event-ID without a gap', async (t) => {
    const clock = simulatedClock()
    const under = await serverWith(t, {}, { clock })
    await fill(under.store, 200)
    const token = await under.token(['read'])
    const socket = raw(t, under, heading('/v1/events?stream=large', token, asStream))
    socket.pause()
    await untilStalled(under)
    assert.equal((await metric(under, 'connections_buffered_bytes')) < 200_000, true)
    await pass(clock, 20)
    assert.equal(await metric(under, 'connections_closed_total{reason="stalled"}'), 0)
    await pass(clock, 12)
    assert.equal(await metric(under, 'connections_closed_total{reason="stalled"}'), 1)
    // Within the grace it still takes everything that was sent, the reason last.
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.resume()
    await until(() => text.includes('event: closed'))
    assert.match(text, /event: closed\ndata: \{"code":"reader_too_slow"/)
    const ids = Array.from(text.matchAll(/^id: (\d+)$/gm), (match) => Number(match[1]))
    const last = ids.at(-1) ?? 0
    assert.equal(last > 0 && last < 200, true)
    await pass(clock, 2)
    await until(() => socket.destroyed || socket.readableEnded)
    const over = new AbortController()
    const response = await fetch(`${under.url}/v1/events?stream=large`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, 'last-event-id': String(last) },
      signal: over.signal,
    })
    let rest = ''
    for await (const chunk of response.body ?? []) {
      rest += Buffer.from(chunk as Uint8Array).toString()
      if (/^id: 200$/m.test(rest)) break
    }
    over.abort()
    const more = Array.from(rest.matchAll(/^id: (\d+)$/gm), (match) => Number(match[1]))
    assert.deepEqual(
      [...ids, ...more],
      Array.from({ length: 200 }, (_, index) => index + 1),
    )
  })

  test('WebSocket: closed with 1013 after the time bound, resumed with `after` without a gap', async (t) => {
    const clock = simulatedClock()
    const under = await serverWith(t, {}, { clock })
    await fill(under.store, 200)
    const token = await under.token(['read'])
    const seen: number[] = []
    const follow = async (): Promise<{ socket: WebSocket; closed: Promise<[number, Buffer]> }> => {
      const socket = live(t, under, token)
      const closed = once(socket, 'close') as Promise<[number, Buffer]>
      socket.on('message', (data) => {
        const frame = frameOf(data)
        if (frame.type === 'events') seen.push(...frame.events.map(({ seq }) => seq))
      })
      await once(socket, 'open')
      socket.send(JSON.stringify({ type: 'follow', stream: 'large', after: seen.at(-1) ?? 0 }))
      return { socket, closed }
    }
    const first = await follow()
    first.socket.pause()
    await untilStalled(under)
    await pass(clock, 32)
    first.socket.resume()
    const [code, reason] = await first.closed
    assert.equal(code, 1013)
    assert.match(reason.toString(), /^reader_too_slow: /)
    assert.equal(seen.length > 0 && seen.length < 200, true)
    await follow()
    await until(() => seen.length >= 200)
    assert.deepEqual(
      seen,
      Array.from({ length: 200 }, (_, index) => index + 1),
    )
  })

  test('many streams over one WebSocket: one page is read ahead, not one for each', async (t) => {
    const counted = { events: 0 }
    const under = await serverWith(t, {}, { wrap: countReads(counted) })
    await fill(under.store, 200)
    for (let index = 0; index < 60; index += 1) await fill(under.store, 3, 60_000, `small${index}`)
    const socket = live(t, under, await under.token(['read']))
    await once(socket, 'open')
    socket.pause()
    socket.send(JSON.stringify({ type: 'follow', stream: 'large', after: 0 }))
    await untilStalled(under)
    const before = counted.events
    for (let index = 0; index < 60; index += 1) socket.send(JSON.stringify({ type: 'follow', stream: `small${index}`, after: 0 }))
    await untilStalled(under)
    assert.equal(counted.events - before <= 1, true, `${counted.events - before} events were read ahead`)
  })

  test('more output than the process may hold: the one that has taken nothing for the longest time is cut first', async (t) => {
    const clock = simulatedClock()
    const under = await serverWith(t, { bufferedBytes: 150_000 }, { clock })
    await fill(under.store, 200)
    const token = await under.token(['read'])
    const first = raw(t, under, heading('/v1/events?stream=large', token, asStream))
    first.pause()
    await untilStalled(under)
    await pass(clock, 3)
    const second = raw(t, under, heading('/v1/events?stream=large', token, asStream))
    second.pause()
    await until(async () => (await metric(under, 'connections_buffered_bytes')) > 150_000, 30_000)
    await pass(clock, 1)
    assert.equal(await metric(under, 'connections_closed_total{reason="memory"}'), 1)
    first.resume()
    second.resume()
    await until(() => first.destroyed || first.readableEnded)
    assert.equal(second.destroyed, false)
  })

  test('an event stream whose reader leaves while it waits listens for nothing afterwards', async (t) => {
    const inside = memoryStore()
    let listeners = 0
    const hints = {
      ...inside.hints,
      onDelta: inside.hints.onDelta.bind(inside.hints),
      onWork: inside.hints.onWork.bind(inside.hints),
      publish: inside.hints.publish.bind(inside.hints),
      onStream(listen: Parameters<Store['hints']['onStream']>[0]) {
        const stop = inside.hints.onStream(listen)
        listeners += 1
        return () => {
          listeners -= 1
          stop()
        }
      },
    }
    const under = await serverWith(t, {}, { store: { ...inside, hints } })
    await fill(under.store, 200)
    const before = listeners
    const token = await under.token(['read'])
    const socket = raw(t, under, heading('/v1/events?stream=large', token, asStream))
    socket.pause()
    await untilStalled(under)
    assert.equal(listeners, before + 1)
    socket.destroy()
    await until(() => listeners === before)
  })
})

describe('a peer that sends too much', () => {
  const floods: [string, (socket: WebSocket) => void, RegExp][] = [
    ['frames', (socket) => socket.send('{"type":"ping"}'), /^sender_too_fast: sent too many frames$/],
    ['pings of the protocol', (socket) => socket.ping(), /^sender_too_fast: sent too many frames$/],
    ['unasked pongs', (socket) => socket.pong(), /^sender_too_fast: sent too many frames$/],
    ['bytes', (socket) => socket.send('x'.repeat(16_000)), /^sender_too_fast: sent too many bytes$/],
  ]
  for (const [what, send, reason] of floods) {
    test(`WebSocket, too many ${what}: closed with 1008, and no answers pile up`, async (t) => {
      const under = await serverWith(t, {}, { clock: simulatedClock() })
      const socket = live(t, under, await under.token(['read']))
      await once(socket, 'open')
      const closed = once(socket, 'close') as Promise<[number, Buffer]>
      socket.pause()
      for (let n = 0; n < 5_000; n += 1) send(socket)
      await until(async () => (await metric(under, 'connections_closed_total{reason="flood"}')) === 1)
      assert.equal((await metric(under, 'connections_buffered_bytes')) < 300_000, true)
      socket.resume()
      const [code, said] = await closed
      assert.equal(code, 1008)
      assert.match(said.toString(), reason)
    })
  }

  test('pipelined requests are answered in order, one at a time; too many cut the connection', async (t) => {
    const under = await serverWith(t, {})
    await fill(under.store, 5)
    const token = await under.token(['read'])
    const some = raw(
      t,
      under,
      Array.from({ length: 20 }, (_, n) => heading(`/v1/events?stream=large&after=${n % 5}&limit=1`, token)).join(''),
    )
    let text = ''
    some.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await until(() => text.split('HTTP/1.1 200').length === 21)
    assert.deepEqual(
      Array.from(text.matchAll(/"index":(\d)/g), (match) => Number(match[1])),
      Array.from({ length: 20 }, (_, n) => n % 5),
    )
    const many = raw(t, under, heading('/v1/info', token).repeat(100))
    await once(many.resume(), 'close')
    assert.equal(await metric(under, 'connections_closed_total{reason="pipelined"}'), 1)
    // What was counted for it is given back.
    assert.equal((await fetch(`${under.url}/v1/info`, { headers: { authorization: `Bearer ${token}` } })).status, 200)
  })
})

describe('a WebSocket message in very many parts', () => {
  const upgrade = (token: string): string =>
    heading(
      '/v1/live',
      token,
      'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
    )
  const frame = (firstByte: number, length: number): Buffer => Buffer.from([firstByte, 0x80 | length, 0, 0, 0, 0])

  test('fragments: closed with 1008', async (t) => {
    const under = await serverWith(t, {})
    const socket = raw(t, under, upgrade(await under.token(['read'])))
    socket.write(Buffer.concat([frame(0x01, 0), ...Array.from({ length: socketLimits.fragments }, () => frame(0x00, 0))]))
    assert.deepEqual(await closeCodes(socket), [1008])
  })

  test('packets: closed with 1008', async (t) => {
    const under = await serverWith(t, {})
    const socket = raw(t, under, upgrade(await under.token(['read']))).setNoDelay()
    await once(socket, 'connect')
    const codes = closeCodes(socket)
    let isOver = false
    void codes.then(() => (isOver = true))
    const frameOf15000 = Buffer.from([0x81, 0x80 | 126, 0x3a, 0x98, 0, 0, 0, 0])
    socket.write(frameOf15000)
    for (let n = 0; n < 14_000 && !isOver; n += 1) {
      await new Promise((resolve) => socket.write(' ', resolve))
      await loopTurn()
    }
    assert.deepEqual(await codes, [1008])
  })
})

/** The codes of the closing frames, as soon as there is one. */
async function closeCodes(socket: Socket): Promise<number[]> {
  let bytes = Buffer.alloc(0)
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk as Buffer])
    const codes: number[] = []
    for (let at = bytes.indexOf('\r\n\r\n') + 4; at > 3 && at < bytes.length;) {
      const short = (bytes[at + 1] ?? 0) & 0x7f
      const head = short === 126 ? 4 : 2
      if (bytes[at] === 0x88) codes.push(bytes.readUInt16BE(at + head))
      at += head + (short === 126 ? bytes.readUInt16BE(at + 2) : short)
    }
    if (codes.length > 0) return codes
  }
  return []
}

describe('pipelined requests', () => {
  /** Four of these fill what Node reads at once. */
  const largeHeading = (token: string, path = '/v1/info'): string => heading(path, token, `x-a: ${'a'.repeat(15_000)}\r\n`)

  test('while a response is being made, no further requests are read', async (t) => {
    const finish = Promise.withResolvers<void>()
    const wrap = (parley: Parley): Parley => ({
      ...parley,
      events: { ...parley.events, read: (query) => finish.promise.then(() => parley.events.read(query)) },
    })
    const under = await serverWith(t, {}, { wrap })
    const requests = countRequests(t)
    const socket = raw(t, under, heading('/v1/events', await under.token(['read'])))
    await until(() => requests.count === 1)
    for (let n = 0; n < 100; n += 1) socket.write(largeHeading(''))
    // As often as would be enough to read them all.
    for (let n = 0; n < 50; n += 1) await metric(under, 'connections')
    assert.equal(requests.count < 50 + 33, true, `${requests.count - 50} requests were read`)
    assert.equal(await metric(under, 'connections_closed_total{reason="pipelined"}'), 0)
    finish.resolve()
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await until(() => text.split('HTTP/1.1 ').length === 102)
  })

  test('held back and read on: all responses come, in order', async (t) => {
    const under = await serverWith(t, {})
    await fill(under.store, 5, 10)
    const token = await under.token(['read'])
    const socket = raw(t, under, '')
    for (let n = 0; n < 200; n += 1) socket.write(largeHeading(token, `/v1/events?stream=large&after=${n % 5}&limit=1`))
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await until(() => text.split('HTTP/1.1 200').length === 201)
    assert.deepEqual(
      Array.from(text.matchAll(/"index":(\d)/g), (match) => Number(match[1])),
      Array.from({ length: 200 }, (_, n) => n % 5),
    )
  })

  test('Node makes no objects for requests behind the one that cut the connection', async (t) => {
    const under = await serverWith(t, {})
    const requests = countRequests(t)
    const socket = raw(t, under, 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'.repeat(1_000))
    await once(socket.resume(), 'close')
    assert.equal(requests.count < 50, true, `${requests.count} requests were made into objects`)
  })

  test('memory of those that wait is bounded for all connections together', async (t) => {
    const under = await serverWith(t, { pipelinedBytes: 100_000 })
    await fill(under.store, 200)
    const token = await under.token(['read'])
    const sockets = Array.from({ length: 4 }, () => raw(t, under, heading('/v1/events?stream=large', token, asStream)).pause())
    await until(async () => (await metric(under, 'live_connections')) === 4)
    for (const socket of sockets) socket.write(largeHeading(token).repeat(2))
    await until(async () => (await metric(under, 'connections_closed_total{reason="pipelined"}')) > 0)
    assert.equal(await metric(under, 'live_connections'), 4 - (await metric(under, 'connections_closed_total{reason="pipelined"}')))
    for (const socket of sockets) socket.destroy()
    // What was counted for them is given back.
    await until(async () => (await metric(under, 'live_connections')) === 0)
    const next = raw(t, under, largeHeading(token).repeat(4))
    let text = ''
    next.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await until(() => text.split('HTTP/1.1 200').length === 5)
  })
})

describe('large responses', () => {
  test('one that is not taken is counted at once', async (t) => {
    // The clock stands still, so nothing is found by looking from time to time.
    const under = await serverWith(t, { bufferedBytes: 300_000 }, { clock: simulatedClock() })
    const token = await under.token(['read'])
    const document = `GET /v1/openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`
    const sockets = Array.from({ length: 8 }, () => raw(t, under, document.repeat(30)).pause())
    const feed = setInterval(() => sockets.forEach((socket) => socket.write(document)), 20)
    t.after(() => clearInterval(feed))
    await until(async () => (await metric(under, 'connections_closed_total{reason="memory"}')) > 0, 30_000)
  })

  test('the document of the API is made once', async (t) => {
    let made = 0
    const info = { version: '1', build: '', agents: [], demo: false, problems: [] }
    const under = await serverWith(t, {}, { info: () => (made++, info) })
    const headers = { authorization: `Bearer ${await under.token(['read'])}` }
    const get = (): Promise<Response> => fetch(`${under.url}/v1/openapi.json`, { headers })
    const texts = await Promise.all([1, 2, 3].map(async () => (await get()).text()))
    assert.equal(new Set(texts).size, 1)
    assert.match(texts[0] ?? '', /"openapi"/)
    const before = made
    await get()
    assert.equal(made, before)
  })

  test('GET waits for its turn after much was sent; the owner is not behind all others', async (t) => {
    const order: (string | undefined)[] = []
    const wrap = (parley: Parley): Parley => ({
      ...parley,
      events: {
        ...parley.events,
        read(query) {
          order.push(query.stream)
          return parley.events.read(query)
        },
      },
    })
    const under = await serverWith(t, {}, { wrap })
    for (const stream of ['others', 'owner']) await fill(under.store, 1, 100_000, stream)
    const owner = await under.client()
    const token = await under.token(['read'])
    const requests = countRequests(t)
    for (let n = 0; n < 200; n += 1) raw(t, under, heading('/v1/events?stream=others', token)).resume()
    // Long before the others are served, however slow the machine is.
    await until(() => requests.count >= 30)
    await owner.events.read({ stream: 'owner' })
    assert.equal(order.indexOf('owner') < 200, true, 'all others were served before the owner')
    await until(() => order.length === 201)
  })
})

describe('how many may come', () => {
  const answerTo = async (
    under: ServerUnderTest,
    token: string,
    path = '/v1/events',
  ): Promise<{ status: number; code: string; retry: string | null }> => {
    const over = new AbortController()
    const response = await fetch(under.url + path, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
      signal: over.signal,
    })
    const code = response.ok ? '' : ((await response.json()) as { error: { code: string } }).error.code
    over.abort()
    return { status: response.status, code, retry: response.headers.get('retry-after') }
  }

  const upgrade = async (t: TestContext, under: ServerUnderTest, token: string): Promise<number> => {
    const socket = live(t, under, token)
    return new Promise((resolve) => {
      socket.once('open', () => resolve(101))
      socket.once('unexpected-response', (_request, response) => {
        response.resume()
        assert.equal(response.headers['retry-after'], '5')
        resolve(response.statusCode ?? 0)
      })
    })
  }

  test('live connections of one token: the next is refused with 429, others are not, and a place that is free is given again', async (t) => {
    const under = await serverWith(t, { livePerToken: 3 })
    const token = await under.token(['read'])
    const open = Array.from({ length: 2 }, () => raw(t, under, heading('/v1/events', token, asStream)))
    assert.equal(await upgrade(t, under, token), 101)
    await until(async () => (await metric(under, 'live_connections')) === 3)
    assert.deepEqual(await answerTo(under, token), { status: 429, code: 'too_many_connections', retry: '5' })
    assert.equal(await upgrade(t, under, token), 429)
    assert.equal((await answerTo(under, await under.token(['read']))).status, 200)
    open[0]?.destroy()
    await until(async () => (await answerTo(under, token)).status === 200)
  })

  test('live connections in total: refused with 503, and the owner still gets in', async (t) => {
    const under = await serverWith(t, { live: 10, livePerToken: 100, reservedPercent: 20 })
    const weak = await under.token(['read'])
    const admin = await under.token(['admin'])
    for (let n = 0; n < 8; n += 1) raw(t, under, heading('/v1/events', weak, asStream))
    await until(async () => (await metric(under, 'live_connections')) === 8)
    assert.deepEqual(await answerTo(under, weak), { status: 503, code: 'server_full', retry: '5' })
    assert.equal(await upgrade(t, under, weak), 503)
    assert.equal(await upgrade(t, under, admin), 101)
    assert.equal((await answerTo(under, admin)).status, 200)
  })

  test('AG-UI runs have a bound of their own', async (t) => {
    const under = await serverWith(t, { agUiRunsPerToken: 0 })
    const body = '{"threadId":"t","runId":"r","messages":[{"id":"1","role":"user","content":"build it"}],"tools":[],"context":[]}'
    const place = await under.store.position()
    const response = await fetch(`${under.url}/agui`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await under.token(['read', 'chat'])}`, 'content-type': 'application/json' },
      body,
    })
    assert.equal(response.status, 429)
    assert.match(await response.text(), /too_many_connections/)
    // The token was stored; the build was not begun.
    assert.equal(await under.store.position(), place + 1)
  })

  test('the messages that AG-UI runs hold have a bound in bytes', async (t) => {
    const under = await serverWith(t, { agUiBytes: 2_000 })
    const run = async (chars: number): Promise<Response> => {
      const content = 'x'.repeat(chars)
      return fetch(`${under.url}/agui`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await under.token(['read', 'chat'])}`, 'content-type': 'application/json' },
        body: `{"threadId":"t","runId":"r","messages":[{"id":"1","role":"user","content":"${content}"}],"tools":[],"context":[]}`,
      })
    }
    const refused = await run(2_000)
    assert.equal(refused.status, 503)
    assert.match(await refused.text(), /server_full/)
    const accepted = await run(100)
    assert.equal(accepted.status, 200)
    await accepted.body?.cancel()
  })

  test('followed streams of one token: the next is refused, and one that is given up makes room', async (t) => {
    const under = await serverWith(t, { followsPerToken: 3 })
    const client = await under.client()
    const ids = await Promise.all(Array.from({ length: 4 }, async () => (await client.dialogs.open({})).id))
    const socket = live(t, under, await under.token(['read']))
    const frames: LiveFrame[] = []
    socket.on('message', (data) => frames.push(frameOf(data)))
    await once(socket, 'open')
    const follow = (stream: string | undefined): void => socket.send(JSON.stringify({ type: 'follow', stream, after: 0 }))
    ids.forEach(follow)
    const refusals = (): (string | undefined)[] => frames.flatMap((frame) => (frame.type === 'error' ? [frame.stream] : []))
    await until(() => refusals().length === 1)
    assert.deepEqual(refusals(), [ids[3]])
    socket.send(JSON.stringify({ type: 'unfollow', stream: ids[0] }))
    follow(ids[3])
    await until(() => frames.some((frame) => frame.type === 'live' && frame.stream === ids[3]))
    // Following a stream again replaces the first.
    follow(ids[3])
    await until(() => frames.filter((frame) => frame.type === 'live' && frame.stream === ids[3]).length === 2)
    assert.equal(refusals().length, 1)
  })

  test('half-open connections: the oldest is closed for the next, and requests are answered', async (t) => {
    const under = await serverWith(t, { anonymousSockets: 10 })
    const open = Array.from({ length: 30 }, () => raw(t, under, 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a: '))
    await until(
      () =>
        open.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length >= 20 ||
        (open.forEach((one) => one.resume()), false),
    )
    assert.equal((await fetch(`${under.url}/healthz`)).status, 200)
    const client = await under.client()
    assert.equal((await client.dialogs.open({})).status, 'ready')
    assert.equal((await metric(under, 'connections_closed_total{reason="anonymous"}')) >= 20, true)
  })

  test('all connections taken: one that does nothing is closed for the next; one with a stream is not', async (t) => {
    const under = await serverWith(t, { sockets: 6 })
    const token = await under.token(['read'])
    const streams = Array.from({ length: 3 }, () => raw(t, under, heading('/v1/events', token, asStream)))
    await until(async () => (await metric(under, 'live_connections')) === 3)
    for (let n = 0; n < 10; n += 1) {
      const idle = raw(t, under, heading('/v1/info', token))
      await once(idle, 'data')
    }
    assert.equal((await fetch(`${under.url}/v1/info`, { headers: { authorization: `Bearer ${token}` } })).status, 200)
    assert.equal((await metric(under, 'connections_closed_total{reason="sockets"}')) > 0, true)
    assert.deepEqual(
      streams.map(({ destroyed }) => destroyed),
      [false, false, false],
    )
  })

  test('a body that does not arrive in time is answered with 408', async (t) => {
    const under = await serverWith(t, { requestMs: 300, headersMs: 300, sweepMs: 50 })
    const token = await under.token(['chat'])
    const socket = raw(
      t,
      under,
      `POST /v1/dialogs HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
    )
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await once(socket, 'close')
    assert.match(text, /^HTTP\/1\.1 408 /)
    assert.match(text, /"code":"request_timeout"/)
  })

  test('bodies in memory are bounded, and a share is left for the owner', async (t) => {
    const under = await serverWith(t, { bodiesBytes: 200_000, reservedPercent: 50 })
    const weak = await under.token(['chat', 'read'])
    const post = (length: number): string =>
      `POST /v1/dialogs HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${weak}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
    const slow = raw(t, under, post(95_000) + 'x'.repeat(90_000))
    await until(() => slow.bytesWritten > 90_000)
    const body = JSON.stringify({ text: 'x'.repeat(60_000) })
    const send = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const response = await fetch(`${under.url}/v1/dialogs`, { method: 'POST', headers, body })
      await response.arrayBuffer()
      return response.status
    }
    await until(async () => (await send(weak)) === 503)
    assert.equal(await send(await under.token(['admin'])), 201)
    slow.destroy()
    await until(async () => (await send(weak)) === 201)
  })

  test('bodies of one token are bounded, and other tokens are not affected', async (t) => {
    const under = await serverWith(t, { bodiesPerTokenBytes: 100_000 })
    const [first, second] = [await under.token(['chat']), await under.token(['chat'])]
    const slow = raw(
      t,
      under,
      `POST /v1/dialogs HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${first}\r\ncontent-type: application/json\r\ncontent-length: 95000\r\n\r\n${'x'.repeat(90_000)}`,
    )
    const body = JSON.stringify({ text: 'x'.repeat(60_000) })
    const send = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      return (await fetch(`${under.url}/v1/dialogs`, { method: 'POST', headers, body })).status
    }
    await until(async () => (await send(first)) === 503)
    assert.equal(await send(second), 201)
    slow.destroy()
    await until(async () => (await send(first)) === 201)
  })

  test('a body without sign-in is small', async (t) => {
    const under = await serverWith(t, {})
    const body = JSON.stringify({ key: 'x'.repeat(20_000) })
    const response = await fetch(`${under.url}/v1/session`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    assert.equal(response.status, 413)
  })
})

describe('turns', () => {
  test('one caller after the other, however many one of them waits with', async () => {
    const queue = turns()
    const order: string[] = []
    const all = Array.from({ length: 40 }, () => queue.wait('many', false).then(() => order.push('many')))
    all.push(queue.wait('one', false).then(() => order.push('one')))
    await Promise.all(all)
    assert.equal(order.length, 41)
    assert.equal(order.indexOf('one') <= 1, true, order.slice(0, 5).join())
  })

  test('every second turn belongs to the owner', async () => {
    const queue = turns()
    const order: string[] = []
    const wait = (caller: string, isOwner: boolean): Promise<unknown> => queue.wait(caller, isOwner).then(() => order.push(caller))
    await Promise.all([
      ...Array.from({ length: 20 }, (_, n) => wait(`weak ${n}`, false)),
      ...Array.from({ length: 3 }, () => wait('owner', true)),
    ])
    assert.deepEqual(
      order.flatMap((caller, index) => (caller === 'owner' ? [index] : [])),
      [0, 2, 4],
    )
    assert.equal(order.length, 23)
  })

  test('free until much was written, and while nobody waits', async () => {
    const queue = turns()
    assert.equal(queue.isFree, true)
    const turn = queue.wait('any', false)
    assert.equal(queue.isFree, false)
    await turn
    assert.equal(queue.isFree, true)
    queue.written(turnLimits.pageBytesAtOnce * 10)
    assert.equal(queue.isFree, false)
  })

  test('the event loop goes on between pages', async () => {
    const queue = turns()
    let pages = 0
    let most = 0
    const readers = Array.from({ length: 5 }, async (_, reader) => {
      for (let n = 0; n < 100; n += 1) {
        await queue.wait(String(reader), false)
        pages += 1
      }
    })
    for (let before = 0; pages < 500; before = pages) {
      await loopTurn()
      most = Math.max(most, pages - before)
    }
    await Promise.all(readers)
    assert.equal(most <= 20, true, `${most} pages in one turn of the loop`)
  })
})

test('a live reader of everything does not see the stream of tokens, whatever the size of pages', async (t) => {
  const under = await serverWith(t, {})
  for (let n = 0; n < 5; n += 1) await under.token(['read'])
  await fill(under.store, 4)
  const socket = live(t, under, await under.token(['read']))
  const streams = new Set<string>()
  let count = 0
  socket.on('message', (data) => {
    const frame = frameOf(data)
    if (frame.type !== 'events') return
    for (const { stream } of frame.events) streams.add(stream)
    count += frame.events.length
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'follow', stream: everything, after: 0 }))
  await until(() => count >= 4)
  assert.deepEqual([...streams], ['large'])
})
