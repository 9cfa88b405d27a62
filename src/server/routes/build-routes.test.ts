import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openApi } from '../openapi.ts'
import { serverUnderTest, type ServerUnderTest, until } from '../test/server-under-test.ts'
import { buildRoutes } from './build-routes.ts'

let under: ServerUnderTest
let token: string
before(async () => {
  under = await serverUnderTest()
  token = await under.token()
})
after(() => under.close())

type Event = { seq: number; at: number; type: string; payload: Record<string, unknown> }

async function ask(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${under.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as never }
}

/** The agent of this server only chats, so each build fails after one hint; that is long enough a story for a door. */
async function ended(): Promise<string> {
  const { status, body } = await ask('POST', '/v1/builds', { prompt: 'A list', language: 'zh' })
  assert.equal(status, 201)
  const { build_id: build, session_id: session } = body as { build_id: string; session_id: string }
  for (const id of [build, session]) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  await until(async () => (await listEvents(build)).some(({ type }) => type === 'session.failed'))
  return build
}

const listEvents = async (build: string, query = ''): Promise<Event[]> =>
  ((await ask('GET', `/v1/builds/${build}/events${query}`)).body as { events: Event[] }).events

/** Reads server-sent events up to the last one of a build. */
async function streamed(build: string, query: string, headers: Record<string, string> = {}): Promise<Event[]> {
  const stop = new AbortController()
  const response = await fetch(`${under.url}/v1/builds/${build}/events${query}`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...headers },
    signal: stop.signal,
  })
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString()
    if (text.includes('"session.failed"') && text.endsWith('\n\n')) break
  }
  stop.abort()
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as Event)
  assert.deepEqual(
    ids,
    events.map(({ seq }) => seq),
  )
  return events
}

test('events as JSON and as a stream are the same, from any number', async () => {
  const build = await ended()
  const all = await listEvents(build)
  assert.deepEqual(Object.keys(all[0] ?? {}).toSorted(), ['at', 'payload', 'seq', 'type'])
  assert.equal(all[0]?.type, 'session.started')
  assert.equal(
    all.some(({ type }) => type.startsWith('build.')),
    false,
    'only what the protocol shows',
  )
  const second = all[1]?.seq ?? 0
  assert.deepEqual(await streamed(build, ''), all)
  assert.deepEqual(
    await streamed(build, `?after=${second}`),
    all.filter(({ seq }) => seq > second),
  )
  assert.deepEqual(
    await streamed(build, '?after=0', { 'last-event-id': String(second) }),
    all.filter(({ seq }) => seq > second),
  )
  assert.deepEqual(
    await listEvents(build, `?after=${second}`),
    all.filter(({ seq }) => seq > second),
  )
  const person = await listEvents(build, '?include=person')
  assert.deepEqual(person[0]?.payload, { prompt: 'A list', by: 'test' })
  assert.deepEqual(await streamed(build, '?include=person'), person)
  assert.ok((await listEvents(build, '?include=all')).some(({ type }) => type === 'build.failed'))
})

test('repeats, lists, refusals and scopes', async () => {
  const key = { 'idempotency-key': 'same' }
  const first = await ask('POST', '/v1/builds', { prompt: 'Once' }, key)
  assert.deepEqual(await ask('POST', '/v1/builds', { prompt: 'Once' }, key), first)
  const build = await ended()
  const { body } = await ask('GET', '/v1/builds?limit=1')
  assert.equal((body as { items: { build_id: string }[] }).items[0]?.build_id, build)
  const getCode = (answer: { body: never }): string => (answer.body as { error: { code: string } }).error.code
  assert.equal(getCode(await ask('POST', `/v1/builds/${build}/answers`, { question_id: 'q', answer: 'x' })), 'build_over')
  assert.equal(getCode(await ask('POST', `/v1/builds/${build}/answers`, { answers: { q: 'x' } })), 'build_over')
  assert.equal(getCode(await ask('POST', `/v1/builds/${build}/answers`, { nonsense: 1 })), 'bad_request')
  assert.equal(getCode(await ask('POST', `/v1/builds/${build}/cancel`, {})), 'build_over')
  assert.equal(getCode(await ask('GET', '/v1/builds/none/events')), 'build_not_found')
  assert.equal(getCode(await ask('GET', '/v1/builds/0197f3a0-0000-7000-8000-000000000000/events')), 'build_not_found')
  const reader = await under.client(['read'])
  await assert.rejects(reader.builds.start({ prompt: 'x' }), { code: 'not_allowed' })
  await assert.rejects(reader.builds.answer(build, { answers: { q: 'x' } }), { code: 'not_allowed' })
  await assert.rejects(reader.builds.retry(build), { code: 'not_allowed' })
  assert.equal((await reader.builds.get(build)).status, 'failed')
  const retried = await ask('POST', `/v1/builds/${build}/retry`, {})
  assert.deepEqual([retried.status, (retried.body as { build_id: string }).build_id], [201, build])
  assert.equal(getCode(await ask('POST', `/v1/builds/${build}/retry`, {})), 'build_not_retriable')
})

test('the document of the API names every route of builds', () => {
  const document = JSON.stringify(openApi(buildRoutes(under.access, new AbortController().signal), '1'))
  for (const path of ['', '/{id}', '/{id}/events', '/{id}/answers', '/{id}/messages', '/{id}/cancel', '/{id}/retry'])
    assert.ok(document.includes(`"/v1/builds${path}"`), path)
})
