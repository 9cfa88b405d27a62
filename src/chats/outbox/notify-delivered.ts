import type { Hooks } from '../../ports/hooks.ts'
import type { Log } from '../../ports/log.ts'
import type { DeliveryState } from './delivery-state.ts'

/** Notifies plugins of a reply that arrived. A failing plugin changes nothing about the delivery. */
export async function notifyDelivered(
  { hooks, getKind, log }: { hooks: Pick<Hooks, 'replyDelivered'>; getKind: (channel: string) => string; log: Log },
  { reply, isDraft, status, shown, channel, address, delivery }: DeliveryState,
): Promise<void> {
  if (!reply || isDraft || status !== 'sent') return
  const messageIds = shown.map(({ messageId }) => messageId)
  try {
    await hooks.replyDelivered({ ...reply, channel, kind: getKind(channel), address, delivery, messageIds })
  } catch (error) {
    log('warn', 'plugins could not be notified of a delivered reply', { error })
  }
}
