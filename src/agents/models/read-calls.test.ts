import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readArguments } from './call-arguments.ts'
import { type CallFacts, callLimits, type RawCall, readCalls } from './read-calls.ts'
import { findTool } from './tool-name.ts'

const tools = ['read_file', 'grep', 'send_mail', 'tellask', 'add_reminder', 'askHuman', 'tellaskBack']
const facts: CallFacts = { tools, callIds: 'common', taken: [], seed: '4_2' }
const call = (input: unknown, more: Partial<RawCall> = {}): RawCall => ({ id: 'c1', name: 'read_file', input, ...more })
const brief = (raw: readonly RawCall[], more: Partial<CallFacts> = {}) =>
  readCalls(raw, { ...facts, ...more }).map(({ id, name, input, fault }) => [id, name, input, fault?.kind ?? null])

describe('findTool', () => {
  for (const [called, tool] of [
    ['tellask', 'tellask'],
    ['TellAsk', 'tellask'],
    ['functions.add_reminder', 'add_reminder'],
    ['functions.AddReminder', 'add_reminder'],
    ['read-file', 'read_file'],
    ['Read.File', 'read_file'],
    ['ask_human', 'askHuman'],
    [' grep\n', 'grep'],
  ] as const)
    test(`${JSON.stringify(called)} is ${tool}`, () => assert.deepEqual(findTool(called, tools), { tool }))

  test('an exact name wins over a similar one', () => {
    assert.deepEqual(findTool('read_file', ['readFile', 'read_file']), { tool: 'read_file' })
  })

  test('a name that fits two tools is unknown', () => {
    assert.deepEqual(findTool('READ_FILE', ['readFile', 'read_file']), { unknown: 'READ_FILE', suggestion: 'read_file' })
  })

  test('an unknown name comes with the nearest tool, if one is near', () => {
    assert.deepEqual(findTool('read_flie', tools), { unknown: 'read_flie', suggestion: 'read_file' })
    assert.deepEqual(findTool('functions.gerp', tools), { unknown: 'functions_gerp', suggestion: 'grep' })
    assert.deepEqual(findTool('delegate_task', ['read_file', 'tellask', 'askHuman', 'clear_mind']), {
      unknown: 'delegate_task',
      suggestion: null,
    })
  })

  test('an unknown name is replayed in the form the wire accepts', () => {
    assert.deepEqual(findTool('删除 文件!', tools), { unknown: '______', suggestion: null })
    assert.deepEqual(findTool('', tools), { unknown: 'unnamed', suggestion: null })
    const found = findTool('x'.repeat(10_000), tools)
    assert.equal('unknown' in found && found.unknown.length, 64)
  })
})

describe('readArguments', () => {
  const cases: readonly [string, unknown, unknown[] | RegExp][] = [
    ['an object', '{"path": "x"}', [{ path: 'x' }]],
    ['an object that is parsed already', { path: 'x' }, [{ path: 'x' }]],
    ['white space around it', ' \n{"path": "x"}\n', [{ path: 'x' }]],
    ['nothing', '', [{}]],
    ['a markdown fence', '```json\n{"path": "x"}\n```', [{ path: 'x' }]],
    ['a markdown fence without a label', '```\n{"path": "x"}\n```', [{ path: 'x' }]],
    ['a markdown fence on one line', '```json{"path": "x"}```', [{ path: 'x' }]],
    ['a tag after the last brace', '{"path": "x"}</tool_call>', [{ path: 'x' }]],
    ['several tags after the last brace', '{"path": "x"}\n</tool_call> <|im_end|>', [{ path: 'x' }]],
    ['tags of bars that end in words', `{"path": "x"}${'<|0>'.repeat(45)}x`, /complete JSON/],
    ['a tag inside a value', '{"html": "<b>}</b>"}</tool_call>', [{ html: '<b>}</b>' }]],
    ['a text that holds the object', '"{\\"content\\": \\"x\\"}"', [{ content: 'x' }]],
    ['two objects in a row', '{"path":"a"}{"path":"b"}', [{ path: 'a' }, { path: 'b' }]],
    ['two objects on two lines', '{"path":"a"}\n{"path":"b"}\n', [{ path: 'a' }, { path: 'b' }]],
    ['braces inside values', '{"a":"}{"}{"b":"\\"}"}', [{ a: '}{' }, { b: '"}' }]],
    ['a cut object', '{"path": "x"', /complete JSON/],
    ['an object and a cut one', '{"path":"a"}{"path":', /complete JSON/],
    ['an object and words', '{"path":"a"} and then', /complete JSON/],
    ['words', 'path = x', /complete JSON/],
    ['two layers of text', JSON.stringify(JSON.stringify('{"a":1}')), /complete JSON/],
    ['single quotes', "{'path': 'x'}", /complete JSON/],
    ['a list', '[1, 2]', /not a JSON object/],
    ['a list of objects', '[{"path":"a"}]', /not a JSON object/],
    ['a number', '7', /not a JSON object/],
    ['null', 'null', /not a JSON object/],
    ['a missing value', undefined, /not a JSON object/],
    ['deep nesting', '{"a":'.repeat(200) + '1' + '}'.repeat(200), /100 levels/],
    ['very deep nesting', '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000), /100 levels|complete JSON/],
  ]
  for (const [what, written, expected] of cases)
    test(what, () => {
      const read = readArguments(written)
      if (expected instanceof RegExp) assert.match('fault' in read ? read.fault : '', expected)
      else assert.deepEqual(read, { objects: expected })
    })
})

describe('readCalls', () => {
  test('a clean call stays as it is', () => {
    assert.deepEqual(readCalls([call('{"path": "x"}')], facts), [
      { id: 'c1', name: 'read_file', input: { path: 'x' }, fault: null, source: 0 },
    ])
  })

  test('objects in a row are calls with ids of their own', () => {
    assert.deepEqual(brief([call('{"path":"a"}{"path":"b"}', { id: '' })]), [
      ['call_4_2_1', 'read_file', { path: 'a' }, null],
      ['call_4_2_2', 'read_file', { path: 'b' }, null],
    ])
  })

  test('one id with different arguments: both run, the second with a new id', () => {
    assert.deepEqual(brief([call({ p: 'a' }), call({ p: 'b' })]), [
      ['c1', 'read_file', { p: 'a' }, null],
      ['call_4_2_1', 'read_file', { p: 'b' }, null],
    ])
  })

  test('one id with equal arguments runs once', () => {
    assert.deepEqual(brief([call('{"to": "mia"}'), call('{"to":"mia"}')]), [['c1', 'read_file', { to: 'mia' }, null]])
  })

  test('one id with different tools runs both', () => {
    assert.equal(brief([call('{}'), call('{}', { name: 'grep' })]).length, 2)
  })

  test('equal calls without an id are separate calls', () => {
    assert.deepEqual(
      brief([call('{}', { id: '' }), call('{}', { id: ' ' })]).map(([id]) => id),
      ['call_4_2_1', 'call_4_2_2'],
    )
  })

  test('an id of the epoch is not used again', () => {
    assert.deepEqual(
      brief([call('{}')], { taken: ['c1', 'call_4_2_1'] }).map(([id]) => id),
      ['call_4_2_2'],
    )
  })

  test('an id of a wrong form is replaced', () => {
    const ids = (given: string, callIds: CallFacts['callIds']) =>
      readCalls([call('{}', { id: given })], { ...facts, callIds }).map(({ id }) => id)
    assert.deepEqual(ids('grep:3', 'common'), ['call_4_2_1'])
    assert.deepEqual(ids('x'.repeat(65), 'common'), ['call_4_2_1'])
    assert.deepEqual(ids('Abc123xyz', 'short'), ['Abc123xyz'])
    assert.match(ids('call_1', 'short')[0] ?? '', /^[a-zA-Z0-9]{9}$/)
  })

  test('an unknown tool and unreadable arguments are faults with an object to replay', () => {
    const [unknown, broken] = readCalls([call('{}', { name: 'read_flie' }), call('{"path": "x"')], facts)
    assert.deepEqual(unknown?.fault, { kind: 'unknown-tool', name: 'read_flie', suggestion: 'read_file' })
    assert.deepEqual(broken?.input, { unreadable: '{"path": "x"' })
    assert.equal(broken?.fault?.kind, 'bad-arguments')
  })

  test('without tools every call is unknown', () => {
    assert.deepEqual(brief([call('{}')], { tools: [] })[0]?.[3], 'unknown-tool')
  })

  test('the first 32 calls run, the rest is refused', () => {
    const raw = Array.from({ length: 40 }, (_, index) => call({ path: String(index) }, { id: `c${index}` }))
    const faults = readCalls(raw, facts).map(({ fault }) => fault?.kind ?? 'runs')
    assert.deepEqual(faults, [...Array<string>(32).fill('runs'), ...Array<string>(8).fill('too-many')])
  })

  test('calls beyond all sense are dropped', () => {
    const objects = Array.from({ length: 10_000 }, (_, index) => `{"n":${index}}`).join('')
    assert.equal(readCalls([call(objects), call(objects)], facts).length, callLimits.keptPerOutput)
  })

  const anyText = fc.oneof(
    fc.string(),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc
      .array(fc.constantFrom('{', '}', '"', '\\', '```', '</tool_call>', '{"a":1}', '\n', '[', ']'), { maxLength: 20 })
      .map((parts) => parts.join('')),
  )
  const anyCall = fc.record({
    id: fc.oneof(fc.constantFrom('', 'c1', 'c2', 'grep:3', 'Abc123xyz'), fc.string()),
    name: fc.oneof(fc.constantFrom(...tools, 'Grep', 'functions.grep'), fc.string()),
    input: fc.oneof(anyText, fc.jsonValue()),
  })
  const form = fc.constantFrom('common' as const, 'short' as const)

  test('any calls are read: unique ids of the right form, names the wire accepts, objects, bounds', () => {
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 50 }), form, fc.string(), (raw, callIds, seed) => {
        const taken = ['c1', 'Abc123xyz']
        const calls = readCalls(raw, { tools, callIds, taken, seed })
        const pattern = callIds === 'short' ? /^[a-zA-Z0-9]{9}$/ : /^[a-zA-Z0-9_-]{1,64}$/
        assert.equal(new Set([...taken, ...calls.map(({ id }) => id)]).size, taken.length + calls.length)
        for (const { id, name, input, fault, source } of calls) {
          assert.match(id, pattern)
          assert.match(name, /^[\w-]{1,64}$/)
          assert.equal(tools.includes(name), fault?.kind !== 'unknown-tool' && (fault?.kind !== 'too-many' || tools.includes(name)))
          assert.ok(typeof input === 'object' && !Array.isArray(input) && source < raw.length)
        }
        assert.ok(calls.filter(({ fault }) => fault?.kind !== 'too-many').length <= callLimits.runPerOutput)
        assert.deepEqual(readCalls(raw, { tools, callIds, taken, seed }), calls)
      }),
      { numRuns: 500 },
    )
  })

  test('reading its own clean calls again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 40 }), form, (raw, callIds) => {
        const clean = readCalls(raw, { ...facts, callIds }).filter(({ fault }) => fault === null)
        const again = readCalls(
          clean.map(({ id, name, input }) => ({ id, name, input: JSON.stringify(input) })),
          { ...facts, callIds },
        )
        const parts = (calls: typeof clean) =>
          calls.map(({ id, name, input, fault }) => ({ id, name, input: JSON.stringify(input), fault }))
        assert.deepEqual(parts(again), parts(clean))
      }),
      { numRuns: 500 },
    )
  })
})
