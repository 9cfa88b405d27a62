import type { Policy } from '../authority/policy.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Store } from '../ports/store.ts'
import type { Notifications } from '../shapes/notifications.ts'
import type { Committer } from '../streams/committer.ts'
import { type MailSettings, mailTargets } from './mail-targets.ts'
import { notificationsOver } from './notifications.ts'
import { type NoticeTargets, notifier } from './notifier.ts'
import { type FindReader, pushTargets } from './push-targets.ts'
import { isPublicEndpoint, pushSender } from './send-push.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Push services want an address of the sender; this one is no one's. */
const unknownContact = 'https://parley.invalid'

export type OpenNotices = { readonly notifications: Notifications; stop(graceMs: number): Promise<void> }

/** Notifications on devices and by e-mail, over dialogs and builds that wake their work. */
export function openNotices(parts: {
  store: Store
  committer: Committer
  subscriptions: Subscriptions
  dialogs: Parameters<typeof notifier>[0]['dialogs']
  builds: Parameters<typeof notifier>[0]['builds']
  policy: () => Policy
  findReader: FindReader
  /** The page as others reach it; null where that is not known. */
  pageUrl: () => string | null
  /** E-mail, besides the browsers; null where none is set up. */
  mail: () => MailSettings | null
  /** False where other processes send the messages. */
  works: boolean
  /** Which push services may be reached; public ones unless set. */
  mayReach?: (endpoint: URL) => boolean
  clock: Clock
  log: Log
  metrics: Metrics
}): OpenNotices {
  const { store, committer, subscriptions, dialogs, builds, policy, findReader, pageUrl, mail, works, clock, log, metrics } = parts
  const { mayReach = isPublicEndpoint } = parts
  const closing = new AbortController()
  const { signal } = closing
  const contact = (): string => pageUrl() ?? unknownContact
  const send = pushSender({ keys: subscriptions.keys, contact, now: () => clock.now(), mayReach, signal })
  const mailboxes = mailTargets({ settings: mail, policy, pageUrl, signal, clock, log })
  const browsers = pushTargets({ subscriptions, findReader, send, clock })
  const targets: NoticeTargets = {
    list: async () => [...(await browsers.list()), ...(await mailboxes.list())],
    open: async (id) => (await browsers.open(id)) ?? mailboxes.open(id),
  }
  const work = notifier({ store, committer, dialogs, builds, policy, targets, clock, log, metrics })
  if (works) work.start()
  return {
    notifications: notificationsOver({ subscriptions, send, mayReach, clock }),
    async stop(graceMs) {
      closing.abort()
      if (works) await work.stop(graceMs)
    },
  }
}
