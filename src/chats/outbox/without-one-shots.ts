import type { MessagePresentationBlock } from '../message/presentation.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'

/** The message without the controls that may be used once; null when no control would stay. */
export function withoutOneShots(message: ReplyPayload): ReplyPayload | null {
  const { presentation } = message
  if (!presentation) return null
  let stays = false
  const blocks = presentation.blocks.flatMap((block): MessagePresentationBlock[] => {
    if (block.type === 'select') return []
    if (block.type !== 'buttons') return [block]
    const buttons = block.buttons.filter((button) => button.reusable || isOutside(button))
    stays ||= buttons.length > 0
    return buttons.length === 0 ? [] : [{ ...block, buttons }]
  })
  return stays ? { ...message, presentation: { ...presentation, blocks } } : null
}

/** Links and texts to copy never come back to us, so they cannot be used up. */
const isOutside = ({ url, action }: { url?: string; action?: { type: string } }): boolean =>
  action ? action.type === 'url' || action.type === 'copy-text' : url !== undefined
