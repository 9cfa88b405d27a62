import type { DialogCommand } from '../dialog/decide.ts'
import { readTimerKey } from '../dialog/follow-ups.ts'
import type { DialogState } from '../dialog/state.ts'
import type { Store } from '../ports/store.ts'
import { pump, type Work } from '../streams/pump.ts'
import { abandonLimits } from '../streams/abandon.ts'
import { places } from '../streams/places.ts'
import { takingTurns } from '../streams/taking-turns.ts'
import { type GenerationBounds, generationBoundLimits } from './generation-bounds.ts'
import { runTurn, type TurnParts } from './turn.ts'

/** Runs what is due: turns of different dialogs at the same time, one at a time for each dialog, and timers. */
export type Driver = {
  start(): void
  /** Ends within `graceMs`: what does not finish by then is given back and runs again elsewhere or later. */
  stop(graceMs: number): Promise<void>
  readonly runningTurns: number
}

export const driverLimits = { concurrentTurns: 128, concurrentTimers: 16 } as const

type DriverParts = Omit<TurnParts, 'inTurn' | 'alone' | 'bounds' | 'abandonAfterMs'> & {
  store: Store
  concurrency?: number
  bounds?: Partial<GenerationBounds>
}

export function driver(parts: DriverParts): Driver {
  const { store, dialogs, clock, log, metrics } = parts
  const stops = new Map<string, AbortController>()
  const inTurn = takingTurns()
  const bounds: GenerationBounds = { ...generationBoundLimits, ...parts.bounds }
  const suspects = places(1)
  let abandonAfterMs: number = abandonLimits.afterMs

  const turns = pump({
    store,
    clock,
    log,
    metrics,
    kind: 'turn',
    slots: parts.concurrency ?? driverLimits.concurrentTurns,
    async handle(work) {
      const stop = new AbortController()
      stops.set(work.lease.key, stop)
      let giveBack = (): void => {}
      const alone: TurnParts['alone'] = {
        take: async (signal) => void (giveBack = await suspects.take(signal)),
        giveBack: () => giveBack(),
      }
      try {
        await runTurn({ ...parts, inTurn, bounds, alone, abandonAfterMs: () => abandonAfterMs }, work, stop.signal)
      } finally {
        alone.giveBack()
        if (stops.get(work.lease.key) === stop) stops.delete(work.lease.key)
      }
    },
    // Hints may be lost; a stop must not be.
    onHeartbeat: () => {
      for (const dialog of stops.keys()) void lookForStop(dialog)
    },
  })

  const timers = pump({ store, clock, log, metrics, kind: 'timer', slots: driverLimits.concurrentTimers, handle: fireTimer })

  async function fireTimer({ lease }: Work): Promise<void> {
    const { dialog, question } = readTimerKey(lease.key)
    const command: DialogCommand = { type: 'expire-question', at: clock.now(), question }
    const handled = await dialogs.handle(dialog, [command], { lease, settle: 'done' })
    if (!handled.ok && handled.why === 'refused') await dialogs.handle(dialog, [], { lease, settle: 'done' })
  }

  async function lookForStop(dialog: string): Promise<void> {
    try {
      const state: DialogState = await dialogs.load(dialog)
      if (state.isDead) stops.get(dialog)?.abort('lost')
      else if (state.stopRequested) stops.get(dialog)?.abort('stop')
    } catch (error) {
      // The store is busy or closing; the next heartbeat looks again.
      log('warn', 'could not look for a stop', { dialog, error })
    }
  }

  let stopListening = (): void => {}
  metrics.gauge('turns_running', () => turns.running)

  return {
    get runningTurns() {
      return turns.running
    },
    start() {
      stopListening = store.hints.onStream((stream, _head, events) => {
        if (!stops.has(stream)) return
        if (!events) void lookForStop(stream)
        else if (events.some((event) => event.type === 'dialog.died')) stops.get(stream)?.abort('lost')
        else if (events.some((event) => event.type === 'stop.requested')) stops.get(stream)?.abort('stop')
      })
      turns.start()
      timers.start()
    },
    async stop(graceMs) {
      // What ignores the stop is abandoned in time to write down how its turn ended.
      abandonAfterMs = Math.min(abandonLimits.afterMs, graceMs * 0.8)
      await Promise.all([turns.stop(graceMs), timers.stop(graceMs)])
      stopListening()
    },
  }
}
