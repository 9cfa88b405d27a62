import { messagingWords } from '../words/index.ts'
import type { Language } from '../shapes/language.ts'
import { textReading } from './message/text-reading.ts'
import { toOneLine } from './message/tap-text.ts'
import type { DeliveryState } from './outbox/delivery-state.ts'
import type { Outbox } from './outbox/outbox.ts'

export const noticeLimits = { excerptChars: 80 } as const

const about = (delivery: string): string => `unknown:${delivery}`

/**
 * Tells the people of a chat that a message may be missing there. The same unclear part is told once, and a notice that is
 * unclear itself is not told.
 */
export async function tellUnknown(
  { outbox, languageAt }: { outbox: Pick<Outbox, 'plan'>; languageAt(place: { channel: string; address: string }): Promise<Language> },
  state: DeliveryState,
): Promise<void> {
  const { status, delivery, channel, address, message, revision, intended, unclear, shown } = state
  if (status !== 'unknown' || state.about?.startsWith('unknown:')) return
  const part = unclear[0]?.part ?? intended?.part ?? 0
  const words = messagingWords[await languageAt({ channel, address })]
  const isPart = unclear.length > 0 || shown.length > 0
  await outbox.plan({
    channel,
    address,
    message: { text: words.maybeLost(toOneLine(textReading(message)).slice(0, noticeLimits.excerptChars).toWellFormed(), isPart) },
    about: about(delivery),
    once: `${about(delivery)}:${revision}:${part}`,
  })
}
