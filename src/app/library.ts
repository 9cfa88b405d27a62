import { defaultPolicy, type Policy } from './authority/policy.ts'
import { building, type Building } from './building/building.ts'
import { emergencyControl } from './control/emergency.ts'
import { settleCovered } from './control/covered-approvals.ts'
import { gateFacts } from './control/gate-facts.ts'
import { depthOf, latchOver } from './control/latches.ts'
import { visibility } from './control/visibility.ts'
import type { DialogCommand } from './dialog/decide.ts'
import type { DialogState } from './dialog/state.ts'
import { type TreeBounds, treeLimits } from './dialog/tellask.ts'
import { budgets } from './driver/budget.ts'
import { drafts } from './driver/drafts.ts'
import { driver, type Driver } from './driver/driver.ts'
import { type Gatekeeper, gatekeeper } from './driver/gatekeeper.ts'
import type { GenerationBounds } from './driver/generation-bounds.ts'
import { parleyOver } from './parley.ts'
import type { Team } from './ports/agent-runtime.ts'
import { type Clock, systemClock } from './ports/clock.ts'
import { type Hooks, noHooks } from './ports/hooks.ts'
import { type Ids, randomIds } from './ports/ids.ts'
import { type Log, silentLog } from './ports/log.ts'
import { type Metrics, noMetrics } from './ports/metrics.ts'
import type { Parley } from './ports/parley.ts'
import type { Store } from './ports/store.ts'
import type { Visibility } from './ports/visibility.ts'
import { type Committer, groupCommitter } from './streams/committer.ts'
import { streamHandler, type StreamHandler } from './streams/stream-handler.ts'
import { dialogKind, toldDialogKind } from './views/dialog-kind.ts'
import { rootView, sideView } from './views/dialog-views.ts'

export type ParleyParts = {
  store: Store
  team: Team
  clock?: Clock
  ids?: Ids
  log?: Log
  metrics?: Metrics
  hooks?: Hooks
  /** Rules, people and presets as they are now. Without it the defaults hold: nothing with an effect runs unasked. */
  policy?: () => Policy
  /** Whether people elsewhere, such as in chat apps, have to be told of what happens in dialogs. */
  isTold?: () => boolean
  /** When others commit to the same store, so that units share their fsync. */
  committer?: Committer
  /** How many turns may run at the same time. */
  concurrency?: number
  /** How large a tree of dialogs may grow. */
  tree?: TreeBounds
  /** Bounds of one generation; the defaults are those of `limits` in parley.yaml. */
  generationBounds?: Partial<GenerationBounds>
}

export type OpenParley = Parley & {
  readonly driver: Driver
  /** The dialogs themselves, for parts that speak commands. */
  readonly streams: StreamHandler<DialogState, DialogCommand>
  readonly buildStreams: Building['streams']
  /** What one caller may see, for surfaces that show several. */
  readonly visibility: Visibility
  /** To be called when the rules have changed: open approvals they decide about by now end. */
  policyChanged(): void
  /** Stops taking work, lets what runs end or gives it back, and leaves the store open. */
  close(graceMs?: number): Promise<void>
}

/** Parley in this process, over a store and a team. Starts working at once. */
export const openParley = (parts: ParleyParts): OpenParley => openParleyWith(parts, null)

/** `given` replaces the gate; only a bench that measures the gate does that. */
export function openParleyWith(parts: ParleyParts, given: Gatekeeper | null): OpenParley {
  const {
    store,
    team,
    clock = systemClock,
    ids = randomIds,
    log = silentLog,
    metrics = noMetrics,
    hooks = noHooks,
    isTold,
    committer = groupCommitter(store),
    concurrency,
    tree = treeLimits,
    policy = () => defaultPolicy,
    generationBounds,
  } = parts
  const dialogs = streamHandler(isTold ? toldDialogKind(isTold) : dialogKind, store, committer)
  const written = drafts(store.hints, clock)
  const emergency = emergencyControl(store, committer)
  const builds = building({ store, committer, dialogs, team, emergency, clock, ids, log, metrics })
  const gate = given ?? gatekeeper({ policy, ...gateFacts({ store, dialogs, clock, log }) }, ids)
  const settling = new Set<Promise<unknown>>()
  const settle = (agent?: string): void => {
    const one = settleCovered({ store, dialogs, team: builds.team, gatekeeper: gate, clock, log }, agent)
      .catch((error: unknown) => log('error', 'open approvals could not be compared with the rules', { error }))
      .finally(() => settling.delete(one))
    settling.add(one)
  }
  const works = driver({
    gatekeeper: gate,
    budgets: budgets(store, { root: rootView, sides: sideView }),
    store,
    dialogs,
    team: builds.team,
    drafts: written,
    emergency,
    async holdOn(dialog, state, load, visit) {
      const stop = await emergency.current()
      return stop ? { by: stop.by, dialog: null } : latchOver(dialog, state, load, visit)
    },
    tree: { bounds: tree, depthOf, countSides: (root) => store.countRows(sideView, root) },
    clock,
    ids,
    log,
    metrics,
    turnNotes: (turn) => hooks.turnNotes(turn),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(generationBounds === undefined ? {} : { bounds: generationBounds }),
  })
  works.start()
  builds.start()
  settle()
  return {
    ...parleyOver({
      store,
      dialogs,
      team,
      drafts: written,
      emergency,
      clock,
      ids,
      policy,
      onGrants: settle,
      saidInDialog: (said) => hooks.saidInDialog(said),
    }),
    builds: builds.builds,
    driver: works,
    streams: dialogs,
    buildStreams: builds.streams,
    visibility: visibility({ store, dialogs, emergency, policy }),
    policyChanged: () => settle(),
    async close(graceMs = 5_000) {
      await Promise.all([works.stop(graceMs), builds.stop(graceMs), ...settling])
      await committer.drain()
    },
  }
}
