import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describeError } from '../../errors.ts'
import { normaliseMessage } from './normalise.ts'
import { normaliseInteractive, normalisePresentation } from './normalise-blocks.ts'
import { looseMessages } from './test/loose-json.ts'

const getPresentation = (input: unknown): unknown => normalisePresentation(input)

test('a button needs a label and something that a tap can do; a block that is left empty goes', () => {
  const buttons = [{ label: 'Yes', value: 'y' }, { label: 'No' }, { value: 'n' }, { label: ' ', value: 'x' }, 'Later', null]
  assert.deepEqual(getPresentation({ blocks: [{ type: 'buttons', buttons }] }), {
    blocks: [{ type: 'buttons', buttons: [{ label: 'Yes', value: 'y' }] }],
  })
  assert.equal(
    getPresentation({
      blocks: [
        { type: 'buttons', buttons: [{ label: 'No' }] },
        { type: 'text', text: '  ' },
        { type: 'select', options: [] },
      ],
    }),
    undefined,
  )
  assert.equal(getPresentation({ tone: 'danger', blocks: [] }), undefined)
  assert.deepEqual(getPresentation({ title: 'Alone' }), { title: 'Alone', blocks: [] })
})

test('other spellings are understood', () => {
  const buttons = [
    { text: 'A', callback_data: 'a' },
    { text: 'B', callbackData: 'b' },
    { label: 'C', text: 'not this', value: 'c', callback_data: 'nor this' },
  ]
  assert.deepEqual(getPresentation({ blocks: [{ type: 'buttons', buttons }] }), {
    blocks: [
      {
        type: 'buttons',
        buttons: [
          { label: 'A', value: 'a' },
          { label: 'B', value: 'b' },
          { label: 'C', value: 'c' },
        ],
      },
    ],
  })
  assert.deepEqual(getPresentation({ blocks: [{ type: 'select', options: [{ text: 'One', callback_data: '1' }] }] }), {
    blocks: [{ type: 'select', options: [{ label: 'One', value: '1' }] }],
  })
})

test('an unknown tone or style is taken away and is no error', () => {
  assert.deepEqual(
    getPresentation({ tone: 'pink', title: 'T', blocks: [{ type: 'buttons', buttons: [{ label: 'A', value: 'a', style: 'huge' }] }] }),
    {
      title: 'T',
      blocks: [{ type: 'buttons', buttons: [{ label: 'A', value: 'a' }] }],
    },
  )
})

test('typed actions are kept whole or not at all', () => {
  const actions = [
    { type: 'callback', value: 'v' },
    { type: 'url', url: 'https://example.org/' },
    { type: 'command', command: '/status' },
    { type: 'copy-text', text: 'two\nlines' },
  ]
  const buttons = actions.map((action) => ({ label: 'L', action }))
  assert.deepEqual(getPresentation({ blocks: [{ type: 'buttons', buttons }] }), { blocks: [{ type: 'buttons', buttons }] })
  const broken = [{ type: 'callback' }, { type: 'teleport' }, { type: 'url', url: 'not an address' }, 7]
  // Only the label of the address stays, as text.
  assert.deepEqual(getPresentation({ blocks: [{ type: 'buttons', buttons: broken.map((action) => ({ label: 'L', action })) }] }), {
    blocks: [{ type: 'text', text: 'L' }],
  })
  const options = [{ label: 'L', action: { type: 'copy-text', text: 'a' }, value: 'v' }]
  assert.deepEqual(getPresentation({ blocks: [{ type: 'select', options }] }), {
    blocks: [{ type: 'select', options: [{ label: 'L', value: 'v' }] }],
  })
})

const reservedActions = [
  { type: 'question', questionId: 'q1', optionValue: 'yes' },
  { type: 'approval', approvalId: 'a1', approvalKind: 'exec', decision: 'allow-once' },
  { type: 'question' },
]

test('normaliseMessage: refuses actions that only the server makes, wherever they stand', () => {
  for (const action of reservedActions) {
    const button = { label: 'Yes', value: 'y', action }
    const inputs: [string, object][] = [
      ['presentation.blocks[0].buttons[0].action', { presentation: { blocks: [{ type: 'buttons', buttons: [button] }] } }],
      ['presentation.blocks[1].options[1].action', { presentation: { blocks: [{}, { type: 'select', options: [0, button] }] } }],
      ['interactive.blocks[0].buttons[0].action', { interactive: { blocks: [{ type: 'buttons', buttons: [button] }] } }],
      ['interactive.blocks[0].buttons[0].action', { interactive: [{ type: 'buttons', buttons: [button] }] }],
      ['interactive.blocks[0].buttons[0].action', { presentation: { title: 'T' }, interactive: [{ buttons: [button] }] }],
    ]
    for (const [at, input] of inputs)
      assert.deepEqual(normaliseMessage({ text: 'x', ...input }), {
        refused: { code: 'action_reserved', details: { at, type: action.type } },
      })
  }
})

test('normalisePresentation: leaves out actions that only the server makes', () => {
  const buttons = reservedActions.map((action) => ({ label: 'L', action }))
  assert.equal(getPresentation({ blocks: [{ type: 'buttons', buttons }] }), undefined)
})

test('normalisePresentation: a button whose address cannot be opened leaves its label as text', () => {
  const dropped: string[] = []
  const buttons = [
    { label: 'Docs', url: 'javascript:1' },
    { label: 'Yes', value: 'y' },
    { label: 'Site', action: { type: 'url', url: 'data:x' } },
  ]
  const presentation = normalisePresentation({ blocks: [{ type: 'buttons', buttons }] }, (at) => void dropped.push(at))
  assert.deepEqual(presentation?.blocks, [
    { type: 'buttons', buttons: [{ label: 'Yes', value: 'y' }] },
    { type: 'text', text: 'Docs · Site' },
  ])
  assert.ok(dropped.includes('presentation.blocks[0].buttons[0]'))
})

test('an address that could run code is no address', () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'not a link', 'https://a b', ' JaVaScRiPt:1'])
    assert.deepEqual(
      getPresentation({ blocks: [{ type: 'buttons', buttons: [{ label: 'L', url }] }] }),
      { blocks: [{ type: 'text', text: 'L' }] },
      url,
    )
  assert.equal(getPresentation({ blocks: [{ type: 'image', url: 'mailto:a@b.c', alt: 'x' }] }), undefined)
})

test('a table or chart with one wrong value goes as a whole', () => {
  const table = {
    type: 'table',
    caption: 'C',
    headers: ['A', 'B'],
    rows: [
      ['x', 1],
      ['', 2.5],
    ],
  }
  assert.deepEqual(getPresentation({ blocks: [table] }), { blocks: [table] })
  for (const rows of [[['x']], [['x', null]], [['x', Number.NaN]], [], [['x', {}]]])
    assert.equal(getPresentation({ blocks: [{ ...table, rows }] }), undefined)
  const chart = { type: 'chart', chartType: 'bar', title: 'T', categories: ['a', 'b'], series: [{ name: 's', values: [1, 2] }] }
  assert.deepEqual(getPresentation({ blocks: [chart] }), { blocks: [chart] })
  assert.equal(getPresentation({ blocks: [{ ...chart, series: [{ name: 's', values: [1] }] }] }), undefined)
  assert.equal(getPresentation({ blocks: [{ ...chart, chartType: 'donut' }] }), undefined)
  assert.deepEqual(getPresentation({ blocks: [{ type: 'chart', chartType: 'pie', segments: [{ label: 'a', value: 3 }] }] }), {
    blocks: [{ type: 'chart', chartType: 'pie', categories: ['a'], series: [{ name: '', values: [3] }] }],
  })
})

test('the older interactive input says the same, one to one', () => {
  const blocks = [
    { type: 'text', text: 'Pick' },
    { type: 'buttons', buttons: [{ label: 'A', value: 'a' }] },
    { type: 'select', placeholder: 'P', options: [{ label: 'B', value: 'b' }] },
  ]
  assert.deepEqual(normaliseInteractive({ blocks }), { blocks })
  assert.deepEqual(normaliseInteractive({ blocks: [...blocks, { type: 'divider' }] }), { blocks })
  const normalised = normaliseMessage({ interactive: { blocks } })
  assert.deepEqual('message' in normalised && normalised.message, { presentation: { blocks } })
})

test('the form of one platform is refused with the name of the portable field', () => {
  for (const [field, portable] of [
    ['components', /presentation\.blocks/],
    ['blocks', /presentation\.blocks/],
    ['buttons', /type "buttons"/],
    ['card', /presentation/],
    ['embeds', /presentation/],
    ['reply_markup', /type "buttons"/],
  ] as const) {
    const result = normaliseMessage({ text: 'Hello', [field]: [] })
    assert.ok('refused' in result, field)
    assert.equal(result.refused.code, 'native_field')
    const { message, hint } = describeError(result.refused.code, result.refused.details)
    assert.ok(message.includes(`"${field}"`))
    assert.match(hint, portable)
  }
  assert.ok('refused' in normaliseMessage({ presentation: { title: 'T', components: [] } }))
  assert.ok('message' in normaliseMessage({ presentation: { title: 'T', blocks: [{ type: 'divider' }] } }))
})

test('a message with nothing to show, or with too much, is refused', () => {
  const getCode = (input: unknown): string => {
    const result = normaliseMessage(input)
    return 'refused' in result ? result.refused.code : 'taken'
  }
  assert.equal(getCode({}), 'empty_message')
  assert.equal(getCode({ text: ' \n', presentation: { blocks: [] } }), 'empty_message')
  assert.equal(getCode('Hello'), 'bad_request')
  const text = (length: number): unknown => ({ text: 'x'.repeat(length) })
  assert.deepEqual([getCode(text(100_000)), getCode(text(100_001))], ['taken', 'message_too_big'])
  const blocks = (count: number): unknown => ({ presentation: { blocks: Array.from({ length: count }, () => ({ type: 'divider' })) } })
  assert.deepEqual([getCode(blocks(100)), getCode(blocks(101))], ['taken', 'message_too_big'])
})

test('delivery and sending options are read, dropped parts are named', () => {
  const result = normaliseMessage({
    message: 'Hi\r\nthere',
    presentation: { tone: 'odd', blocks: [{ type: 'hologram' }] },
    delivery: { pin: { enabled: true, required: true, colour: 'red' } },
    send: { replyTo: '7', silent: true },
    presentationTextMode: 'fallback',
  })
  assert.ok('message' in result)
  assert.deepEqual(result.message, {
    text: 'Hi\nthere',
    delivery: { pin: { enabled: true, required: true } },
    send: { replyTo: '7', silent: true },
  })
  assert.deepEqual(
    result.dropped.map(({ at }) => at),
    ['presentation.tone', 'presentation.blocks[0]', 'presentation'],
  )
})

test('any JSON is taken or refused, never thrown at; taken twice it is the same', () => {
  fc.assert(
    fc.property(fc.oneof(looseMessages, fc.jsonValue(), fc.anything()), (input) => {
      const first = normaliseMessage(input)
      normalisePresentation(input)
      if ('refused' in first) return
      const second = normaliseMessage(first.message)
      assert.deepEqual(second, { message: first.message, dropped: [] })
      assert.deepEqual(JSON.parse(JSON.stringify(first.message)), first.message)
    }),
    { numRuns: 2_000 },
  )
})
