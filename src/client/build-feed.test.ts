import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { buildFeed, type BuildFeedState } from './build-feed.ts'
import type { BuildEventView } from './build-view.ts'
import type { ClientError } from './client-error.ts'
import { wholeBuild } from './test/build-logs.ts'

const encoder = new TextEncoder()
const sse = (events: readonly BuildEventView[]): string =>
  events.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join('')

/** Cut at every place, also within a character and between CR and LF. */
function getStream(text: string, size: number): Response {
  const bytes = encoder.encode(text)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}

type Asked = { url: string; headers: Record<string, string> }

function follow(answers: (() => Response | Promise<Response>)[], after = 0) {
  const requests: Asked[] = []
  const log: BuildEventView[] = []
  const states: BuildFeedState[] = []
  let refusal: ClientError | null = null
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const feed = buildFeed({
    url: '/v1/builds/b1/events?include=person',
    token: 'secret',
    after,
    timing: { firstRetryMs: 1, longestRetryMs: 2 },
    fetch: async (url, { headers }) => {
      requests.push({ url, headers })
      const answer = answers.shift()
      if (!answer) throw new TypeError('connection refused')
      return answer()
    },
    follower: {
      onEvents: (events) => {
        log.push(...events)
        if (events.some(({ type }) => type === 'session.completed')) resolve()
      },
      onState: (state) => {
        states.push(state)
        if (state === 'refused') resolve()
      },
      onRefused: (error) => {
        refusal = error
      },
    },
  })
  return { feed, asked: requests, seen: log, states, over, refusal: () => refusal }
}

for (const size of [1, 7, 100_000]) {
  test(`events are handed over whole and in order, in pieces of ${size}`, async () => {
    const { seen, over, feed } = follow([() => getStream(`retry: 1000\n\n: still here\n\n${sse(wholeBuild)}`, size)])
    await over
    assert.deepEqual(seen, wholeBuild)
    feed.close()
  })
}

test('lines may end in CR LF', async () => {
  const { seen, over, feed } = follow([() => getStream(sse(wholeBuild).replaceAll('\n', '\r\n'), 3)])
  await over
  assert.deepEqual(seen, wholeBuild)
  feed.close()
})

test('after a lost connection it continues after the last number and ignores repeats', async () => {
  const half = wholeBuild.slice(0, 10)
  const { seen, asked, states, over, feed } = follow([
    () => getStream(sse(half), 50),
    () => Promise.reject(new TypeError('no network')),
    () => new Response('bad gateway', { status: 502 }),
    () => getStream(sse(wholeBuild), 50),
  ])
  await over
  assert.deepEqual(seen, wholeBuild)
  assert.deepEqual(
    asked.map(({ url }) => new URL(url, 'http://x').searchParams.get('after')),
    ['0', '19', '19', '19'],
  )
  assert.equal(asked[1]?.headers['last-event-id'], '19')
  assert.equal(asked[0]?.headers['authorization'], 'Bearer secret')
  assert.deepEqual(states, ['live', 'reconnecting', 'live'])
  feed.close()
})

test('a round that begins after the end of a build is followed too', async () => {
  const last = wholeBuild.at(-1)?.seq ?? 0
  const ids = { build_id: 'b1', session_id: 's1', source: 'backend' } as const
  const next: BuildEventView = { seq: last + 2, at: 1, type: 'session.started', payload: { ...ids, round: 2 } }
  const { seen, asked, feed } = follow([() => getStream(sse(wholeBuild), 50), () => getStream(sse([next]), 50)])
  while (seen.at(-1)?.seq !== next.seq) await setImmediate()
  assert.ok(asked.length >= 2)
  assert.equal(new URL(asked[1]?.url ?? '', 'http://x').searchParams.get('after'), String(last))
  feed.close()
})

test('a refusal is told once and not tried again', async () => {
  const words = { error: { code: 'build_not_found', message: 'There is no build b1.', hint: 'Check the id.' } }
  const { asked, over, refusal, feed } = follow([() => Response.json(words, { status: 404 })])
  await over
  assert.equal(refusal()?.code, 'build_not_found')
  assert.equal(refusal()?.status, 404)
  assert.equal(asked.length, 1)
  feed.close()
})

test('a page of something in between is no event stream: it is tried again', async () => {
  const { over, asked, seen, feed } = follow([
    () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    () => getStream(sse(wholeBuild), 500),
  ])
  await over
  assert.equal(asked.length, 2)
  assert.equal(seen.length, wholeBuild.length)
  feed.close()
})

test('a line that says nothing for long is given up', async () => {
  const requestedUrls: string[] = []
  const { promise: twice, resolve } = Promise.withResolvers<void>()
  const feed = buildFeed({
    url: '/e',
    after: 0,
    timing: { firstRetryMs: 1, longestRetryMs: 1, silenceMs: 20 },
    fetch: async (url, { signal }) => {
      requestedUrls.push(url)
      if (requestedUrls.length === 2) resolve()
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
    follower: { onEvents: () => {} },
  })
  await twice
  feed.close()
  assert.ok(requestedUrls.length >= 2)
})
