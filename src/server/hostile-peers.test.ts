import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, test } from 'node:test'
import { setImmediate as loopTurn } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import type { Parley } from '../shapes/parley.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { socketLimits } from './live/live-sockets.ts'
import { until } from './test/server-under-test.ts'
import { serverWith, fill, raw, heading, asStream, live, metric, countRequests } from './test/connection-peers.ts'

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
    // Its share of the limit is released.
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

  test('paused and resumed: all responses arrive, in order', async (t) => {
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
    // Their share of the limit is released.
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
    let socketCount = 0
    const info = { version: '1', build: '', agents: [], demo: false, problems: [] }
    const under = await serverWith(t, {}, { info: () => (socketCount++, info) })
    const headers = { authorization: `Bearer ${await under.token(['read'])}` }
    const get = (): Promise<Response> => fetch(`${under.url}/v1/openapi.json`, { headers })
    const texts = await Promise.all([1, 2, 3].map(async () => (await get()).text()))
    assert.equal(new Set(texts).size, 1)
    assert.match(texts[0] ?? '', /"openapi"/)
    const before = socketCount
    await get()
    assert.equal(socketCount, before)
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
