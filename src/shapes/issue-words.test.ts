import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { issueInWords } from './issue-words.ts'

function explain(schema: z.ZodType, value: unknown): string {
  const [issue] = schema.safeParse(value).error?.issues ?? []
  return issue ? issueInWords(issue) : ''
}

test('issueInWords: says what is accepted, without terms of the validator', () => {
  const cases: [z.ZodType, unknown, string][] = [
    [z.string(), 5, 'it must be text'],
    [z.object({ a: z.string() }), {}, 'it is missing; expected text'],
    [z.int(), 1.5, 'it must be a whole number'],
    [z.boolean(), 'yes', 'it must be true or false'],
    [z.array(z.string()), 'a', 'it must be a list'],
    [z.int().min(1), -4, 'it must be at least 1'],
    [z.number().positive(), 0, 'it must be more than 0'],
    [z.int().max(9), 10, 'it must be at most 9'],
    [z.string().min(1), '', 'it must not be empty'],
    [z.string().min(32), 'short', 'it must have at least 32 characters'],
    [z.array(z.string()).max(1), ['a', 'b'], 'it must have at most 1 entries'],
    [z.enum(['a', 'b']), 'c', 'it must be one of "a", "b"'],
    [z.literal('a'), 'c', 'it must be "a"'],
    [z.url(), 'nonsense', 'it must be an address such as https://example.org'],
    [z.string().regex(/^[a-z]$/), '!', 'it has a form or characters that are not accepted here'],
    [z.union([z.string(), z.number()]), [], 'it must be text or a number'],
    [z.union([z.int().max(9), z.string().min(2)]), 10, 'it must be at most 9'],
    [z.string({ error: 'write a name.' }), 5, 'write a name'],
    [z.record(z.string().regex(/^a$/), z.string()), { b: 'x' }, 'its name has characters that are not accepted here'],
  ]
  for (const [schema, value, words] of cases) assert.equal(explain(schema, value), words)
})
