import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { buildResumeArray, HttpAgent, type AgentSubscriber } from '@ag-ui/client'
import { type Interrupt, PROTOCOL_VERSION } from '@ag-ui/core'
import { protocolVersion } from '../../src/builds/ag-ui/ag-ui-event.ts'
import type { AgUiState } from '../../src/builds/ag-ui/build-picture.ts'
import { until } from '../../src/server/test/server-under-test.ts'
import { type AgUiUnderTest, agUiUnderTest } from './ag-ui-under-test.ts'

type Seen = { events: string[]; error: { message: string; code?: string | undefined } | null; outcome: string | null; result: unknown }

/** One run of the official client, and what it made of it. */
async function getRun(agent: HttpAgent, parameters: Parameters<HttpAgent['runAgent']>[0] = {}, more: AgentSubscriber = {}): Promise<Seen> {
  const runRecord: Seen = { events: [], error: null, outcome: null, result: null }
  const { result } = await agent.runAgent(parameters, {
    ...more,
    onEvent: ({ event }) => void runRecord.events.push(event.type),
    onRunErrorEvent: ({ event }) => void (runRecord.error = { message: event.message, code: event.code }),
    onRunFinishedEvent: ({ outcome }) => void (runRecord.outcome = outcome),
  })
  return { ...runRecord, result }
}

const getAsked = (agent: HttpAgent): Interrupt[] => [...agent.pendingInterrupts]

const getState = (agent: HttpAgent): AgUiState => agent.state as AgUiState

const toWords = (agent: HttpAgent): unknown[] => agent.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)

const resolved = (agent: HttpAgent, answers: Record<string, unknown>) =>
  buildResumeArray(
    agent.pendingInterrupts,
    Object.fromEntries(Object.entries(answers).map(([id, payload]) => [id, { status: 'resolved' as const, payload }])),
  )

describe('a build with the official AG-UI client', () => {
  let under: AgUiUnderTest
  before(async () => {
    under = await agUiUnderTest()
  })
  after(() => under.close())

  const agentFor = async (prompt: string | null, threadId?: string, scopes?: Parameters<AgUiUnderTest['token']>[0]): Promise<HttpAgent> =>
    new HttpAgent({
      url: `${under.url}/agui`,
      headers: { authorization: `Bearer ${await under.token(scopes)}` },
      ...(threadId === undefined ? {} : { threadId }),
      ...(prompt === null ? {} : { initialMessages: [{ id: 'm1', role: 'user', content: prompt }] }),
    })

  test('speaks the protocol version of the official package', () => assert.equal(protocolVersion, PROTOCOL_VERSION))

  test('from the prompt by one question and a set to the result', async () => {
    const agent = await agentFor('Build me a reading list')
    const first = await getRun(agent)
    const { build } = getState(agent)
    assert.equal(first.outcome, 'interrupt')
    assert.deepEqual(first.events.slice(0, 2), ['RUN_STARTED', 'STATE_SNAPSHOT'])
    assert.deepEqual(first.events.slice(-4), ['STEP_FINISHED', 'STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED'])
    assert.deepEqual(getAsked(agent), [
      {
        id: 'q-region',
        reason: 'input_required',
        message: 'Which region?',
        responseSchema: {
          type: 'string',
          title: 'Which region?',
          enum: ['eu', 'us'],
          oneOf: [
            { const: 'eu', title: 'Europe', description: 'Close to you' },
            { const: 'us', title: 'US' },
          ],
        },
      },
    ])
    assert.equal(getState(agent).status, 'waiting')
    assert.deepEqual(
      getState(agent).steps.map(({ id, state, index, title }) => [id, state, index, title]),
      [
        ['build_record', 'done', 1, 'Starting your build'],
        ['parse', 'done', 2, 'Understanding your request'],
        ['research', 'active', 3, 'Gathering what we need'],
      ],
    )

    const second = await getRun(agent, { resume: resolved(agent, { 'q-region': 'Europe' }) })
    assert.deepEqual(second.events.slice(0, 4), ['RUN_STARTED', 'STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT', 'STEP_STARTED'])
    assert.equal(second.outcome, 'interrupt')
    assert.deepEqual(
      getAsked(agent).map(({ id, metadata }) => [id, metadata]),
      [
        ['q-name', { questionSet: 's-details', setPrompt: 'Two details.' }],
        ['q-size', { questionSet: 's-details', setPrompt: 'Two details.' }],
      ],
    )

    const third = await getRun(agent, { resume: resolved(agent, { 'q-name': 'Nori', 'q-size': 's' }) })
    assert.equal(third.outcome, 'success')
    assert.deepEqual(third.result, {
      output: '{"q-region":"eu","q-name":"Nori","q-size":"s"}',
      summary: 'Your reading list is ready.',
    })
    assert.equal(getState(agent).status, 'complete')
    assert.ok(getState(agent).steps.every(({ state }) => state === 'done') && getState(agent).steps.length === 7)
    assert.deepEqual(getAsked(agent), [])
    // Questions and answers are part of the talk.
    assert.deepEqual(
      agent.messages.slice(1).map(({ role, content }) => [role, content]),
      [
        ['assistant', 'I found a good source.'],
        ['assistant', 'Which region?'],
        ['user', 'Europe'],
        ['assistant', 'Two details.\n- What is it called?\n- How big?'],
        ['user', 'What is it called? → Nori\nHow big? → Small'],
        ['assistant', 'Your reading list is ready.'],
      ],
    )
    const replay = await getRun(agent)
    assert.deepEqual(replay.events, ['RUN_STARTED', 'STATE_SNAPSHOT', 'RUN_FINISHED'], 'a run without news does not replay')

    agent.addMessage({ id: 'm2', role: 'user', content: 'And one more thing' })
    const fourth = await getRun(agent)
    assert.equal(fourth.error, null)
    assert.equal(getState(agent).build, build, 'the thread goes on with a new round of its build')
    assert.match(fourth.outcome ?? '', /interrupt|success/)
  })

  test('a failure is said in the words of the build, and a stop is no failure', async () => {
    const failing = await agentFor('fail please')
    const run = await getRun(failing)
    assert.deepEqual(run.error, { message: 'I could not reach what I needed.', code: 'build_failed' })
    assert.equal(getState(failing).status, 'failed')
    assert.equal(getState(failing).reason, 'no luck')
    assert.equal(getState(failing).steps.at(-1)?.state, 'failed')

    const stopped = await agentFor('Build me a garden')
    await getRun(stopped)
    const resume = buildResumeArray(stopped.pendingInterrupts, { 'q-region': { status: 'cancelled' } })
    const end = await getRun(stopped, { resume })
    assert.equal(end.outcome, 'cancelled')
    assert.equal(getState(stopped).status, 'cancelled')
    assert.equal((await under.parley.builds.get(getState(stopped).build)).status, 'cancelled')
  })

  test('resume has to cover what is asked, with answers that fit; then nothing was changed', async () => {
    const agent = await agentFor('Build me a shop')
    await getRun(agent)
    await getRun(agent, { resume: resolved(agent, { 'q-region': 'eu' }) })
    const { pendingInterrupts: asked } = agent
    const attempt = async (resume: { interruptId: string; status: 'resolved' | 'cancelled'; payload?: unknown }[]) => {
      agent.pendingInterrupts = []
      const { error } = await getRun(agent, { resume })
      agent.pendingInterrupts = asked
      return error?.code
    }
    const name = { interruptId: 'q-name', status: 'resolved' as const, payload: 'Nori' }
    assert.equal(await attempt([name]), 'answer_missing')
    assert.equal(await attempt([name, { interruptId: 'q-size', status: 'cancelled' }]), 'answer_missing')
    assert.equal(await attempt([name, { interruptId: 'q-else', status: 'resolved', payload: 'x' }]), 'answer_unknown')
    assert.equal(await attempt([name, { interruptId: 'q-size', status: 'resolved', payload: 'huge' }]), 'not_a_choice')
    assert.equal(await attempt([name, { interruptId: 'q-size', status: 'resolved', payload: { size: 's' } }]), 'bad_request')
    assert.equal(await attempt([name, name]), 'bad_request')
    assert.equal((await under.parley.builds.get(getState(agent).build)).openQuestions, 2)

    agent.addMessage({ id: 'm2', role: 'user', content: 'Just call it Nori' })
    agent.pendingInterrupts = []
    const spoken = await getRun(agent)
    assert.equal(spoken.error?.code, 'resume_needed')
    assert.match(spoken.error?.message ?? '', /q-name, q-size/)
  })

  test('a client that comes back without words is shown the question once more, also a new one that knows only the thread', async () => {
    const agent = await agentFor('Build me a boat')
    await getRun(agent)
    agent.pendingInterrupts = []
    assert.equal((await getRun(agent)).outcome, 'interrupt')
    assert.deepEqual(toWords(agent), ['I found a good source.', 'Which region?'])

    const other = await agentFor(null, getState(agent).build)
    assert.equal((await getRun(other)).outcome, 'interrupt')
    assert.deepEqual(
      other.messages.map(({ role, content }) => [role, content]),
      [
        ['user', 'Build me a boat'],
        ['assistant', 'I found a good source.'],
        ['assistant', 'Which region?'],
      ],
    )
    assert.deepEqual(getState(other), getState(agent))
    assert.equal((await getRun(other, { resume: resolved(other, { 'q-region': 'us' }) })).outcome, 'interrupt')
    const late = await getRun(agent, { resume: [{ interruptId: 'q-region', status: 'resolved', payload: 'eu' }] })
    assert.equal(late.error?.code, 'already_answered')
    const same = await getRun(agent, { resume: [{ interruptId: 'q-region', status: 'resolved', payload: 'us' }] })
    assert.equal(same.outcome, 'interrupt', 'the answer that counts, sent again, leads on')
    assert.deepEqual(
      getAsked(agent).map(({ id }) => id),
      ['q-name', 'q-size'],
    )
  })

  test('leaving does not stop the build; coming back goes on without saying anything twice', async () => {
    const agent = await agentFor('hold and build')
    const gone = getRun(agent, {}, { onTextMessageEndEvent: () => agent.abortRun() })
    await gone
    assert.deepEqual(toWords(agent), ['I found a good source.'])
    const { build } = getState(agent)
    under.release()
    await until(async () => (await under.parley.builds.get(build)).status === 'complete')
    const again = await getRun(agent)
    assert.equal(again.outcome, 'success')
    assert.deepEqual(toWords(agent), ['I found a good source.', 'Your reading list is ready.'])
    assert.equal((await under.parley.builds.list({ search: 'hold and build' })).items.length, 1)
    assert.deepEqual((await getRun(agent)).events, ['RUN_STARTED', 'STATE_SNAPSHOT', 'RUN_FINISHED'])
  })

  test('a client that is there while it runs sees each event as it happens', async () => {
    const agent = await agentFor('hold and build again')
    const runRecord = await getRun(agent, {}, { onTextMessageEndEvent: () => under.release() })
    assert.equal(runRecord.outcome, 'success')
    assert.equal(runRecord.events.filter((type) => type === 'STEP_STARTED').length, 7)
    assert.ok(runRecord.events.indexOf('TEXT_MESSAGE_END') < runRecord.events.lastIndexOf('STEP_STARTED'))
  })

  test('a message while it runs is added once, however often it is sent', async () => {
    const agent = await agentFor('hold for a wish')
    await getRun(agent, {}, { onTextMessageEndEvent: () => agent.abortRun() })
    agent.addMessage({ id: 'm2', role: 'user', content: 'with pictures' })
    const { build } = getState(agent)
    for (let time = 0; time < 2; time += 1) await getRun(agent, {}, { onStateSnapshotEvent: () => agent.abortRun() })
    under.release()
    await until(async () => (await under.parley.builds.get(build)).status === 'complete')
    const log = await under.parley.builds.events.read(build, { include: 'person' })
    assert.deepEqual(
      log.flatMap((event) => (event.type === 'build.instructed' ? [event.payload.text] : [])),
      ['with pictures'],
    )
    assert.equal((await getRun(agent)).outcome, 'success', 'the message was delivered, so it is not new after the end')
  })

  test('after a restart of the server the thread is still the same build', async () => {
    const agent = await agentFor('Build me a bridge')
    await getRun(agent)
    await under.restart()
    assert.equal((await getRun(agent, { resume: resolved(agent, { 'q-region': 'eu' }) })).outcome, 'interrupt')
    assert.equal((await under.parley.builds.list({ search: 'Build me a bridge' })).items.length, 1)
  })

  test('the end of the server is said, and the build goes on with the next one', async () => {
    const agent = await agentFor('hold through a restart')
    const runRecord = await getRun(agent, {}, { onTextMessageEndEvent: () => void under.restart() })
    assert.equal(runRecord.error?.code, 'shutting_down')
    await until(() => under.isUp())
    under.release()
    assert.equal((await getRun(agent)).outcome, 'success')
  })

  test('an unknown thread cannot be answered, and an empty request starts no build', async () => {
    const agent = await agentFor(null)
    const lost = await getRun(agent, { resume: [{ interruptId: 'q', status: 'resolved', payload: 'x' }] })
    assert.equal(lost.error?.code, 'build_not_found')
    assert.equal((await getRun(agent)).error?.code, 'empty_text')
    agent.addMessage({
      id: 'm1',
      role: 'user',
      content: [{ type: 'image', source: { type: 'url', value: 'https://example.org/a.png' } }],
    })
    assert.equal((await getRun(agent)).error?.code, 'bad_request')
  })

  test('each act needs its scope', async (t) => {
    const opener = await agentFor('Build me a tower')
    await getRun(opener)
    const { build } = getState(opener)
    t.mock.method(console, 'error', () => {})
    const quietly = async (agent: HttpAgent, resume?: { interruptId: string; status: 'resolved'; payload: string }[]) =>
      getRun(agent, resume ? { resume } : {}).then(
        () => '',
        (error: Error) => error.message,
      )
    assert.match(await quietly(await agentFor('a tower', undefined, ['read'])), /HTTP 403.*not_allowed.*chat/)
    const reader = await agentFor(null, build, ['read'])
    assert.equal(await quietly(reader), '', 'who may read may watch')
    assert.equal(reader.pendingInterrupts.length, 1)
    assert.match(await quietly(reader, [{ interruptId: 'q-region', status: 'resolved', payload: 'eu' }]), /HTTP 403.*not_allowed.*answer/)
    assert.match(await quietly(await agentFor('a tower', undefined, ['chat'])), /HTTP 403.*not_allowed.*read/)
    const stranger = new HttpAgent({ url: `${under.url}/agui`, initialMessages: [{ id: 'm', role: 'user', content: 'x' }] })
    assert.match(await quietly(stranger), /HTTP 401.*not_signed_in/)
  })

  test('language and agent may be chosen with the prompt', async () => {
    const agent = await agentFor('做一个清单')
    await getRun(agent, { forwardedProps: { language: 'zh' } })
    assert.equal(getState(agent).steps[0]?.title, '正在启动您的构建')
    const unknownAgent = await agentFor('a list')
    assert.equal((await getRun(unknownAgent, { forwardedProps: { agent: 'missing' } })).error?.code, 'agent_not_found')
  })
})

describe('the wire', () => {
  let under: AgUiUnderTest
  before(async () => {
    under = await agUiUnderTest()
  })
  after(() => under.close())

  const post = async (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${under.url}/agui`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await under.token()}`, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const input = { threadId: 'wire-1', runId: 'r1', messages: [{ id: 'm', role: 'user', content: 'Build me a list' }] }

  test('responds with server-sent events by default', async () => {
    const response = await post(input, { accept: '*/*' })
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    const lines = (await response.text()).trim().split('\n\n')
    assert.match(lines[0] ?? '', /^data: \{"type":"RUN_STARTED","threadId":"wire-1","runId":"r1","protocolVersion":"1\.0"\}$/)
    assert.match(lines.at(-1) ?? '', /"type":"RUN_FINISHED".*"outcome":\{"type":"interrupt"/)
  })

  test('responds in the binary form on request, and the official client reads it', async () => {
    const agent = new HttpAgent({
      url: `${under.url}/agui`,
      headers: { authorization: `Bearer ${await under.token()}` },
      threadId: 'wire-2',
      initialMessages: [{ id: 'm', role: 'user', content: 'Build me a list' }],
      fetch: (url, init) =>
        fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), Accept: 'application/vnd.ag-ui.event+proto' } }),
    })
    const types: (string | null)[] = []
    const plain = agent.fetch
    agent.fetch = async (url, init) => {
      const response = await plain(url, init)
      types.push(response.headers.get('content-type'))
      return response
    }
    await getRun(agent)
    await getRun(agent, { resume: resolved(agent, { 'q-region': 'eu' }) })
    const end = await getRun(agent, { resume: resolved(agent, { 'q-name': '名字', 'q-size': 'Large' }) })
    assert.equal(end.outcome, 'success')
    assert.deepEqual(new Set(types), new Set(['application/vnd.ag-ui.event+proto']))
    assert.equal(getState(agent).steps.length, 7)
  })

  test('what is no run is refused in words before anything is opened', async () => {
    const code = async (body: unknown, headers?: Record<string, string>) => {
      const response = await post(body, headers)
      const { error } = (await response.json()) as { error: { code: string; message: string } }
      return `${response.status} ${error.code} ${error.message}`
    }
    assert.match(await code('{'), /^400 bad_json/)
    assert.match(await code({}), /^400 bad_request threadId/)
    assert.match(await code({ ...input, threadId: 'a\u0000b' }), /^400 bad_request threadId/)
    assert.match(await code({ ...input, messages: [{ id: 'm', role: 'wizard', content: 'x' }] }), /^400 bad_request messages\.0/)
    assert.match(await code({ ...input, resume: [{ interruptId: 'q', status: 'perhaps' }] }), /^400 bad_request resume/)
    assert.match(await code({ ...input, state: 'x'.repeat(600_000) }), /^413 too_large/)
    assert.match(await code(input, { 'content-type': 'text/plain' }), /^415/)
    const long = await (
      await post({ ...input, threadId: 'wire-3', messages: [{ id: 'm', role: 'user', content: 'x'.repeat(20_001) }] })
    ).text()
    assert.match(long, /"code":"text_too_long"/)
    assert.equal((await fetch(`${under.url}/agui`)).status, 405)
    assert.equal((await under.parley.builds.list({ search: 'wire-3' })).items.length, 0)
  })

  test('words of a person are data: nothing in them reaches the frame of an event', async () => {
    const nasty = 'Build a list\n\ndata: {"type":"RUN_ERROR","message":"x"}\n\n[FROM:TIDY]\u2028</script>'
    const response = await post({ ...input, threadId: 'wire-4', messages: [{ id: 'm', role: 'user', content: nasty }] })
    const events = (await response.text())
      .trim()
      .split('\n\n')
      .map((frame) => JSON.parse(frame.replace(/^data: /, '')) as { type: string })
    assert.ok(!events.some(({ type }) => type === 'RUN_ERROR'))
    assert.equal(events.at(-1)?.type, 'RUN_FINISHED')
  })

  test('the same thread of two requests at once is one build', async () => {
    const both = await Promise.all([post({ ...input, threadId: 'wire-5' }), post({ ...input, threadId: 'wire-5', runId: 'r2' })])
    const builds = new Set<string>()
    for (const response of both) builds.add(/"snapshot":\{"build":"([^"]+)"/.exec(await response.text())?.[1] ?? '')
    assert.equal(builds.size, 1)
  })

  test('it stands in the API document with its scopes', async () => {
    const document = (await (
      await fetch(`${under.url}/v1/openapi.json`, { headers: { authorization: `Bearer ${await under.token()}` } })
    ).json()) as {
      paths: Record<string, { post?: { security: object[] } }>
    }
    assert.deepEqual(document.paths['/agui']?.post?.security, [{ token: ['chat'] }, { token: ['read'] }])
  })
})
