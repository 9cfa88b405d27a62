import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test, type TestContext } from 'node:test'
import type { LiveFrame } from '../shapes/wire.ts'
import { type ServerUnderTest, until } from './test/server-under-test.ts'
import { serverWith, raw, heading, asStream, live, getFrame, metric } from './test/connection-peers.ts'

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
    socket.on('message', (data) => frames.push(getFrame(data)))
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
