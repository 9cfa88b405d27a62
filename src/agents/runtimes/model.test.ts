import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type ModelConfig, modelSchema } from '../../app/config/schema.ts'
import { ParleyError } from '../../errors.ts'
import type { AgentOutput, GenerationInput } from '../../ports/agent-runtime.ts'
import { type Behaviour, modelEmulator } from '../../testing/model-emulator.ts'
import { type Protocol, streamChunks } from '../../testing/model-wire.ts'
import { askHumanTool } from '../ask-human.ts'
import { modelRuntime } from './model.ts'
import { declaredTool, promptInput } from './test/prompt-input.ts'

const key = 'sk-very-secret-123456'

const input: GenerationInput = promptInput({ tools: [askHumanTool, declaredTool('look')] })

async function collect(outputs: AsyncIterable<AgentOutput>): Promise<AgentOutput[]> {
  const all: AgentOutput[] = []
  for await (const output of outputs) all.push(output)
  return all
}

const joinText = (outputs: AgentOutput[]): string => outputs.flatMap((output) => (output.type === 'delta' ? [output.text] : [])).join('')

for (const provider of ['openai-compatible', 'anthropic'] satisfies Protocol[]) {
  describe(`a model behind ${provider}`, async () => {
    const emulator = await modelEmulator()
    after(() => emulator.close())
    const configured = (more: Partial<ModelConfig> = {}): ModelConfig =>
      modelSchema.parse({ provider, baseUrl: emulator.url, model: 'emulated', apiKey: key, ...more })
    const generate = (
      behaviour: Behaviour,
      more: Partial<ModelConfig> = {},
      given: Partial<GenerationInput> = {},
    ): Promise<AgentOutput[]> => {
      emulator.next(behaviour)
      const runtime = modelRuntime({ model: configured(more), member: {} })
      return collect(runtime.generate({ ...input, ...given }, new AbortController().signal))
    }
    const failure = async (behaviour: Behaviour, more: Partial<ModelConfig> = {}): Promise<ParleyError> => {
      const error = await generate(behaviour, more).then(
        (outputs) => assert.fail(`it gave ${JSON.stringify(outputs)}`),
        (thrown: unknown) => thrown,
      )
      assert.ok(error instanceof ParleyError, String(error))
      assert.ok(!JSON.stringify([error.message, error.details, error.hint, String(error.cause)]).includes(key), 'the key is in the error')
      return error
    }

    it('streams text, thinking and usage', async () => {
      const outputs = await generate({ does: 'reply', thinking: ['hm'], pieces: ['Good ', 'day, ', '世界 🎈'] })
      assert.equal(joinText(outputs), 'Good day, 世界 🎈')
      assert.ok(outputs.some((output) => output.type === 'thinking' && output.text === 'hm'))
      assert.deepEqual(outputs.at(-1), { type: 'usage', model: 'emulated', usage: { inputTokens: 7, outputTokens: 5 } })
    })

    it('sends the key, the prompt, the tools and the dialog', async () => {
      emulator.requests.length = 0
      await generate({ does: 'reply', pieces: ['ok'] })
      const [request] = emulator.requests
      assert.ok(JSON.stringify(request?.headers).includes(key))
      const body = JSON.stringify(request?.body)
      for (const part of ['You are ada', 'Hello', 'askHuman']) assert.ok(body.includes(part), `${part} in ${body}`)
    })

    it('puts together a call that comes in pieces', async () => {
      const outputs = await generate({
        does: 'reply',
        pieces: ['Looking.'],
        calls: [{ id: 'c1', name: 'look', args: ['{"wh', 'ere":"he', 're"}'] }],
      })
      assert.deepEqual(
        outputs.filter((output) => output.type === 'call'),
        [{ type: 'call', call: 'c1', name: 'look', input: { where: 'here' } }],
      )
    })

    it('passes on an unknown tool and broken input for the driver to answer', async () => {
      const outputs = await generate({ does: 'reply', pieces: [], calls: [{ id: 'c1', name: 'no_such_tool', args: ['{"half": '] }] })
      assert.deepEqual(
        outputs.filter((output) => output.type === 'call'),
        [
          {
            type: 'call',
            call: 'c1',
            name: 'no_such_tool',
            input: { unreadable: '{"half": ' },
            fault: { kind: 'unknown-tool', name: 'no_such_tool', suggestion: null },
          },
        ],
      )
    })

    it('keeps calls apart that come with the same id', async () => {
      const look = (at: number) => ({ id: 'c1', name: 'look', args: [`{"at":${at}}`] })
      const outputs = await generate({ does: 'reply', pieces: [], calls: [look(1), look(2)] })
      const calls = outputs.flatMap((output) => (output.type === 'call' ? [output.call] : []))
      assert.equal(new Set(calls).size, 2)
    })

    it('turns askHuman into a question under the same call', async () => {
      const ask = { text: 'Which?', items: [{ id: 'a', text: 'One', kind: 'choice', options: ['x', { value: 'y', label: 'Y' }] }] }
      const outputs = await generate({ does: 'reply', pieces: [], calls: [{ id: 'q1', name: 'askHuman', args: [JSON.stringify(ask)] }] })
      assert.deepEqual(
        outputs.map((output) => output.type),
        ['call', 'question', 'usage'],
      )
      const options = [
        { value: 'x', label: 'x' },
        { value: 'y', label: 'Y' },
      ]
      assert.deepEqual(outputs[1], {
        type: 'question',
        call: 'q1',
        ask: { text: 'Which?', items: [{ id: 'a', text: 'One', kind: 'choice', options }] },
      })
    })

    it('leaves a malformed question to the driver, which can say what is wrong', async () => {
      const ask = { text: 'Which?', items: [{ id: 'a', text: 'One', kind: 'choice', options: ['only one'] }] }
      const outputs = await generate({ does: 'reply', pieces: [], calls: [{ id: 'q1', name: 'askHuman', args: [JSON.stringify(ask)] }] })
      assert.deepEqual(
        outputs.map((output) => output.type),
        ['call', 'usage'],
      )
      assert.deepEqual(askHumanTool.check(ask), { fault: '"a" has 1 options' })
    })

    it('says so when the reply was cut by its length', async () => {
      assert.match(
        joinText(await generate({ does: 'reply', pieces: ['Once upon'], finish: 'length' })),
        /^Once upon\n\n\[The model stopped here/,
      )
    })

    it('takes a huge reply', async () => {
      const pieces = Array.from({ length: 500 }, (_, index) => `${index} ${'x'.repeat(2_000)}`)
      assert.equal(joinText(await generate({ does: 'reply', pieces })), pieces.join(''))
    })

    const failures: [string, Behaviour, { code: string; retryable: boolean; retryAfterMs?: number }][] = [
      ['a refused key', { does: 'refuse', status: 401, message: `wrong key ${key}` }, { code: 'model_key_refused', retryable: false }],
      ['a forbidden model', { does: 'refuse', status: 403 }, { code: 'model_key_refused', retryable: false }],
      [
        'too many requests',
        { does: 'refuse', status: 429, headers: { 'retry-after': '7' } },
        { code: 'model_rate_limited', retryable: true, retryAfterMs: 7_000 },
      ],
      [
        'too many requests, in ms',
        { does: 'refuse', status: 429, headers: { 'retry-after-ms': '250', 'retry-after': '9' } },
        { code: 'model_rate_limited', retryable: true, retryAfterMs: 250 },
      ],
      ['a server error', { does: 'refuse', status: 500 }, { code: 'model_overloaded', retryable: true }],
      ['an overloaded server', { does: 'refuse', status: 529 }, { code: 'model_overloaded', retryable: true }],
      [
        'a bad request that names the key',
        { does: 'refuse', status: 400, message: `bad ${key}` },
        { code: 'model_refused', retryable: false },
      ],
      ['an unknown model', { does: 'refuse', status: 404 }, { code: 'model_refused', retryable: false }],
      [
        'a redirect',
        { does: 'refuse', status: 302, headers: { location: 'http://127.0.0.1:1/' } },
        { code: 'model_refused', retryable: false },
      ],
      [
        'a cut connection',
        { does: 'cut-after', chunks: 2, reply: { pieces: ['one', 'two', 'three'] } },
        { code: 'model_unreachable', retryable: true },
      ],
      [
        'a reply that just ends',
        { does: 'end-after', chunks: 3, reply: { pieces: ['one', 'two', 'three'] } },
        { code: 'model_garbled', retryable: true },
      ],
      [
        'a web page',
        { does: 'garbage', body: '<html><body>Sign in</body></html>', contentType: 'text/html' },
        { code: 'model_wrong_address', retryable: false },
      ],
      [
        'JSON instead of a stream',
        { does: 'garbage', body: '{"ok":true}', contentType: 'application/json' },
        { code: 'model_garbled', retryable: true },
      ],
      [
        'events that are no JSON',
        { does: 'garbage', body: 'data: {nope\n\ndata: [DONE]\n\n', contentType: 'text/event-stream' },
        { code: 'model_garbled', retryable: true },
      ],
      [
        'events of another protocol',
        { does: 'garbage', body: 'data: {"hello":1}\n\n', contentType: 'text/event-stream' },
        { code: 'model_garbled', retryable: true },
      ],
      ['an empty body', { does: 'garbage', body: '', contentType: 'text/event-stream' }, { code: 'model_garbled', retryable: true }],
      [
        'an error inside the stream',
        { does: 'error-after', chunks: 2, reply: { pieces: ['one'] }, type: 'overloaded_error', message: 'busy' },
        { code: 'model_overloaded', retryable: true },
      ],
      [
        'a rate limit inside the stream',
        { does: 'error-after', chunks: 0, reply: { pieces: ['one'] }, type: 'rate_limit_error', message: 'slow' },
        { code: 'model_rate_limited', retryable: true },
      ],
    ]
    for (const [what, behaviour, { code, retryable, retryAfterMs }] of failures) {
      it(`reports ${what} as ${code}`, async () => {
        const error = await failure(behaviour)
        const isRefusal = behaviour.does === 'refuse' && behaviour.status < 500
        assert.equal(error.isUnmetered, isRefusal, 'only what the model refused before it accepted it is free')
        assert.deepEqual([error.code, error.retryable, error.retryAfterMs], [code, retryable, retryAfterMs], error.message)
        assert.ok(!error.message.includes('?'), error.message)
      })
    }

    it('reports a missing server', async () => {
      const gone = await modelEmulator()
      await gone.close()
      const runtime = modelRuntime({ model: configured({ baseUrl: gone.url }), member: {} })
      await assert.rejects(collect(runtime.generate(input, new AbortController().signal)), (error: ParleyError) => {
        assert.deepEqual([error.code, error.retryable, error.details.why], ['model_unreachable', true, 'nothing listens at its address'])
        return true
      })
    })

    it('reads on while tokens keep coming, however long it takes in all', async () => {
      const outputs = await generate(
        { does: 'reply', pieces: ['a', 'b', 'c', 'd', 'e', 'f'], delayMs: 40 },
        { betweenTokensSeconds: 0.2, firstTokenSeconds: 0.2 },
      )
      assert.equal(joinText(outputs), 'abcdef')
    })
  })
}

describe('a model that goes silent', () => {
  for (const provider of ['openai-compatible', 'anthropic'] satisfies Protocol[]) {
    it(`is given up and its request ended (${provider})`, async () => {
      const emulator = await modelEmulator()
      try {
        const model = modelSchema.parse({
          provider,
          baseUrl: emulator.url,
          model: 'emulated',
          apiKey: key,
          firstTokenSeconds: 0.05,
          betweenTokensSeconds: 0.05,
        })
        const runtime = modelRuntime({ model, member: {} })
        const reply = { pieces: ['one', 'two'] }
        for (const behaviour of [
          { does: 'stall' },
          { does: 'stall-after', chunks: streamChunks(provider, reply).length - 3, reply },
        ] satisfies Behaviour[]) {
          emulator.next(behaviour)
          await assert.rejects(
            collect(runtime.generate(input, new AbortController().signal)),
            (error: ParleyError) => error.code === 'model_stalled' && error.retryable,
          )
        }
        while (emulator.abandoned < 2) await new Promise((resolve) => setImmediate(resolve))
      } finally {
        await emulator.close()
      }
    })

    it(`can be stopped at once (${provider})`, async () => {
      const emulator = await modelEmulator()
      try {
        const runtime = modelRuntime({
          model: modelSchema.parse({ provider, baseUrl: emulator.url, model: 'emulated', apiKey: key }),
          member: {},
        })
        const stop = new AbortController()
        emulator.next({ does: 'stall-after', chunks: 4, reply: { pieces: ['one', 'two', 'three'] } })
        const outputs: AgentOutput[] = []
        await assert.rejects(async () => {
          for await (const output of runtime.generate(input, stop.signal)) {
            outputs.push(output)
            stop.abort(new Error('stopped'))
          }
        }, /stopped/)
        assert.ok(outputs.length > 0)
        while (emulator.abandoned < 1) await new Promise((resolve) => setImmediate(resolve))
      } finally {
        await emulator.close()
      }
    })
  }
})
