import { blockReading } from '../message/text-reading.ts'
import type { AdaptedBlock, AdaptedPart, BlockCost, PresentationSheet } from '../../ports/channel.ts'
import type { Figure, Words } from './allot-media.ts'
import { halveControls } from './halve-controls.ts'
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

const nothing: BlockCost = { text: 0, blocks: 0, bytes: 0 }

/**
 * Lays blocks into as few platform messages as hold them, in order, by what each costs on the platform. Nothing is cut: what
 * does not fit goes on in the next message, controls included. A block that fits a message of its own is not parted.
 */
export function pack(blocks: readonly (AdaptedBlock | Figure)[], capabilities: PresentationSheet): AdaptedPart[] {
  const { text = {}, images = {}, media = {} } = capabilities.limits ?? {}
  const { maxLength = Infinity, maxBlockLength = Infinity, maxBlocks = Infinity, maxBytes = Infinity, encoding = 'characters' } = text
  const getCost = (block: AdaptedBlock): BlockCost =>
    capabilities.cost?.(block) ?? { text: block === rule || !isControls(block) ? textCost(block, encoding) : 0, blocks: 1, bytes: 0 }
  const parts: AdaptedPart[] = []
  let current: AdaptedBlock[] = []
  let used = nothing
  let isDivided = false

  const flush = (): void => {
    if (current.at(-1) === rule) current.pop()
    if (current.length > 0) parts.push({ blocks: current })
    current = []
    used = nothing
    isDivided = false
  }
  const fits = (cost: BlockCost, extra = 0): boolean =>
    cost.text + used.text + (used.text > 0 && cost.text > 0 ? between : 0) <= maxLength &&
    used.blocks + cost.blocks + extra <= maxBlocks &&
    used.bytes + cost.bytes <= maxBytes
  const fitsAsWords = (cost: BlockCost): boolean => cost.text <= maxBlockLength && fits(cost)
  const push = (block: AdaptedBlock, cost: BlockCost): void => {
    current.push(block)
    const gap = used.text > 0 && cost.text > 0 ? between : 0
    used = { text: used.text + cost.text + gap, blocks: used.blocks + cost.blocks, bytes: used.bytes + cost.bytes }
  }
  const makePlace = (): void => {
    if (used.blocks >= maxBlocks) flush()
    if (!isDivided) return
    isDivided = false
    // At the start of a message there is nothing to divide.
    if (current.length === 0) return
    const cost = getCost(rule)
    if (fitsAsWords(cost)) push(rule, cost)
    else flush()
    if (used.blocks >= maxBlocks) flush()
  }

  const space = (): number => Math.min(maxBlockLength, maxLength - used.text - (used.text > 0 ? between : 0))

  /** The first part of a text that fits here. The limit is halved until its cost fits; one character always does. */
  const splitToFit = (block: Words, rest: string): [head: string, tail: string] => {
    let limit = Math.min(space(), Number.isFinite(maxBytes) ? maxBytes - used.bytes : Infinity)
    for (;;) {
      const [head, tail] = splitOnce(rest, Math.max(1, limit), encoding)
      if (limit <= 1 || fitsAsWords(getCost({ ...block, text: head }))) return [head, tail]
      limit = Math.floor(limit / 2)
    }
  }

  const placeWords = (block: Words): void => {
    const full = Math.min(maxBlockLength, maxLength)
    let rest = block.text
    while (rest.trim() !== '') {
      makePlace()
      const cost = getCost({ ...block, text: rest })
      if (fitsAsWords(cost)) return push({ ...block, text: rest }, cost)
      const fitsAlone = cost.text <= full && cost.blocks <= maxBlocks && cost.bytes <= maxBytes
      if (current.length > 0 && (fitsAlone || space() < full / 2 || used.bytes > maxBytes / 2)) {
        flush()
        continue
      }
      const [head, tail] = splitToFit(block, rest)
      if (head.trim() !== '') push({ ...block, text: head }, getCost({ ...block, text: head }))
      rest = tail
    }
  }

  // A message of nothing but controls gets a line above them, which needs a place too.
  const bodyBlocks = (held: readonly AdaptedBlock[]): number => (text.bodyOfControls !== undefined && held.every(isControls) ? 1 : 0)

  const placeControls = (block: Controls): void => {
    const before = parts.at(-1)
    // On a platform that takes controls only below words, they belong to the words before them.
    if (
      current.length === 0 &&
      before &&
      text.bodyOfControls !== undefined &&
      before.blocks.length + bodyBlocks(before.blocks) < maxBlocks
    ) {
      before.blocks.push(block)
      return
    }
    makePlace()
    const cost = getCost(block)
    if (fits(cost, bodyBlocks(current))) return push(block, cost)
    const halves = halveControls(block)
    if (!halves) {
      if (current.length > 0) flush()
      return push(block, cost)
    }
    // Controls that fit a message of their own stay together.
    if (current.length > 0 && cost.text <= maxLength && cost.blocks + bodyBlocks([]) <= maxBlocks && cost.bytes <= maxBytes) flush()
    if (current.length === 0 && fits(cost, bodyBlocks([]))) return push(block, cost)
    for (const half of halves) placeControls(half)
  }

  const placeFigure = ({ medium, words }: Figure): void => {
    if (media.separate) flush()
    else makePlace()
    const cost = getCost(medium)
    if (!fits(cost)) flush()
    push(medium, cost)
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
      else if (fits(getCost(block))) push(block, getCost(block))
      else flush()
    } else if (block.type === 'image' && images.separate) {
      flush()
      push(block, nothing)
      flush()
    } else {
      makePlace()
      const cost = getCost(block)
      if (!fitsAsWords(cost)) flush()
      push(block, cost)
    }
  }
  flush()
  return parts.map((part) => withBody(part, text.bodyOfControls))
}

function textCost(block: AdaptedBlock, encoding: Parameters<typeof measure>[1]): number {
  if (isWords(block)) return measure(block.text, encoding)
  if (block.type === 'image') return measure(block.alt, encoding)
  return block.type === 'table' || block.type === 'chart' ? measure(blockReading(block), encoding) : 0
}

function withBody(part: AdaptedPart, body: string | undefined): AdaptedPart {
  const needsBody = body !== undefined && part.blocks.every(isControls)
  return needsBody ? { blocks: [{ type: 'text', text: body, format: 'plain' }, ...part.blocks] } : part
}
