import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { type ModelConfig, modelSchema } from '../../app/config/schema.ts'
import type { ParleyError } from '../../errors.ts'
import type { AgentOutput, GenerationInput } from '../../ports/agent-runtime.ts'
import { streamChunks } from '../../testing/model-wire.ts'
import { askHumanTool } from '../ask-human.ts'
import type { PromptItem } from '../../dialogs/rules/prompt/prompt-items.ts'
import { modelRuntime } from './model.ts'
import { declaredTool, messageItem, promptInput } from './test/prompt-input.ts'

const input: GenerationInput = promptInput({ tools: [declaredTool('look')] }, { turn: 3, generation: 2 })

type RawServer = AsyncDisposable & { url: string; connections: Socket[]; requests: string[]; closeIdle(): Promise<void> }

/** Answers each whole request with bytes as they are; `nth` counts all requests from 0. */
async function rawServer(answer: (socket: Socket, nth: number) => void): Promise<RawServer> {
  const connections: Socket[] = []
  const requests: string[] = []
  const server = createServer((socket) => {
    connections.push(socket)
    let rest = ''
    socket.on('error', () => {})
    socket.setEncoding('latin1').on('data', (bytes) => {
      rest += String(bytes)
      const head = rest.indexOf('\r\n\r\n') + 4
      const length = Number(/content-length: (\d+)/i.exec(rest)?.[1] ?? 0)
      if (head < 4 || rest.length < head + length) return
      requests.push(rest)
      rest = ''
      answer(socket, requests.length - 1)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    connections,
    requests,
    async closeIdle() {
      await Promise.all(
        connections.map(
          (socket) => new Promise((resolve) => (socket.destroyed ? resolve(null) : socket.once('close', resolve).resetAndDestroy())),
        ),
      )
    },
    async [Symbol.asyncDispose]() {
      for (const socket of connections) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const http = (status: string, headers: string, body: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n`),
    Buffer.from(body as string),
  ])
const eventStream = (body: string): Buffer => http('200 OK', 'content-type: text/event-stream\r\n', body)
const document = (status: string, value: unknown): Buffer => http(status, 'content-type: application/json\r\n', JSON.stringify(value))
const hi = eventStream(streamChunks('openai-compatible', { pieces: ['Hi ', '世界'] }).join(''))

async function collect(outputs: AsyncIterable<AgentOutput>): Promise<AgentOutput[]> {
  const all: AgentOutput[] = []
  for await (const output of outputs) all.push(output)
  return all
}
function generate(
  url: string,
  more: Partial<ModelConfig> = {},
  given: Partial<GenerationInput> = {},
  signal?: AbortSignal,
): Promise<AgentOutput[]> {
  const model = modelSchema.parse({ provider: 'openai-compatible', baseUrl: url, model: 'm', ...more })
  return collect(modelRuntime({ model, member: {} }).generate({ ...input, ...given }, signal ?? new AbortController().signal))
}
const joinText = (outputs: AgentOutput[]): string => outputs.flatMap((output) => (output.type === 'delta' ? [output.text] : [])).join('')
const catchFailure = async (trying: Promise<unknown>): Promise<ParleyError> =>
  (await trying.then(
    () => assert.fail('it did not fail'),
    (error: unknown) => error,
  )) as ParleyError

describe('a model behind raw bytes', () => {
  it('is asked as the protocol wants it', async () => {
    await using server = await rawServer((socket) => socket.write(hi))
    const call = (id: string): PromptItem => ({
      kind: 'output',
      parts: [
        ...(id === 'c1' ? [{ type: 'words' as const, text: 'Looking.' }] : []),
        { type: 'call', call: id, name: 'look', input: { x: 1 } },
      ],
    })
    const result = (id: string, ok: boolean, text: string): PromptItem => ({
      kind: 'result',
      call: id,
      tool: 'look',
      handle: 'o1',
      result: { is: 'outcome', ok, text },
    })
    const items = [messageItem('Hello'), call('c1'), result('c1', true, '{"found":[1]}'), call('c2'), result('c2', false, 'gone')]
    const { name, description, inputSchema } = askHumanTool
    const more = { apiKey: 'k', temperature: 0.5, maxOutputTokens: 9, headers: { 'X-Team': 't', 'User-Agent': 'mine' } }
    await generate(`${server.url}/?tenant=a`, more, promptInput({ items, tools: [askHumanTool] }))
    const [head = '', body = ''] = server.requests[0]?.split('\r\n\r\n') ?? []
    assert.match(head, /^POST \/v1\/chat\/completions\?tenant=a HTTP\/1.1\r\n/)
    for (const line of [
      'authorization: Bearer k',
      'content-type: application/json',
      'x-team: t',
      'user-agent: mine',
      'accept-encoding: identity',
    ])
      assert.ok(head.includes(`\r\n${line}`), `${line} in ${head}`)
    const tool = (id: string, content: string): object => ({ role: 'tool', tool_call_id: id, content })
    const calls = (id: string): object[] => [{ id, type: 'function', function: { name: 'look', arguments: '{"x":1}' } }]
    assert.deepEqual(JSON.parse(body), {
      model: 'm',
      max_tokens: 9,
      temperature: 0.5,
      messages: [
        {
          role: 'system',
          content: 'You are ada.',
        },
        { role: 'user', content: '<message from="Mia" at="1970-01-01 00:00 +00:00">Hello</message>' },
        { role: 'assistant', content: 'Looking.', tool_calls: calls('c1') },
        tool('c1', '{"found":[1]}'),
        { role: 'assistant', content: null, tool_calls: calls('c2') },
        tool('c2', 'gone'),
      ],
      tools: [{ type: 'function', function: { name, description, parameters: inputSchema } }],
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('may answer byte by byte', async () => {
    await using server = await rawServer((socket) => {
      socket.setNoDelay(true)
      let at = 0
      const more = (): void => void (at < hi.length && socket.write(hi.subarray(at, (at += 7)), () => setImmediate(more)))
      more()
    })
    assert.equal(joinText(await generate(server.url)), 'Hi 世界')
  })

  it('may answer with a whole completion, and with chunked encoding', async () => {
    const body = JSON.stringify({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] })
    await using server = await rawServer((socket) =>
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      ),
    )
    assert.equal(joinText(await generate(server.url)), 'Hi')
  })

  it('may end its reply by closing, and names calls that came without an id', async () => {
    const look = {
      choices: [{ delta: { tool_calls: [{ function: { name: 'look', arguments: { x: 1 } } }] }, finish_reason: 'tool_calls' }],
    }
    await using server = await rawServer((socket) => socket.end(`HTTP/1.0 200 OK\r\n\r\ndata: ${JSON.stringify(look)}\n\n`))
    const calls = (await generate(server.url)).filter(({ type }) => type === 'call')
    assert.deepEqual(calls, [{ type: 'call', call: 'call_3_2_1', name: 'look', input: { x: 1 } }])
  })

  it('is not waited for after [DONE]', async () => {
    await using server = await rawServer((socket) => {
      const body = streamChunks('openai-compatible', { pieces: ['Hi'] }).join('')
      socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`)
    })
    assert.equal(joinText(await generate(server.url)), 'Hi')
    assert.equal(server.connections[0]?.destroyed, false)
  })

  const refusals: [string, Buffer, { code: string; retryable: boolean; said: RegExp }][] = [
    [
      'an error in place of a reply',
      document('200 OK', { error: { message: 'no such model' } }),
      { code: 'model_garbled', retryable: true, said: /no such model/ },
    ],
    [
      'a kind of error in place of a reply',
      document('200 OK', { error: { message: 'slow down', type: 'rate_limit_error' } }),
      { code: 'model_rate_limited', retryable: true, said: /slow down/ },
    ],
    [
      'a plain error',
      http('400 Bad Request', 'content-type: text/plain\r\n', 'too many words'),
      { code: 'model_refused', retryable: false, said: /too many words/ },
    ],
    [
      'an error as text',
      document('404 Not Found', { error: 'model "m" not found' }),
      { code: 'model_refused', retryable: false, said: /model "m" not found/ },
    ],
    [
      'an error as detail',
      document('422 Unprocessable', { detail: 'no tools here' }),
      { code: 'model_refused', retryable: false, said: /no tools here/ },
    ],
    [
      'a page as error',
      http('404 Not Found', 'content-type: text/html\r\n', '<html>x</html>'),
      { code: 'model_wrong_address', retryable: false, said: /web page/ },
    ],
    [
      'a request for payment',
      document('402 Payment Required', { error: { message: 'Insufficient Balance' } }),
      { code: 'model_unpaid', retryable: false, said: /\(402\): Insufficient Balance/ },
    ],
    [
      'a dialog that is too long',
      document('400 Bad Request', { error: { message: "This model's maximum context length is 8192 tokens. Your messages have 9000." } }),
      { code: 'context_overflow', retryable: false, said: /context window of the model/ },
    ],
    [
      'the page of a busy gateway',
      http('502 Bad Gateway', 'content-type: text/html\r\n', '<html>x</html>'),
      { code: 'model_overloaded', retryable: true, said: /reported an error \(502\)/ },
    ],
    [
      'an endless error',
      http('400 Bad Request', '', `{"error":{"message":"${'x'.repeat(200_000)}"}}`),
      { code: 'model_refused', retryable: false, said: /Bad Request/ },
    ],
    [
      'a redirect',
      http('307 Temporary Redirect', 'location: http://127.0.0.1:9/\r\n', ''),
      { code: 'model_refused', retryable: false, said: /redirects/ },
    ],
    [
      'a compressed reply',
      http('200 OK', 'content-encoding: gzip\r\n', 'x'),
      { code: 'model_garbled', retryable: false, said: /compressed/ },
    ],
    ['another protocol', Buffer.from('SSH-2.0-x\r\n'), { code: 'model_unreachable', retryable: true, said: /HPE/ }],
    [
      'a web page',
      http('200 OK', 'content-type: text/html\r\n', '<html>x</html>'),
      { code: 'model_wrong_address', retryable: false, said: /web page/ },
    ],
    [
      'nothing',
      http('200 OK', 'content-type: text/event-stream\r\n', ''),
      { code: 'model_garbled', retryable: true, said: /it sent nothing/ },
    ],
    ['a reply that is cut', hi.subarray(0, -200), { code: 'model_unreachable', retryable: true, said: /cut/ }],
  ]
  for (const [what, bytes, { code, retryable, said }] of refusals)
    it(`may answer with ${what}: ${code}`, async () => {
      await using server = await rawServer((socket) => socket.end(bytes))
      const error = await catchFailure(generate(server.url, { apiKey: 'sk-secret' }))
      assert.deepEqual([error.code, error.retryable], [code, retryable], error.message)
      assert.match(code === 'model_rate_limited' ? 'slow down' : error.message, said)
      assert.equal(server.requests.length, 1)
    })

  it('is not asked with a key that cannot be sent, and the key is not told', async () => {
    await using server = await rawServer((socket) => socket.write(hi))
    const error = await catchFailure(generate(server.url, { apiKey: 'sk-bad\nkey' }))
    assert.deepEqual([error.code, error.retryable, server.requests.length], ['model_refused', false, 0])
    assert.doesNotMatch(JSON.stringify([error.message, error.details]), /sk-bad/)
  })
})

describe('the connection to a model', () => {
  it('is used again', async () => {
    await using server = await rawServer((socket) => socket.write(hi))
    for (let count = 0; count < 3; count += 1) await generate(server.url)
    assert.equal(server.connections.length, 1)
  })

  it('is replaced when the server closed it in between, as often as that happens', async () => {
    await using server = await rawServer((socket) => socket.write(hi))
    await Promise.all([generate(server.url), generate(server.url), generate(server.url)])
    assert.equal(server.connections.length, 3)
    await server.closeIdle()
    assert.equal(joinText(await generate(server.url)), 'Hi 世界')
  })

  it('is tried once more when it is reset as it is used again, and only once', async () => {
    await using server = await rawServer((socket, nth) => void (nth === 0 ? socket.write(hi) : socket.resetAndDestroy()))
    await generate(server.url)
    const error = await catchFailure(generate(server.url))
    assert.deepEqual([error.code, server.requests.length, server.connections.length], ['model_unreachable', 3, 2])
  })

  it('is not tried again once an answer began', async () => {
    await using server = await rawServer((socket, nth) => void (nth === 0 ? socket.write(hi) : socket.end(hi.subarray(0, 20))))
    await generate(server.url)
    const error = await catchFailure(generate(server.url))
    assert.deepEqual([error.code, server.requests.length], ['model_unreachable', 2])
  })

  it('is closed at once by stopping, before and after the answer began', async () => {
    const stop = { waiting: new AbortController(), reading: new AbortController() }
    await using server = await rawServer((socket, nth) => {
      if (nth === 0) stop.waiting.abort(new Error('stopped'))
      else socket.write(hi.subarray(0, -200))
    })
    await assert.rejects(generate(server.url, {}, {}, stop.waiting.signal), /stopped/)
    const model = modelSchema.parse({ provider: 'openai-compatible', baseUrl: server.url, model: 'm' })
    await assert.rejects(async () => {
      for await (const _ of modelRuntime({ model, member: {} }).generate(input, stop.reading.signal))
        stop.reading.abort(new Error('stopped'))
    }, /stopped/)
    for (const socket of server.connections) if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve))
    assert.equal(server.connections.length, 2)
  })

  it('is closed when the reader has heard enough', async () => {
    await using server = await rawServer((socket) => socket.write(hi.subarray(0, -200)))
    const model = modelSchema.parse({ provider: 'openai-compatible', baseUrl: server.url, model: 'm' })
    for await (const output of modelRuntime({ model, member: {} }).generate(input, new AbortController().signal)) {
      assert.equal(output.type, 'delta')
      break
    }
    const [socket] = server.connections
    if (!socket?.destroyed) await new Promise((resolve) => socket?.once('close', resolve))
    assert.equal(socket?.destroyed, true)
  })

  it('is given up when only comments come', async () => {
    await using server = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n')
      const timer = setInterval(() => socket.write(': keep-alive\n\n'), 10)
      socket.on('close', () => clearInterval(timer))
    })
    const error = await catchFailure(generate(server.url, { firstTokenSeconds: 0.1 }))
    assert.deepEqual([error.code, error.retryable], ['model_stalled', true])
  })
})
