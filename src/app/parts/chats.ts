import { localFiles } from '../../chats/local-files.ts'
import { openMessaging, type OpenMessaging } from '../../chats/open-messaging.ts'
import type { Plugins } from '../../plugins/host/load-plugins.ts'
import type { Team } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import { randomIds } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'
import type { OpenParley } from '../library.ts'
import type { ChatLink } from './chat-link.ts'
import type { LivePolicy } from './live-policy.ts'
import type { PageAddress } from './page-address.ts'
import type { Part } from './part-stack.ts'

export type ServedChatsParts = {
  store: Store
  committer: Committer
  parley: OpenParley
  plugins: Plugins
  team: Team
  policy: LivePolicy
  chats: ChatLink
  page: PageAddress
  /** Reads updates and sends messages here, unless another process does. */
  works: boolean
  projectDir: string
  dataDir: string
  clock: Clock
  log: Log
  metrics: Metrics
}

/** No account is connected yet: the server listens first, so that the page is there while platforms are slow. */
export const chatsPart = (parts: ServedChatsParts): Part<OpenMessaging> => ({
  name: 'chats',
  start() {
    const { store, committer, parley, plugins, team, policy, chats, page, works, projectDir, dataDir, clock, log, metrics } = parts
    const messaging = openMessaging({
      store,
      committer,
      dialogs: parley.streams,
      parley,
      clock,
      ids: randomIds,
      log,
      metrics,
      hooks: plugins.hooks,
      kinds: () => plugins.channels,
      webhookUrl: page.toWebhook,
      files: localFiles({ projectDir, dataDir }),
      agents: () => team.list().map(({ name }) => name),
      policy: policy.current,
      pageUrl: page.toDialog,
      works,
    })
    chats.register(messaging)
    return messaging
  },
  stop: (messaging, graceMs) => messaging.close(graceMs),
})
