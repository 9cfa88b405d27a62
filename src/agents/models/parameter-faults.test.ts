import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { changeFields, findChange, isLasting, type RequestChange, type RequestFacts } from './parameter-faults.ts'
import { readFault } from './provider-fault.ts'

const chat: RequestFacts = {
  wire: 'chat',
  address: 'https://gateway.example/v1',
  fields: ['model', 'messages', 'tools', 'max_tokens', 'temperature', 'reasoning_effort', 'prompt_cache_key'],
  profile: { notes: 'user', alternate: false, bridge: false },
  hasReasoning: false,
  hasImages: false,
  tried: [],
}
const openai: RequestFacts = { ...chat, address: 'https://api.openai.com/v1', profile: { ...chat.profile, notes: 'developer' } }
const claude: RequestFacts = { ...chat, wire: 'anthropic', profile: { ...chat.profile, notes: 'system' }, hasReasoning: true }

const find = (body: unknown, facts: RequestFacts, status: number | null = 400): RequestChange | null =>
  findChange(readFault(status, typeof body === 'string' ? body : JSON.stringify(body)), facts)
const error = (message: string, more: object = {}): object => ({ error: { message, type: 'invalid_request_error', ...more } })

const responsesOnly = error(
  "Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
  { param: 'reasoning_effort', code: null },
)
const maxTokens = error("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", {
  param: 'max_tokens',
  code: 'unsupported_parameter',
})
const newField: RequestFacts = { ...chat, fields: ['max_completion_tokens'] }
const maxCompletionTokens = error('Unrecognized request argument supplied: max_completion_tokens')
const mistralRoles = {
  object: 'error',
  message: "Unexpected role 'user' after role 'tool'",
  type: 'invalid_request_message_order',
  code: '3230',
}
const badSignature = error('messages.3.content.0: Invalid `signature` in `thinking` block')

const cases: readonly [string, unknown, RequestFacts, RequestChange | null][] = [
  ['tools need Responses, at OpenAI', responsesOnly, openai, { kind: 'use-responses' }],
  ['tools need Responses, elsewhere', responsesOnly, chat, { kind: 'no-reasoning-effort' }],
  ['max_tokens is swapped', maxTokens, chat, { kind: 'swap-field', from: 'max_tokens', to: 'max_completion_tokens' }],
  [
    'max_completion_tokens is swapped',
    maxCompletionTokens,
    newField,
    { kind: 'swap-field', from: 'max_completion_tokens', to: 'max_tokens' },
  ],
  ['max_tokens stays at Anthropic', maxTokens, claude, null],
  [
    'temperature with a fixed value',
    error("Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.", {
      param: 'temperature',
      code: 'unsupported_value',
    }),
    chat,
    { kind: 'drop-field', field: 'temperature' },
  ],
  [
    'temperature beside thinking',
    error('`temperature` may only be set to 1 when thinking is enabled.'),
    claude,
    { kind: 'drop-field', field: 'temperature' },
  ],
  [
    'reasoning_effort of xAI',
    { code: 'Client specified an invalid argument', error: 'Argument not supported on this model: reasoning_effort' },
    chat,
    { kind: 'drop-field', field: 'reasoning_effort' },
  ],
  [
    'prompt_cache_key of a strict server',
    { detail: [{ type: 'extra_forbidden', loc: ['body', 'prompt_cache_key'], msg: 'Extra inputs are not permitted' }] },
    chat,
    { kind: 'drop-field', field: 'prompt_cache_key' },
  ],
  ['a field that was not sent', maxTokens, { ...chat, fields: ['model'] }, null],
  ['a field that is not adjustable', error("Unsupported parameter: 'logprobs'", { param: 'logprobs' }), chat, null],
  ['Mistral refuses user after tool', mistralRoles, chat, { kind: 'strict-roles' }],
  [
    'a chat template wants alternating roles',
    error('Conversation roles must alternate user/assistant/user/assistant/...'),
    chat,
    { kind: 'strict-roles' },
  ],
  ['strict roles already on', mistralRoles, { ...chat, profile: { notes: 'user', alternate: true, bridge: true } }, null],
  [
    'system message refused by a gateway',
    error('messages.1.role: unknown variant `system`, expected `user` or `assistant`'),
    claude,
    { kind: 'notes-as-user' },
  ],
  [
    'developer message refused',
    error("'developer' is not one of ['system', 'assistant', 'user', 'tool', 'function'] - 'messages.4.role'"),
    openai,
    { kind: 'notes-as-user' },
  ],
  ['an alternate model is no role', error('Invalid model, choose an alternate one'), chat, null],
  ['a longer name than that of a field', error('Unsupported: max_tokens_limit, x_temperature'), chat, null],
  ['a role of the account', error('Your role must be Owner to use this model'), chat, null],
  ['bad signature', badSignature, claude, { kind: 'drop-reasoning' }],
  ['bad signature without reasoning', badSignature, { ...claude, hasReasoning: false }, null],
  [
    'encrypted content of another organisation',
    error('The encrypted content gAAA... could not be verified.', { code: 'invalid_encrypted_content' }),
    { ...openai, wire: 'responses', hasReasoning: true },
    { kind: 'drop-reasoning' },
  ],
  [
    'DeepSeek wants reasoning back',
    error('The `reasoning_content` in the thinking mode must be passed back to the API.'),
    { ...chat, hasReasoning: true },
    null,
  ],
  [
    'Gemini wants its signature back',
    error('Function call is missing a thought_signature in functionCall parts.'),
    { ...chat, hasReasoning: true },
    null,
  ],
  ['another error', error('The model `gpt-9` does not exist'), chat, null],
  ['an empty body', '', { ...chat, hasReasoning: true }, null],
]

describe('findChange', () => {
  for (const [what, body, facts, expected] of cases) test(what, () => assert.deepEqual(find(body, facts), expected))

  test('no change is made twice', () => {
    for (const [what, body, facts, expected] of cases)
      if (expected !== null) assert.notDeepEqual(find(body, { ...facts, tried: [expected] }), expected, what)
  })

  test('a server that refuses both output fields gets none', () => {
    const swap: RequestChange = { kind: 'swap-field', from: 'max_tokens', to: 'max_completion_tokens' }
    assert.deepEqual(find(maxCompletionTokens, { ...newField, tried: [swap] }), { kind: 'drop-field', field: 'max_completion_tokens' })
    assert.equal(find(maxTokens, { ...chat, tried: [swap] }), null)
  })

  test('other statuses change nothing, except a chat template that fails with 500', () => {
    for (const status of [401, 403, 404, 413, 429, 503]) assert.equal(find(maxTokens, chat, status), null)
    assert.equal(find(maxTokens, chat, 500), null)
    assert.deepEqual(find(error('Conversation roles must alternate'), chat, 500), { kind: 'strict-roles' })
    assert.deepEqual(find(maxTokens, chat, 422), { kind: 'swap-field', from: 'max_tokens', to: 'max_completion_tokens' })
  })

  test('only dropped reasoning is forgotten', () => {
    assert.equal(isLasting({ kind: 'drop-reasoning' }), false)
    assert.equal(isLasting({ kind: 'strict-roles' }), true)
  })

  test('repeated refusals end: at most one change of each kind', () => {
    const body = fc.constantFrom(...cases.map(([, each]) => each))
    fc.assert(
      fc.property(fc.array(body, { maxLength: 40 }), (bodies) => {
        const tried: RequestChange[] = []
        for (const each of bodies) {
          const change = find(each, { ...openai, hasReasoning: true, tried })
          if (change !== null) tried.push(change)
        }
        assert.equal(new Set(tried.map((change) => JSON.stringify(change))).size, tried.length)
        assert.ok(tried.length <= 10)
      }),
    )
  })
})

test('changeFields: swaps, drops and sets', () => {
  const body = { model: 'm', max_tokens: 5, temperature: 1, reasoning_effort: 'high' }
  const changes: RequestChange[] = [
    { kind: 'swap-field', from: 'max_tokens', to: 'max_completion_tokens' },
    { kind: 'drop-field', field: 'temperature' },
    { kind: 'no-reasoning-effort' },
    { kind: 'strict-roles' },
  ]
  assert.deepEqual(changeFields(body, changes), { model: 'm', max_completion_tokens: 5, reasoning_effort: 'none' })
  assert.deepEqual(changeFields({ model: 'm' }, changes.slice(0, 2)), { model: 'm' })
  assert.equal(body.max_tokens, 5)
})

describe('a server that takes no images', () => {
  const withImage: RequestFacts = { ...chat, hasImages: true }
  const faults: [number, string][] = [
    [400, 'Invalid content type. image_url is only supported by certain models.'],
    [404, 'No endpoints found that support image input'],
    [400, 'This model does not support image inputs.'],
    [400, 'At most 0 image(s) may be provided in one request. The model is not a multimodal model'],
    [422, 'messages[1]: unknown variant `image_url`, expected `text`'],
    [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
    [
      400,
      "'messages.1' : for 'role:user' the following must be satisfied[('messages.1.content' : value must be a string)] content must be a string",
    ],
  ]
  test('gets them in words, once', () => {
    for (const [status, message] of faults) {
      assert.deepEqual(find(error(message), withImage, status), { kind: 'no-images' }, message)
      assert.notDeepEqual(find(error(message), { ...withImage, hasImages: false }, status), { kind: 'no-images' }, message)
      assert.notDeepEqual(find(error(message), { ...withImage, tried: [{ kind: 'no-images' }] }, status), { kind: 'no-images' }, message)
    }
  })

  test('is not meant by other faults', () => {
    for (const message of ['Invalid API key', 'The image is too large: 5 MB maximum', 'maximum context length is 8192 tokens'])
      assert.equal(find(error(message), withImage), null, message)
    assert.equal(find(error('The model does not exist'), withImage, 404), null)
  })
})
