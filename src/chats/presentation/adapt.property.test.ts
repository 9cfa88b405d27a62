import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ChannelPresentationCapabilities } from '../message/channel-capabilities.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import { blockReading } from '../message/text-reading.ts'
import type { AdaptedBlock, AdaptedButton, AdaptedMessage } from '../../ports/channel.ts'
import { adapt } from './adapt.ts'
import { byteLength, measure } from './measure.ts'
import { previewTokens } from './preview-tokens.ts'
import { anyCapabilities, anyMessage } from './test/any-message.ts'

/** Breaks and fences are what parting a text may change. */
const bare = (text: string): string => text.replaceAll(/[\s`]/g, '')

function saidIn(message: ReplyPayload): { texts: string[]; labels: string[] } {
  const { text = '', presentation } = message
  // A line at the end that repeats a block is said by the block, which a divider may stand before.
  const texts = [...text.split('\n'), presentation?.title ?? '']
  for (const { url, caption = '', name = '' } of message.media ?? []) texts.push(name, caption, url.startsWith('file:') ? '' : url)
  const labels: string[] = []
  for (const block of presentation?.blocks ?? []) {
    if (block.type === 'text' || block.type === 'context') texts.push(block.text)
    else if (block.type === 'image') texts.push(block.alt, block.url)
    else if (block.type === 'table') texts.push(block.caption ?? '', ...block.headers, ...block.rows.flat().map(String))
    else if (block.type === 'chart')
      texts.push(block.title ?? '', ...block.categories, ...block.series.flatMap(({ name, values }) => [name, ...values.map(String)]))
    else if (block.type === 'buttons') labels.push(...block.buttons.map(({ label }) => label))
    else if (block.type === 'select') labels.push(...block.options.map(({ label }) => label), block.placeholder ?? '')
  }
  return { texts, labels }
}

const toBlocks = ({ parts }: AdaptedMessage): AdaptedBlock[] => parts.flatMap(({ blocks }) => blocks)
const listButtons = (blocks: readonly AdaptedBlock[]): AdaptedButton[] =>
  blocks.flatMap((block) => (block.type === 'buttons' ? block.rows.flat() : []))

function shownText(block: AdaptedBlock): string {
  if ('text' in block) return block.text
  if (block.type === 'image') return `${block.alt} ${block.url}`
  if (block.type === 'media') return `${block.name} ${block.url}`
  return block.type === 'table' || block.type === 'chart' ? blockReading(block) : ''
}

function shownLabels(block: AdaptedBlock): string[] {
  if (block.type === 'buttons') return block.rows.flat().map(({ label }) => label)
  return block.type === 'select' ? [block.placeholder, ...block.options.map(({ label }) => label)] : []
}

test('any message on any channel keeps all its text and every label somewhere', () => {
  fc.assert(
    fc.property(anyMessage, anyCapabilities, (message, capabilities) => {
      const { adapted } = adapt(message, capabilities, previewTokens)
      const text = bare(toBlocks(adapted).map(shownText).join(''))
      const labels = new Set(toBlocks(adapted).flatMap(shownLabels))
      const wordsBefore = saidIn(message)
      for (const one of wordsBefore.texts) assert.ok(text.includes(bare(one)), `lost: ${JSON.stringify(one)} in ${text}`)
      for (const one of wordsBefore.labels) assert.ok(labels.has(one) || text.includes(bare(one)), `lost label: ${JSON.stringify(one)}`)
    }),
    { numRuns: 1_500 },
  )
})

test('a divider above a text that is parted does not come between its parts', () => {
  const text = `${'a'.repeat(50)}\n\n${'b'.repeat(50)}`
  const message: ReplyPayload = { presentation: { blocks: [{ type: 'divider' }, { type: 'context', text }] } }
  const { adapted } = adapt(message, { supported: true, limits: { text: { maxBlockLength: 60 } } }, previewTokens)
  assert.deepEqual(toBlocks(adapted).map(shownText), ['a'.repeat(50), 'b'.repeat(50)])
})

test('any message on any channel stays within every limit', () => {
  fc.assert(
    fc.property(anyMessage, anyCapabilities, (message, capabilities) => {
      const { adapted } = adapt(message, capabilities, previewTokens)
      assert.deepEqual(excesses(adapted, capabilities), [])
      for (const { blocks } of adapted.parts) assert.ok(blocks.length > 0)
    }),
    { numRuns: 1_500 },
  )
})

test('no grapheme of a message is parted, on any channel', () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const graphemes = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment)
  // Splitting at joiners would produce people, letters and half a flag that the text does not contain.
  const text = fc
    .array(fc.constantFrom('👨‍👩‍👧‍👦', '🇩🇪', 'e\u0301', 'नि', '각', '1️⃣', ' ', '\n'), { minLength: 30, maxLength: 200 })
    .map((all) => all.join(''))
  fc.assert(
    fc.property(text, anyCapabilities, (words, capabilities) => {
      const label = words.replaceAll(/\s+/g, '').slice(0, 600).toWellFormed()
      const buttons = [{ label, value: 'v' }]
      const message: ReplyPayload = { text: words, presentation: { blocks: [{ type: 'buttons', buttons }] } }
      const knownKeys = new Set([...graphemes(words), ...graphemes(label)])
      const { adapted } = adapt(message, capabilities, previewTokens)
      for (const one of toBlocks(adapted)
        .flatMap((block) => [shownText(block), ...shownLabels(block)])
        .flatMap(graphemes))
        assert.ok(knownKeys.has(one) || /^[\x20-\x7e\n…—]$/.test(one), JSON.stringify(one))
    }),
    { numRuns: 500 },
  )
})

test('a value that is too long becomes a token, and only an opaque one comes back', () => {
  fc.assert(
    fc.property(anyMessage, anyCapabilities, (message, capabilities) => {
      const entries = new Map<string, string>()
      const tokens = {
        tokenFor: (value: string) => (entries.set(String(entries.size), value), String(entries.size - 1)),
        when: 'always' as const,
      }
      const { adapted } = adapt(message, capabilities, tokens)
      for (const { press } of listButtons(toBlocks(adapted)))
        if (press.type === 'value') assert.ok(entries.has(press.value.replace(/^p1:t:/, '')))
    }),
    { numRuns: 300 },
  )
})

function excesses(adapted: AdaptedMessage, { limits = {} }: ChannelPresentationCapabilities): string[] {
  const { text = {}, actions = {}, selects = {}, images = {}, media = {} } = limits
  const size = (some: string): number => measure(some, text.encoding ?? 'characters')
  const matches: string[] = []
  const check = (what: string, is: number, most: number | undefined): void =>
    void (most !== undefined && is > most && matches.push(`${what}: ${is} > ${most}`))
  for (const { blocks } of adapted.parts) {
    const words = blocks.flatMap((block) =>
      'text' in block ? [block.text] : block.type === 'table' || block.type === 'chart' ? [blockReading(block)] : [],
    )
    check('text', size(words.join('\n\n')), text.maxLength)
    check('blocks', blocks.length, text.maxBlocks)
    check(
      'bytes of controls',
      listButtons(blocks).reduce((sum, { label, press }) => sum + byteLength(JSON.stringify({ label, press })), 0),
      actions.maxTotalBytes,
    )
    for (const one of words) check('block', size(one), text.maxBlockLength)
    for (const block of blocks) if (block.type === 'title') check('title', size(block.text), text.maxTitleLength)
    for (const block of blocks) if (block.type === 'image') check('alt', size(block.alt), images.maxAltLength)
    if (media.separate && blocks.some(({ type }) => type === 'media')) {
      check('caption', size(words.join('\n\n')), media.maxCaptionLength)
      check('media', blocks.filter(({ type }) => type === 'media').length, 1)
    }
    if (images.separate && blocks.some(({ type }) => type === 'image')) check('beside an image', words.length, 0)
  }
  const all = toBlocks(adapted)
  const chosen = all.filter((block) => block.type === 'select')
  const rows = all.flatMap((block) => (block.type === 'buttons' ? block.rows : []))
  check('actions', rows.flat().length + chosen.length, actions.maxActions)
  check('rows', rows.length + chosen.length, actions.maxRows)
  for (const row of rows) check('row', row.length, actions.maxActionsPerRow)
  for (const { label, press } of rows.flat()) {
    check('label', size(label), actions.maxLabelLength)
    if (press.type === 'value') check('value', byteLength(press.value), actions.maxValueBytes)
    if (press.type === 'url') check('url', press.url.length, actions.maxUrlLength)
    if (press.type === 'copy-text') check('copy', size(press.text), actions.maxCopyTextLength)
  }
  for (const { options, placeholder } of chosen) {
    check('options', options.length, selects.maxOptions)
    check('placeholder', size(placeholder), selects.maxPlaceholderLength)
    for (const { label, value } of options) {
      check('option', size(label), selects.maxLabelLength)
      check('option value', byteLength(value), selects.maxValueBytes)
    }
  }
  return matches
}
