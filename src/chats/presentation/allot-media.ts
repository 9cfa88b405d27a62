import type { ChannelPresentationCapabilities, MediaLimits } from '../message/channel-capabilities.ts'
import { getEnding, isLocal, getKind, type MediaKind, mediumReading, type MessageMedia, getName } from '../message/media.ts'
import type { AdaptedBlock, Loss } from '../../ports/channel.ts'
import { measure } from './measure.ts'

export type Words = Extract<AdaptedBlock, { type: 'title' | 'text' | 'context' }>
export type MediaBlock = Extract<AdaptedBlock, { type: 'media' }>

/** A medium with the words that stand below it. */
export type Figure = { type: 'figure'; medium: MediaBlock; words: readonly Words[] }

const isWords = (block: AdaptedBlock): block is Words => block.type === 'title' || block.type === 'text' || block.type === 'context'
const isControls = ({ type }: AdaptedBlock): boolean => type === 'buttons' || type === 'select'

/**
 * Media come after the words, in their order, and the controls that end a message stay at its end. One medium alone takes
 * the words of the message below it where they fit, so that a picture with a sentence is one message and not two.
 */
export function placeMedia(
  blocks: readonly AdaptedBlock[],
  media: readonly MessageMedia[],
  capabilities: ChannelPresentationCapabilities,
): { placed: (AdaptedBlock | Figure)[]; losses: Loss[] } {
  const losses: Loss[] = []
  const figures = media.flatMap((medium) => getFigure(medium, capabilities, losses))
  if (figures.length === 0) return { placed: [...blocks], losses }
  const end = blocks.findLastIndex((block) => !isControls(block)) + 1
  const body = blocks.slice(0, end).filter((block) => !isWords(block) || block.text.trim() !== '')
  const [only] = figures
  if (figures.length === 1 && only?.type === 'figure' && only.words.length === 0 && body.every(isWords) && fitBelow(body, capabilities))
    return { placed: [{ ...only, words: body }, ...blocks.slice(end)], losses }
  return { placed: [...body, ...figures, ...blocks.slice(end)], losses }
}

function fitBelow(words: readonly Words[], { limits = {} }: ChannelPresentationCapabilities): boolean {
  const { maxBlocks = Infinity, maxBlockLength = Infinity, encoding = 'characters' } = limits.text ?? {}
  if (!limits.media?.separate || words.length + 1 > maxBlocks) return false
  const length = measure(words.map(({ text }) => text).join('\n\n'), encoding)
  return length <= captionSpace(limits) && words.every(({ text }) => measure(text, encoding) <= maxBlockLength)
}

const captionSpace = ({ text = {}, media = {} }: NonNullable<ChannelPresentationCapabilities['limits']>): number =>
  Math.min(media.maxCaptionLength ?? Infinity, text.maxLength ?? Infinity, text.maxBlockLength ?? Infinity)

function getFigure(medium: MessageMedia, capabilities: ChannelPresentationCapabilities, losses: Loss[]): (AdaptedBlock | Figure)[] {
  const statedKind = getKind(medium)
  const { media: kinds = [], limits = {} } = capabilities
  const { media: own = {}, text = {} } = limits
  const lose = (to: string, why: string): void => void losses.push({ what: `"${getName(medium)}"`, from: statedKind, to, why })
  const allotted = capabilities.supported ? kindFor(medium, statedKind, kinds, own) : { refused: 'the channel shows plain text only' }
  const caption: Words[] = medium.caption === undefined ? [] : [{ type: 'text', text: medium.caption, format: 'markdown' }]
  if ('refused' in allotted) {
    lose(isLocal(medium) ? 'its name' : 'its address', allotted.refused)
    const { caption: _said, ...bare } = medium
    return [{ type: 'text', text: mediumReading(bare), format: 'plain' }, ...caption]
  }
  if (allotted.kind !== statedKind) lose(allotted.kind, allotted.why)
  const block: MediaBlock = { type: 'media', url: medium.url, kind: allotted.kind, name: getName(medium) }
  const space = own.separate ? captionSpace(limits) : Infinity
  if (caption.every((words) => measure(words.text, text.encoding ?? 'characters') <= space))
    return [{ type: 'figure', medium: block, words: caption }]
  lose('it and a message of its words', `the words below it take ${space} ${text.encoding ?? 'characters'}`)
  return [{ type: 'figure', medium: block, words: [] }, ...caption]
}

/** As what the channel takes it: as said, as a plain file, or not at all. */
function kindFor(
  medium: MessageMedia,
  said: MediaKind,
  kinds: readonly MediaKind[],
  limits: MediaLimits,
): { kind: MediaKind; why: string } | { refused: string } {
  const { url } = medium
  const ending = getEnding(medium)
  if (isLocal(medium) && !limits.uploads) return { refused: 'the channel takes no files of this machine' }
  if (!isLocal(medium) && limits.publicUrlsOnly && !new URL(url).hostname.includes('.'))
    return { refused: 'the platform fetches only from public addresses' }
  if (!isLocal(medium) && limits.httpsOnly && !url.startsWith('https:')) return { refused: 'the platform fetches only over https' }
  if (limits.maxUrlLength !== undefined && url.length > limits.maxUrlLength)
    return { refused: `addresses take ${limits.maxUrlLength} characters` }
  const takes = (kind: MediaKind): string | null => {
    if (!kinds.includes(kind)) return `the channel takes no ${kind === 'audio' ? 'audio' : `${kind}s`}`
    const any = limits.endings?.[kind]
    if (any && ending !== '' && !any.includes(ending)) return `the channel takes ${kind} as ${any.join(', ')}`
    const fetched = isLocal(medium) ? undefined : limits.endingsByAddress?.[kind]
    if (fetched?.length === 0) return `the platform fetches no ${kind} by its address`
    return fetched && !fetched.includes(ending) ? `the platform fetches a ${kind} by its address only as ${fetched.join(', ')}` : null
  }
  const why = takes(said)
  if (why === null) return { kind: said, why: '' }
  return said !== 'file' && takes('file') === null ? { kind: 'file', why } : { refused: why }
}
