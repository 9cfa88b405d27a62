import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { builtInKinds } from '../../src/chats/channels/registry.ts'
import { toLetters } from '../../src/chats/channels/read-back.ts'
import type { MessagePresentation } from '../../src/chats/message/presentation.ts'
import type { ReplyPayload } from '../../src/chats/message/reply-payload.ts'
import { renderOrPlain } from '../../src/chats/presentation/present.ts'
import { previewTokens } from '../../src/chats/presentation/preview-tokens.ts'
import { anyMessage } from '../../src/chats/presentation/test/any-message.ts'
import type { AdaptedBlock, ChannelRenderer } from '../../src/ports/channel.ts'
import { cases } from './messages.ts'

const kinds = await Promise.all(Object.values(builtInKinds).map(({ load }) => load()))

/** Letters of a text, without marks, spaces and signs, which platforms write in different ways. */
const toKey = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, '')

const toKeys = (texts: readonly string[]): string[] => texts.map(toKey).filter((key) => key !== '')

function listTexts(block: AdaptedBlock): string[] {
  if (block.type === 'title') return [block.text]
  // Text with formatting of its own is compared where the words are the same in every spelling.
  if (block.type === 'text' || block.type === 'context') return block.format === 'plain' ? [block.text] : []
  if (block.type === 'image') return [block.alt]
  if (block.type === 'table') return [block.caption ?? '', ...block.headers, ...block.rows.flat().map(String)]
  return []
}

const listLabels = (block: AdaptedBlock): string[] =>
  block.type === 'buttons'
    ? block.rows.flat().map(({ label }) => label)
    : block.type === 'select'
      ? block.options.map(({ label }) => label)
      : []

const shownLabels = ({ blocks }: MessagePresentation): string[] =>
  blocks.flatMap((block) =>
    block.type === 'buttons'
      ? block.buttons.map(({ label }) => label)
      : block.type === 'select'
        ? block.options.map(({ label }) => label)
        : [],
  )

function shownText({ title = '', blocks }: MessagePresentation): string {
  const texts = blocks.flatMap((block) => {
    if (block.type === 'text') return [toLetters(block.text.replaceAll(/^### /gm, ''))]
    if (block.type === 'context') return [block.text]
    if (block.type === 'image') return [block.alt]
    return block.type === 'table' ? [...block.headers, ...block.rows.flat().map(String)] : []
  })
  return [title, ...texts].map(toKey).join('')
}

/** Texts of a message that the reader did not find. */
function findMissing(renderer: ChannelRenderer, sample: string, message: ReplyPayload): string[] {
  const rendered = renderOrPlain(message, renderer, { address: sample }, previewTokens)
  if (!rendered || !renderer.readBack) return ['nothing is read back']
  const { requests, adapted } = rendered
  const blocks = adapted.parts.flatMap((part) => part.blocks)
  const shown = requests.flatMap((request) => renderer.readBack?.(request) ?? [])
  const labels = shown.flatMap(shownLabels)
  const text = shown.map(shownText).join('')
  return [
    ...blocks.flatMap(listLabels).filter((label) => toKey(label) !== '' && !labels.some((one) => toKey(one).startsWith(toKey(label)))),
    ...toKeys(blocks.flatMap(listTexts)).filter((key) => !text.includes(key)),
  ]
}

for (const { kind, renderer, address } of kinds) {
  test(`${kind}: a preview draws every label and text of the request`, () => {
    for (const { name, message } of cases) assert.deepEqual(findMissing(renderer, address.sample, message), [], name)
  })

  test(`${kind}: the same for any message`, () => {
    fc.assert(
      fc.property(anyMessage, (message) => assert.deepEqual(findMissing(renderer, address.sample, message), [])),
      { numRuns: 200 },
    )
  })
}

test('a request of another form is drawn as nothing, and throws nothing', () => {
  for (const { renderer } of kinds)
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('text', 'blocks', 'components', 'props', 'attachments', 'content', 'messages'), fc.jsonValue()),
        (body) => {
          assert.ok(Array.isArray(renderer.readBack?.({ operation: 'x', body })))
        },
      ),
      { numRuns: 200 },
    )
})
