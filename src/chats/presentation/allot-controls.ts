import type { ChannelPresentationCapabilities, TextEncoding } from '../message/channel-capabilities.ts'
import type { MessagePresentationBlock, MessagePresentationButton } from '../message/presentation.ts'
import { buttonReading } from '../message/text-reading.ts'
import type { AdaptedBlock, AdaptedButton, Loss } from '../../ports/channel.ts'
import { byteLength } from './measure.ts'
import { type Tokens, prepareButton } from './prepare-button.ts'
import { prepareSelect } from './prepare-select.ts'
import { toRows } from './rows.ts'

type ButtonsBlock = Extract<MessagePresentationBlock, { type: 'buttons' }>
type SelectBlock = Extract<MessagePresentationBlock, { type: 'select' }>

/** One block of controls: the part the channel shows natively, and the part described in text. */
export type Allotment = {
  native?: Extract<AdaptedBlock, { type: 'buttons' | 'select' }>
  heading: string
  hasHeading: boolean
  listed: string[]
}

/** One place among the controls of the whole message. */
type Candidate = { block: number; order: number; source: MessagePresentationButton; button: AdaptedButton; isCut: boolean }

/** JSON around a label and a value, and the brackets of its row. */
const bytesAround = 64

/**
 * Hands out the places for controls that a channel has. Selects come first and take one action and one row each; then
 * buttons by priority, then by the author's order. Those that stay are shown in the author's order; all others are listed.
 */
export function allotControls(
  blocks: readonly MessagePresentationBlock[],
  capabilities: ChannelPresentationCapabilities,
  tokens: Tokens,
): { allotments: Map<number, Allotment>; losses: Loss[] } {
  const limits = capabilities.limits?.actions ?? {}
  const encoding: TextEncoding = capabilities.limits?.text?.encoding ?? 'characters'
  const [mostActions, mostRows, mostBytes] = [limits.maxActions ?? Infinity, limits.maxRows ?? Infinity, limits.maxTotalBytes ?? Infinity]
  const allotments = new Map<number, Allotment>()
  const losses: Loss[] = []
  const listed = new Map<number, { order: number; line: string }[]>()
  const candidates: Candidate[] = []
  const list = (block: number, order: number, line: string): void => void listed.set(block, [...(listed.get(block) ?? []), { order, line }])
  const lose = (label: string, from: string, to: string, why: string): void => void losses.push({ what: `"${label}"`, from, to, why })
  let [actions, rows, bytes] = [0, 0, 0]

  blocks.forEach((block, at) => {
    if (block.type !== 'buttons' && block.type !== 'select') return
    allotments.set(at, { heading: toHeading(block), hasHeading: false, listed: [] })
    if (block.type === 'select' && capabilities.selects) {
      const prepared = prepareSelect(block, capabilities.limits?.selects ?? {}, encoding, tokens)
      const cost = byteLength(JSON.stringify(prepared.select)) + bytesAround
      if (prepared.select.options.length > 0 && actions < mostActions && rows < mostRows && bytes + cost <= mostBytes) {
        ;[actions, rows, bytes] = [actions + 1, rows + 1, bytes + cost]
        allotments.set(at, { native: prepared.select, heading: toHeading(block), hasHeading: false, listed: [] })
        prepared.listed.forEach((line, order) => list(at, order, line))
        losses.push(...prepared.losses)
        return
      }
    }
    const asButtons = block.type === 'buttons' ? capabilities.buttons : capabilities.buttons && capabilities.selectsAsButtons
    if (block.type === 'select' && asButtons) lose(toHeading(block), 'select', 'buttons', 'the channel has no selects')
    listControls(block).forEach((source, order) => {
      const prepared = asButtons
        ? prepareButton(source, limits, encoding, tokens)
        : { refused: `the channel has no ${block.type === 'select' ? 'selects' : 'buttons'}` }
      if ('refused' in prepared) {
        lose(source.label, block.type === 'select' ? 'option' : 'button', 'listed text', prepared.refused)
        list(at, order, buttonReading(source))
        return
      }
      for (const { from, to, why } of prepared.changes) lose(source.label, from, to, why)
      candidates.push({ block: at, order, source, button: prepared.button, isCut: prepared.isCut })
    })
  })

  const entries = new Map<number, Candidate[]>()
  for (const candidate of candidates.toSorted((a, b) => (b.source.priority ?? 0) - (a.source.priority ?? 0))) {
    const beside = entries.get(candidate.block) ?? []
    const together = [...beside, candidate].toSorted((a, b) => a.order - b.order)
    const more =
      toRows(
        together.map(({ button }) => button),
        limits,
      ).length -
      toRows(
        beside.map(({ button }) => button),
        limits,
      ).length
    const cost = byteLength(JSON.stringify([candidate.button.label, candidate.button.press])) + bytesAround
    if (actions + 1 > mostActions || rows + more > mostRows || bytes + cost > mostBytes) {
      lose(candidate.source.label, 'button', 'listed text', 'the channel has no place for more controls')
      list(candidate.block, candidate.order, buttonReading(candidate.source))
      continue
    }
    ;[actions, rows, bytes] = [actions + 1, rows + more, bytes + cost]
    entries.set(candidate.block, together)
    if (candidate.isCut) list(candidate.block, candidate.order, buttonReading(candidate.source))
  }

  for (const [at, allotment] of allotments) {
    const buttons = (entries.get(at) ?? []).map(({ button }) => button)
    if (buttons.length > 0) allotment.native = { type: 'buttons', rows: toRows(buttons, limits) }
    allotment.listed = (listed.get(at) ?? []).toSorted((a, b) => a.order - b.order).map(({ line }) => line)
    // The words of a select stay when its options stand there as buttons, or when they are too long for its own field.
    const block = blocks[at]
    const placeholder = block?.type === 'select' ? block.placeholder : undefined
    const isShown = allotment.native?.type === 'select' && allotment.native.placeholder === (placeholder ?? '')
    allotment.hasHeading = allotment.listed.length > 0 || (placeholder !== undefined && !isShown)
  }
  return { allotments, losses }
}

const toHeading = (block: ButtonsBlock | SelectBlock): string => (block.type === 'buttons' ? 'Actions' : (block.placeholder ?? 'Options'))

const listControls = (block: ButtonsBlock | SelectBlock): readonly MessagePresentationButton[] =>
  block.type === 'buttons' ? block.buttons : block.options
