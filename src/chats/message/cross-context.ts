import type { MessagePresentation } from './presentation.ts'

/** Names the dialog that a message comes from when it is sent to another address. */
export function buildCrossContextPresentation({
  originLabel,
  message = '',
  presentation,
}: {
  originLabel: string
  message?: string
  presentation?: MessagePresentation
}): MessagePresentation {
  const texts: MessagePresentation['blocks'] = [
    ...(message.trim() === '' ? [] : [{ type: 'text' as const, text: message }]),
    ...(presentation?.blocks ?? []),
  ]
  const marker = { type: 'context' as const, text: `From ${originLabel}` }
  const shows = texts.length > 0 || presentation?.title !== undefined
  return {
    tone: presentation?.tone ?? 'neutral',
    ...(presentation?.title !== undefined && { title: presentation.title }),
    blocks: shows ? [...texts, { type: 'divider' }, marker] : [marker],
  }
}
