import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildCrossContextPresentation } from './cross-context.ts'
import type { MessagePresentationBlock, MessagePresentationButton } from './presentation.ts'
import { getPin } from './reply-payload.ts'
import { textReading } from './text-reading.ts'

const read = (...blocks: MessagePresentationBlock[]): string => textReading({ presentation: { blocks } })
const buttons = (...all: MessagePresentationButton[]): MessagePresentationBlock => ({ type: 'buttons', buttons: all })

test('text, then title, then each block, with a blank line between', () => {
  const blocks: MessagePresentationBlock[] = [
    { type: 'text', text: 'It is **full**.' },
    { type: 'context', text: 'node 7' },
    buttons({ label: 'Clean', value: 'secret-1' }, { label: 'Look', url: 'https://example.org/d' }),
  ]
  assert.equal(
    textReading({ text: 'Hello', presentation: { tone: 'warning', title: 'Disk', blocks } }),
    'Hello\n\nDisk\n\nIt is **full**.\n\nnode 7\n\n- Clean\n- Look: https://example.org/d',
  )
})

test('addresses, commands and texts to copy are shown; what only a program understands is not', () => {
  const reading = read(
    buttons(
      { label: 'A', action: { type: 'callback', value: 'secret' } },
      { label: 'B', action: { type: 'question', questionId: 'secret', optionValue: 'secret' } },
      { label: 'C', action: { type: 'approval', approvalId: 'secret', approvalKind: 'exec', decision: 'deny' } },
      { label: 'D', action: { type: 'command', command: '/status' } },
      { label: 'E', action: { type: 'copy-text', text: 'npm `x`' } },
      { label: 'F', action: { type: 'copy-text', text: 'two\nlines' } },
      { label: 'G', value: 'secret', url: 'https://example.org/' },
      { label: 'H', url: 'https://example.org/', disabled: true },
    ),
    { type: 'select', placeholder: 'Size', options: [{ label: 'Small', value: 'secret' }] },
    { type: 'select', options: [{ label: 'Big', value: 'secret' }] },
  )
  assert.equal(
    reading,
    '- A\n- B\n- C\n- D: `/status`\n- E: `` npm `x` ``\n- F:\n```\ntwo\nlines\n```\n- G: https://example.org/\n- H\n\nSize:\n- Small\n\nOptions:\n- Big',
  )
  assert.doesNotMatch(reading, /secret/)
})

test('data reads as lines', () => {
  const table: MessagePresentationBlock = {
    type: 'table',
    caption: 'Stock',
    headers: ['Item', 'Left'],
    rows: [
      ['Tea', 4],
      ['Milk', 0],
    ],
  }
  assert.equal(read(table), 'Stock (table)\n- Item: Tea; Left: 4\n- Item: Milk; Left: 0')
  const chart: MessagePresentationBlock = {
    type: 'chart',
    chartType: 'bar',
    title: 'Sales',
    xLabel: 'month',
    yLabel: 'pieces',
    categories: ['Jan', 'Feb'],
    series: [{ name: 'Tea', values: [3, 4.5] }],
  }
  assert.equal(read(chart), 'Sales (bar chart)\nX axis: month\nY axis: pieces\n- Tea: Jan: 3; Feb: 4.5')
  assert.equal(read({ type: 'chart', chartType: 'pie', categories: ['a'], series: [{ name: '', values: [1] }] }), 'Pie chart\n- a: 1')
  assert.equal(read({ type: 'image', url: 'https://example.org/a.png', alt: 'A cat' }), 'A cat (image): https://example.org/a.png')
})

test('a divider is a rule between two things, and nothing at an end or alone', () => {
  const text = (words: string): MessagePresentationBlock => ({ type: 'text', text: words })
  const divider: MessagePresentationBlock = { type: 'divider' }
  assert.equal(read(divider, text('a'), divider, divider, text('b'), divider), 'a\n\n---\n\nb')
  assert.equal(read(divider), '')
})

test('what the text already says is not said twice', () => {
  const presentation = { title: 'Lunch?', blocks: [buttons({ label: 'Yes', value: '1' }, { label: 'No', value: '0' })] }
  const expected = 'Lunch?\n\n- Yes\n- No'
  assert.equal(textReading({ text: expected, presentation }), expected)
  assert.equal(textReading({ text: `Hi!\n\n${expected}`, presentation }), `Hi!\n\n${expected}`)
  assert.equal(textReading({ text: 'Lunch?', presentation }), expected)
  assert.equal(textReading({ text: 'Hi!', presentation }), `Hi!\n\n${expected}`)
  assert.equal(textReading({ text: 'All in words', presentation, presentationTextMode: 'fallback' }), 'All in words')
})

test('a message from elsewhere says where it comes from', () => {
  assert.equal(
    textReading({ presentation: buildCrossContextPresentation({ originLabel: '#sales', message: 'Done' }) }),
    'Done\n\n---\n\nFrom #sales',
  )
  assert.deepEqual(buildCrossContextPresentation({ originLabel: '#sales' }), {
    tone: 'neutral',
    blocks: [{ type: 'context', text: 'From #sales' }],
  })
  const presentation = { tone: 'danger' as const, title: 'Fire', blocks: [] }
  assert.equal(textReading({ presentation: buildCrossContextPresentation({ originLabel: 'x', presentation }) }), 'Fire\n\n---\n\nFrom x')
})

test('a pin is quiet and not required unless said', () => {
  assert.deepEqual(getPin({ pin: true }), { enabled: true, notify: false, required: false })
  assert.deepEqual(getPin({ pin: { enabled: true, required: true } }), { enabled: true, notify: false, required: true })
  assert.deepEqual(getPin(undefined), { enabled: false, notify: false, required: false })
})
