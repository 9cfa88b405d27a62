import type { Team } from '../ports/agent-runtime.ts'
import type { Clock } from '../ports/clock.ts'
import type { EmergencyStop } from '../ports/emergency-stop.ts'
import type { Ids } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Parley } from '../shapes/parley.ts'
import type { Store } from '../ports/store.ts'
import type { Committer } from '../streams/committer.ts'
import { abandonLimits } from '../streams/abandon.ts'
import { pump } from '../streams/pump.ts'
import { streamHandler } from '../streams/stream-handler.ts'
import { type buildKind, buildWork } from './rows/build-kind.ts'
import { buildTools } from './runner/build-tools.ts'
import { buildingLimits } from './runner/runner-limits.ts'
import { buildsOver, type BuildStreams } from './builds.ts'
import { type Builders, withBuilders } from './runner/dialog-turn.ts'
import { leftBehind } from './runner/left-behind.ts'
import { operatorNotes } from './runner/operator-notes.ts'
import { places } from '../streams/places.ts'
import { watchSilence } from './runner/silence.ts'
import { runBuildTurn, type TurnParts } from './runner/turn.ts'

export type Building = {
  builds: Parley['builds']
  /** The builds themselves, for parts that speak commands. */
  streams: BuildStreams
  /** The team as the driver of dialogs needs it: a build's agent has tools of its own there. */
  team: Team
  start(): void
  /** Ends what runs within `graceMs`; it is gone on with elsewhere or later. */
  stop(graceMs: number): Promise<void>
}

type Parts = {
  kind: typeof buildKind
  store: Store
  committer: Committer
  dialogs: Builders['dialogs']
  team: Team
  emergency: EmergencyStop
  clock: Clock
  ids: Ids
  log: Log
  metrics: Metrics
}

/** Opens builds and runs them: turns of their agents, and the timers of their silences. */
export function building({ kind, store, committer, dialogs, team, emergency, clock, ids, log, metrics }: Parts): Building {
  const streams = streamHandler(kind, store, committer)
  const tell = operatorNotes(log, metrics)
  let abandonAfterMs: number = abandonLimits.afterMs
  const parts: TurnParts = {
    store,
    streams,
    team,
    builders: { dialogs, ids },
    leftBehind: leftBehind(store, committer),
    programs: places(buildingLimits.concurrentPrograms),
    suspects: places(1),
    tell,
    clock,
    log,
    abandonAfterMs: () => abandonAfterMs,
  }
  const running = new Map<string, AbortController>()
  const work = { store, clock, log, metrics }

  const turns = pump({
    ...work,
    kind: buildWork.turn,
    slots: buildingLimits.concurrentTurns,
    mayClaim: async () => (await emergency.current()) === null,
    async handle(taken) {
      const cancel = new AbortController()
      running.set(taken.lease.key, cancel)
      try {
        await runBuildTurn(parts, taken, cancel.signal)
      } finally {
        if (running.get(taken.lease.key) === cancel) running.delete(taken.lease.key)
      }
    },
    // Hints may be lost; a cancellation must not be.
    onHeartbeat: lookForStops,
  })
  const silences = pump({
    ...work,
    kind: buildWork.silence,
    slots: buildingLimits.concurrentTimers,
    handle: (taken) => watchSilence(parts, taken),
  })

  function lookForStops(): void {
    for (const build of running.keys()) void lookForStop(build)
  }

  async function lookForStop(build: string): Promise<void> {
    try {
      if ((await streams.load(build)).isCancelled) running.get(build)?.abort('cancel')
      else if (await emergency.current()) running.get(build)?.abort('emergency')
    } catch (error) {
      // The store is busy or closing; the next heartbeat looks again.
      log('warn', 'could not look whether a build was stopped', { build, error })
    }
  }

  let stopListening = (): void => {}
  metrics.gauge('build_turns_running', () => turns.running)

  return {
    builds: buildsOver({ store, streams, team, clock, ids }),
    streams,
    team: withBuilders(team, buildTools({ streams, store, tell, clock })),
    start() {
      const stopStreams = store.hints.onStream((stream, _head, events) => {
        if (!running.has(stream)) return
        if (!events) void lookForStop(stream)
        else if (events.some(({ type }) => type === 'build.cancelled')) running.get(stream)?.abort('cancel')
      })
      const stopEmergency = emergency.onChange(() => {
        lookForStops()
        turns.look()
      })
      stopListening = () => {
        stopStreams()
        stopEmergency()
      }
      const isOver = async (build: string): Promise<boolean> => (await streams.load(build)).progress.isOver
      parts.leftBehind.endAll(isOver).catch((error: unknown) => log('warn', 'could not look for programs of an earlier server', { error }))
      turns.start()
      silences.start()
    },
    async stop(graceMs) {
      abandonAfterMs = Math.min(abandonLimits.afterMs, graceMs * 0.8)
      await Promise.all([turns.stop(graceMs), silences.stop(graceMs)])
      stopListening()
    },
  }
}
