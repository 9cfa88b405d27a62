import type { Author } from '../authority/roles.ts'
import type { Clock } from '../ports/clock.ts'
import { noticeWords } from '../words/index.ts'
import type { NoticeTarget, NoticeTargets } from './notifier.ts'
import { type NoticeText, noticeTextLimits } from './notice-text.ts'
import { quietUntil } from './quiet-hours.ts'
import { pushLimits, type PushSender, type Sent } from './send-push.ts'
import type { Subscription, Subscriptions } from './subscriptions.ts'

const prefix = 'push:'

/** The person of a session as they are now; null when it was revoked or has expired. */
export type FindReader = (session: string) => Promise<Author | null>

/** Browsers that people subscribed. One whose session has ended is removed when a message for it comes up. */
export function pushTargets(parts: {
  subscriptions: Subscriptions
  findReader: FindReader
  send: PushSender
  clock: Clock
}): NoticeTargets {
  const { subscriptions, findReader, send, clock } = parts
  return {
    list: async () => (await subscriptions.list()).map(({ session }) => `${prefix}${session}`),
    async open(id): Promise<NoticeTarget | null> {
      if (!id.startsWith(prefix)) return null
      const session = id.slice(prefix.length)
      const subscription = await subscriptions.get(session)
      if (!subscription) return null
      const reader = await findReader(session)
      if (!reader) {
        await subscriptions.remove(session)
        return null
      }
      const { language, shows, quiet, timeZone } = subscription
      return {
        id,
        reader,
        language,
        shows,
        quietUntil: quietUntil(quiet, timeZone, clock.now()),
        send: (text, key) => send(subscription, pushMessage(text, key, language), key),
        note: (sent) => noteSent(subscriptions, subscription, sent, clock.now()),
      }
    },
  }
}

export async function noteSent(subscriptions: Subscriptions, { session, endpoint }: Subscription, sent: Sent, at: number): Promise<void> {
  // The person may have subscribed anew meanwhile.
  if ((await subscriptions.get(session))?.endpoint !== endpoint) return
  if (sent.how === 'gone') await subscriptions.remove(session)
  else await subscriptions.change(session, sent.how === 'sent' ? { sentAt: at, failure: null } : { failure: { at, why: sent.why } })
}

/** The JSON that the service worker reads. It has no dictionary, so every word it may show is in it. */
export function pushMessage(text: NoticeText, key: string, language: Subscription['language']): string {
  const words = noticeWords[language]
  const whole = { ...text, tag: key, language, notSent: words.notSent, open: words.open }
  const message = JSON.stringify(whole)
  if (Buffer.byteLength(message) <= pushLimits.messageBytes) return message
  // Characters of several bytes, and values of choices, may not fit: then the page has them.
  const body = Array.from(text.body)
    .slice(0, noticeTextLimits.bodyChars / 2)
    .join('')
  return JSON.stringify({ ...whole, body: `${body}…`, buttons: [] })
}
