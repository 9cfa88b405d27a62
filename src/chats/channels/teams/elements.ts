import type { AdaptedBlock, AdaptedButton, BlockCost } from '../../../ports/channel.ts'
import { teamsLimits as limits } from './limits.ts'
import { escapeForCard, toCardMarkdown, toXml } from './markup.ts'

export type Element = { type: string; [field: string]: unknown }

/** One block as elements of an Adaptive Card. `at` is its index in the message, which makes ids unique. */
export function toElements(block: AdaptedBlock, at: number, plain: boolean): Element[] {
  switch (block.type) {
    case 'title':
      return [{ type: 'TextBlock', text: escapeForCard(block.text), size: 'Large', weight: 'Bolder', style: 'heading', wrap: true }]
    case 'text':
      return toText(block, {}, plain)
    case 'context':
      return toText(block, { isSubtle: true, size: 'Small' }, plain)
    case 'image':
    case 'media': {
      const words = block.type === 'image' ? block.alt : block.name
      return [{ type: 'Image', url: block.url, ...(words.trim() !== '' && { altText: words }), size: 'Stretch' }]
    }
    case 'buttons':
      return block.rows.map((row) => ({ type: 'ActionSet', actions: row.map(toAction) }))
    case 'select':
      return toSelect(block, `s${at}`)
    case 'divider':
    case 'table':
    case 'chart':
      return []
  }
}

type Words = { text: string; format: 'markdown' | 'plain' }

/** Words that are shown to the letter stand in a run, which knows no markup. Markdown may have no words, such as empty code. */
function toText({ text, format }: Words, look: Record<string, unknown>, plain: boolean): Element[] {
  if (plain || format === 'plain') return [{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...look }] }]
  const spelled = toCardMarkdown(text)
  return spelled.trim() === '' ? [] : [{ type: 'TextBlock', text: spelled, wrap: true, ...look }]
}

function toAction({ label, press }: AdaptedButton): Element {
  if (press.type === 'url') return { type: 'Action.OpenUrl', title: label, url: press.url }
  if (press.type === 'value') return toExecute(label, { value: press.value })
  return { type: 'Action.Submit', title: label, isEnabled: false }
}

/** A client that does not know Action.Execute sends a message with the same data. */
const toExecute = (title: string, data: Record<string, string>): Element => ({
  type: 'Action.Execute',
  title,
  verb: 'tap',
  data,
  fallback: { type: 'Action.Submit', title, data },
})

/** Inputs are sent with a button. Its data names the input, because all inputs of a card are sent. */
function toSelect({ placeholder, options }: Extract<AdaptedBlock, { type: 'select' }>, id: string): Element[] {
  return [
    {
      type: 'Input.ChoiceSet',
      id,
      style: 'compact',
      wrap: true,
      ...(placeholder !== '' && { placeholder }),
      choices: options.map(({ label, value }) => ({ title: label, value })),
    },
    { type: 'ActionSet', actions: [toExecute('OK', { input: id })] },
  ]
}

/** The value of a tap: that of the button, or of the option chosen in the input that it names. */
export function readValue(data: Record<string, unknown>): string | null {
  const value = typeof data['input'] === 'string' ? data[data['input']] : data['value']
  return typeof value === 'string' && value !== '' ? value : null
}

const bytes = (value: unknown): number => 2 * JSON.stringify(value).length

/** Teams counts the whole message as UTF-16, as it is sent: as text, or as elements of a card. */
export function measureBlock(block: AdaptedBlock): BlockCost {
  const separator = 40
  const asCard = Math.max(...[false, true].map((plain) => bytes(toElements(block, 999, plain)))) + separator
  if (block.type === 'title') return { text: block.text.length, blocks: 1, bytes: asCard }
  if (block.type === 'text' || block.type === 'context')
    return { text: block.text.length, blocks: 1, bytes: Math.max(asCard, bytes(toXml(block)) + separator) }
  return { text: block.type === 'image' ? block.alt.length : 0, blocks: 1, bytes: asCard }
}

/** D cards-reference. */
export const toCard = (body: Element[]): Record<string, unknown> => ({
  type: 'AdaptiveCard',
  version: limits.cardVersion,
  body,
  msteams: { width: 'Full' },
})
