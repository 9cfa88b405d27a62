import type { ChannelPresentationCapabilities } from '../message/channel-capabilities.ts'
import type { MessagePresentation, MessagePresentationBlock } from '../message/presentation.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import { blockReading, headingReading, imageReading, presentationReading, textReading } from '../message/text-reading.ts'
import type { AdaptedBlock, AdaptedMessage, AdaptedPart, Loss, PresentationSheet } from '../../ports/channel.ts'
import { type Allotment, allotControls } from './allot-controls.ts'
import { placeMedia } from './allot-media.ts'
import { measure } from './measure.ts'
import { pack } from './pack.ts'
import type { Tokens } from './prepare-button.ts'

/**
 * A message and what a channel can show, to a message that fits and the list of what is shown otherwise than it was said.
 * The one place that degrades: renderers only spell out. No text and no label is ever lost on the way.
 */
export function adapt(
  { media = [], ...message }: ReplyPayload,
  capabilities: PresentationSheet,
  tokens: Tokens,
): { adapted: AdaptedMessage; losses: Loss[] } {
  const { presentation } = message
  const { losses, blocks, tone } = !presentation
    ? { losses: [], blocks: [words(message.text ?? '', 'markdown')], tone: {} }
    : capabilities.supported
      ? richly(message, presentation, capabilities, tokens)
      : plainly(message, presentation)
  const { placed, losses: mediaLosses } = placeMedia(blocks, media, capabilities)
  losses.push(...mediaLosses)
  const parts = pack(placed, capabilities)
  // A divider alone says nothing, but a message that was sent must be seen.
  if (parts.length === 0 && presentation) parts.push({ blocks: [words('———', 'plain')] })
  if (parts.length > 1) losses.push(spillLoss(parts, capabilities))
  return { adapted: { ...tone, parts }, losses }
}

type Degraded = { losses: Loss[]; blocks: AdaptedBlock[]; tone: Pick<AdaptedMessage, 'tone'> }

function plainly(message: ReplyPayload, { tone, blocks }: MessagePresentation): Degraded {
  const why = 'the channel shows plain text only'
  const losses = blocks.flatMap((block, at): Loss[] =>
    block.type === 'text' || block.type === 'context' || block.type === 'divider'
      ? []
      : [{ what: `block ${at + 1}`, from: block.type, to: 'text', why }],
  )
  if (tone && tone !== 'neutral') losses.unshift({ what: 'tone', from: tone, to: 'nothing', why })
  return { losses, blocks: [words(textReading(message), 'plain')], tone: {} }
}

function richly(
  message: ReplyPayload,
  presentation: MessagePresentation,
  capabilities: ChannelPresentationCapabilities,
  tokens: Tokens,
): Degraded {
  const { allotments, losses } = allotControls(presentation.blocks, capabilities, tokens)
  const own = ownText(message, presentation, capabilities, allotments)
  if (own.instead) {
    // The author's words say what would have turned into text; only what can be tapped is added.
    const controls = [...allotments.values()].flatMap((allotment) => controlBlocks(allotment, capabilities))
    losses.push({ what: 'presentation', from: 'data', to: 'the text of its author', why: 'the channel shows none of its data natively' })
    return { losses, blocks: [words(own.text, 'markdown'), ...controls], tone: {} }
  }
  const head = getHead(presentation, capabilities)
  const blocks = presentation.blocks.flatMap((block, at) => {
    const allotment = allotments.get(at)
    if (allotment) return controlBlocks(allotment, capabilities)
    return blockFor(block, at, capabilities, losses)
  })
  const text = own.text === '' ? [] : [words(own.text, 'markdown')]
  return { losses: [...head.losses, ...losses], blocks: [...text, ...head.blocks, ...blocks], tone: head.tone }
}

const words = (text: string, format: 'markdown' | 'plain'): AdaptedBlock => ({ type: 'text', text, format })

/** The part of the author's text that the presentation does not contain. */
function ownText(
  { text = '', presentationTextMode }: ReplyPayload,
  presentation: MessagePresentation,
  { tables = false, charts = false }: ChannelPresentationCapabilities,
  allotments: ReadonlyMap<number, Allotment>,
): { text: string; instead: boolean } {
  const presentationText = presentationReading(presentation)
  if (presentationTextMode === 'fallback' && text !== '') {
    const data = presentation.blocks.flatMap(({ type }) => (type === 'table' ? [tables] : type === 'chart' ? [charts] : []))
    const hasControls = [...allotments.values()].some((allotment) => allotment.native)
    const instead = data.length > 0 ? !data.includes(true) : allotments.size > 0 && !hasControls
    return { text: instead ? text : '', instead }
  }
  if (text === presentationText || text.trim() === presentation.title) return { text: '', instead: false }
  if (presentationText !== '' && text.endsWith(`\n${presentationText}`))
    return { text: text.slice(0, -presentationText.length).trimEnd(), instead: false }
  return { text, instead: false }
}

function getHead({ tone, title }: MessagePresentation, { tones = [], toneSigns = {}, limits }: ChannelPresentationCapabilities): Degraded {
  const losses: Loss[] = []
  const sign = tone && title !== undefined ? toneSigns[tone] : undefined
  const isShown = tone !== undefined && tones.includes(tone)
  if (tone && tone !== 'neutral' && !isShown && sign === undefined)
    losses.push({
      what: 'tone',
      from: tone,
      to: 'nothing',
      why: title === undefined ? 'without a title the channel has no place for it' : 'the channel has no tones',
    })
  if (title === undefined) return { losses, blocks: [], tone: isShown ? { tone } : {} }
  const text = sign === undefined || isShown ? title : `${sign} ${title}`
  const { maxTitleLength = Infinity, encoding = 'characters' } = limits?.text ?? {}
  const fits = measure(text, encoding) <= maxTitleLength
  if (!fits) losses.push({ what: 'title', from: 'title', to: 'text', why: `titles take ${maxTitleLength} ${encoding}` })
  return { losses, blocks: [fits ? { type: 'title', text } : words(text, 'plain')], tone: isShown ? { tone } : {} }
}

function controlBlocks({ native, heading, hasHeading, listed }: Allotment, { context }: ChannelPresentationCapabilities): AdaptedBlock[] {
  const text = [headingReading(heading), ...listed].join('\n')
  const texts: AdaptedBlock[] = hasHeading ? [{ type: context ? 'context' : 'text', text, format: 'plain' }] : []
  return native ? [...texts, native] : texts
}

function blockFor(
  block: MessagePresentationBlock,
  at: number,
  capabilities: ChannelPresentationCapabilities,
  losses: Loss[],
): AdaptedBlock[] {
  const lose = (to: string, why: string): void => void losses.push({ what: `block ${at + 1}`, from: block.type, to, why })
  switch (block.type) {
    case 'text':
      return [words(block.text, 'markdown')]
    case 'context':
      if (capabilities.context) return [{ ...block, format: 'markdown' }]
      lose('text', 'the channel has no small print')
      return [words(block.text, 'markdown')]
    case 'divider':
      if (!capabilities.divider) lose('a line of text', 'the channel has no dividers')
      return [block]
    case 'image': {
      const { maxAltLength = Infinity, httpsOnly = false } = capabilities.limits?.images ?? {}
      const { maxLength = Infinity, encoding = 'characters' } = capabilities.limits?.text ?? {}
      if (!capabilities.images) {
        lose('text', 'the channel shows no images')
        return [words(imageReading(block), 'plain')]
      }
      if (httpsOnly && !block.url.startsWith('https:')) {
        lose('text', 'the platform shows only images over https')
        return [words(imageReading(block), 'plain')]
      }
      if (measure(block.alt, encoding) <= Math.min(maxAltLength, maxLength)) return [block]
      lose('an image and text', `the words of an image take ${maxAltLength} ${encoding}`)
      return [{ ...block, alt: '' }, words(block.alt, 'plain')]
    }
    case 'table':
    case 'chart': {
      const { maxLength = Infinity, maxBlockLength = Infinity, encoding = 'characters' } = capabilities.limits?.text ?? {}
      const isShown = block.type === 'table' ? capabilities.tables : capabilities.charts
      const fits = measure(blockReading(block), encoding) <= Math.min(maxLength, maxBlockLength)
      if (isShown && fits) return [block]
      lose('text', isShown ? 'it is larger than one message' : `the channel shows no ${block.type}s`)
      return [words(blockReading(block), 'plain')]
    }
    case 'buttons':
    case 'select':
      return []
  }
}

function spillLoss(parts: readonly AdaptedPart[], { limits }: ChannelPresentationCapabilities): Loss {
  const { maxLength, maxBlocks, encoding = 'characters' } = limits?.text ?? {}
  const startsWith = (type: 'image' | 'media'): boolean[] =>
    parts.map(({ blocks }) => limits?.[type === 'image' ? 'images' : 'media']?.separate === true && blocks[0]?.type === type)
  const [isImage, isMedium] = [startsWith('image'), startsWith('media')]
  const isApart = isImage.map((is, at) => is || isMedium[at] === true)
  const hasSpilled = isApart.some((is, at) => at > 0 && !is && !isApart[at - 1])
  const why = [
    ...(hasSpilled && maxLength !== undefined ? [`a message takes ${maxLength} ${encoding}`] : []),
    ...(hasSpilled && maxBlocks !== undefined ? [`a message takes ${maxBlocks} blocks`] : []),
    ...(isImage.includes(true) ? ['an image is a message of its own'] : []),
    ...(isMedium.includes(true) ? ['a medium is a message of its own'] : []),
  ]
  return { what: 'message', from: 'one message', to: `${parts.length} messages`, why: why.join('; ') }
}
