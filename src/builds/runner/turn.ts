import type { StoredBuildEvent } from '../rules/build-events.ts'
import { buildLimits } from '../rules/build-limits.ts'
import { type BuildState, needsTurn, recentCrashes } from '../rules/build-state.ts'
import type { BuildCommand } from '../rules/decide-build.ts'
import { type Details, type ErrorCode, ParleyError } from '../../errors.ts'
import { withoutSecrets } from '../rules/words/shapes.ts'
import type { Agent, Team } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Settle, Store, StoredEvent } from '../../ports/store.ts'
import type { Work } from '../../streams/pump.ts'
import type { Places } from '../../streams/places.ts'
import { leftRunning, markRunning, unmarkRunning } from '../../streams/running-mark.ts'
import type { Handled } from '../../streams/stream-handler.ts'
import type { BuildStreams } from '../builds.ts'
import { dialogTurn, stopTree, type Builders } from './dialog-turn.ts'
import type { LeftBehind } from './left-behind.ts'
import { ownTurn } from './own-turn.ts'
import { buildingLimits } from './runner-limits.ts'

/**
 * One turn of a build's agent.
 *
 * | the build                                | what happens                                                | the work is        |
 * |------------------------------------------|-------------------------------------------------------------|--------------------|
 * | has nothing for its agent, or is over    | nothing                                                     | done               |
 * | was running at 3 crashes in 10 minutes   | the failed end                                              | done               |
 * | was cut by the store's outages for 1 h   | the failed end                                              | done               |
 * | has news                                 | build.turn.started, the agent runs, its events as they come | kept               |
 * | its agent ended its turn                 | build.turn.ended; the end if it forgot it                   | done               |
 * | its agent broke a rule, the first time   | dropped and noted; a further turn tells it                  | done, woken again  |
 * | its agent died, hung or flooded, once    | noted; the same input again, with a hint                    | kept               |
 * | the same a second time                   | the failed end                                              | done               |
 * | was cancelled                            | the agent is ended                                          | done               |
 * | the server stops, or the emergency stop  | the agent is ended, nothing is written                      | given back at once |
 * | cannot reach the store                   | the agent is ended; when the store is back, build.turn.cut  | given back         |
 */
export type TurnParts = {
  store: Store
  streams: BuildStreams
  team: Team
  builders: Builders
  leftBehind: LeftBehind
  programs: Places
  /** Builds that were running at two crashes run one at a time, so that the next one blames only its cause. */
  suspects: Places
  tell(build: string, events: readonly StoredEvent[]): void
  clock: Clock
  log: Log
  abandonAfterMs(): number
}

/** Why a turn is cut: by the pump, because a person cancels the build, or by the emergency stop. */
export type CutReason = 'cancel' | 'emergency' | 'shutdown' | 'lost'

type Commands = BuildCommand[] | ((state: BuildState) => BuildCommand[])

/** The turn under way, as the two ways to run one need it. */
export type OpenTurn = {
  build: string
  work: Work
  cut: AbortSignal
  write(commands: Commands, settle?: Settle): Promise<Handled<BuildState>>
  /** The same, and marks the turn as running: after a crash the next process knows that it was. */
  begin(commands: Commands): Promise<Handled<BuildState>>
  fail(code: ErrorCode, details: Details): Promise<void>
  /** Ends the turn as far as it is still open, and with it the work. */
  end(): Promise<void>
  /** Releases the work for another process. */
  giveBack(): Promise<void>
}

export async function runBuildTurn(parts: TurnParts, work: Work, cancel: AbortSignal): Promise<void> {
  const { streams, team, clock, log, tell } = parts
  const { lease } = work
  const build = lease.key
  const turn: OpenTurn = {
    build,
    work,
    cut: AbortSignal.any([work.signal, cancel]),
    async write(commands, settle) {
      const handled = await streams.handle(build, commands, settle ? { lease, settle, rows: unmarkRunning(lease) } : { lease })
      if (handled.ok) tell(build, handled.events)
      return handled
    },
    async begin(commands) {
      const handled = await streams.handle(build, commands, {
        lease,
        rows: markRunning(lease, { owner: parts.store.owner, at: clock.now(), note: null, group: build }),
      })
      if (handled.ok) tell(build, handled.events)
      return handled
    },
    async fail(code, details) {
      const handled = await turn.write([{ type: 'fail-turn', at: clock.now(), code, details: detailsWithoutSecrets(details) }], 'done')
      if (!handled.ok && handled.why === 'refused') await turn.write([], 'done')
    },
    async end() {
      const at = clock.now()
      const handled = await turn.write((now) => (now.turn ? [{ type: 'end-turn', at, turn: now.turn.turn }] : []), 'done')
      if (!handled.ok && handled.why === 'refused') await turn.write([], 'done')
    },
    async giveBack() {
      await turn.write([], { retryAt: clock.now(), forgive: true })
    },
  }
  let state = await streams.load(build)
  if (await leftRunning(parts.store, lease)) {
    const cutOffWritten = await turn.write([{ type: 'cut-turn', at: clock.now() }])
    if (!cutOffWritten.ok) return
    state = cutOffWritten.state
  }
  if (!needsTurn(state)) {
    // It ended while no turn of it ran, such as during an emergency stop: its tree must not go on without it.
    if (state.end !== null && state.end.how !== 'complete') await stopTree(parts, build, state.by)
    return turn.end()
  }
  const crashes = recentCrashes(state, clock.now())
  if (crashes >= buildLimits.crashes) return turn.fail('turn_crashed', { crashes, minutes: buildLimits.crashWindowMs / 60_000 })
  const agent: Agent | undefined = team.agent(state.agent)
  if (!agent) {
    const names = team
      .list()
      .map(({ name }) => name)
      .join(', ')
    return turn.fail('agent_not_found', { agent: state.agent, known: names })
  }
  if (state.outageSince !== null && clock.now() - state.outageSince > buildLimits.outageMs)
    return turn.fail('turn_cut_by_outages', { minutes: buildLimits.outageMs / 60_000 })
  try {
    await (agent.builds ? ownTurn(parts, agent.builds, turn) : dialogTurn(parts, turn))
  } catch (error) {
    if (!isOutage(error)) throw error
    log('warn', 'the store was away during a turn of a build; it is run again', { build, error })
    await releaseAfterOutage(parts, turn)
  }
}

const isOutage = (error: unknown): boolean => error instanceof ParleyError && error.retryable && error.code.startsWith('store_')

/** Without this the mark of the turn would stay, and the process that claims it next would count a crash. */
async function releaseAfterOutage({ clock }: TurnParts, { work, write }: OpenTurn): Promise<void> {
  const { attempts } = work.lease
  const delayMs = buildingLimits.outageRetryMs * Math.min(attempts - 1, buildingLimits.outageRetryFactor)
  for (;;) {
    try {
      const at = clock.now()
      await write([{ type: 'cut-turn', at, why: 'outage' }], { retryAt: at + delayMs })
      return
    } catch (error) {
      if (!isOutage(error) || work.signal.aborted) throw error
      await pause(clock, buildingLimits.outageRetryMs, work.signal)
    }
  }
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = clock.after(ms, resolve)
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(stop)
}

/** An error may quote what a program printed, and it is read in the log, on the page and in the terminal. */
export const detailsWithoutSecrets = (details: Details): Details =>
  Object.fromEntries(Object.entries(details).map(([name, value]) => [name, typeof value === 'string' ? withoutSecrets(value) : value]))

/** False for a turn that was cut after it had done its part. */
export const hasBegun = (events: readonly StoredEvent[]): boolean =>
  events.some(({ type }) => type === ('build.turn.started' satisfies StoredBuildEvent['type']))
