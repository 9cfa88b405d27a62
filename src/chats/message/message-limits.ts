import type { Details } from '../../errors.ts'
import type { ReplyPayload } from './reply-payload.ts'

/** Far above what a person reads in one message; below what would keep a server busy. */
export const messageLimits = {
  textChars: 100_000,
  blocks: 100,
  controls: 500,
  labelChars: 1_000,
  /** A value or a file name in a line that an agent reads. */
  lineChars: 200,
  valueChars: 10_000,
  cells: 5_000,
  media: 20,
  urlChars: 2_000,
} as const

/** The limit this message exceeds, as details of the error. */
export function findExcess({ text = '', presentation, media = [] }: ReplyPayload): Details | undefined {
  const blocks = presentation?.blocks ?? []
  const controls = blocks.flatMap((block) => (block.type === 'buttons' ? block.buttons : block.type === 'select' ? block.options : []))
  const words = blocks
    .flatMap((block) => ('text' in block ? [block.text] : []))
    .concat(
      text,
      media.map(({ caption }) => caption ?? ''),
    )
  const lines = [
    presentation?.title ?? '',
    ...controls.map(({ label }) => label),
    ...media.map(({ name }) => name ?? ''),
    ...blocks.flatMap((block) => (block.type === 'select' ? [block.placeholder ?? ''] : block.type === 'image' ? [block.alt] : [])),
  ]
  const cells = blocks.map((block) =>
    block.type === 'table'
      ? block.headers.length * block.rows.length
      : block.type === 'chart'
        ? block.categories.length * block.series.length
        : 0,
  )
  const longest = (texts: readonly string[]): number => texts.reduce((most, one) => Math.max(most, one.length), 0)
  const counted: [what: string, count: number, limit: number][] = [
    ['blocks', blocks.length, messageLimits.blocks],
    ['characters of text', words.reduce((sum, one) => sum + one.length, 0), messageLimits.textChars],
    ['buttons and options', controls.length, messageLimits.controls],
    ['characters in one label', longest(lines), messageLimits.labelChars],
    ['characters in one value', longest(controls.map((control) => JSON.stringify({ ...control, label: '' }))), messageLimits.valueChars],
    ['media', media.length, messageLimits.media],
    ['characters in one address', longest(media.map(({ url }) => url)), messageLimits.urlChars],
    ['cells', cells.reduce((sum, count) => sum + count, 0), messageLimits.cells],
  ]
  const [found] = counted.filter(([, count, limit]) => count > limit)
  return found && { what: found[0], count: found[1], limit: found[2] }
}
