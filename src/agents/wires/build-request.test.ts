import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findFamily } from '../models/families.ts'
import { findProfile } from '../models/profiles.ts'
import { buildRequest, type RequestSettings, type WireList } from './build-request.ts'
import type { Wire } from './wire.ts'

const tool = { name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }
const list: WireList = { system: 'Be calm.', tools: [tool, { ...tool, name: 'find' }], elements: [], texts: [], cachedElements: 0 }

function build(
  wire: Wire,
  model: string,
  config: Partial<RequestSettings['config']> = {},
  more: Partial<RequestSettings> = {},
  elements: readonly object[] = [],
  cachedElements = 0,
): Record<string, unknown> {
  const address = more.address ?? (wire === 'anthropic' ? 'https://api.anthropic.com/v1' : 'https://api.openai.com/v1')
  const settings: RequestSettings = {
    wire,
    address,
    config: { model, ...config },
    family: findFamily(model),
    profile: findProfile(model, address),
    outputTokens: 4_000,
    cacheKey: 'd_1',
    changes: [],
    ...more,
  }
  return JSON.parse(buildRequest({ ...list, elements, cachedElements }, settings).body.toString()) as Record<string, unknown>
}

const without = (body: Record<string, unknown>, ...names: string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).filter(([name]) => !['tools', 'messages', 'input', 'system', 'instructions', ...names].includes(name)),
  )

describe('the fields of a request', () => {
  it('of Chat Completions', () => {
    const body = build('chat', 'gpt-5.2', { effort: 'low', topP: 0.5, stop: ['END'] })
    assert.deepEqual(without(body), {
      model: 'gpt-5.2',
      max_completion_tokens: 4_000,
      top_p: 0.5,
      stop: ['END'],
      reasoning_effort: 'low',
      prompt_cache_key: 'd_1',
      stream: true,
      stream_options: { include_usage: true },
    })
    assert.deepEqual((body['messages'] as object[])[0], { role: 'developer', content: 'Be calm.' })
  })

  it('of a server that is not known: the older bound, no cache key, `system`', () => {
    const body = build('chat', 'qwen3', {}, { address: 'http://127.0.0.1:11434/v1' })
    assert.deepEqual(without(body, 'stream', 'stream_options'), { model: 'qwen3', max_tokens: 4_000 })
    assert.deepEqual((body['messages'] as object[])[0], { role: 'system', content: 'Be calm.' })
  })

  it('of Responses: nothing is stored at the provider', () => {
    const body = build('responses', 'gpt-6', { effort: 'high', stop: ['END'] })
    assert.deepEqual(without(body), {
      model: 'gpt-6',
      max_output_tokens: 4_000,
      reasoning: { effort: 'high' },
      prompt_cache_key: 'd_1',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
    })
    assert.equal(body['instructions'], 'Be calm.')
    assert.deepEqual((body['tools'] as object[])[0], {
      type: 'function',
      name: 'look',
      description: 'Looks.',
      parameters: { type: 'object' },
      strict: false,
    })
  })

  const thinking: [string, string, Partial<RequestSettings['config']>, object][] = [
    ['adaptive', 'claude-sonnet-5-5', { effort: 'high' }, { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
    ['adaptive, shown', 'claude-opus-5-5', { showThinking: true }, { thinking: { type: 'adaptive', display: 'summarized' } }],
    ['adaptive, off', 'claude-sonnet-5-5', { effort: 'none' }, { thinking: { type: 'disabled' } }],
    ['always on', 'claude-opus-5-5', { effort: 'none' }, {}],
    ['by effort alone', 'claude-sonnet-4-6', { effort: 'low' }, { output_config: { effort: 'low' } }],
    ['by tokens', 'claude-haiku-4-5', { thinkingTokens: 2_000, temperature: 0.2 }, { thinking: { type: 'enabled', budget_tokens: 2_000 } }],
    ['by tokens, below the output bound', 'claude-haiku-4-5', { effort: 'max' }, { thinking: { type: 'enabled', budget_tokens: 3_999 } }],
    ['not set', 'claude-haiku-4-5', { temperature: 0.2 }, { temperature: 0.2 }],
  ]
  for (const [name, model, config, fields] of thinking)
    it(`of Anthropic: thinking ${name}`, () => {
      assert.deepEqual(without(build('anthropic', model, config), 'stream'), { model, max_tokens: 4_000, ...fields })
    })

  it('with further fields, of which none replaces the list', () => {
    const body = build('chat', 'm', { extraBody: { top_k: 5, messages: [], stream: false, model: 'x' } })
    assert.deepEqual([body['top_k'], body['stream'], body['model']], [5, true, 'm'])
    assert.equal((body['messages'] as object[]).length, 1)
  })

  it('after a change that the server asked for', () => {
    const changes = [
      { kind: 'swap-field', from: 'max_tokens', to: 'max_completion_tokens' },
      { kind: 'no-reasoning-effort' },
      { kind: 'drop-field', field: 'temperature' },
    ] as const
    const body = build('chat', 'm', { temperature: 1 }, { address: 'http://127.0.0.1:1/v1', changes })
    assert.deepEqual(
      [body['max_tokens'], body['max_completion_tokens'], body['temperature'], body['reasoning_effort']],
      [undefined, 4_000, undefined, 'none'],
    )
  })
})

describe('cache markers of Anthropic', () => {
  const user = (...texts: string[]): object => ({ role: 'user', content: texts.map((text) => ({ type: 'text', text })) })
  const assistant = { role: 'assistant', content: [{ type: 'text', text: 'ok' }] }
  const system = { role: 'system', content: [{ type: 'text', text: 'note' }] }
  const marked = (body: Record<string, unknown>): string[] => {
    const found: string[] = []
    for (const name of ['tools', 'system', 'messages'])
      JSON.stringify(body[name], (key, value: unknown) => {
        if (typeof value === 'object' && value !== null && 'cache_control' in value)
          found.push(
            `${name}: ${String((value as { text?: string; name?: string }).text ?? (value as { name?: string }).name)} ${JSON.stringify(value.cache_control)}`,
          )
        return key === 'cache_control' ? undefined : value
      })
    return found
  }
  const mark = '{"type":"ephemeral"}'

  it('are on the last tool, the system prompt, the end of the previous request and the end', () => {
    const elements = [user('a', 'b'), assistant, user('c'), system]
    assert.deepEqual(marked(build('anthropic', 'claude-opus-5', {}, {}, elements, 1)), [
      `tools: find ${mark}`,
      `system: Be calm. ${mark}`,
      `messages: b ${mark}`,
      `messages: c ${mark}`,
    ])
  })

  it('are never more than four, and last an hour by setting', () => {
    const found = marked(build('anthropic', 'claude-opus-5', { cacheTtl: '1h' }, {}, [user('a')], 0))
    assert.deepEqual(
      found.map((line) => line.endsWith('{"type":"ephemeral","ttl":"1h"}')),
      [true, true, true],
    )
  })

  it('change no byte but their own', () => {
    const plain = (elements: object[], cached: number): string =>
      JSON.stringify(build('anthropic', 'claude-opus-5', {}, {}, elements, cached))
        .replaceAll(`,"cache_control":${mark}`, '')
        .replace(/\]\}$/, '')
    const before = plain([user('a')], 0)
    assert.ok(plain([user('a'), assistant, user('b')], 1).startsWith(before))
  })
})

describe('tools and system prompt of several requests', () => {
  const settings: RequestSettings = {
    wire: 'chat',
    address: 'http://127.0.0.1:1/v1',
    config: { model: 'm' },
    family: null,
    profile: findProfile('m', 'http://127.0.0.1:1/v1'),
    outputTokens: null,
    cacheKey: 'd_1',
    changes: [],
  }
  const read = (given: Partial<WireList>, more: Partial<RequestSettings> = {}) => {
    const { body, listBytes } = buildRequest({ ...list, ...given }, { ...settings, ...more })
    const parsed = JSON.parse(body.toString()) as { tools?: { function: { parameters: object } }[]; messages: { content: string }[] }
    return { ...parsed, listBytes, bytes: body.length }
  }

  it('are written in UTF-8, and count as bytes of the list', () => {
    const elements = [{ role: 'user', content: '你好 🙂' }]
    const [short, long] = [read({ system: 'Calm.', elements }), read({ system: '平静 🙂', elements })]
    assert.deepEqual(
      long.messages.map(({ content }) => content),
      ['平静 🙂', '你好 🙂'],
    )
    assert.equal(long.listBytes - short.listBytes, Buffer.byteLength('平静 🙂') - Buffer.byteLength('Calm.'))
    assert.equal(long.bytes - short.bytes, long.listBytes - short.listBytes)
  })

  it('are those of this request, also when the one before had others', () => {
    const changing = { ...tool }
    assert.deepEqual(read({ tools: [changing] }).tools?.[0]?.function.parameters, { type: 'object' })
    changing.inputSchema = { type: 'array' }
    assert.deepEqual(read({ tools: [changing] }).tools?.[0]?.function.parameters, { type: 'array' })
    assert.equal(read({ tools: [changing, tool] }).tools?.length, 2)
    assert.equal(read({ tools: [] }).tools, undefined)
    assert.equal(read({ system: 'Be quick.' }).messages[0]?.content, 'Be quick.')
    assert.equal(read({}).messages[0]?.content, 'Be calm.')
  })
})
