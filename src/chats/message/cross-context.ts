import type { MessagePresentation } from './presentation.ts'

/** Marks a message that was sent from one place into another, so that nobody wonders where it comes from. */
export function buildCrossContextPresentation({
  originLabel,
  message = '',
  presentation,
}: {
  originLabel: string
  message?: string
  presentation?: MessagePresentation
}): MessagePresentation {
  const said: MessagePresentation['blocks'] = [
    ...(message.trim() === '' ? [] : [{ type: 'text' as const, text: message }]),
    ...(presentation?.blocks ?? []),
  ]
  const marker = { type: 'context' as const, text: `From ${originLabel}` }
  const shows = said.length > 0 || presentation?.title !== undefined
  return {
    tone: presentation?.tone ?? 'neutral',
    ...(presentation?.title !== undefined && { title: presentation.title }),
    blocks: shows ? [...said, { type: 'divider' }, marker] : [marker],
  }
}
