import { ParleyError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Notifications, NotificationsView } from '../shapes/notifications.ts'
import { testText } from './notice-text.ts'
import { noteSent, pushMessage } from './push-targets.ts'
import type { PushSender } from './send-push.ts'
import type { Subscriptions } from './subscriptions.ts'
import { checkBrowserKeys } from './web-push.ts'

/** Web Push as the page manages it. */
export function notificationsOver(parts: {
  subscriptions: Subscriptions
  send: PushSender
  mayReach: (endpoint: URL) => boolean
  clock: Clock
}): Notifications {
  const { subscriptions, send, mayReach, clock } = parts

  async function get(session: string): Promise<NotificationsView> {
    const subscription = await subscriptions.get(session)
    const { publicKey } = await subscriptions.keys()
    if (!subscription) return { publicKey, subscription: null }
    const { endpoint, language, timeZone, shows, quiet, sentAt, failure } = subscription
    return { publicKey, subscription: { endpoint, language, timeZone, shows, quiet, sentAt, failure } }
  }

  return {
    get,
    async subscribe(session, { endpoint, keys, ...choices }) {
      if (!mayReach(new URL(endpoint)))
        throw new ParleyError('bad_request', { field: 'endpoint', why: 'is not the address of a push service' })
      try {
        checkBrowserKeys(keys)
      } catch {
        throw new ParleyError('bad_request', { field: 'keys', why: 'are not those of a browser' })
      }
      const known = await subscriptions.get(session)
      const isSame = known?.endpoint === endpoint
      const kept = isSame ? known : { createdAt: clock.now(), sentAt: null, failure: null }
      await subscriptions.put({ ...kept, ...choices, session, endpoint, keys })
      return get(session)
    },
    async unsubscribe(session) {
      await subscriptions.remove(session)
      return get(session)
    },
    async test(session) {
      const subscription = await subscriptions.get(session)
      if (!subscription) throw new ParleyError('not_subscribed')
      const key = `test-${session}`
      const sent = await send(subscription, pushMessage(testText(subscription.language), key, subscription.language), key)
      await noteSent(subscriptions, subscription, sent, clock.now())
      return get(session)
    },
  }
}
