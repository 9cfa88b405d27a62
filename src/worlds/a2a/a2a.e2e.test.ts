import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { AgentCard, type Task, TaskState, verifyAgentCardSignature } from '@a2a-js/sdk'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { systemClock } from '../../ports/clock.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { importPublicKey } from '../keys/signing-key.ts'
import { a2aHost } from './test/a2a-host.ts'
import { type Binding, foreignAgent, readMessageText } from './test/foreign-agent.ts'

const extension = 'urn:uuid:af4a23fc-1711-516b-87b3-8e14b75e7cf6'

for (const binding of ['JSONRPC', 'HTTP+JSON'] as const)
  test(`A2A over ${binding}: a foreign agent asks, is accepted, opens, talks and ends`, (t) => talkOver(t, binding))

async function talkOver(t: TestContext, binding: Binding): Promise<void> {
  const { host, origin, mira, answer } = await a2aHost(t)
  const foreign = await foreignAgent(origin, binding)
  const client = await foreign.reach(mira.code)
  const asked = await foreign.send(client, foreign.write('Compare reading lists about cities'))
  assert.equal(foreign.state(asked), 'TASK_STATE_SUBMITTED')
  await assert.rejects(foreign.send(client, foreign.write('Hello?', { taskId: asked.id })), /not decided/)
  const accepted = await host.call(mira.agent, 'requests.accept', { request: asked.id })
  assert.ok(accepted.ok)
  assert.equal(accepted.value.purpose, 'Compare reading lists about cities')
  assert.equal(accepted.value.counterparty.displayName, 'Foreign')

  const updates = client.resubscribeTask({ tenant: '', id: asked.id })
  const seen: string[] = []
  const reading = (async () => {
    for await (const { payload } of updates)
      if (payload?.$case === 'task' || payload?.$case === 'statusUpdate')
        seen.push(`${foreign.state(payload.value as Task)}:${readMessageText(payload.value.status?.message)}`)
  })()
  const read = (): Promise<Task> => client.getTask({ tenant: '', id: asked.id })
  assert.equal(foreign.state(await read()), 'TASK_STATE_INPUT_REQUIRED')
  await eventually(() => seen.length > 0, 'the stream begins')
  const opener = foreign.write('Which book about cities do you like?', { taskId: asked.id, contextId: asked.contextId })
  await foreign.send(client, opener)
  // The same message again, such as after a lost answer, is the same turn.
  await foreign.send(client, opener)
  assert.equal(foreign.state(await read()), 'TASK_STATE_WORKING')
  await answer(asked.id, 'The Lisbon atlas.')
  const replied = await read()
  assert.equal(foreign.state(replied), 'TASK_STATE_INPUT_REQUIRED')
  assert.equal(readMessageText(replied.status?.message), 'The Lisbon atlas.')
  await foreign.send(client, foreign.write('Thank you, that is all.', { taskId: asked.id }, { end: true }))
  await answer(asked.id, 'Goodbye.', true)
  const ended = await read()
  assert.equal(foreign.state(ended), 'TASK_STATE_COMPLETED')
  assert.deepEqual(ended.history.map(readMessageText), [
    'Which book about cities do you like?',
    'The Lisbon atlas.',
    'Thank you, that is all.',
    'Goodbye.',
  ])
  await reading
  assert.equal(seen[0], 'TASK_STATE_INPUT_REQUIRED:')
  assert.ok(seen.includes('TASK_STATE_INPUT_REQUIRED:The Lisbon atlas.'))
  assert.match(seen.at(-1) ?? '', /^TASK_STATE_COMPLETED/)
  await assert.rejects(foreign.send(client, foreign.write('One more', { taskId: asked.id })), /over/)
  const list = async (status: TaskState): Promise<number> =>
    (await client.listTasks({ tenant: '', contextId: '', status, pageToken: '', statusTimestampAfter: undefined })).tasks.length
  assert.deepEqual([await list(TaskState.TASK_STATE_COMPLETED), await list(TaskState.TASK_STATE_SUBMITTED)], [1, 0])
  await assert.rejects(client.cancelTask({ tenant: '', id: asked.id, metadata: undefined }), /over/)
  await assert.rejects(client.getTask({ tenant: '', id: 'crq_unknown' }))
}

test('A2A: a foreign agent is asked by a member, consents and answers', async (t) => {
  const { host, origin, mira, answer } = await a2aHost(t)
  const foreign = await foreignAgent(origin)
  const client = await foreign.reach('host')
  const none = await client.listTasks({ tenant: '', contextId: '', status: 0, pageToken: '', statusTimestampAfter: undefined })
  assert.equal(none.tasks.length, 0)
  // Its code is in its own account; a person hands it on, as with any other identity.
  const guest = await host.call('', 'account.open', { member: await guestName(foreign.secret), language: 'en' })
  assert.ok(guest.ok)
  const request = 'crq_to_guest'
  const draft = {
    request,
    agentCode: guest.value.identity.agentCode,
    displayName: null,
    world: null,
    purpose: 'Maps',
    hasBrief: true,
    trace: null,
  }
  assert.ok((await host.call(mira.agent, 'requests.submit', draft)).ok)
  const listed = await client.listTasks({ tenant: '', contextId: '', status: 0, pageToken: '', statusTimestampAfter: undefined })
  const [task] = listed.tasks
  assert.ok(task)
  assert.equal(foreign.state(task), 'TASK_STATE_INPUT_REQUIRED')
  assert.equal((task.metadata?.[extension] as { purpose: string } | undefined)?.purpose, 'Maps')
  await assert.rejects(foreign.send(client, foreign.write('Hi', { taskId: request })), /accept/)
  assert.equal(foreign.state(await foreign.send(client, foreign.write('', { taskId: request }, { accept: true }))), 'TASK_STATE_WORKING')
  await answer(request, 'Hello, do you know old maps?')
  const opened = await client.getTask({ tenant: '', id: request })
  assert.equal(readMessageText(opened.status?.message), 'Hello, do you know old maps?')
  await foreign.send(client, foreign.write('A few.', { taskId: request }))
  const canceled = await client.cancelTask({ tenant: '', id: request, metadata: undefined })
  assert.equal(foreign.state(canceled), 'TASK_STATE_CANCELED')
})

async function guestName(secret: string): Promise<string> {
  const { createHash } = await import('node:crypto')
  return `a2a:${createHash('sha256').update(secret).digest('hex')}`
}

test('A2A: a refusal is REJECTED, a withdrawn request CANCELED, and tasks of others are not found', async (t) => {
  const { host, origin, mira } = await a2aHost(t)
  const [one, other] = [await foreignAgent(origin), await foreignAgent(origin)]
  const client = await one.reach(mira.code)
  const asked = await one.send(client, one.write('First'))
  const theirs = await other.reach(mira.code)
  await assert.rejects(theirs.getTask({ tenant: '', id: asked.id }), /no chat request|not found/i)
  await host.call(mira.agent, 'requests.reject', { request: asked.id })
  assert.equal(one.state(await client.getTask({ tenant: '', id: asked.id })), 'TASK_STATE_REJECTED')
  const again = await one.send(client, one.write('Second'))
  assert.equal(again.contextId, asked.contextId)
  assert.notEqual(again.id, asked.id)
  assert.equal(one.state(await client.cancelTask({ tenant: '', id: again.id, metadata: undefined })), 'TASK_STATE_CANCELED')
  await assert.rejects(client.cancelTask({ tenant: '', id: again.id, metadata: undefined }))
})

test('A2A: the same task goes on after the host was stopped and started', async (t) => {
  const store = memoryStore({ clock: systemClock })
  const first = await a2aHost(t, store)
  const foreign = await foreignAgent(first.origin)
  const client = await foreign.reach(first.mira.code)
  const asked = await foreign.send(client, foreign.write('Before the restart'))
  await first.close()
  const second = await a2aHost(t, store, first.port)
  await second.host.call(second.mira.agent, 'requests.accept', { request: asked.id })
  await foreign.send(client, foreign.write('Hello again', { taskId: asked.id }))
  await second.answer(asked.id, 'Hello.')
  assert.equal(readMessageText((await client.getTask({ tenant: '', id: asked.id })).status?.message), 'Hello.')
})

test('A2A: cards are signed by the host, name the account, and change nothing unnoticed', async (t) => {
  const { origin, mira, key } = await a2aHost(t)
  const fetchCard = async (path: string): Promise<AgentCard> => AgentCard.fromJSON(await (await fetch(`${origin}${path}`)).json())
  const card = await fetchCard(`/a2a/${mira.code}/.well-known/agent-card.json`)
  assert.deepEqual([card.name, card.description], [`Mira#${mira.code}`, 'Librarian for maps.'])
  const verify = verifyAgentCardSignature(async (kid) => {
    assert.equal(kid, key.publicKey)
    return importPublicKey(key.publicKey)
  })
  await verify(card)
  await verify(await fetchCard('/.well-known/agent-card.json'))
  await assert.rejects(verify({ ...card, name: 'Mira#XXXXXX' }))
  await assert.rejects(verify({ ...card, supportedInterfaces: [] }))
  const unknown = await fetch(`${origin}/a2a/ZZZZZZ/.well-known/agent-card.json`)
  assert.equal(unknown.status, 404)
  assert.match(await unknown.text(), /No account has the code ZZZZZZ/)
  assert.equal((await fetch(`${origin}/a2a/..%2f/.well-known/agent-card.json`)).status, 404)
})

test('A2A: a client of version 0.3 works on the same address', async (t) => {
  const { host, origin, mira, answer } = await a2aHost(t)
  const secret = 'x'.repeat(40)
  const call = async (method: string, params: object): Promise<Record<string, never>> => {
    const response = await fetch(`${origin}/a2a/${mira.code}/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return ((await response.json()) as { result: Record<string, never> }).result
  }
  const message = (text: string, more: object = {}): object => ({
    message: { kind: 'message', messageId: text, role: 'user', parts: [{ kind: 'text', text }], ...more },
  })
  const task = (await call('message/send', message('Old friends'))) as unknown as { id: string; status: { state: string } }
  assert.equal(task.status.state, 'submitted')
  await host.call(mira.agent, 'requests.accept', { request: task.id })
  await call('message/send', message('Hello from 0.3', { taskId: task.id }))
  await answer(task.id, 'Hello.')
  const got = (await call('tasks/get', { id: task.id })) as unknown as { status: { state: string; message: { parts: { text: string }[] } } }
  assert.deepEqual([got.status.state, got.status.message.parts[0]?.text], ['input-required', 'Hello.'])
})

test('A2A: bad input is refused and nothing is stored', async (t) => {
  const { host, origin, mira } = await a2aHost(t)
  const foreign = await foreignAgent(origin)
  const client = await foreign.reach(mira.code)
  const send = (change: object): Promise<unknown> => foreign.send(client, { ...foreign.write('Hi'), ...change })
  await assert.rejects(send({ role: 2 }), /ROLE_USER/)
  await assert.rejects(send({ parts: [] }), /one line/)
  await assert.rejects(send({ messageId: '' }))
  await assert.rejects(send({ metadata: { [extension]: { admin: true } } }), /unknown/)
  await assert.rejects(
    send({ parts: [{ content: { $case: 'url', value: 'http://127.0.0.1:1/' }, metadata: undefined, filename: '', mediaType: '' }] }),
    /text/,
  )
  await assert.rejects(foreign.send(client, foreign.write('x'.repeat(201))), /at most 200/)
  const post = (headers: Record<string, string>, body: string): Promise<Response> =>
    fetch(`${origin}/a2a/${mira.code}/`, { method: 'POST', headers, body })
  const push = await post(
    { authorization: `Bearer ${foreign.secret}`, 'a2a-version': '1.0' },
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'CreateTaskPushNotificationConfig',
      params: { taskId: 't', url: 'http://169.254.169.254/' },
    }),
  )
  assert.equal(((await push.json()) as { error: { code: number } }).error.code, -32003)
  // The SDK sends it for `listTasks({})`.
  const list = '{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{"status":"UNRECOGNIZED"}}'
  const listed = await post({ authorization: `Bearer ${foreign.secret}`, 'a2a-version': '1.0' }, list)
  assert.match(await listed.text(), /For tasks of every state, send 0/)
  const secretless = await post({}, '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"x"}}')
  assert.equal(secretless.status, 401)
  assert.match(await secretless.text(), /The secret is missing/)
  assert.equal((await post({ authorization: 'Bearer short' }, '{"id":1}')).status, 401)
  const wrongTenant = await post(
    { authorization: `Bearer ${foreign.secret}`, 'a2a-version': '1.0' },
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'x', tenant: 'ZZZZZZ' } }),
  )
  assert.equal(((await wrongTenant.json()) as { error: { code: number } }).error.code, -32602)
  const kept = await host.call(mira.agent, 'requests.list', {})
  assert.ok(kept.ok && kept.value.items.length === 0)
})
