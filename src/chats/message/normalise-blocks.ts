import { findDeadLabel, normaliseButton, normaliseOption } from './normalise-controls.ts'
import { normaliseChart, normaliseTable } from './normalise-data.ts'
import { type MessagePresentation, type MessagePresentationBlock, tones } from './presentation.ts'
import { type Fields, toLine, getList, readChoice, own, getText, toUrl } from './untrusted.ts'
import { isRecord } from '../../shapes/record.ts'

/** A part that was dropped because no channel could show it. */
export type Dropped = { at: string; why: string }

export type Drop = (at: string, why: string) => undefined

const noteNothing: Drop = () => undefined

/** Untrusted JSON to a presentation, or nothing when nothing of it can be shown. Total: takes anything, never throws. */
export function normalisePresentation(input: unknown, drop: Drop = noteNothing, at = 'presentation'): MessagePresentation | undefined {
  if (!isRecord(input)) return input === undefined ? undefined : drop(at, 'it is not an object')
  const tone = readChoice(own(input, 'tone'), tones)
  if (own(input, 'tone') !== undefined && !tone) drop(`${at}.tone`, 'it is not a known tone')
  const title = toLine(own(input, 'title'))
  const blocks = getList(own(input, 'blocks')).flatMap((block, index) => normaliseBlock(block, drop, `${at}.blocks[${index}]`) ?? [])
  if (title === undefined && blocks.length === 0) return drop(at, 'it has neither a title nor a block that can be shown')
  return { ...(tone && { tone }), ...(title !== undefined && { title }), blocks }
}

/** The older `interactive` input: the same blocks of three kinds, one to one. */
export function normaliseInteractive(input: unknown, drop: Drop = noteNothing): MessagePresentation | undefined {
  const blocks = getList(isRecord(input) ? own(input, 'blocks') : input)
  const knownBlocks = blocks.filter(
    (block) => isRecord(block) && readChoice(own(block, 'type'), ['text', 'buttons', 'select']) !== undefined,
  )
  if (knownBlocks.length < blocks.length) drop('interactive', 'only text, buttons and select are known there')
  return normalisePresentation({ blocks: knownBlocks }, drop, 'interactive')
}

function normaliseBlock(input: unknown, drop: Drop, at: string): MessagePresentationBlock | MessagePresentationBlock[] | undefined {
  if (!isRecord(input)) return drop(at, 'it is not an object')
  const type = own(input, 'type')
  switch (type) {
    case 'text':
    case 'context': {
      const text = getText(own(input, 'text'))
      return text === undefined ? drop(at, 'it has no text') : { type, text }
    }
    case 'divider':
      return { type }
    case 'buttons':
      return normaliseButtons(input, drop, at)
    case 'select':
      return normaliseSelect(input, drop, at)
    case 'image': {
      const url = toUrl(own(input, 'url'), ['http:', 'https:'])
      if (url === undefined) return drop(at, 'its url is not an http(s) address')
      return { type, url, alt: toLine(own(input, 'alt')) ?? '' }
    }
    case 'table':
      return normaliseTable(input, drop, at)
    case 'chart':
      return normaliseChart(input, drop, at)
    default:
      return drop(at, 'its type is not known')
  }
}

/** The label of a button whose address cannot be opened stays as text: a person should not miss what was offered. */
function normaliseButtons(input: Fields, drop: Drop, at: string): MessagePresentationBlock[] | undefined {
  const labels: string[] = []
  const buttons = getList(own(input, 'buttons')).flatMap((button, index) => {
    const normalised = normaliseButton(button, drop, `${at}.buttons[${index}]`)
    if (!normalised) labels.push(...(findDeadLabel(button) ?? []))
    return normalised ?? []
  })
  if (buttons.length === 0 && labels.length === 0) return drop(at, 'it has no button')
  return [
    ...(buttons.length > 0 ? [{ type: 'buttons', buttons } as const] : []),
    ...(labels.length > 0 ? [{ type: 'text', text: labels.join(' · ') } as const] : []),
  ]
}

function normaliseSelect(input: Fields, drop: Drop, at: string): MessagePresentationBlock | undefined {
  const options = getList(own(input, 'options')).flatMap((option, index) => normaliseOption(option, drop, `${at}.options[${index}]`) ?? [])
  if (options.length === 0) return drop(at, 'it has no option')
  const placeholder = toLine(own(input, 'placeholder'))
  return { type: 'select', ...(placeholder !== undefined && { placeholder }), options }
}
