import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ParleyError } from '../errors.ts'
import { operatorLog } from './log.ts'

function recorded(isPretty = false): { log: ReturnType<typeof operatorLog>; lines: string[] } {
  const lines: string[] = []
  return { log: operatorLog({ level: 'debug', isPretty, write: (line) => lines.push(line), now: () => 0 }), lines }
}

test('one line of JSON for each entry', () => {
  const { log, lines } = recorded()
  log('warn', 'slow\nstore', { ms: 12, nested: { list: [1, 'two'] } })
  assert.deepEqual(JSON.parse(lines[0] ?? ''), {
    time: '1970-01-01T00:00:00.000Z',
    level: 'warn',
    message: 'slow\nstore',
    ms: 12,
    nested: { list: [1, 'two'] },
  })
  assert.equal(lines[0]?.indexOf('\n'), (lines[0]?.length ?? 0) - 1)
})

test('less than the level asked for is not written', () => {
  const lines: string[] = []
  const log = operatorLog({ level: 'warn', isPretty: false, write: (line) => lines.push(line) })
  log('info', 'nothing')
  log('error', 'something')
  assert.equal(lines.length, 1)
})

test('secrets are removed: by the name of a field, by their looks, and by value anywhere', () => {
  for (const isPretty of [false, true]) {
    const { log, lines } = recorded(isPretty)
    log.hide('hunter2-hunter2')
    const token = `parley_tok_1_${'a'.repeat(64)}`
    log('error', `got ${token} at /o#k=abc.def`, {
      authorization: 'Bearer xyz123',
      headers: { Cookie: 'parley_1=abcdef', 'x-api-key': 'k-123' },
      note: 'Authorization: Bearer xyz123 and sk-abcdefghijklmnopqrstuv',
      error: new ParleyError('model_unreachable', { why: 'hunter2-hunter2 refused' }, { cause: new Error(`cause with ${token}`) }),
    })
    const text = lines.join('')
    for (const secret of [token, 'xyz123', 'abcdef', 'k-123', 'sk-abc', 'hunter2', 'abc.def'])
      assert.equal(text.includes(secret), false, `${secret} in ${text}`)
  }
})

test('whatever is logged, a hidden value is not in it, and it is one line of JSON', () => {
  const { log, lines } = recorded()
  log.hide('s3cr3t-value')
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }), fc.string(), (value, text) => {
      lines.length = 0
      log('info', `${text}s3cr3t-value${text}`, { value, deep: [{ why: `x s3cr3t-value ${text}` }] })
      assert.equal(lines[0]?.includes('s3cr3t-value'), false)
      JSON.parse(lines[0] ?? '')
    }),
  )
})
