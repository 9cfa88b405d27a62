import type { Details, ErrorCode } from '../../errors.ts'
import type { Team } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Hooks, noNotes } from '../../ports/hooks.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Settle, Store } from '../../ports/store.ts'
import { joinSignals } from '../../streams/join-signals.ts'
import type { Work } from '../../streams/pump.ts'
import { markRunning, unmarkRunning } from '../../streams/running-mark.ts'
import type { Handled, StreamHandler, Under } from '../../streams/stream-handler.ts'
import type { TakingTurns } from '../../streams/taking-turns.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { Spent, TurnCutReason } from '../rules/dialog-events.ts'
import { type DialogState, initialDialog, needsTurn } from '../rules/dialog-state.ts'
import type { MessageFile } from '../rules/message-file.ts'
import { type Budgets, releaseSums, type Reservation } from './budget.ts'
import { planFailedReplies } from '../rules/failed-replies.ts'
import type { Drafts } from './drafts.ts'
import { foldCommands } from './fold-commands.ts'
import type { Gatekeeper } from './gatekeeper.ts'
import type { GenerationBounds } from './generation-bounds.ts'
import { type HoldOn, type RunningTurn, stopGate, type StopGate } from './stop-gate.ts'
import type { TreeParts } from './tree-calls.ts'
import { TurnCost } from './turn-cost.ts'

export type TurnParts = {
  store: Store
  dialogs: StreamHandler<DialogState, DialogCommand>
  team: Team
  drafts: Drafts
  inTurn: TakingTurns
  budgets: Budgets
  gatekeeper: Gatekeeper
  /** Files that tools return, and the content of those that the log refers to. */
  files: { keep(name: string, bytes: Uint8Array): Promise<MessageFile>; content(file: string): Promise<Uint8Array | null> }
  holdOn: HoldOn
  tree: TreeParts
  bounds: GenerationBounds
  /** Lets a turn that crashed before run alone among those that did, until its next generation has finished. */
  alone: { take(signal: AbortSignal): Promise<void>; giveBack(): void }
  abandonAfterMs(): number
  /** Generations of one turn after which a person is asked whether it continues. */
  generationsPerTurn: number
  /** After this time the agents that wait for a failed dialog get a failed reply. */
  failedReplyAfterMs: number
  /** Notes of plugins for the turn of a root. */
  turnNotes: Hooks['turnNotes']
  clock: Clock
  ids: Ids
  log: Log
  metrics: Metrics
}

/** The most a running generation can cost, and how far its request has read where the log does not say it. */
export type MarkNote = (Partial<Reservation> & { seen?: number }) | null

/** One run of a turn in this process: the claim it runs under, its progress, and what it writes. */
export class TurnRun {
  readonly parts: TurnParts
  readonly lease: Work['lease']
  readonly dialog: string
  /** Aborted by the pump or by a person's stop. */
  readonly cut: AbortSignal
  readonly gate: StopGate
  readonly cost: TurnCost
  /** Calls that this run has written to the log, so they cannot have run before. */
  readonly freshCalls: Set<string> = new Set()
  readonly startedCalls: Set<string> = new Set()
  /** The real paths that the gate has judged, by call: a tool uses the judged place or none. */
  readonly judgedPaths: Map<string, string> = new Map()
  /** The latest state this run knows of. */
  state: DialogState = initialDialog
  /** Number of the last event that was given to the agent, null before the first generation. */
  readSeq: number | null = null
  notes: Awaited<ReturnType<TurnParts['turnNotes']>> = noNotes
  /** Text of the generation that is being written. */
  partialText = ''
  /** Set aside in the budgets for the generation that runs. */
  reservation: Reservation | null = null
  /** Number of the last event in the request that runs, while only its mark says so. */
  sentSeen: number | null = null
  readonly #startedAtMs: number

  constructor(parts: TurnParts, work: Work, running: RunningTurn) {
    this.parts = parts
    this.lease = work.lease
    this.dialog = work.lease.key
    // Both signals are of this claim alone, so nothing is left behind.
    this.cut = joinSignals([work.signal, running.stop.signal]).signal
    this.cost = new TurnCost(parts.metrics)
    this.gate = stopGate(parts, work, running, {
      startedAt: this.now(),
      read: () => this.readSeq,
      unstarted: () => [...this.freshCalls].filter((call) => !this.startedCalls.has(call)),
      cost: () => this.cost.read(),
      opening: (state) => this.opening(state),
      ending: () => this.ending(),
      ended: () => this.ended(),
    })
    this.#startedAtMs = performance.now()
  }

  now(): number {
    return this.parts.clock.now()
  }

  /**
   * The start of the turn and of its request, if the log does not have them yet. A request that ended well needs no start: its
   * output says what it has read. Any other end writes it, so that the next try sends the same bytes.
   */
  opening(state: DialogState): DialogCommand[] {
    const isUnwritten = this.sentSeen !== null && !state.isDead && state.prompt?.list.fixedSeen === null
    return [
      ...(state.turn === null ? [this.gate.start()] : []),
      ...(isUnwritten ? [{ type: 'start-generation' as const, at: this.now(), seen: this.sentSeen ?? 0 }] : []),
    ]
  }

  /** Commands that write something are preceded by the start of the turn, if that is not in the log yet. */
  async write(commands: DialogCommand[] | ((state: DialogState) => DialogCommand[]), settle?: Settle): Promise<Handled<DialogState>> {
    const { lease } = this
    const written = await this.parts.dialogs.handle(
      this.dialog,
      (state) => {
        const list = typeof commands === 'function' ? commands(state) : commands
        return list.length > 0 || (this.sentSeen !== null && needsTurn(state)) ? [...this.opening(state), ...list] : list
      },
      settle ? { lease, settle, ...this.ending() } : { lease, ...this.ending() },
    )
    if (written.ok) this.ended()
    return written
  }

  /** Goes with every commit that ends a generation: its mark is removed, and what was reserved for it is released. */
  ending(): Pick<Under, 'rows' | 'sums'> {
    const rows = unmarkRunning(this.lease)
    return this.reservation ? { rows, sums: releaseSums(this.reservation) } : { rows }
  }

  /** That commit succeeded. */
  ended(): void {
    this.sentSeen = null
    if (this.reservation === null) return
    this.reservation = null
    this.parts.budgets.released()
  }

  /** A final failure, and that of a fresh mind, is told at once to the agents that asked; others after a time. */
  async fail(code: ErrorCode, details: Details, cause?: unknown, isFinal = false): Promise<void> {
    const { dialog, parts, lease } = this
    parts.metrics.count('turns_total', 1, { outcome: 'failed' })
    const seen = this.readSeq ?? this.state.seq
    const at = this.now()
    const cost = this.cost.read(cause)
    const written = await parts.dialogs.handleAll(
      async (load) => {
        const state = await load(dialog)
        const isAwaited = state.assignments.some(({ isActive }) => isActive)
        const isTold = isAwaited && (isFinal || state.origin?.mode === 'reasoning')
        const due = isAwaited && !isTold ? { replyDueAt: at + parts.failedReplyAfterMs } : {}
        const fail: DialogCommand = { type: 'fail-turn', at, code, details, seen, ...cost, ...(isFinal ? { isFinal } : {}), ...due }
        const own = [...this.opening(state), fail]
        const failed = foldCommands(state, own)
        // A message that came meanwhile starts the next turn.
        if (!isTold || failed.rest !== 'failed') return { orders: [{ stream: dialog, commands: own }] }
        const replies = await planFailedReplies(dialog, failed, { why: 'final' }, at, load)
        const settle: DialogCommand = { type: 'settle-failure', at, why: 'final' }
        return { orders: [{ stream: dialog, commands: [...own, settle, ...replies.own] }, ...replies.others] }
      },
      { lease, settle: 'done', ...this.ending() },
    )
    if (written.ok) this.ended()
  }

  /** Written before an effect, so that a crash leaves a trace. False when the claim was lost. */
  async mark(spent: Spent | null, seen: number | null = null): Promise<boolean> {
    const rows = this.#markRows(spent, seen)
    const { lease, dialog } = this
    // It need not survive a power cut; a reservation under a budget does.
    const marked = await this.parts.dialogs.handle(dialog, [], { lease, rows, repeatable: true })
    if (marked.ok) this.sentSeen = seen
    return marked.ok
  }

  /** The mark together with what changes in the prompt of a model. Durable: its events have numbers that readers see. */
  markWith(spent: Spent | null, commands: (state: DialogState) => DialogCommand[]): Promise<Handled<DialogState>> {
    return this.parts.dialogs.handle(this.dialog, commands, { lease: this.lease, rows: this.#markRows(spent, null) })
  }

  #markRows(spent: Spent | null, seen: number | null): ReturnType<typeof markRunning> {
    const { lease, dialog } = this
    const group = this.state.origin?.root ?? dialog
    const cost: Reservation | Spent | null = this.reservation ?? spent
    const note: MarkNote = seen === null ? cost : { ...cost, seen }
    return markRunning(lease, { owner: this.parts.store.owner, at: this.now(), note, group })
  }

  /** Records that the turn was cut, whether or not its start is in the log. */
  async cutOff(why: TurnCutReason, cost: { spent?: Spent }, under: Under): Promise<Handled<DialogState>> {
    const command: DialogCommand = { type: 'cut-turn', at: this.now(), why, ...cost }
    const commands = (state: DialogState): DialogCommand[] => (needsTurn(state) ? [...this.opening(state), command] : [command])
    const written = await this.parts.dialogs.handle(this.dialog, commands, { ...under, ...this.ending() })
    if (written.ok) this.ended()
    return written
  }

  /** For a dialog that was declared dead the rules refuse everything except the cost of its last generation. */
  async endIfDead(): Promise<void> {
    if (!(await this.parts.dialogs.load(this.dialog)).isDead) return
    const cost = this.cost.read()
    this.cost.clear()
    await (cost.spent ? this.cutOff('death', cost, { lease: this.lease, settle: 'done' }) : this.write([], 'done'))
  }

  countFinished(): void {
    this.parts.metrics.count('turns_total', 1, { outcome: 'finished' })
    this.parts.metrics.observe('turn_seconds', (performance.now() - this.#startedAtMs) / 1000)
  }
}
