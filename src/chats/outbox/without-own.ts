import { actionOf, type MessagePresentationAction, type MessagePresentationBlock } from '../message/presentation.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'

export type IsOwn = (action: MessagePresentationAction) => boolean

/**
 * The message without the buttons of one author, and with the marker in their place. Null where the others have no button that can
 * be tapped: then all controls may go.
 */
export function withoutOwn(message: ReplyPayload, isOwn: IsOwn, marker: string | undefined): ReplyPayload | null {
  const { presentation } = message
  let hasOthers = false
  let isMarked = marker === undefined
  const blocks = (presentation?.blocks ?? []).flatMap((block): MessagePresentationBlock[] => {
    if (block.type === 'select') hasOthers = true
    if (block.type !== 'buttons') return [block]
    const buttons = block.buttons.flatMap((button) => {
      const action = actionOf(button)
      if (!isOwn(action)) {
        hasOthers ||= action.type !== 'url' && action.type !== 'copy-text'
        return [button]
      }
      if (isMarked) return []
      isMarked = true
      return [{ label: marker ?? '', value: '', disabled: true }]
    })
    return buttons.length === 0 ? [] : [{ ...block, buttons }]
  })
  return presentation && hasOthers ? { ...message, presentation: { ...presentation, blocks } } : null
}
