import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { DialogEvent } from '../rules/dialog-events.ts'
import { planFailedReplies } from '../rules/failed-replies.ts'
import { failureTimer, readTimerKey } from '../rules/follow-ups.ts'
import { dialogLimits, type DialogState } from '../rules/dialog-state.ts'
import type { EmergencyStop } from '../../ports/emergency-stop.ts'
import type { Store } from '../../ports/store.ts'
import { ChurnMap } from '../../streams/churn-map.ts'
import { pump, type Work } from '../../streams/pump.ts'
import { abandonLimits } from '../../streams/abandon.ts'
import { places } from '../../streams/places.ts'
import { takingTurns } from '../../streams/taking-turns.ts'
import { type GenerationBounds, generationBoundLimits } from './generation-bounds.ts'
import { runningTurn, type RunningTurn } from './stop-gate.ts'
import { runTurn } from './turn.ts'
import type { TurnParts } from './turn-run.ts'

/** Runs what is due: turns of different dialogs at the same time, one at a time for each dialog, and timers. */
export type Driver = {
  start(): void
  /** Ends within `graceMs`: what does not finish by then is given back and runs again elsewhere or later. */
  stop(graceMs: number): Promise<void>
  readonly runningTurns: number
}

/** Events that may end a running turn. */
const endsTurns: ReadonlySet<string> = new Set(['dialog.died', 'latch.set', 'stop.requested'] satisfies DialogEvent['type'][])

export const driverLimits = { concurrentTurns: 128, concurrentTimers: 16 } as const

type DriverParts = Omit<TurnParts, 'inTurn' | 'alone' | 'bounds' | 'abandonAfterMs' | 'generationsPerTurn' | 'failedReplyAfterMs'> & {
  generationsPerTurn?: number
  failedReplyAfterMs?: number
  store: Store
  emergency: EmergencyStop
  concurrency?: number
  bounds?: Partial<GenerationBounds>
}

export function driver(parts: DriverParts): Driver {
  const { store, dialogs, emergency, clock, log, metrics } = parts
  const running = new ChurnMap<RunningTurn>()
  const inTurn = takingTurns()
  const bounds: GenerationBounds = { ...generationBoundLimits, ...parts.bounds }
  const suspects = places(1)
  const { generationsPerTurn = dialogLimits.generationsPerTurn, failedReplyAfterMs = dialogLimits.failedReplyAfterMs } = parts
  let abandonAfterMs: number = abandonLimits.afterMs

  const turns = pump({
    store,
    clock,
    log,
    metrics,
    kind: 'turn',
    slots: parts.concurrency ?? driverLimits.concurrentTurns,
    mayClaim: async () => (await emergency.current()) === null,
    async handle(work) {
      const turn = runningTurn()
      running.set(work.lease.key, turn)
      let giveBack = (): void => {}
      const alone: TurnParts['alone'] = {
        take: async (signal) => void (giveBack = await suspects.take(signal)),
        giveBack: () => giveBack(),
      }
      try {
        await runTurn(
          { ...parts, inTurn, bounds, alone, generationsPerTurn, failedReplyAfterMs, abandonAfterMs: () => abandonAfterMs },
          work,
          turn,
        )
      } finally {
        alone.giveBack()
        if (running.get(work.lease.key) === turn) running.delete(work.lease.key)
      }
    },
    // Hints may be lost; a stop must not be.
    onHeartbeat: lookForStops,
  })

  const timers = pump({ store, clock, log, metrics, kind: 'timer', slots: driverLimits.concurrentTimers, handle: fireTimer })

  async function fireTimer({ lease }: Work): Promise<void> {
    const { dialog, question } = readTimerKey(lease.key)
    if (question === failureTimer) return tellOfFailure(dialog, lease)
    const due = (state: DialogState): DialogCommand[] => [
      { type: state.undoable[question] ? 'take-answer' : 'expire-question', at: clock.now(), question },
    ]
    const handled = await dialogs.handle(dialog, due, { lease, settle: 'done' })
    if (!handled.ok && handled.why === 'refused') await dialogs.handle(dialog, [], { lease, settle: 'done' })
  }

  /** Nothing to tell when the dialog works again, or failed anew and has more time. */
  async function tellOfFailure(dialog: string, lease: Work['lease']): Promise<void> {
    await dialogs.handleAll(
      async (load) => {
        const state = await load(dialog)
        const at = clock.now()
        const { failure } = state
        if (state.rest !== 'failed' || failure?.replyDueAt === undefined || failure.isTold) return { orders: [], settle: 'done' }
        if (failure.replyDueAt > at) return { orders: [], settle: { retryAt: failure.replyDueAt, forgive: true } }
        const minutes = Math.round((at - failure.at) / 60_000)
        const { own, others } = await planFailedReplies(dialog, state, { why: 'timeout', minutes }, at, load)
        return {
          orders: [{ stream: dialog, commands: [{ type: 'settle-failure', at, why: 'timeout' }, ...own] }, ...others],
          settle: 'done',
        }
      },
      { lease },
    )
  }

  function lookForStops(): void {
    for (const [dialog, turn] of running.entries()) void lookForStop(dialog, turn)
  }

  async function lookForStop(dialog: string, turn: RunningTurn): Promise<void> {
    try {
      const state: DialogState = await dialogs.load(dialog)
      if (state.isDead) return turn.stop.abort('lost')
      const hold = await parts.holdOn(dialog, state, dialogs.load)
      // A latch lets an answer to a person continue; the emergency stop does not.
      if (state.stopRequested || (hold !== null && (turn.alone === null || hold.dialog === null))) turn.stop.abort('stop')
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
      const stopStreams = store.hints.onStream((stream, _head, events) => {
        // Nearly every commit is none of these, and all running turns would have to be looked at for it.
        if (events && !events.some(({ type }) => endsTurns.has(type))) return
        for (const [dialog, turn] of running.entries()) {
          const isOwn = dialog === stream
          if (!isOwn && !turn.chain.has(stream)) continue
          const has = (type: string): boolean => events?.some((event) => event.type === type) ?? false
          if (!events) void lookForStop(dialog, turn)
          else if (isOwn && has('dialog.died')) turn.stop.abort('lost')
          else if (has('latch.set') || (isOwn && has('stop.requested'))) turn.stop.abort('stop')
        }
      })
      const stopEmergency = emergency.onChange(() => {
        lookForStops()
        turns.look()
      })
      stopListening = () => {
        stopStreams()
        stopEmergency()
      }
      turns.start()
      timers.start()
    },
    async stop(graceMs) {
      // Work that ignores the stop is abandoned early enough to record how its turn ended.
      abandonAfterMs = Math.min(abandonLimits.afterMs, graceMs * 0.8)
      await Promise.all([turns.stop(graceMs), timers.stop(graceMs)])
      stopListening()
    },
  }
}
