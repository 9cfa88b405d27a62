import { openNotices, type OpenNotices } from '../../notices/open-notices.ts'
import { type MailSettings } from '../../notices/mail-targets.ts'
import { type Subscriptions, subscriptions } from '../../notices/subscriptions.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { Access } from '../../server/auth/access.ts'
import type { Committer } from '../../streams/committer.ts'
import type { OpenParley } from '../library.ts'
import type { LivePolicy } from './live-policy.ts'
import type { PageAddress } from './page-address.ts'
import type { Part } from './part-stack.ts'
import type { Settings } from './settings.ts'

/** The browsers that are notified; dialogs wake no work of notices where there is none. */
export const subscriptionsPart = (parts: { store: Store; clock: Clock }): Part<Subscriptions> => ({
  name: 'subscriptions',
  async start() {
    const open = subscriptions(parts)
    await open.start()
    return open
  },
  stop: (open) => open.close(),
})

export type NoticesParts = {
  store: Store
  committer: Committer
  parley: OpenParley
  access: Access
  subscriptions: Subscriptions
  policy: LivePolicy
  page: PageAddress
  settings: Settings
  works: boolean
  clock: Clock
  log: Log
  metrics: Metrics
}

/** Mails follow changes of parley.yaml. */
function mailSettings({ current }: Settings): MailSettings | null {
  const { mail, server } = current()
  if (!mail) return null
  return { ...mail, quiet: mail.quiet ?? null, timeZone: server.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone }
}

export const noticesPart = (parts: NoticesParts): Part<OpenNotices> => ({
  name: 'notices',
  start() {
    const { parley, access, policy, page, settings, ...shared } = parts
    return openNotices({
      ...shared,
      dialogs: parley.streams,
      builds: parley.buildStreams,
      policy: policy.current,
      findReader: (session) => access.readerOf(session),
      pageUrl: page.outside,
      mail: () => mailSettings(settings),
    })
  },
  stop: (notices, graceMs) => notices.stop(graceMs),
})
