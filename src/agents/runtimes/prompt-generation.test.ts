import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type ModelConfig, modelSchema } from '../../app/config/schema.ts'
import type { OutputPart, PromptItem } from '../../dialogs/rules/prompt/prompt-items.ts'
import { ParleyError } from '../../errors.ts'
import type { AgentOutput, GenerationInput } from '../../ports/agent-runtime.ts'
import { type Behaviour, modelEmulator } from '../../testing/model-emulator.ts'
import { declaredTool, messageItem, promptInput } from './test/prompt-input.ts'
import { learnedModels } from '../models/learned-models.ts'
import { type Wire, wires } from '../wires/wire.ts'
import { modelRuntime } from './model.ts'

const emulator = await modelEmulator()
after(() => emulator.close())

type Asked = { outputs: AgentOutput[]; error: ParleyError | null; bodies: Record<string, unknown>[]; texts: string[] }

const configured = (wire: Wire, more: Partial<ModelConfig> = {}): ModelConfig =>
  modelSchema.parse({
    provider: wire === 'anthropic' ? 'anthropic' : 'openai-compatible',
    wire,
    baseUrl: emulator.url,
    model: 'emulated',
    apiKey: 'k',
    ...more,
  })

async function ask(
  model: ModelConfig,
  behaviours: readonly Behaviour[],
  input: GenerationInput = promptInput(),
  learned = learnedModels(),
): Promise<Asked> {
  emulator.requests.length = 0
  emulator.next(...behaviours)
  const outputs: AgentOutput[] = []
  let error: ParleyError | null = null
  try {
    for await (const output of modelRuntime({ model, member: {}, learned }).generate(input, new AbortController().signal))
      outputs.push(output)
  } catch (thrown) {
    assert.ok(thrown instanceof ParleyError, String(thrown))
    error = thrown
  }
  return { outputs, error, bodies: emulator.requests.map(({ body }) => body), texts: emulator.requests.map(({ text }) => text) }
}

const of = <Type extends AgentOutput['type']>(outputs: readonly AgentOutput[], type: Type): Extract<AgentOutput, { type: Type }>[] =>
  outputs.filter((output): output is Extract<AgentOutput, { type: Type }> => output.type === type)
const joinText = (outputs: readonly AgentOutput[]): string =>
  of(outputs, 'delta')
    .map(({ text }) => text)
    .join('')
const empty: Behaviour = { does: 'reply', pieces: [] }
const words: Behaviour = { does: 'reply', pieces: ['Hello', '.'] }
const makerFor = (wire: Wire): string => `${wire} ${emulator.url} emulated`

for (const wire of wires)
  describe(`a prompt in the wire ${wire}`, () => {
    it('gives thinking, reasoning to keep, words, calls and usage in order', async () => {
      const call = { id: 'c1', name: 'Read_File', args: ['```json\n{"path":', '"x"}\n```'] }
      const { outputs, error } = await ask(configured(wire), [{ does: 'reply', thinking: ['hm'], pieces: ['I ', 'look.'], calls: [call] }])
      assert.equal(error, null)
      const types = outputs.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1])
      const expected: Record<Wire, string[]> = {
        chat: ['thinking', 'delta', 'reasoning', 'call', 'usage'],
        responses: ['thinking', 'reasoning', 'delta', 'text', 'call', 'usage'],
        anthropic: ['thinking', 'reasoning', 'delta', 'call', 'usage'],
      }
      assert.deepEqual(types, expected[wire])
      assert.deepEqual(of(outputs, 'call'), [{ type: 'call', call: 'c1', name: 'read_file', input: { path: 'x' } }])
      assert.equal(of(outputs, 'reasoning')[0]?.maker, makerFor(wire))
      assert.deepEqual([of(outputs, 'usage')[0]?.usage.inputTokens, of(outputs, 'usage')[0]?.usage.outputTokens], [7, 5])
    })

    it('sends kept reasoning back in its place, and none of another model', async () => {
      const first = await ask(configured(wire), [
        { does: 'reply', thinking: ['hm'], pieces: ['I look.'], calls: [{ id: 'c1', name: 'read_file', args: ['{"path":"x"}'] }] },
      ])
      const parts = first.outputs.flatMap((output): OutputPart[] => {
        if (output.type === 'reasoning') return [output]
        if (output.type === 'delta') return [{ type: 'words', text: output.text }]
        return output.type === 'call' ? [{ type: 'call', call: output.call, name: output.name, input: output.input as object }] : []
      })
      const other: OutputPart = {
        type: 'reasoning',
        maker: 'another',
        data: { type: 'thinking', thinking: 'SECRET', reasoning_content: 'SECRET' },
      }
      const items: PromptItem[] = [
        messageItem('Hello'),
        { kind: 'output', parts: [other, ...parts] },
        { kind: 'result', call: 'c1', tool: 'read_file', handle: 'o1', result: { is: 'outcome', ok: true, text: '42' } },
      ]
      const { texts } = await ask(configured(wire), [words], promptInput({ items, cachedItems: 1 }))
      const sign = { chat: '"reasoning_content":"hm"', responses: '"encrypted_content":"gAAA"', anthropic: '"thinking":"hm"' }[wire]
      assert.ok(texts[0]?.includes(sign), texts[0])
      assert.ok(!texts[0]?.includes('SECRET'))
      const plain = (text: string | undefined): string =>
        (text ?? '').replaceAll(',"cache_control":{"type":"ephemeral"}', '').replace(/\]\}$/, '')
      const [before] = (await ask(configured(wire), [words])).texts
      assert.ok(plain(texts[0]).startsWith(plain(before)), 'the request before it is a prefix')
    })

    it('repeats an empty reply once with the same bytes, then leaves it to the driver', async () => {
      const { outputs, error, texts } = await ask(configured(wire), [empty, words])
      assert.equal(error, null)
      assert.equal(joinText(outputs), 'Hello.')
      assert.equal(texts.length, 2)
      assert.equal(texts[0], texts[1])
      const usage = of(outputs, 'usage').at(-1)
      assert.deepEqual([usage?.usage.inputTokens, usage?.promptTokens], [14, 7], 'both were paid; the last one is the size of the context')
      const twice = await ask(configured(wire), [empty, empty])
      assert.equal(twice.error, null)
      assert.deepEqual(
        twice.outputs.map(({ type }) => type),
        ['usage', 'usage'],
      )
    })

    it('doubles the output bound once when reasoning used it up', async () => {
      const used: Behaviour = { does: 'reply', pieces: [], thinking: ['…'], finish: 'length' }
      const { outputs, bodies } = await ask(configured(wire, { maxOutputTokens: 500 }), [used, words])
      const field = { chat: 'max_tokens', responses: 'max_output_tokens', anthropic: 'max_tokens' }[wire]
      assert.deepEqual(
        bodies.map((body) => body[field]),
        [500, 1_000],
      )
      assert.equal(joinText(outputs), 'Hello.')
      assert.equal(of(outputs, 'reasoning').length, 0, 'reasoning of the first try is not kept')
      const { error } = await ask(configured(wire, { maxOutputTokens: 500 }), [used, used])
      assert.deepEqual([error?.code, error?.retryable, error?.details['limit']], ['model_output_bound', false, 1_000])
    })

    it('keeps words that the bound cut, and drops the calls', async () => {
      const { outputs } = await ask(configured(wire), [
        { does: 'reply', pieces: ['Once'], calls: [{ id: 'c', name: 'read_file', args: ['{}'] }], finish: 'length' },
      ])
      assert.match(joinText(outputs), /^Once\n\n\[The model stopped here/)
      assert.deepEqual(of(outputs, 'call'), [])
    })

    it('fails without a retry when the model declines', async () => {
      const { error, bodies, outputs } = await ask(configured(wire), [{ does: 'reply', pieces: [], finish: 'filter' }])
      assert.deepEqual([error?.code, error?.retryable, bodies.length], ['model_declined', false, 1])
      assert.equal(outputs.at(-1)?.type, 'usage')
    })

    it('tells overflow with the window, and remembers it', async () => {
      const learned = learnedModels()
      const message = 'the request exceeds the available context size'
      const body = { error: { code: 400, message, type: 'exceed_context_size_error', n_prompt_tokens: 14_429, n_ctx: 8_192 } }
      const { error } = await ask(configured(wire), [{ does: 'refuse', status: 400, body }], promptInput(), learned)
      assert.deepEqual([error?.code, error?.details['window'], error?.isUnmetered], ['context_overflow', 8_192, true])
      assert.equal(learned.read(emulator.url, 'emulated').windowTokens, 8_192)
    })

    it('lowers the output bound where the text counts it, and sends the same list', async () => {
      const message = 'input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length'
      const { bodies, error } = await ask(configured(wire, { maxOutputTokens: 64_000 }), [{ does: 'refuse', status: 400, message }, words])
      assert.equal(error, null)
      const bound = bodies[1]?.[wire === 'responses' ? 'max_output_tokens' : 'max_tokens'] as number
      assert.ok(bound <= 20_785 && bound > 20_000, String(bound))
    })

    it('drops all reasoning when it is refused, once, and says so', async () => {
      const data = { type: wire === 'responses' ? 'reasoning' : 'thinking', thinking: 'OLD', signature: 's', reasoning_content: 'OLD' }
      const items: PromptItem[] = [
        messageItem('Hello'),
        {
          kind: 'output',
          parts: [
            { type: 'reasoning', maker: makerFor(wire), data },
            { type: 'words', text: 'Hi' },
          ],
        },
        messageItem('Again'),
      ]
      const refused: Behaviour = { does: 'refuse', status: 400, message: 'messages.3.content.0: Invalid `signature` in `thinking` block' }
      const { outputs, texts } = await ask(configured(wire), [refused, words], promptInput({ items }))
      assert.deepEqual(
        texts.map((text) => text.includes('OLD')),
        [true, false],
      )
      assert.deepEqual(outputs[0], { type: 'epoch', why: 'reasoning-refused' })
      const again = await ask(configured(wire), [refused, refused], promptInput({ items }))
      assert.equal(again.error?.code, 'model_refused')
    })

    it('leaves a broken stream to the driver', async () => {
      const { error } = await ask(configured(wire), [{ does: 'end-after', chunks: 2, reply: { pieces: ['a', 'b', 'c'] } }])
      assert.deepEqual([error?.code, error?.retryable], ['model_garbled', true])
    })

    it('repeats nothing that a budget was not asked for', async () => {
      const tight = { allowance: { inputTokens: 1, outputTokens: 10 } }
      const { error, bodies } = await ask(configured(wire), [empty], promptInput({}, tight))
      assert.deepEqual([error?.code, error?.retryable, bodies.length], ['model_garbled', true, 1])
    })
  })

describe('a server that refuses a part of the request', () => {
  it('gets the other output field, from then on', async () => {
    const learned = learnedModels()
    const error = {
      message: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      param: 'max_tokens',
      code: 'unsupported_parameter',
    }
    const model = configured('chat', { maxOutputTokens: 50 })
    const first = await ask(model, [{ does: 'refuse', status: 400, body: { error } }, words], promptInput(), learned)
    assert.deepEqual(
      first.bodies.map((body) => [body['max_tokens'], body['max_completion_tokens']]),
      [
        [50, undefined],
        [undefined, 50],
      ],
    )
    const second = await ask(model, [words], promptInput(), learned)
    assert.equal(second.bodies[0]?.['max_completion_tokens'], 50)
  })

  it('may say so in the middle of its reply, and the change is remembered as well', async () => {
    const learned = learnedModels()
    const message = "Unsupported parameter: 'temperature' is not supported with this model."
    const late: Behaviour = {
      does: 'error-after',
      chunks: 1,
      reply: { thinking: ['hm'], pieces: ['x'] },
      type: 'invalid_request_error',
      message,
    }
    const { error, bodies } = await ask(configured('chat', { temperature: 1 }), [late, words], promptInput(), learned)
    assert.deepEqual([error, bodies.map((body) => body['temperature'])], [null, [1, undefined]])
    assert.deepEqual(learned.read(emulator.url, 'emulated').changes, [{ kind: 'drop-field', field: 'temperature' }])
  })

  it('gets stricter roles, and the epoch has that cause', async () => {
    const error = {
      object: 'error',
      message: "Unexpected role 'user' after role 'tool'",
      type: 'invalid_request_message_order',
      code: '3230',
    }
    const items: PromptItem[] = [
      messageItem('Hello'),
      { kind: 'output', parts: [{ type: 'call', call: 'c1', name: 'read_file', input: {} }] },
      { kind: 'result', call: 'c1', tool: 'read_file', handle: 'o1', result: { is: 'outcome', ok: true, text: '42' } },
      messageItem('And?'),
    ]
    const { outputs, texts } = await ask(configured('chat'), [{ does: 'refuse', status: 400, body: error }, words], promptInput({ items }))
    assert.deepEqual(outputs[0], { type: 'epoch', why: 'model' })
    assert.ok(texts[1]?.includes('(continued)'))
  })

  it('is not asked more than a few times', async () => {
    const { bodies, error } = await ask(
      configured('chat', { maxOutputTokens: 5, temperature: 1, effort: 'low' }),
      Array.from({ length: 20 }, () => ({
        does: 'refuse' as const,
        status: 400,
        message: 'unsupported: max_tokens max_completion_tokens temperature reasoning_effort',
      })),
    )
    assert.equal(error?.code, 'model_refused')
    assert.ok(bodies.length <= 7, String(bodies.length))
    emulator.drop()
  })
})

describe('calls written by a local model', () => {
  const input = promptInput({ tools: [declaredTool('read_file')] })
  const fenced: Behaviour = { does: 'reply', pieces: ['``', '`json\n{"name": "read_file", ', '"arguments": {"path": "x"}}\n```'] }

  it('are read as calls, and the text is not shown', async () => {
    const { outputs } = await ask(configured('chat'), [fenced], input)
    assert.equal(joinText(outputs), '')
    assert.deepEqual(
      of(outputs, 'call').map(({ name, input: given }) => [name, given]),
      [['read_file', { path: 'x' }]],
    )
  })

  it('are words where they are something else', async () => {
    const texts = [
      ['```js\n', '1 + 1\n', '```'],
      ['`', 'x` is a name'],
      ['<div>', '</div>'],
      ['  ', 'Hi'],
      ['```json\n{"a": 1}\n', '```'],
    ]
    for (const pieces of [...texts, ['```json\n{', 'x'.repeat(70_000), 'y']]) {
      const { outputs } = await ask(configured('chat'), [{ does: 'reply', pieces }], input)
      assert.equal(joinText(outputs), pieces.join(''))
      assert.deepEqual(of(outputs, 'call'), [])
    }
  })
})

describe('a model that declines', () => {
  const declines: Behaviour = { does: 'reply', pieces: [], finish: 'filter' }

  it('is followed by its fallback, once', async () => {
    emulator.next(declines, words, declines, declines)
    const dear = { inputPerMillion: 1_000_000, outputPerMillion: 1_000_000 }
    const price = { inputPerMillion: 10_000, outputPerMillion: 0 }
    const fallback = modelRuntime({ model: configured('anthropic', { model: 'other', price: dear }), member: {} })
    const runtime = modelRuntime({ model: configured('chat', { price }), member: {}, fallback })
    const outputs: AgentOutput[] = []
    for await (const output of runtime.generate(promptInput(), new AbortController().signal)) outputs.push(output)
    assert.equal(joinText(outputs), 'Hello.')
    const usage = of(outputs, 'usage').at(-1)
    assert.deepEqual([usage?.model, usage?.usage.inputTokens, usage?.promptTokens], ['other', 14, 7], 'both were paid')
    const own = (usage?.usage.outputTokens ?? 0) - (of(outputs, 'usage')[0]?.usage.outputTokens ?? 0)
    assert.equal(usage?.money?.toFixed(4), (7 * 0.01 + 7 + own).toFixed(4), 'each by its own price')
    await assert.rejects(
      async () => {
        for await (const _ of runtime.generate(promptInput(), new AbortController().signal));
      },
      { code: 'model_declined' },
    )
  })
})
