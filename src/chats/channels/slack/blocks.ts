import type { AdaptedBlock, AdaptedButton } from '../../../ports/channel.ts'
import { escapeMrkdwn, markdownToMrkdwn } from './mrkdwn.ts'

type Block = Record<string, unknown>

/** One block of a message in Block Kit. `at` is its place in the message, which makes ids unique. */
export function toBlocks(block: AdaptedBlock, at: number, plain: boolean): Block[] {
  switch (block.type) {
    case 'title':
      return [{ type: 'header', text: plainText(block.text) }]
    case 'text':
      return [{ type: 'section', text: toText(block, plain), expand: true }]
    case 'context':
      return [{ type: 'context', elements: [toText(block, plain)] }]
    case 'divider':
      return [{ type: 'divider' }]
    case 'image':
    case 'media':
      return [{ type: 'image', image_url: block.url, alt_text: (block.type === 'image' ? block.alt : block.name) || 'image' }]
    case 'buttons':
      return block.rows.map((row, line) => ({
        type: 'actions',
        block_id: `b${at}-${line}`,
        elements: row.map((button, index) => toButton(button, `b${at}-${line}-${index}`)),
      }))
    case 'select':
      return [{ type: 'actions', block_id: `b${at}`, elements: [toSelect(block, `b${at}-0`)] }]
    case 'table':
    case 'chart':
      return []
  }
}

/** Characters of a block as they are sent. */
export const spellText = ({ text, format }: { text: string; format: 'markdown' | 'plain' }): string =>
  format === 'plain' ? escapeMrkdwn(text) : markdownToMrkdwn(text)

function toText(block: { text: string; format: 'markdown' | 'plain' }, plain: boolean): Block {
  if (plain || block.format === 'plain') return { type: 'plain_text', text: block.text, emoji: false }
  return { type: 'mrkdwn', text: spellText(block), verbatim: true }
}

const plainText = (text: string): Block => ({ type: 'plain_text', text, emoji: true })

function toButton({ label, press, style, confirm }: AdaptedButton, id: string): Block {
  const look = {
    type: 'button',
    action_id: id,
    text: plainText(label),
    ...(toStyle(style) && { style: toStyle(style) }),
    // Slack writes "Are you sure?" and its two buttons in the language of the person.
    ...(confirm !== undefined && { confirm: { text: plainText(confirm) } }),
  }
  if (press.type === 'url') return { ...look, url: press.url }
  return { ...look, ...(press.type === 'value' && { value: press.value }) }
}

const toStyle = (style: AdaptedButton['style']): string | undefined =>
  style === 'danger' ? 'danger' : style === 'primary' || style === 'success' ? 'primary' : undefined

function toSelect({ placeholder, options }: Extract<AdaptedBlock, { type: 'select' }>, id: string): Block {
  return {
    type: 'static_select',
    action_id: id,
    ...(placeholder !== '' && { placeholder: plainText(placeholder) }),
    options: options.map(({ label, value }) => ({ text: plainText(label), value })),
  }
}
