import type { Team } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Files } from '../../ports/files.ts'
import type { Hooks } from '../../ports/hooks.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'
import { openParley, type OpenParley } from '../library.ts'
import type { LivePolicy } from './live-policy.ts'
import type { ChatLink } from './chat-link.ts'
import type { Part } from './part-stack.ts'
import type { Settings } from './settings.ts'

export type ServedDialogsParts = {
  store: Store
  committer: Committer
  team: Team
  hooks: Hooks
  chats: ChatLink
  settings: Settings
  policy: LivePolicy
  clock: Clock
  log: Log
  metrics: Metrics
  files: Files
  /** Runs turns and builds here. */
  works: boolean
  isNotified: () => boolean
}

export const dialogsPart = (parts: ServedDialogsParts): Part<OpenParley> => ({
  name: 'dialogs',
  start() {
    const { store, committer, team, hooks, chats, settings, policy, clock, log, metrics, files, works, isNotified } = parts
    const { limits, server } = settings.initial.config
    const isAccount = (via: string): boolean =>
      chats
        .messaging()
        ?.channels.list()
        .some(({ name }) => name === via) ?? false
    const parley = openParley({
      store,
      committer,
      team,
      clock,
      log,
      metrics,
      concurrency: limits.concurrency,
      tree: { depth: limits.depth, sideDialogs: limits.sideDialogs, requestsInARow: limits.requestsInARow },
      generationBounds: limits,
      generationsPerTurn: limits.generationsPerTurn,
      failedReplyAfterMinutes: limits.failedReplyAfterMinutes,
      ...(server.timeZone === undefined ? {} : { timeZone: server.timeZone }),
      files,
      works,
      policy: policy.current,
      // Plugins have already been given what was written in a chat app, when it came in.
      hooks: { ...hooks, saidInDialog: async (message) => (isAccount(message.via) ? undefined : hooks.saidInDialog(message)) },
      isNotified,
      isTold: () => Object.values(settings.current().channels).some(({ enabled }) => enabled),
    })
    policy.onChange(() => parley.policyChanged())
    return parley
  },
  stop: (parley, graceMs) => parley.close(graceMs),
})
