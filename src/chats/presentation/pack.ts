import type { ChannelPresentationCapabilities } from '../message/channel-capabilities.ts'
import { blockReading } from '../message/text-reading.ts'
import type { AdaptedBlock, AdaptedPart } from '../../ports/channel.ts'
import type { Figure, Words } from './allot-media.ts'
import { measure } from './measure.ts'
import { splitOnce } from './split-text.ts'

/** Separator of sections on a channel without dividers. */
const rule: Words = { type: 'text', text: '———', format: 'plain' }

const isWords = (block: AdaptedBlock | Figure): block is Words =>
  block.type === 'title' || block.type === 'text' || block.type === 'context'
type Controls = Extract<AdaptedBlock, { type: 'buttons' | 'select' }>
const isControls = (block: AdaptedBlock | Figure): block is Controls => block.type === 'buttons' || block.type === 'select'

/** A blank line between two blocks, in the platform message they end up in. */
const between = 2

/**
 * Lays blocks into as few platform messages as hold them, in order. Nothing is cut: what does not fit goes on in the next
 * one. A block that fits a message of its own is not parted.
 */
export function pack(blocks: readonly (AdaptedBlock | Figure)[], capabilities: ChannelPresentationCapabilities): AdaptedPart[] {
  const { text = {}, images = {}, media = {} } = capabilities.limits ?? {}
  const { maxLength = Infinity, maxBlockLength = Infinity, maxBlocks = Infinity, encoding = 'characters' } = text
  const parts: AdaptedPart[] = []
  let current: AdaptedBlock[] = []
  let used = 0
  let isDivided = false

  const flush = (): void => {
    if (current.at(-1) === rule) current.pop()
    if (current.length > 0) parts.push({ blocks: current })
    current = []
    used = 0
    isDivided = false
  }
  const space = (): number => Math.min(maxBlockLength, maxLength - used - (used > 0 ? between : 0))
  const push = (block: AdaptedBlock, length: number): void => {
    current.push(block)
    if (length > 0) used += length + (used > 0 ? between : 0)
  }
  const makePlace = (): void => {
    if (current.length >= maxBlocks) flush()
    if (!isDivided) return
    isDivided = false
    // At the start of a message there is nothing to divide.
    if (current.length === 0) return
    const length = measure(rule.text, encoding)
    if (length > space()) flush()
    else push(rule, length)
    if (current.length >= maxBlocks) flush()
  }

  const placeWords = (block: Words): void => {
    const full = Math.min(maxBlockLength, maxLength)
    let rest = block.text
    while (rest.trim() !== '') {
      makePlace()
      const length = measure(rest, encoding)
      if (length <= space()) return push({ ...block, text: rest }, length)
      if (current.length > 0 && (length <= full || space() < full / 2)) {
        flush()
        continue
      }
      const [head, tail] = splitOnce(rest, space(), encoding)
      if (head.trim() !== '') push({ ...block, text: head }, measure(head, encoding))
      rest = tail
    }
  }

  // A message of nothing but controls gets a line above them, which needs a place too.
  const isFullOfControls = (held: readonly AdaptedBlock[]): boolean =>
    held.length + (text.bodyOfControls !== undefined && held.every(isControls) ? 1 : 0) >= maxBlocks

  const placeControls = (block: AdaptedBlock): void => {
    const before = parts.at(-1)
    // On a platform that takes controls only below words, they belong to the words before them.
    if (current.length === 0 && before && text.bodyOfControls !== undefined && !isFullOfControls(before.blocks)) {
      before.blocks.push(block)
      return
    }
    makePlace()
    if (current.length > 0 && isFullOfControls(current)) flush()
    push(block, 0)
  }

  const placeFigure = ({ medium, words }: Figure): void => {
    if (media.separate) flush()
    else makePlace()
    push(medium, 0)
    if (!media.separate) return words.forEach(placeWords)
    // The caller has checked that they fit.
    current.push(...words)
    flush()
  }

  for (const block of blocks) {
    if (isWords(block)) placeWords(block)
    else if (isControls(block)) placeControls(block)
    else if (block.type === 'figure') placeFigure(block)
    else if (block.type === 'divider') {
      if (!capabilities.divider) isDivided = true
      else if (current.length < maxBlocks) push(block, 0)
      else flush()
    } else if (block.type === 'image' && images.separate) {
      flush()
      push(block, 0)
      flush()
    } else {
      const length = block.type === 'media' ? 0 : measure(block.type === 'image' ? block.alt : blockReading(block), encoding)
      makePlace()
      if (length > space()) flush()
      push(block, length)
    }
  }
  flush()
  return parts.map((part) => withBody(part, text.bodyOfControls))
}

function withBody(part: AdaptedPart, body: string | undefined): AdaptedPart {
  const needsBody = body !== undefined && part.blocks.every(isControls)
  return needsBody ? { blocks: [{ type: 'text', text: body, format: 'plain' }, ...part.blocks] } : part
}
