import type { AdaptedBlock, AdaptedButton, BlockCost } from '../../../ports/channel.ts'
import { mattermostLimits as limits } from './limits.ts'
import { escapeMarkdown, toMattermostMarkdown } from './markdown.ts'
import type { ActionContext } from './signature.ts'

export type Block = { type: string; [field: string]: unknown }

/** An action of a post: a call to Parley with this context, or a link. */
export type Action = { type: 'external'; url: string; context: ActionContext } | { type: 'openURL'; url: string }

/** Registers an action and returns its id. Ids are letters and digits, which servers of any version accept. */
export type Register = { value(value: string | null): string; url(url: string): string }

export type Words = Extract<AdaptedBlock, { type: 'text' | 'context' | 'title' }>

/** Text as it is sent. */
export function spell(block: Words, plain: boolean): string {
  if (block.type === 'title')
    return block.text.includes('\n') || block.text.trim() === '' ? escapeMarkdown(block.text) : `#### ${escapeMarkdown(block.text.trim())}`
  return plain || block.format === 'plain' ? escapeMarkdown(block.text) : toMattermostMarkdown(block.text)
}

/** One block of a message as Mattermost Blocks. */
export function toBlocks(block: AdaptedBlock, plain: boolean, register: Register): Block[] {
  switch (block.type) {
    case 'title':
    case 'text':
      return [{ type: 'text', text: spell(block, plain) }]
    case 'context':
      return [{ type: 'text', text: spell(block, plain), is_subtle: true, size: 'small' }]
    case 'divider':
      return [{ type: 'divider' }]
    case 'image':
      return [{ type: 'image', url: block.url, ...(block.alt.trim() !== '' && { alt_text: block.alt }) }]
    case 'buttons':
      return block.rows.map((row) => ({
        type: 'container',
        flow: 'horizontal',
        gap: 'small',
        content: row.map((button) => toButton(button, register)),
      }))
    case 'select':
      return [
        {
          type: 'static_select',
          action_id: register.value(null),
          placeholder: block.placeholder || '…',
          options: block.options.map(({ label, value }) => ({ text: label, value })),
        },
      ]
    case 'media':
      return isShownByAddress(block) ? [{ type: 'image', url: block.url, ...(block.name !== '' && { alt_text: block.name }) }] : []
    case 'table':
    case 'chart':
      return []
  }
}

/** An image with an address is shown by it; files of this machine are attached to the post. */
export const isShownByAddress = ({ url }: { url: string }): boolean => /^https?:/.test(url)

const styles: Readonly<Record<NonNullable<AdaptedButton['style']>, string>> = {
  primary: 'primary',
  secondary: 'default',
  success: 'success',
  danger: 'danger',
}

export const toStyle = ({ style }: AdaptedButton): { style?: string } => (style === undefined ? {} : { style: styles[style] })

function toButton(button: AdaptedButton, register: Register): Block {
  const { label, press } = button
  const look = { type: 'button', text: escapeMarkdown(label), ...toStyle(button) }
  if (press.type === 'url') return { ...look, action_id: register.url(press.url) }
  if (press.type === 'value') return { ...look, action_id: register.value(press.value) }
  return { ...look, action_id: register.value(''), disabled: true }
}

/** Mattermost counts nested blocks, and text as it is sent. The placeholder and the options of a select have no limit. */
export function measureBlock(block: AdaptedBlock): BlockCost {
  switch (block.type) {
    case 'title':
    case 'text':
    case 'context':
      return { text: Math.max(spell(block, false).length, spell(block, true).length), blocks: 1, bytes: 0 }
    case 'image':
      return { text: block.alt.length, blocks: 1, bytes: 0 }
    case 'media':
      return { text: block.name.length, blocks: limits.blocksOfMedium, bytes: 0 }
    case 'buttons':
      return {
        text: block.rows.flat().reduce((sum, { label }) => sum + escapeMarkdown(label).length, 0),
        blocks: block.rows.reduce((sum, row) => sum + row.length * limits.blocksOfAction + 1, 0),
        bytes: 0,
      }
    case 'select':
      return { text: 0, blocks: limits.blocksOfAction, bytes: 0 }
    case 'divider':
      return { text: 0, blocks: 1, bytes: 0 }
    case 'table':
    case 'chart':
      return { text: 0, blocks: 0, bytes: 0 }
  }
}
