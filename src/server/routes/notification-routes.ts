import { z } from 'zod'
import { ParleyError } from '../../errors.ts'
import { languageCodes } from '../../shapes/language.ts'
import type { Notifications } from '../../shapes/notifications.ts'
import { notifications as response } from '../../shapes/schemas/notification-responses.ts'
import type { Principal } from '../auth/principal.ts'
import { nothing, route } from './route.ts'

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time such as 22:00')
const base64url = z.string().regex(/^[\w-]{10,200}={0,2}$/, 'is not base64url')

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Web Push to the browser that asks. They are of its session: a token has no browser. */
export const notificationRoutes = (notifications: Notifications | undefined) => {
  const ours = ({ session }: Principal): [Notifications, string] => {
    if (!notifications) throw new ParleyError('notifications_off')
    if (session === undefined) throw new ParleyError('not_subscribed')
    return [notifications, session]
  }
  return [
    route({
      operation: 'notifications.get',
      summary: 'Notifications of this browser, and the key to subscribe it with',
      status: 200,
      response,
      async handle({ principal }) {
        const [open, session] = ours(principal)
        return open.get(session)
      },
    }),
    route({
      operation: 'notifications.subscribe',
      summary: 'Notify this browser of questions, approvals and finished builds, or change how',
      body: z.strictObject({
        endpoint: z.url().max(2_000),
        keys: z.strictObject({ p256dh: base64url, auth: base64url }),
        language: z.enum(languageCodes),
        timeZone: z.string().max(100).refine(isTimeZone, 'expected a time zone such as Europe/Berlin'),
        shows: z.enum(['words', 'nothing']).describe('What a locked screen may show.'),
        quiet: z.strictObject({ from: time, to: time }).nullable().describe('No message between these times of day; they come afterwards.'),
      }),
      status: 200,
      response,
      async handle({ principal, body }) {
        const [open, session] = ours(principal)
        return open.subscribe(session, body)
      },
    }),
    route({
      operation: 'notifications.unsubscribe',
      summary: 'Notify this browser no more',
      status: 200,
      response,
      async handle({ principal }) {
        const [open, session] = ours(principal)
        return open.unsubscribe(session)
      },
    }),
    route({
      operation: 'notifications.test',
      summary: 'Send a notification to this browser now',
      body: nothing,
      status: 200,
      response,
      async handle({ principal }) {
        const [open, session] = ours(principal)
        return open.test(session)
      },
    }),
  ]
}
