import type { AdaptedBlock, AdaptedButton } from '../../../ports/channel.ts'
import { isShownByAddress, spell, toStyle } from './blocks.ts'
import type { ActionContext } from './signature.ts'

/** Context of the call that a control makes. */
type Integrate = (value: string | null) => { url: string; context: ActionContext }

type Attachment = Record<string, unknown>

/** Blocks as message attachments, for servers without Mattermost Blocks: one attachment for each, so that they keep their order. */
export function toAttachments(
  blocks: readonly AdaptedBlock[],
  plain: boolean,
  colour: string | undefined,
  integrate: Integrate,
): Attachment[] {
  let actions = 0
  const identify = (): string => `a${actions++}`
  return blocks
    .flatMap((block) => toAttachment(block, plain, integrate, identify))
    .map((attachment) => ({ ...attachment, ...(colour !== undefined && { color: colour }) }))
}

function toAttachment(block: AdaptedBlock, plain: boolean, integrate: Integrate, identify: () => string): Attachment[] {
  switch (block.type) {
    case 'title':
    case 'text':
    case 'context':
      return [{ text: spell(block, plain) }]
    case 'divider':
      return [{ text: '---' }]
    case 'image':
      return [{ image_url: block.url, fallback: block.alt }]
    case 'media':
      return isShownByAddress(block) ? [{ image_url: block.url, fallback: block.name }] : []
    case 'buttons':
      return block.rows.map((row) => ({ actions: row.map((button) => ({ id: identify(), ...toButton(button, integrate) })) }))
    case 'select': {
      const options = block.options.map(({ label, value }) => ({ text: label, value }))
      const select = { id: identify(), type: 'select', name: block.placeholder || '…', options, integration: integrate(null) }
      return [{ actions: [select] }]
    }
    case 'table':
    case 'chart':
      return []
  }
}

function toButton(button: AdaptedButton, integrate: Integrate): Attachment {
  const { label, press } = button
  const value = press.type === 'value' ? press.value : ''
  const look = { type: 'button', name: label, ...toStyle(button) }
  return { ...look, ...(press.type !== 'value' && { disabled: true }), integration: integrate(value) }
}
