import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { joinFaultText, type ProviderFault, providerFaultLimits, readFault } from './provider-fault.ts'

const read = (body: unknown, status: number | null = 400): Omit<ProviderFault, 'body'> => {
  const { body: _, ...rest } = readFault(status, typeof body === 'string' ? body : JSON.stringify(body))
  return rest
}
const fault = (more: Partial<ProviderFault>): Omit<ProviderFault, 'body'> => ({
  status: 400,
  code: '',
  type: '',
  param: '',
  message: '',
  ...more,
})

const cases: readonly [string, unknown, Partial<ProviderFault>][] = [
  [
    'OpenAI',
    { error: { message: 'No.', type: 'invalid_request_error', param: 'max_tokens', code: 'unsupported_parameter' } },
    { message: 'No.', type: 'invalid_request_error', param: 'max_tokens', code: 'unsupported_parameter' },
  ],
  [
    'OpenAI without code and param',
    { error: { message: 'No.', type: 'server_error', param: null, code: null } },
    { message: 'No.', type: 'server_error' },
  ],
  [
    'Anthropic',
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    { type: 'overloaded_error', message: 'Overloaded' },
  ],
  ['Gemini: list of one', [{ error: { code: 400, message: 'Bad.', status: 'INVALID_ARGUMENT' } }], { code: '400', message: 'Bad.' }],
  ['error as a text', { error: 'model is loading', code: 7 }, { message: 'model is loading', code: '7' }],
  [
    'without an outer object',
    { object: 'error', message: 'Bad order', type: 'order', code: '3230' },
    { message: 'Bad order', type: 'order', code: '3230' },
  ],
  ['detail', { detail: 'Not Found' }, { message: 'Not Found' }],
  [
    'Responses: failed inside a stream',
    { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'Oh.' } } },
    { code: 'server_error', message: 'Oh.' },
  ],
  ['plain text', 'upstream timed out', { message: 'upstream timed out' }],
  ['nothing', '', {}],
  ['a number', '7', {}],
]

describe('readFault', () => {
  for (const [what, body, expected] of cases) test(what, () => assert.deepEqual(read(body), fault(expected)))

  test('keeps the status and a bounded body', () => {
    const long = readFault(null, 'x'.repeat(100_000))
    assert.equal(long.status, null)
    assert.equal(long.body.length, providerFaultLimits.bodyChars)
    assert.equal(long.message.length, providerFaultLimits.fieldChars)
  })

  test('any body is read', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.jsonValue().map((value) => JSON.stringify(value)),
        ),
        (body) => {
          for (const text of [body, `{"error":${body}}`])
            for (const value of Object.values(read(text))) assert.ok(value === 400 || typeof value === 'string')
        },
      ),
    )
  })
})

test('joinFaultText: holds every part, with numbers in one form', () => {
  const text = joinFaultText({ ...fault({ code: 'c', type: 't', message: 'Limit 30,000, Requested 1,234,567' }), body: '[1,98304]' })
  assert.equal(text, 'c\nt\nLimit 30000, Requested 1234567\n[1,98304]')
})
