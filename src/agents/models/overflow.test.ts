import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isOverflowStop, overflowLimits, type OverflowVerdict, readOverflow } from './overflow.ts'
import { readFault } from './provider-fault.ts'

const roomy = { estimateTokens: 1_000, windowTokens: 128_000 }
const read = (status: number | null, body: unknown, size = roomy): OverflowVerdict | null =>
  readOverflow(readFault(status, typeof body === 'string' ? body : JSON.stringify(body)), size)
const overflow = (windowTokens: number | null): OverflowVerdict => ({ kind: 'overflow', windowTokens })
const error = (message: string, more: object = {}): object => ({ error: { message, ...more } })

const openai = { type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' }

const overflows: readonly [provider: string, status: number | null, body: unknown, windowTokens: number | null][] = [
  [
    'OpenAI: maximum context length',
    400,
    error(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130512 tokens. Please reduce the length of the messages.",
      openai,
    ),
    128_000,
  ],
  ['OpenAI: only the code', 400, error('', openai), null],
  [
    'OpenAI Responses: exceeds the context window',
    400,
    error('Your input exceeds the context window of this model. Please adjust your input and try again.', { ...openai, param: 'input' }),
    null,
  ],
  [
    'OpenAI Responses: event inside a stream, empty message',
    null,
    { type: 'response.failed', response: { status: 'failed', error: { code: 'context_length_exceeded', message: '' } } },
    null,
  ],
  ['Groq: reduce the length', 400, error('Please reduce the length of the messages or completion.', { ...openai, code: null }), null],
  [
    'Azure: thousands separators',
    400,
    error("This model's maximum context length is 16,384 tokens. However, your messages resulted in 20,001 tokens."),
    16_384,
  ],
  [
    'Anthropic: prompt is too long',
    400,
    { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 210455 tokens > 200000 maximum' } },
    200_000,
  ],
  [
    'Anthropic: request too large',
    413,
    { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
    null,
  ],
  [
    'Anthropic: no room for output',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'input length and `max_tokens` exceed context limit: 199500 + 64000 > 200000, decrease input length or `max_tokens` and try again',
      },
    },
    200_000,
  ],
  [
    'Gemini: list of one',
    400,
    [
      {
        error: {
          code: 400,
          message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    1_048_576,
  ],
  [
    'Gemini: without the count',
    400,
    error('The input token count exceeds the maximum number of tokens allowed 32768.', { status: 'INVALID_ARGUMENT' }),
    32_768,
  ],
  [
    'DeepSeek',
    400,
    error(
      "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens (140000 in the messages, 0 in the completion).",
      {
        code: 'invalid_request_error',
      },
    ),
    131_072,
  ],
  [
    'vLLM: input tokens',
    400,
    {
      object: 'error',
      message:
        "This model's maximum context length is 4096 tokens. However, your request has 5120 input tokens. Please reduce the length of the input messages.",
      type: 'BadRequestError',
      code: 400,
    },
    4_096,
  ],
  ['vLLM: negative room', 400, { object: 'error', message: 'max_tokens must be at least 1, got -512.', code: 400 }, null],
  [
    'vLLM: output in a full window',
    400,
    error(
      "'max_tokens' or 'max_completion_tokens' is too large: 2048. This model's maximum context length is 8192 tokens and your request has 8000 input tokens (2048 > 8192 - 8000).",
    ),
    8_192,
  ],
  [
    'OpenRouter: status 200, text of the provider in metadata',
    200,
    {
      error: {
        code: 400,
        message: 'Provider returned error',
        metadata: { raw: '{"error":{"message":"prompt is too long: 210455 tokens > 200000 maximum"}}', provider_name: 'Anthropic' },
      },
    },
    200_000,
  ],
  [
    'llama.cpp: type and n_ctx',
    400,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 14_429,
        n_ctx: 8_192,
      },
    },
    8_192,
  ],
  [
    'llama.cpp: sizes in the text, status 500',
    500,
    error('request (14429 tokens) exceeds the available context size (8192 tokens), try increasing it'),
    8_192,
  ],
  [
    'LM Studio: error as a text',
    400,
    {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.',
    },
    4_096,
  ],
  [
    'LM Studio: event inside a stream',
    null,
    error(
      'Trying to keep the first 13055 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    ),
    4_096,
  ],
  ['LM Studio: n_keep', 400, { error: 'Cannot truncate prompt with n_keep (13055) >= n_ctx (4096)' }, 4_096],
  ['Ollama: prompt too long', 400, { error: 'prompt too long; exceeded max context length by 1234 tokens' }, null],
  ['Ollama: input length', 500, { error: 'the input length exceeds the context length' }, null],
  [
    'Mistral',
    400,
    {
      object: 'error',
      message: 'Prompt contains 40211 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_error',
      code: '3051',
    },
    32_768,
  ],
  ['Bedrock', 400, { message: 'Input is too long for requested model.' }, null],
  [
    'xAI',
    400,
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 140123 tokens.",
    },
    131_072,
  ],
  ['Kimi', 400, error('Invalid request: Your request exceeded model token limit: 262144 (requested: 270001)'), 262_144],
  ['MiniMax', 400, error('invalid params, context window exceeds limit (2013)', { type: 'bad_request_error' }), null],
  ['Qwen', 400, error('<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]'), 98_304],
  ['hosted open models', 422, error("The input (12345 tokens) is longer than the model's context length (8192 tokens)."), 8_192],
  ['llama-cpp-python', 400, error('Requested tokens (9000) exceed context window of 8192'), 8_192],
  ['plain text body', 400, 'Requested tokens (9000) exceed context window of 8192', 8_192],
  [
    'Groq: a rate limit that the request can never fit',
    413,
    error(
      'Request too large for model `llama-3.1-8b-instant` in organization `org_1` on tokens per minute (TPM): Limit 6000, Requested 12328, please reduce your message size and try again.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
    6_000,
  ],
  [
    'OpenAI: 429 that the request can never fit',
    429,
    error('Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30,000, Requested 45,120.', {
      type: 'tokens',
    }),
    30_000,
  ],
]

describe('readOverflow', () => {
  for (const [provider, status, body, windowTokens] of overflows)
    test(`overflow: ${provider}`, () => assert.deepEqual(read(status, body), overflow(windowTokens)))

  test('signs match in upper case', () => {
    assert.deepEqual(read(400, error('PROMPT IS TOO LONG: 210455 TOKENS > 200000 MAXIMUM')), overflow(200_000))
  })

  const outputs: readonly [string, string, number, number][] = [
    [
      'Anthropic: sum',
      'input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again',
      20_785,
      200_000,
    ],
    [
      'OpenAI: in the completion',
      "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (5000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.",
      2_936,
      8_192,
    ],
    [
      'OpenRouter: in the output, with tools',
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens (115000 of text input, 5000 of tool input, 20000 in the output). Please reduce the length of either one.",
      10_816,
      131_072,
    ],
    [
      'vLLM: max_tokens is too large',
      "'max_tokens' or 'max_completion_tokens' is too large: 4000. This model's maximum context length is 8192 tokens and your request has 5000 input tokens (4000 > 8192 - 5000).",
      2_936,
      8_192,
    ],
  ]
  for (const [provider, message, outputTokens, windowTokens] of outputs)
    test(`output bound is lowered: ${provider}`, () =>
      assert.deepEqual(read(400, error(message)), { kind: 'lower-output', outputTokens, windowTokens }))

  test('an output bound below 1,024 is overflow', () => {
    const message = (input: number): object => error(`input length and \`max_tokens\` exceed context limit: ${input} + 64000 > 200000`)
    assert.deepEqual(read(400, message(200_000 - 256 - 1_024)), { kind: 'lower-output', outputTokens: 1_024, windowTokens: 200_000 })
    assert.deepEqual(read(400, message(200_000 - 256 - 1_023)), overflow(200_000))
  })

  test('an output bound that would not shrink is overflow', () => {
    assert.deepEqual(read(400, error('exceed context limit: 1000 + 2000 > 200000')), overflow(200_000))
    assert.deepEqual(read(400, error('exceed context limit: 7000 + 2744 > 10000')), overflow(10_000))
    assert.deepEqual(read(400, error('exceed context limit: 7000 + 2745 > 10000')), {
      kind: 'lower-output',
      outputTokens: 2_744,
      windowTokens: 10_000,
    })
  })

  const rateLimits: readonly [string, number | null, unknown][] = [
    ['429 without words', 429, ''],
    [
      'OpenAI: the minute is used up',
      429,
      error('Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Used 28000, Requested 8000.', {
        code: 'rate_limit_exceeded',
      }),
    ],
    [
      'Anthropic: 429 about long prompts',
      429,
      {
        type: 'error',
        error: { type: 'rate_limit_error', message: 'This request would exceed the rate limit of 30,000 input tokens per minute.' },
      },
    ],
    ['event inside a stream', null, { type: 'error', error: { type: 'rate_limit_error', message: 'Too many tokens' } }],
    ['requests, not tokens', 429, error('Rate limit reached on requests per day (RPD): Limit 0, Requested 1')],
    ['429 with the words of an overflow', 429, error('prompt is too long for this minute')],
  ]
  for (const [what, status, body] of rateLimits)
    test(`rate limit: ${what}`, () => assert.deepEqual(read(status, body), { kind: 'rate-limit' }))

  const others: readonly [string, number | null, unknown][] = [
    ['unknown model', 404, error('The model `gpt-9` does not exist')],
    ['wrong key', 401, error('Incorrect API key provided', { code: 'invalid_api_key' })],
    [
      'unsupported parameter',
      400,
      error("Unsupported parameter: 'max_tokens' is not supported with this model.", { code: 'unsupported_parameter' }),
    ],
    ['max_tokens above the output maximum', 400, error('max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens')],
    ['server error', 500, error('Internal server error')],
    ['overloaded', 529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
    ['redirect with the words', 302, 'prompt is too long'],
    ['a sum in another error', 400, error('invalid value: 1000 + 2000 > 2500')],
    ['broken JSON', 500, '{"error": {"mess'],
    ['image too large', 400, error('messages.0.content.1.image.source.base64: image exceeds 5 MB maximum')],
  ]
  for (const [what, status, body] of others)
    test(`neither: ${what}`, () => assert.equal(read(status, body, { estimateTokens: 127_999, windowTokens: 128_000 }), null))

  test('an empty 400 or 413 is overflow when the estimate is above 80 % of the window', () => {
    const at = (estimateTokens: number) => ({ estimateTokens, windowTokens: 10_000 })
    for (const status of [400, 413])
      for (const body of ['', ' \n', '{}', 'null', `${status} status code (no body)`]) {
        assert.deepEqual(read(status, body, at(8_001)), overflow(null), JSON.stringify(body))
        assert.equal(read(status, body, at(8_000)), null, JSON.stringify(body))
      }
    for (const status of [null, 404, 500, 503]) assert.equal(read(status, '', at(9_999)), null)
  })

  test('a window that cannot be one is not learned', () => {
    assert.deepEqual(read(400, error("This model's maximum context length is 0 tokens.")), overflow(null))
    assert.deepEqual(read(400, error("This model's maximum context length is 999999999 tokens.")), overflow(null))
  })

  test('any error is read without throwing, and a learned window is in its bounds', () => {
    const words = fc.constantFrom(
      'maximum context length is ',
      'Limit ',
      'Requested ',
      'n_ctx: ',
      'tokens per minute',
      ' + ',
      ' > ',
      '{"error":',
      '[',
      'exceed context limit: ',
    )
    const body = fc.array(fc.oneof(words, fc.nat().map(String), fc.string()), { maxLength: 12 }).map((parts) => parts.join(''))
    const status = fc.constantFrom(null, 200, 400, 413, 429, 500)
    fc.assert(
      fc.property(status, body, fc.jsonValue(), (code, text, value) => {
        for (const each of [text, JSON.stringify(value), JSON.stringify({ error: value })]) {
          const verdict = read(code, each)
          if (verdict === null || verdict.kind === 'rate-limit' || verdict.windowTokens === null) continue
          assert.ok(verdict.windowTokens >= overflowLimits.leastWindowTokens && verdict.windowTokens <= overflowLimits.mostWindowTokens)
          if (verdict.kind === 'lower-output') assert.ok(verdict.outputTokens >= overflowLimits.leastOutputTokens)
        }
      }),
    )
  })
})

test('isOverflowStop: the stop reason of Anthropic', () => {
  assert.equal(isOverflowStop('model_context_window_exceeded'), true)
  for (const reason of ['end_turn', 'max_tokens', '', null, undefined]) assert.equal(isOverflowStop(reason), false)
})
