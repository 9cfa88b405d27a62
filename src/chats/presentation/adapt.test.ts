import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChannelPresentationCapabilities } from '../message/channel-capabilities.ts'
import type { MessagePresentationBlock, MessagePresentationButton } from '../message/presentation.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import type { AdaptedBlock } from '../../ports/channel.ts'
import { adapt } from './adapt.ts'
import { previewTokens } from './preview-tokens.ts'

const rich: ChannelPresentationCapabilities = {
  supported: true,
  buttons: true,
  selects: true,
  context: true,
  divider: true,
  tones: ['warning'],
  limits: { text: { encoding: 'characters' }, actions: { styles: ['primary'], supportsDisabled: true } },
}

const adaptBlocks = (message: ReplyPayload, capabilities: ChannelPresentationCapabilities): AdaptedBlock[] =>
  adapt(message, capabilities, previewTokens).adapted.parts.flatMap(({ blocks }) => blocks)
const lost = (message: ReplyPayload, capabilities: ChannelPresentationCapabilities): string[] =>
  adapt(message, capabilities, previewTokens).losses.map(({ what, from, to }) => `${what}: ${from} → ${to}`)
const withBlocks = (...blocks: MessagePresentationBlock[]): ReplyPayload => ({ presentation: { blocks } })
const button = (label: string, more: Partial<MessagePresentationButton> = {}): MessagePresentationButton => ({
  label,
  value: label,
  ...more,
})
const buttons = (...all: MessagePresentationButton[]): MessagePresentationBlock => ({ type: 'buttons', buttons: all })
const select: MessagePresentationBlock = {
  type: 'select',
  placeholder: 'Size',
  options: ['S', 'M', 'L'].map((label) => ({ label, value: label })),
}
const labels = (blocks: AdaptedBlock[]): string[][] =>
  blocks.flatMap((block) => (block.type === 'buttons' ? block.rows.map((row) => row.map(({ label }) => label)) : []))
const text = (words: string, format: 'plain' | 'markdown' = 'plain'): AdaptedBlock => ({ type: 'text', text: words, format })
const context = (words: string): AdaptedBlock => ({ type: 'context', text: words, format: 'plain' })

test('a channel without buttons or selects lists them, as small print where it has that', () => {
  const message = withBlocks(buttons(button('A'), button('B', { value: 'x', url: 'https://example.org/' })), select)
  const none = { ...rich, buttons: false, selects: false }
  assert.deepEqual(adaptBlocks(message, none), [context('Actions:\n- A\n- B: https://example.org/'), context('Size:\n- S\n- M\n- L')])
  assert.deepEqual(adaptBlocks(message, { ...none, context: false }), [
    text('Actions:\n- A\n- B: https://example.org/'),
    text('Size:\n- S\n- M\n- L'),
  ])
  assert.equal(lost(message, none).length, 5)
  const { placeholder: _, ...nameless } = select
  assert.deepEqual(adaptBlocks(withBlocks(nameless), none), [context('Options:\n- S\n- M\n- L')])
})

test('where there is no divider, a line of text keeps sections apart', () => {
  const message = withBlocks({ type: 'text', text: 'a' }, { type: 'divider' }, { type: 'text', text: 'b' }, { type: 'divider' })
  assert.deepEqual(adaptBlocks(message, { ...rich, divider: false }), [text('a', 'markdown'), text('———'), text('b', 'markdown')])
  assert.deepEqual(adaptBlocks(withBlocks({ type: 'divider' }), { ...rich, divider: false }), [text('———')])
})

test('when places are few, priority decides who stays and the author who comes first', () => {
  const message = withBlocks(buttons(button('1'), button('2', { priority: 5 }), button('3'), button('4', { priority: 9 })))
  const three = { ...rich, limits: { actions: { maxActions: 3 } } }
  assert.deepEqual(labels(adaptBlocks(message, three)), [['1', '2', '4']])
  assert.deepEqual(adaptBlocks(message, three)[0], context('Actions:\n- 3'))
})

test('each select takes one action and one row of the buttons', () => {
  const many = buttons(...Array.from({ length: 12 }, (_, at) => button(String(at))))
  const capacity = (maxActions: number, maxRows: number, maxActionsPerRow: number, selects: number): number => {
    const message = withBlocks(...Array.from({ length: selects }, () => select), many)
    return labels(adaptBlocks(message, { ...rich, limits: { actions: { maxActions, maxRows, maxActionsPerRow } } })).flat().length
  }
  assert.deepEqual([capacity(10, 3, 3, 0), capacity(10, 3, 3, 1), capacity(8, 5, 5, 1), capacity(8, 5, 5, 0)], [9, 6, 7, 8])
})

test('a select keeps its first options and lists the rest', () => {
  const blocks = adaptBlocks(withBlocks(select), { ...rich, limits: { selects: { maxOptions: 2 } } })
  assert.deepEqual(blocks, [
    context('Size:\n- L'),
    {
      type: 'select',
      placeholder: 'Size',
      options: [
        { label: 'S', value: 'S' },
        { label: 'M', value: 'M' },
      ],
    },
  ])
  const asButtons = adaptBlocks(withBlocks(select), { ...rich, selects: false, selectsAsButtons: true })
  assert.deepEqual([asButtons[0], labels(asButtons)], [context('Size:'), [['S', 'M', 'L']]])
})

test('a long label is cut between graphemes and said in full beside it', () => {
  const blocks = adaptBlocks(withBlocks(buttons(button('Delete 👨‍👩‍👧 now'))), { ...rich, limits: { actions: { maxLabelLength: 10 } } })
  assert.deepEqual([blocks[0], labels(blocks)], [context('Actions:\n- Delete 👨‍👩‍👧 now'), [['Delete…']]])
})

test('a long value never costs a button its life: a token goes in its place', () => {
  const [block] = adaptBlocks(withBlocks(buttons(button('A', { value: 'v'.repeat(65) }), button('B', { value: 'v'.repeat(64) }))), {
    ...rich,
    limits: { actions: { maxValueBytes: 64 } },
  })
  const presses = block?.type === 'buttons' ? block.rows.flat().map(({ press }) => (press.type === 'value' ? press.value : '')) : []
  assert.match(presses[0] ?? '', /^p1:t:[0-9a-z]+$/)
  assert.equal(presses[1], 'v'.repeat(64))
})

test('what a channel cannot show of a button is taken off or listed', () => {
  const bare = { ...rich, limits: { actions: {} } }
  const message = withBlocks(
    buttons(
      button('Off', { disabled: true }),
      button('Red', { style: 'danger' }),
      button('Copy', { action: { type: 'copy-text', text: 'abc' } }),
    ),
  )
  assert.deepEqual(adaptBlocks(message, bare)[0], context('Actions:\n- Off\n- Copy: `abc`'))
  assert.deepEqual(lost(message, bare), ['"Off": button → listed text', '"Red": style danger → no style', '"Copy": button → listed text'])
})

test('a tone is native, a sign before the title, or a loss', () => {
  const message: ReplyPayload = { presentation: { tone: 'warning', title: 'Disk', blocks: [] } }
  assert.equal(adapt(message, rich, previewTokens).adapted.tone, 'warning')
  assert.deepEqual(adaptBlocks(message, { ...rich, tones: [], toneSigns: { warning: '⚠️' } }), [{ type: 'title', text: '⚠️ Disk' }])
  assert.deepEqual(lost(message, { ...rich, tones: [] }), ['tone: warning → nothing'])
})

test('a text that does not fit goes on in further messages, and that is said', () => {
  const message: ReplyPayload = { text: 'x'.repeat(25), presentation: { blocks: [buttons(button('A'))] } }
  const small = { ...rich, limits: { text: { maxLength: 10 } } }
  const { adapted, losses } = adapt(message, small, previewTokens)
  assert.deepEqual(
    adapted.parts.map(({ blocks }) => blocks.map(({ type }) => type)),
    [['text'], ['text'], ['text', 'buttons']],
  )
  assert.deepEqual(losses, [{ what: 'message', from: 'one message', to: '3 messages', why: 'a message takes 10 characters' }])
})

test('what the text says already is not shown twice', () => {
  const presentation = { title: 'Lunch?', blocks: [buttons(button('Yes'))] }
  const types = (words: string): string[] => adaptBlocks({ text: words, presentation }, rich).map(({ type }) => type)
  assert.deepEqual(types('Lunch?'), ['title', 'buttons'])
  assert.deepEqual(types('Lunch?\n\n- Yes'), ['title', 'buttons'])
  assert.deepEqual(types('Hi!\n\nLunch?\n\n- Yes'), ['text', 'title', 'buttons'])
  assert.deepEqual(types('Hi!'), ['text', 'title', 'buttons'])
})

test('a text that stands for the data is shown only where the data is not', () => {
  const table: MessagePresentationBlock = { type: 'table', headers: ['A'], rows: [[1]] }
  const message = (...blocks: MessagePresentationBlock[]): ReplyPayload => ({
    text: 'A is 1',
    presentationTextMode: 'fallback',
    presentation: { title: 'T', blocks },
  })
  const types = (one: ReplyPayload, capabilities: ChannelPresentationCapabilities): string[] =>
    adaptBlocks(one, capabilities).map(({ type }) => type)
  assert.deepEqual(types(message(table), { ...rich, tables: true }), ['title', 'table'])
  assert.deepEqual(adaptBlocks(message(table), rich), [text('A is 1', 'markdown')])
  assert.deepEqual(types(message(table, buttons(button('Go'))), rich), ['text', 'buttons'])
  assert.deepEqual(adaptBlocks(message(table), { supported: false }), [text('A is 1')])
})

test('controls without words get some, where a platform takes none without', () => {
  const keyboard = { ...rich, limits: { text: { bodyOfControls: 'Choose:' } } }
  assert.deepEqual(
    adaptBlocks(withBlocks(buttons(button('A'))), keyboard).map(({ type }) => type),
    ['text', 'buttons'],
  )
  assert.deepEqual(
    adaptBlocks(withBlocks(buttons(button('A'))), rich).map(({ type }) => type),
    ['buttons'],
  )
})

test('a question before a tap is asked where the channel can, and listed where it cannot or where it is too long', () => {
  const asking = { label: 'Delete', value: 'd', confirm: 'Delete all 12 files?' }
  const message = { presentation: { blocks: [{ type: 'buttons' as const, buttons: [asking] }] } }
  for (const [maxConfirmLength, isAsked] of [
    [20, true],
    [19, false],
    [undefined, false],
  ] as const) {
    const actions = maxConfirmLength === undefined ? {} : { maxConfirmLength }
    const { adapted, losses } = adapt(message, { supported: true, buttons: true, limits: { actions } }, previewTokens)
    const [block] = adapted.parts[0]?.blocks ?? []
    const [shown] = block?.type === 'buttons' ? block.rows.flat() : []
    assert.equal(shown?.confirm, isAsked ? asking.confirm : undefined)
    assert.equal(losses.filter(({ from }) => from === 'a question before the tap').length, isAsked ? 0 : 1)
  }
})
