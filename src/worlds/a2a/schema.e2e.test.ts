import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { a2aHost } from './test/a2a-host.ts'

// ProtoJSON mapping of a2a.proto v1.0.1 (Apache-2.0), with closed objects: an unknown, missing or misspelt field fails.
const schema = JSON.parse(readFileSync(new URL('./test/a2a-1.0.1.schema.json', import.meta.url), 'utf8')) as {
  $id: string
  operations?: unknown
}
delete schema.operations
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) } })
ajv.addSchema(schema)

function assertFits(name: string, value: unknown): void {
  const validate = ajv.getSchema(`${schema.$id}#/$defs/${name}`)
  assert.ok(validate, name)
  assert.ok(validate(value), `${name}: ${JSON.stringify(validate.errors?.slice(0, 5))} in ${JSON.stringify(value)}`)
}

type Json = Record<string, unknown>

test('A2A: cards, tasks, lists and streams of both bindings fit the published schema of 1.0', async (t) => {
  const { host, origin, mira, answer } = await a2aHost(t)
  const base = `${origin}/a2a/${mira.code}`
  const headers = { authorization: `Bearer ${'s'.repeat(40)}`, 'content-type': 'application/json', 'a2a-version': '1.0' }
  const read = async (path: string, body?: object): Promise<Json> => {
    const response = await fetch(`${base}${path}`, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
    return (await response.json()) as Json
  }
  const rpc = async (method: string, params: object): Promise<Json> => {
    const answered = await read('/', { jsonrpc: '2.0', id: 1, method, params })
    assert.ok('result' in answered, JSON.stringify(answered))
    return answered['result'] as Json
  }
  const message = (text: string, more: object = {}): Json => ({
    message: { messageId: text, role: 'ROLE_USER', parts: [{ text }], ...more },
  })
  for (const path of ['/.well-known/agent-card.json', `/a2a/${mira.code}/.well-known/agent-card.json`]) {
    const card = (await (await fetch(`${origin}${path}`)).json()) as Json
    // Fields of 0.3 stand beside those of 1.0 for older clients.
    for (const older of ['url', 'preferredTransport', 'protocolVersion']) delete card[older]
    assertFits('AgentCard', card)
  }
  const sent = await read('/message:send', message('Maps of Lisbon'))
  assertFits('SendMessageResponse', sent)
  const { id } = sent['task'] as { id: string }
  await host.call(mira.agent, 'requests.accept', { request: id })
  assertFits('SendMessageResponse', await rpc('SendMessage', message('Which map do you like?', { taskId: id })))
  await answer(id, 'The one of 1755.')
  for (const task of [await read(`/tasks/${id}`), await rpc('GetTask', { id }), await read(`/tasks/${id}?historyLength=1`)])
    assertFits('Task', task)
  for (const list of [await read('/tasks?pageSize=5'), await rpc('ListTasks', {})]) assertFits('ListTasksResponse', list)

  const stream = await fetch(`${base}/tasks/${id}:subscribe`, { method: 'POST', headers })
  const chunks: string[] = []
  const reading = (async () => {
    for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>) chunks.push(new TextDecoder().decode(chunk))
  })()
  assertFits('Task', await read(`/tasks/${id}:cancel`, {}))
  await reading
  const events = chunks
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice(5)) as Json)
  assert.ok('task' in (events[0] ?? {}), 'the first event is the task')
  assert.ok(events.length >= 2)
  for (const event of events) assertFits('StreamResponse', event)
})

test('A2A over HTTP+JSON: errors have a status and the shape of the binding', async (t) => {
  const { origin, mira } = await a2aHost(t)
  const authorization = `Bearer ${'s'.repeat(40)}`
  type Init = { method?: string; body?: string; headers?: Record<string, string> }
  const call = async (path: string, init: Init = {}): Promise<[number, unknown]> => {
    const response = await fetch(`${origin}/a2a/${mira.code}${path}`, { ...init, headers: { authorization, ...init.headers } })
    const body = (await response.json().catch(() => null)) as { error?: { status?: unknown } } | null
    return [response.status, body?.error?.status ?? null]
  }
  const post = (body: string): Init => ({ method: 'POST', body })
  assert.deepEqual(await call('/tasks/crq_none'), [404, 'NOT_FOUND'])
  assert.deepEqual(await call('/tasks', { headers: { authorization: 'Bearer short' } }), [401, 'UNAUTHENTICATED'])
  assert.deepEqual(await call('/tasks?pageSize=many'), [400, 'INVALID_ARGUMENT'])
  assert.deepEqual(await call('/tasks?status=TASK_STATE_STRANGE'), [400, 'INVALID_ARGUMENT'])
  assert.deepEqual(await call('/message:send', post('[1]')), [400, 'INVALID_ARGUMENT'])
  assert.deepEqual(await call('/message:send', post('{"tenant":"ZZZZZZ"}')), [400, 'INVALID_ARGUMENT'])
  assert.equal((await call('/tasks', { headers: { 'a2a-version': '0.3' } }))[0], 400)
  assert.equal((await call('/tasks/crq_none:cancel'))[0], 405)
  const push = await call('/tasks/crq_none/pushNotificationConfigs', post('{"url":"http://169.254.169.254/"}'))
  assert.equal(push[0], 400)
  assert.equal((await call('/tasks/a/b/c'))[0], 404)
})
