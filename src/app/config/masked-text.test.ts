import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskConfigText } from './masked-text.ts'

const secrets = ['sk-live-0123456789', 'hunter2hunter2', 'gateway-0123456789', 'pa55word', 'line-one-secret', 'old-key-0123456789']

const written = `# house rules
models:
  main:
    apiKey: sk-live-0123456789 # the real one: sk-live-0123456789
    headers: { X-Team: gateway-0123456789 }
    model: gpt
  other:
    apiKey: "hunter2hunter2"
    # apiKey: old-key-0123456789
  third:
    apiKey: \${OPENAI_API_KEY}
  fourth:
    secret: |
      line-one-secret
      hunter2hunter2
    model: last
store:
  url: postgres://parley:pa55word@db/parley
`

test('maskConfigText: secrets become dots, in values and comments, and every line stays a line', () => {
  const masked = maskConfigText(written)
  for (const secret of secrets) assert.ok(!masked.includes(secret), `${secret} in:\n${masked}`)
  assert.equal(masked.split('\n').length, written.split('\n').length, masked)
  for (const part of ['# house rules', 'model: gpt', '${OPENAI_API_KEY}', 'model: last', 'apiKey: ••••••'])
    assert.ok(masked.includes(part), part)
})

test('maskConfigText: a text that is no YAML is hidden as a whole', () => {
  assert.equal(maskConfigText('models: [\n  apiKey: sk-live-0123456789'), '••••••\n')
  assert.equal(maskConfigText(''), '')
})
