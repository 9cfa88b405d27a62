import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { Hold, Spent } from '../rules/dialog-events.ts'
import { type DialogState, isSpokenTo, needsTurn } from '../rules/dialog-state.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Settle } from '../../ports/store.ts'
import type { Work } from '../../streams/pump.ts'
import type { StreamHandler, Under } from '../../streams/stream-handler.ts'

type Load = (dialog: string) => Promise<DialogState>

/** Finds the stop that holds a dialog: the emergency stop, or a latch here or above. `visit` is called with each dialog read. */
export type HoldOn = (dialog: string, state: DialogState, load: Load, visit?: (dialog: string) => void) => Promise<Hold | null>

/** A turn under way in this process, as the driver can stop it. */
export type RunningTurn = {
  readonly stop: AbortController
  /** The dialog and those above it: a latch set on one of them ends this turn. */
  readonly chain: Set<string>
  /** The stop that is in force while this turn only answers a person. */
  alone: Hold | null
}

export const runningTurn = (): RunningTurn => ({ stop: new AbortController(), chain: new Set(), alone: null })

/**
 * Asked before a turn, before each generation and before tools run.
 *
 * | a stop is in force        | the turn                                  | what happens                              |
 * |---------------------------|-------------------------------------------|-------------------------------------------|
 * | no                        | any                                       | it runs                                   |
 * | a latch here or above     | answers a person's message                | it runs alone                             |
 * | a latch here or above     | has not started                           | dialog.held; Continue wakes it            |
 * | a latch here or above     | is open                                   | turn.stopped, held; Continue wakes it     |
 * | the emergency stop        | has not started                           | nothing is written; the work stays due    |
 * | the emergency stop        | is open                                   | turn.stopped, held; the work stays due    |
 *
 * Every write proves that the dialogs it has read are unchanged. So a turn is not parked after the Continue that should
 * have woken it.
 */
export type StopGate = {
  /** The latest state when the turn may continue, null when it is over. */
  mayRun(): Promise<DialogState | null>
  /** Before the start of a turn is written that a crash has cut: under a latch it was the answer to a person. */
  restore(state: DialogState): Promise<void>
  /** Ends a turn that was cut while it ran. */
  cut(text: string): Promise<void>
  start(): DialogCommand
}

type Parts = { dialogs: StreamHandler<DialogState, DialogCommand>; holdOn: HoldOn; clock: Clock }

type Progress = {
  startedAt: number
  /** Number of the last event its agent was given, null before the first generation. */
  read(): number | null
  /** Calls that are certain not to have run. */
  unstarted(): string[]
  /** The cost of a generation that is not in the log yet. */
  cost(): { spent?: Spent }
  /** The start of the turn and of its request, as far as the log does not have them. */
  opening(state: DialogState): DialogCommand[]
  /** Goes with the commit that ends a generation; `ended` follows when it succeeded. */
  ending(): Pick<Under, 'rows' | 'sums'>
  ended(): void
}

export function stopGate({ dialogs, holdOn, clock }: Parts, { lease }: Work, running: RunningTurn, progress: Progress): StopGate {
  const dialog = lease.key
  const visit = (each: string): void => void running.chain.add(each)

  let startTurn: (DialogCommand & { type: 'start-turn' }) | null = null
  /** The same object while it says the same, so that it is decided once. */
  const start = (): DialogCommand => {
    const { alone } = running
    if (startTurn === null || (startTurn.alone ?? null) !== alone)
      startTurn = { type: 'start-turn', at: progress.startedAt, ...(alone ? { alone } : {}) }
    return startTurn
  }

  async function mayRun(): Promise<DialogState | null> {
    for (;;) {
      const state = await dialogs.load(dialog)
      if (state.isDead) return endDead()
      const hold = await holdOn(dialog, state, dialogs.load, visit)
      if (hold === null && !state.stopRequested) {
        running.alone = state.turn?.alone ?? null
        return state.held !== null && state.turn === null ? startHeld() : state
      }
      if (hold !== null && hold.dialog !== null && !state.stopRequested && isAnswer(state)) {
        running.alone = state.turn?.alone ?? running.alone ?? hold
        return state
      }
      if (await end(null)) return null
    }
  }

  const isAnswer = (state: DialogState): boolean =>
    state.turn === null ? running.alone !== null || isSpokenTo(state) : state.turn.alone !== null

  async function restore(state: DialogState): Promise<void> {
    if (state.turn !== null || state.stopRequested || !isSpokenTo(state)) return
    const hold = await holdOn(dialog, state, dialogs.load, visit)
    if (hold !== null && hold.dialog !== null) running.alone = hold
  }

  /** Written at once: the dialog was shown as stopped, and its first result may take a while. */
  async function startHeld(): Promise<DialogState | null> {
    const started = await dialogs.handle(dialog, [start()], { lease })
    return started.ok ? started.state : null
  }

  async function endDead(): Promise<null> {
    await dialogs.handle(dialog, [], { lease, settle: 'done', ...progress.ending() })
    return null
  }

  /** True when the turn is over. False when the stop was lifted meanwhile and nothing was cut. */
  async function end(cutText: string | null): Promise<boolean> {
    let isOver = true
    const written = await dialogs.handleAll(
      async (load) => {
        isOver = true
        const now = await load(dialog)
        const at = clock.now()
        const cost = progress.cost()
        if (now.isDead && cost.spent)
          return { orders: [{ stream: dialog, commands: [{ type: 'cut-turn', at, why: 'death', ...cost }] }], settle: 'done' }
        if (!needsTurn(now)) return { orders: [], settle: 'done' }
        const stillDue: Settle = { retryAt: at, forgive: true }
        const hold = await holdOn(dialog, now, load)
        if (cutText === null && !now.stopRequested) {
          if (hold === null) {
            isOver = false
            return { orders: [] }
          }
          if (now.turn === null)
            return hold.dialog === null
              ? { orders: [], settle: stillDue }
              : { orders: [{ stream: dialog, commands: [{ type: 'hold-dialog', at, hold }] }], settle: 'done' }
        }
        // Cut, and the stop was lifted before this could be written: it continues at once.
        const isLifted = hold === null && !now.stopRequested
        const held = isLifted ? { by: 'parley', dialog: null } : hold
        const stopTurn: DialogCommand = {
          type: 'stop-turn',
          at,
          text: cutText,
          seen: progress.read() ?? now.turn?.seen ?? 0,
          unstarted: progress.unstarted(),
          ...cost,
          ...(held ? { held } : {}),
        }
        return {
          orders: [{ stream: dialog, commands: [...progress.opening(now), stopTurn] }],
          settle: held?.dialog === null ? stillDue : 'done',
        }
      },
      { lease, ...progress.ending() },
    )
    if (written.ok) progress.ended()
    return isOver
  }

  return {
    mayRun,
    restore,
    start,
    async cut(text) {
      await end(text)
    },
  }
}
