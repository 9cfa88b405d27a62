import type { AdaptedBlock, AdaptedButton, BlockCost } from '../../../ports/channel.ts'
import { feishuLimits as limits } from './limits.ts'
import { escapeMarkdown, toFeishuMarkdown } from './markdown.ts'

/** An element of a card in card JSON 2.0. */
export type Element = { tag: string; [field: string]: unknown }

/** Facts of the place of a message that a tap on it does not tell. They come back with the tap. */
export type TapPlace = { direct?: 1; root?: string }

type Words = Extract<AdaptedBlock, { type: 'text' | 'context' }>

/** One block of a message as elements of a card, one below the other. */
export function toElements(block: AdaptedBlock, place: TapPlace, plain: boolean): Element[] {
  switch (block.type) {
    // A title that begins a card is its header, see render.ts.
    case 'title':
      return [{ tag: 'markdown', content: `**${escapeMarkdown(block.text)}**`, text_size: 'heading' }]
    case 'text':
    case 'context':
      return toText(block, plain)
    case 'divider':
      return [{ tag: 'hr' }]
    case 'buttons':
      return block.rows.flatMap((row) => toRow(row, place))
    case 'select':
      return [toSelect(block, place)]
    case 'table':
      return toTables(block)
    // An image is shown from an upload only, and a medium is a message of its own.
    case 'image':
    case 'media':
    case 'chart':
      return []
  }
}

const plainText = (content: string): Element => ({ tag: 'plain_text', content })

function toText(block: Words, plain: boolean): Element[] {
  const small = block.type === 'context'
  if (plain || block.format === 'plain') {
    const look = small && { text_size: 'notation', text_color: 'grey' }
    return block.text.trim() === '' ? [] : [{ tag: 'div', text: { ...plainText(block.text), ...look } }]
  }
  const content = toFeishuMarkdown(block.text)
  return content.trim() === '' ? [] : [{ tag: 'markdown', content, ...(small && { text_size: 'notation' }) }]
}

function toRow(row: readonly AdaptedButton[], place: TapPlace): Element[] {
  const buttons = row.map((button) => toButton(button, place))
  if (buttons.length < 2) return buttons
  const columns = buttons.map((button) => ({ tag: 'column', width: 'auto', elements: [button] }))
  return [{ tag: 'column_set', flex_mode: 'flow', horizontal_spacing: 'small', columns }]
}

const types: Readonly<Record<NonNullable<AdaptedButton['style']>, string>> = {
  primary: 'primary',
  success: 'primary',
  secondary: 'default',
  danger: 'danger',
}

function toButton({ label, press, style, confirm }: AdaptedButton, place: TapPlace): Element {
  return {
    tag: 'button',
    text: plainText(label),
    type: types[style ?? 'secondary'],
    ...(press.type === 'value' && { behaviors: [callback({ value: press.value, ...place })] }),
    ...(press.type === 'url' && { behaviors: [{ type: 'open_url', default_url: press.url }] }),
    ...(press.type === 'none' && { disabled: true }),
    ...(confirm !== undefined && { confirm: { title: plainText(label), text: plainText(confirm) } }),
  }
}

/** Option values are unique in a select: the value comes after its position. */
function toSelect({ placeholder, options }: Extract<AdaptedBlock, { type: 'select' }>, place: TapPlace): Element {
  return {
    tag: 'select_static',
    ...(placeholder !== '' && { placeholder: plainText(placeholder) }),
    options: options.map(({ label, value }, index) => ({ text: plainText(label), value: `${index}:${value}` })),
    behaviors: [callback({ ...place })],
  }
}

export const toOptionValue = (option: string): string => option.replace(/^\d+:/, '')

const callback = (value: object): object => ({ type: 'callback', value })

/** Native tables. One with more columns than Feishu takes goes on in a second table. */
function toTables({ caption, headers, rows }: Extract<AdaptedBlock, { type: 'table' }>): Element[] {
  const title: Element[] = caption === undefined || caption.trim() === '' ? [] : [{ tag: 'div', text: plainText(caption) }]
  const tables: Element[] = []
  for (let from = 0; from < headers.length; from += limits.tableColumns) {
    const columnHeaders = headers.slice(from, from + limits.tableColumns)
    tables.push({
      tag: 'table',
      page_size: Math.min(rows.length, limits.tablePageRows),
      columns: columnHeaders.map((header, at) => ({ name: `c${at}`, display_name: header, data_type: 'text' })),
      rows: rows.map((row) => Object.fromEntries(columnHeaders.map((_, at) => [`c${at}`, String(row[from + at] ?? '')]))),
    })
  }
  return [...title, ...tables]
}

/** Objects with a tag, as Feishu counts the elements of a card. */
function countTags(value: unknown): number {
  if (Array.isArray(value)) return (value as unknown[]).reduce((sum: number, one) => sum + countTags(one), 0)
  if (typeof value !== 'object' || value === null) return 0
  const own = 'tag' in value ? 1 : 0
  return Object.values(value).reduce((sum: number, one) => sum + countTags(one), own)
}

/** The longest place there is, so that the cost of a control does not depend on its chat. */
const anyPlace: TapPlace = { direct: 1, root: `om_${'x'.repeat(60)}` }

export function measureBlock(block: AdaptedBlock): BlockCost {
  const spellings = [false, true].map((plain) => toElements(block, anyPlace, plain))
  const tables = spellings[0]?.filter(({ tag }) => tag === 'table').length ?? 0
  return {
    text: 'text' in block ? block.text.length : 0,
    blocks: Math.max(...spellings.map(countTags)) + tables * limits.elementsOfTable,
    bytes: Math.max(...spellings.map((elements) => Buffer.byteLength(JSON.stringify(elements)))),
  }
}
