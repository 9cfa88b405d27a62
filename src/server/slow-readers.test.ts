import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import type { WebSocket } from 'ws'
import { everything } from '../client/live.ts'
import type { EventView } from '../shapes/wire.ts'
import type { Store } from '../ports/store.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { until } from './test/server-under-test.ts'
import {
  serverWith,
  fill,
  raw,
  heading,
  asStream,
  live,
  getFrame,
  metric,
  untilStalled,
  pass,
  countReads,
} from './test/connection-peers.ts'

describe('pages of events', () => {
  test('GET /v1/events: a page ends at its bytes, and `next` leads through all of them', async (t) => {
    const under = await serverWith(t, {})
    await fill(under.store, 30, 30_000)
    const client = await under.client(['read'])
    for (const query of [{ stream: 'large' }, {}]) {
      const readEvents: EventView[] = []
      let pages = 0
      for (let after: number | null = 0; after !== null;) {
        const { items, next } = await client.events.read({ ...query, after, limit: 1_000 })
        assert.equal(JSON.stringify(items).length < 110_000, true)
        readEvents.push(...items.filter(({ stream }) => stream === 'large'))
        pages += 1
        after = next === null ? null : Number(next)
      }
      assert.deepEqual(
        readEvents.map(({ seq }) => seq),
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
    const kinds = [...Array.from({ length: 12 }, () => 'build.faulted'), 'build.instructed', 'build.faulted', 'build.instructed']
    const events = kinds.map((type) => ({ type, at: 1, data: { text: 'x'.repeat(40_000), by: 'x' } }))
    const [result] = await under.store.commit([{ append: [{ stream: build, expect: head, events }] }])
    assert.equal(result?.ok, true)
    const eventPage = await client.builds.events(build, head)
    assert.deepEqual(
      eventPage.map(({ seq }) => seq),
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
    const seqs: number[] = []
    const follow = async (): Promise<{ socket: WebSocket; closed: Promise<[number, Buffer]> }> => {
      const socket = live(t, under, token)
      const closed = once(socket, 'close') as Promise<[number, Buffer]>
      socket.on('message', (data) => {
        const frame = getFrame(data)
        if (frame.type === 'events') seqs.push(...frame.events.map(({ seq }) => seq))
      })
      await once(socket, 'open')
      socket.send(JSON.stringify({ type: 'follow', stream: 'large', after: seqs.at(-1) ?? 0 }))
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
    assert.equal(seqs.length > 0 && seqs.length < 200, true)
    await follow()
    await until(() => seqs.length >= 200)
    assert.deepEqual(
      seqs,
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

test('a live reader of everything does not see the stream of tokens, whatever the size of pages', async (t) => {
  const under = await serverWith(t, {})
  for (let n = 0; n < 5; n += 1) await under.token(['read'])
  await fill(under.store, 4)
  const socket = live(t, under, await under.token(['read']))
  const streams = new Set<string>()
  let count = 0
  socket.on('message', (data) => {
    const frame = getFrame(data)
    if (frame.type !== 'events') return
    for (const { stream } of frame.events) streams.add(stream)
    count += frame.events.length
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'follow', stream: everything, after: 0 }))
  await until(() => count >= 4)
  assert.deepEqual([...streams], ['large'])
})
