import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test, type TestContext } from 'node:test'
import { probeLimits, type ProbedWindow, probeWindow } from './probe.ts'

type Routes = Record<string, unknown>

/** A server on this machine that knows these paths. */
async function serve(t: TestContext, routes: Routes | ((request: IncomingMessage, response: ServerResponse) => void)) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    if (typeof routes === 'function') return routes(request, response)
    const document = routes[request.url ?? '']
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(typeof document === 'string' ? document : JSON.stringify(document ?? { error: 'not found' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen }
}

const loaded = (windowTokens: number): ProbedWindow => ({ windowTokens, isLoaded: true })
const maximum = (windowTokens: number): ProbedWindow => ({ windowTokens, isLoaded: false })

const cases: readonly [string, string, Routes, ProbedWindow | null][] = [
  ['Ollama: loaded', 'llama3.2', { '/api/ps': { models: [{ name: 'llama3.2:latest', context_length: 4_096 }] } }, loaded(4_096)],
  [
    'Ollama: num_ctx in the model file',
    'mine',
    {
      '/api/ps': { models: [] },
      '/api/show': { parameters: 'stop "<|end|>"\nnum_ctx                        16384', model_info: { 'qwen2.context_length': 131_072 } },
    },
    loaded(16_384),
  ],
  [
    'Ollama: maximum only',
    'mine',
    {
      '/api/ps': { models: [{ name: 'other:latest', context_length: 1 }] },
      '/api/show': { model_info: { 'qwen2.context_length': 131_072 } },
    },
    maximum(131_072),
  ],
  ['llama.cpp', 'any', { '/props': { default_generation_settings: { n_ctx: 8_192 }, total_slots: 1 } }, loaded(8_192)],
  [
    'LM Studio: loaded',
    'qwen/qwen3-8b',
    { '/api/v0/models': { data: [{ id: 'qwen/qwen3-8b', state: 'loaded', max_context_length: 32_768, loaded_context_length: 4_096 }] } },
    loaded(4_096),
  ],
  [
    'LM Studio: not loaded',
    'qwen/qwen3-8b',
    { '/api/v0/models': { data: [{ id: 'qwen/qwen3-8b', state: 'not-loaded', max_context_length: 32_768 }] } },
    maximum(32_768),
  ],
  ['vLLM', 'Qwen/Qwen3-32B', { '/v1/models': { data: [{ id: 'Qwen/Qwen3-32B', max_model_len: 40_960 }] } }, loaded(40_960)],
  ['vLLM: another model', 'mine', { '/v1/models': { data: [{ id: 'Qwen/Qwen3-32B', max_model_len: 40_960 }] } }, null],
  [
    'OpenRouter: the window of the provider, not of the model',
    'z-ai/glm-5.2',
    { '/v1/models': { data: [{ id: 'z-ai/glm-5.2', context_length: 1_000_000, top_provider: { context_length: 202_752 } }] } },
    loaded(202_752),
  ],
  ['a server that says nothing', 'mine', { '/v1/models': { data: [{ id: 'mine' }] } }, null],
  [
    'nonsense',
    'mine',
    { '/api/ps': { models: 'none' }, '/props': [1], '/api/v0/models': '{"data": [nul', '/v1/models': { data: [null, 7] } },
    null,
  ],
  ['windows that are none', 'mine', { '/props': { n_ctx: -1 }, '/v1/models': { data: [{ id: 'mine', max_model_len: '8192' }] } }, null],
]

describe('probeWindow', () => {
  for (const [what, model, routes, expected] of cases)
    test(what, async (t) => {
      const { baseUrl } = await serve(t, routes)
      assert.deepEqual(await probeWindow({ baseUrl, model }), expected)
    })

  test('sends the headers of the model, and finds a base URL that ends with a slash', async (t) => {
    const headers: unknown[] = []
    const { baseUrl, seen } = await serve(t, (request, response) => {
      headers.push(request.headers['authorization'])
      response.end('{"models":[{"name":"m","context_length":2048}]}')
    })
    assert.deepEqual(await probeWindow({ baseUrl: `${baseUrl}/`, model: 'm', headers: { authorization: 'Bearer k' } }), loaded(2_048))
    assert.deepEqual([headers, seen], [['Bearer k'], ['GET /api/ps']])
  })

  test('does not follow a redirect', async (t) => {
    const other = await serve(t, {})
    const { baseUrl } = await serve(t, (_, response) => response.writeHead(302, { location: other.baseUrl }).end())
    assert.equal(await probeWindow({ baseUrl, model: 'm', headers: { authorization: 'Bearer k' } }), null)
    assert.deepEqual(other.seen, [])
  })

  test('ends when the server sends nothing', async (t) => {
    const { baseUrl } = await serve(t, () => {})
    const limits = { ...probeLimits, requestTimeoutMs: 20, totalTimeoutMs: 60 }
    assert.equal(await probeWindow({ baseUrl, model: 'm' }, { limits }), null)
  })

  test('ends when the response has no end', async (t) => {
    const { baseUrl } = await serve(t, (_, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write('"'.repeat(10_000)));
      }
      response.on('drain', write)
      write()
    })
    assert.equal(await probeWindow({ baseUrl, model: 'm' }, { limits: { ...probeLimits, responseBytes: 100_000 } }), null)
  })

  test('ends at once when it is aborted', async (t) => {
    const { baseUrl, seen } = await serve(t, () => {})
    assert.equal(await probeWindow({ baseUrl, model: 'm' }, { signal: AbortSignal.abort() }), null)
    assert.deepEqual(seen, [])
  })

  test('asks a hosted service for its list alone', async () => {
    const asked: string[] = []
    const get: typeof fetch = async (address) => {
      asked.push(address instanceof Request ? address.url : address.toString())
      return Response.json({ data: [{ id: 'a/b', top_provider: { context_length: 9_000 } }] })
    }
    assert.deepEqual(await probeWindow({ baseUrl: 'https://openrouter.ai/api/v1', model: 'a/b' }, { get }), loaded(9_000))
    assert.deepEqual(asked, ['https://openrouter.ai/api/v1/models'])
  })

  test('an address that is none has no window', async () => {
    assert.equal(await probeWindow({ baseUrl: 'nowhere', model: 'm' }), null)
    assert.equal(await probeWindow({ baseUrl: 'http://127.0.0.1:9/v1', model: 'm' }), null)
  })
})
