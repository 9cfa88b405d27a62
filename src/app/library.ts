import { defaultPolicy, type Policy } from '../authority/policy.ts'
import { building, type Building } from '../builds/open-builds.ts'
import { buildKind } from '../builds/rows/build-kind.ts'
import { buildNotices, dialogNotices, withNotices } from '../notices/notice.ts'
import { emergencyControl } from '../dialogs/control/emergency-control.ts'
import { settleCovered } from '../dialogs/control/covered-approvals.ts'
import { gateFacts } from '../dialogs/control/gate-facts.ts'
import { getDepth, latchOver } from '../dialogs/control/latches.ts'
import { fileRemoval } from '../dialogs/control/file-removal.ts'
import { messageFiles } from '../dialogs/control/message-files.ts'
import { fileTexts } from '../dialogs/file-text/file-text.ts'
import { visibility } from '../dialogs/control/visibility.ts'
import type { DialogCommand } from '../dialogs/rules/decide-dialog.ts'
import type { DialogState } from '../dialogs/rules/dialog-state.ts'
import { type TreeBounds, treeLimits } from '../dialogs/rules/tellask.ts'
import { budgets } from '../dialogs/driver/budget.ts'
import { drafts } from '../dialogs/driver/drafts.ts'
import { driver, type Driver } from '../dialogs/driver/driver.ts'
import { type Gatekeeper, gatekeeper } from '../dialogs/driver/gatekeeper.ts'
import type { GenerationBounds } from '../dialogs/driver/generation-bounds.ts'
import { parleyOver } from '../dialogs/dialog-nouns.ts'
import type { Team } from '../ports/agent-runtime.ts'
import { type Clock, systemClock } from '../ports/clock.ts'
import type { Files } from '../ports/files.ts'
import { type Hooks, noHooks } from '../ports/hooks.ts'
import { type Ids, randomIds } from '../ports/ids.ts'
import { type Log, silentLog } from '../ports/log.ts'
import { type Metrics, noMetrics } from '../ports/metrics.ts'
import type { Parley } from '../shapes/parley.ts'
import type { Store } from '../ports/store.ts'
import type { Visibility } from '../ports/visibility.ts'
import { searching } from '../search/search.ts'
import { wordIndexer } from '../search/word-index.ts'
import { memoryFiles } from '../store/memory/memory-files.ts'
import { type Committer, groupCommitter } from '../streams/committer.ts'
import { streamHandler, type StreamHandler } from '../streams/stream-handler.ts'
import { countedKind, dialogKind, toldDialogKind } from '../dialogs/rows/dialog-kind.ts'
import { dialogView, rootView, sideView, spentInTree } from '../dialogs/rows/dialog-rows.ts'

export type ParleyParts = {
  store: Store
  team: Team
  clock?: Clock
  ids?: Ids
  log?: Log
  metrics?: Metrics
  hooks?: Hooks
  /** Rules, people and presets as they are now. Without it the defaults apply: calls with an effect ask first. */
  policy?: () => Policy
  /** True while people elsewhere, such as in chat apps, are notified of events in dialogs. */
  isTold?: () => boolean
  /** True while people are notified on their devices or by e-mail. */
  isNotified?: () => boolean
  /** Given when others commit to the same store, so that they share an fsync. */
  committer?: Committer
  /** False where other processes on the same store run the turns. */
  works?: boolean
  /** Turns that may run at the same time. */
  concurrency?: number
  /** Limits of a tree of dialogs. */
  tree?: TreeBounds
  /** Bounds of one generation; the defaults are those of `limits` in parley.yaml. */
  generationBounds?: Partial<GenerationBounds>
  /** Generations of one turn after which a person is asked whether it continues. */
  generationsPerTurn?: number
  /** After this time the agent that waits for a failed dialog gets a failed reply. */
  failedReplyAfterMinutes?: number
  /** Of the owner, for budgets of a day; that of this process unless set. */
  timeZone?: string
  /** Where the bytes of files are stored; in memory unless given. */
  files?: Files
}

export type OpenParley = Parley & {
  readonly driver: Driver
  /** The dialogs themselves, for parts that speak commands. */
  readonly streams: StreamHandler<DialogState, DialogCommand>
  readonly buildStreams: Building['streams']
  /** Filters what one caller may see, for surfaces with several callers. */
  readonly visibility: Visibility
  /** Removes one batch of files that nothing refers to, beginning after this id; null when there are no more. */
  pruneFiles(after: string): Promise<string | null>
  /** Call it when the rules have changed: open approvals that they now decide end. */
  policyChanged(): void
  /** Stops taking work, lets what runs end or gives it back, and leaves the store open. */
  close(graceMs?: number): Promise<void>
}

/** Parley in this process, over a store and a team. Starts working at once. */
export const openParley = (parts: ParleyParts): OpenParley => openParleyWith(parts, (gate) => gate)

/** `replace` puts another gate in the place of the real one; only a bench that measures the gate does that. */
export function openParleyWith(parts: ParleyParts, replace: (gate: Gatekeeper) => Gatekeeper): OpenParley {
  const {
    store,
    team,
    clock = systemClock,
    ids = randomIds,
    log = silentLog,
    metrics = noMetrics,
    hooks = noHooks,
    isTold,
    isNotified = () => false,
    committer = groupCommitter(store),
    works: runsWork = true,
    concurrency,
    tree = treeLimits,
    policy = () => defaultPolicy,
    generationBounds,
    generationsPerTurn,
    failedReplyAfterMinutes,
    timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone,
    files = memoryFiles(clock),
  } = parts
  const told = isTold ? toldDialogKind(isTold) : dialogKind
  const dialogs = streamHandler(countedKind(withNotices(told, dialogNotices, isNotified), timeZone), store, committer)
  const attachments = messageFiles({ store, committer, files, readText: fileTexts({ clock, log }), clock, ids })
  const written = drafts(store.hints, clock)
  const emergency = emergencyControl(store, committer)
  const kind = withNotices(buildKind, buildNotices, isNotified)
  const builds = building({ kind, store, committer, dialogs, team, emergency, clock, ids, log, metrics })
  const gate = replace(gatekeeper({ policy, ...gateFacts({ store, dialogs, clock, log }) }, ids))
  const settling = new Set<Promise<unknown>>()
  const settle = (agent?: string): Promise<number> => {
    const one = settleCovered({ store, dialogs, team: builds.team, gatekeeper: gate, clock, log }, agent)
      .catch((error: unknown) => {
        log('error', 'open approvals could not be compared with the rules', { error })
        return 0
      })
      .finally(() => settling.delete(one))
    settling.add(one)
    return one
  }
  // No owner reads the dialog of a build: its own people are told that it failed.
  const canAsk = (root: string): boolean => rootView(root) === dialogView
  const works = driver({
    gatekeeper: gate,
    budgets: budgets({
      store,
      clock,
      timeZone,
      canAsk,
      spentInTree: (root) => spentInTree(store, root),
    }),
    store,
    dialogs,
    team: builds.team,
    files: attachments,
    drafts: written,
    emergency,
    async holdOn(dialog, state, load, visit) {
      const stop = await emergency.current()
      return stop ? { by: stop.by, dialog: null } : latchOver(dialog, state, load, visit)
    },
    tree: { bounds: tree, getDepth, countSides: (root) => store.countRows(sideView, root), canAsk },
    clock,
    ids,
    log,
    metrics,
    turnNotes: (turn) => hooks.turnNotes(turn),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(generationBounds === undefined ? {} : { bounds: generationBounds }),
    ...(generationsPerTurn === undefined ? {} : { generationsPerTurn }),
    ...(failedReplyAfterMinutes === undefined ? {} : { failedReplyAfterMs: failedReplyAfterMinutes * 60_000 }),
  })
  const indexer = wordIndexer({ store, log })
  const removals = fileRemoval({ store, committer, files, clock, log, metrics })
  if (runsWork) {
    works.start()
    removals.start()
    builds.start()
    indexer.start()
  }
  void settle()
  return {
    ...parleyOver({
      store,
      dialogs,
      team,
      drafts: written,
      messageFiles: attachments,
      emergency,
      clock,
      ids,
      policy,
      onGrants: settle,
      saidInDialog: (said) => hooks.saidInDialog(said),
    }),
    builds: builds.builds,
    search: searching({ store, indexer }),
    driver: works,
    streams: dialogs,
    buildStreams: builds.streams,
    pruneFiles: attachments.prune,
    visibility: visibility({ store, dialogs, emergency, policy }),
    policyChanged: () => void settle(),
    async close(graceMs = 5_000) {
      await Promise.all([works.stop(graceMs), builds.stop(graceMs), removals.stop(graceMs), indexer.stop(), ...settling])
      await committer.drain()
    },
  }
}
