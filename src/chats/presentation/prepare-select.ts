import type { SelectLimits, TextEncoding } from '../message/channel-capabilities.ts'
import { type MessagePresentationBlock, actionOf } from '../message/presentation.ts'
import { buttonReading } from '../message/text-reading.ts'
import type { AdaptedBlock, Loss } from '../../ports/channel.ts'
import { cutLabel } from './measure.ts'
import { type Tokens, valueFor } from './prepare-button.ts'

/** The first options that fit; the others, and the full words of shortened ones, as lines to be listed. */
export function prepareSelect(
  block: Extract<MessagePresentationBlock, { type: 'select' }>,
  limits: SelectLimits,
  encoding: TextEncoding,
  tokens: Tokens,
): { select: Extract<AdaptedBlock, { type: 'select' }>; listed: string[]; losses: Loss[] } {
  const most = limits.maxOptions ?? Infinity
  const select: Extract<AdaptedBlock, { type: 'select' }> = { type: 'select', placeholder: '', options: [] }
  const listed: string[] = []
  const losses: Loss[] = []
  const lose = (label: string, from: string, to: string, why: string): void => void losses.push({ what: `"${label}"`, from, to, why })

  const { placeholder = '' } = block
  select.placeholder = cutLabel(placeholder, limits.maxPlaceholderLength ?? Infinity, encoding)
  if (select.placeholder !== placeholder)
    lose(
      placeholder,
      'its whole words',
      'shortened, said in full beside it',
      `a placeholder takes ${limits.maxPlaceholderLength} ${encoding}`,
    )

  for (const option of block.options) {
    const action = actionOf(option)
    const isTappable = action.type === 'callback' || action.type === 'command'
    const value = isTappable && select.options.length < most ? valueFor(action, limits.maxValueBytes, tokens) : undefined
    if (value === undefined) {
      listed.push(buttonReading(option))
      const why = select.options.length < most ? `values take ${limits.maxValueBytes} bytes` : `a select takes ${most} options`
      lose(option.label, 'option', 'listed text', why)
      continue
    }
    const label = cutLabel(option.label, limits.maxLabelLength ?? Infinity, encoding)
    select.options.push({ label, value })
    if (label === option.label) continue
    listed.push(buttonReading(option))
    lose(option.label, 'its whole label', 'a shortened label, listed in full', `labels take ${limits.maxLabelLength} ${encoding}`)
  }
  return { select, listed, losses }
}
