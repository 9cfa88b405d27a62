import type { z } from 'zod'
import type * as schemas from './schemas/notification-responses.ts'
import type { Language } from './language.ts'

/** Notifications of the browser that asks. */
export type NotificationsView = z.infer<typeof schemas.notifications>

export type SubscriptionInput = {
  endpoint: string
  keys: { p256dh: string; auth: string }
  language: Language
  timeZone: string
  shows: 'words' | 'nothing'
  quiet: { from: string; to: string } | null
}

/** Web Push to the browsers of people. Each belongs to a session and ends with it. */
export type Notifications = {
  get(session: string): Promise<NotificationsView>
  subscribe(session: string, input: SubscriptionInput): Promise<NotificationsView>
  unsubscribe(session: string): Promise<NotificationsView>
  /** Sends a message that says that it works, at once and whatever the hour. What came of it is in the response. */
  test(session: string): Promise<NotificationsView>
}
