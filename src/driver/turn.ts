import { decide, type DialogCommand } from '../dialog/decide.ts'
import { evolve } from '../dialog/evolve.ts'
import { askHuman } from '../dialog/question.ts'
import type { TurnCutReason, Spent } from '../dialog/events.ts'
import { dialogLimits, type DialogState, focusOf, isUnblocked, needsTurn, recentCrashes } from '../dialog/state.ts'
import { isTellaskTool, markers } from '../dialog/tellask.ts'
import { isTreeTool } from '../dialog/tree-tools.ts'
import { causeOf } from '../dialog/turn-cause.ts'
import { type Details, type ErrorCode, ParleyError } from '../errors.ts'
import type { Agent, Team } from '../ports/agent-runtime.ts'
import type { Clock } from '../ports/clock.ts'
import { type Hooks, noNotes } from '../ports/hooks.ts'
import type { Ids } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Settle, Store } from '../ports/store.ts'
import { leftRunning, markRunning, unmarkRunning } from '../streams/running-mark.ts'
import type { StreamHandler, Under } from '../streams/stream-handler.ts'
import type { Admitted, Budgets } from './budget.ts'
import type { Drafts } from './drafts.ts'
import type { Gatekeeper } from './gatekeeper.ts'
import { generate, type Generated } from './generation.ts'
import { boundsFor, type GenerationBounds } from './generation-bounds.ts'
import { costOf, costOfLost, type Heard, nothingHeard } from './generation-cost.ts'
import { healthOf, pushFor, remedyFor } from './mind.ts'
import { offeredTools } from './offered-tools.ts'
import type { Work } from '../streams/pump.ts'
import type { TakingTurns } from '../streams/taking-turns.ts'
import { type HoldOn, type RunningTurn, stopGate } from './stop-gate.ts'
import { judgeCalls, recheckCalls } from './recheck-calls.ts'
import { hasCallsToSettle, planCalls, runCall } from './tool-calls.ts'
import { type Order, replyOf, treeCalls, type TreeParts } from './tree-calls.ts'

/**
 * One turn: from admission to rest.
 *
 * | the dialog                         | what happens                                        | the work is             |
 * |------------------------------------|-----------------------------------------------------|-------------------------|
 * | has nothing to do                  | nothing                                             | done                    |
 * | is stopped, here or above          | see stop-gate.ts                                    | done, or still due      |
 * | was cut off by a crash             | turn.cut with the cost of what was lost             | kept                    |
 * | was so 3 times within 10 minutes   | turn.failed                                         | done                    |
 * | was declared dead                  | turn.cut with the cost of its last generation       | done                    |
 * | has calls without an outcome       | run, or a human is asked whether to repeat          | kept                    |
 * | is due                             | one generation; tools run; again until none         | kept                    |
 * | its agent asked somebody           | tellask and side dialog in one commit; turn.finished | done, or again if woken |
 * | its agent came to an end           | turn.finished, and the reply to whoever asked        | done, or again if woken |
 * | its model failed and may recover   | generation.failed with the time of the next try     | given back until then   |
 * | its agent failed for good          | turn.failed; a person may continue                  | done                    |
 * | the server stops                   | turn.cut, if a generation was cut           | given back at once      |
 *
 * The start of a turn is written with its first result: a turn that was cut before that leaves no trace and is
 * simply run again, and a plain question and answer costs two fsyncs, not three.
 */
export type TurnParts = {
  store: Store
  dialogs: StreamHandler<DialogState, DialogCommand>
  team: Team
  drafts: Drafts
  inTurn: TakingTurns
  budgets: Budgets
  gatekeeper: Gatekeeper
  holdOn: HoldOn
  tree: TreeParts
  bounds: GenerationBounds
  /** Lets a turn that crashed before run alone among those that did, until its next generation has finished. */
  alone: { take(signal: AbortSignal): Promise<void>; giveBack(): void }
  abandonAfterMs(): number
  /** What plugins tell the turn of a root. */
  turnNotes: Hooks['turnNotes']
  clock: Clock
  ids: Ids
  log: Log
  metrics: Metrics
}

export const turnLimits = {
  modelRetries: 5,
  firstRetryMs: 1_000,
  longestRetryMs: 30_000,
  longestRetryAfterMs: 10 * 60_000,
} as const

/** Why running work is cut: what the pump says, or a person's stop. */
type CutReason = 'stop' | 'shutdown' | 'lost'

export async function runTurn(parts: TurnParts, work: Work, running: RunningTurn): Promise<void> {
  const { lease, signal } = work
  const { dialogs, team, clock, ids, log, metrics } = parts
  const dialog = lease.key
  const cut = AbortSignal.any([signal, running.stop.signal])
  const now = clock.now.bind(clock)
  const fresh = new Set<string>()
  const started = new Set<string>()
  let read: number | null = null
  let notes = noNotes
  let partial = ''
  /** The generation that is under way or not yet in the log. */
  let uncounted: { by: Agent; admitted: Admitted; heard: Heard; isInMetrics: boolean } | null = null

  const write = (
    commands: DialogCommand[] | ((state: DialogState) => DialogCommand[]),
    settle?: Settle,
  ): ReturnType<typeof dialogs.handle> =>
    dialogs.handle(
      dialog,
      (state) => {
        const wanted = typeof commands === 'function' ? commands(state) : commands
        return wanted.length > 0 && state.turn === null ? [gate.start(), ...wanted] : wanted
      },
      settle ? { lease, settle, rows: unmarkRunning(lease) } : { lease, rows: unmarkRunning(lease) },
    )
  const fail = (code: ErrorCode, details: Details, cause?: unknown): ReturnType<typeof write> => {
    metrics.count('turns_total', 1, { outcome: 'failed' })
    return write([{ type: 'fail-turn', at: now(), code, details, seen: read ?? state.seq, ...counted(cause) }], 'done')
  }
  const startedAt = now()
  const startedNs = performance.now()

  const unstarted = (): string[] => [...fresh].filter((call) => !started.has(call))
  const gate = stopGate(parts, work, running, { startedAt, read: () => read, unstarted, cost: () => counted() })

  let state = await dialogs.load(dialog)
  const lost = await leftRunning<Spent | null>(parts.store, lease)
  if (lost) {
    const spent = lost.note
    if (spent) countInMetrics(state.agent, spent)
    const cutOffWritten = await cutOff(state.isDead ? 'death' : 'crash', spent ? { spent } : {}, { lease })
    if (!cutOffWritten.ok) return
    state = cutOffWritten.state
  }
  if (!needsTurn(state)) return void (await write([], 'done'))
  const admittedState = await gate.mayRun()
  if (admittedState === null) return
  state = admittedState
  const crashes = recentCrashes(state, now())
  if (crashes >= dialogLimits.crashes) return void (await fail('turn_crashed', { crashes, minutes: dialogLimits.crashWindowMs / 60_000 }))
  // Everything that ran at a crash is suspected. One at a time, only the cause of the next one is counted again.
  if (crashes >= dialogLimits.suspectCrashes && (await outside(() => parts.alone.take(cut))) === null) return
  const agent = team.agent(state.agent)
  if (!agent)
    return void (await fail('agent_not_found', {
      agent: state.agent,
      known: team
        .list()
        .map(({ name }) => name)
        .join(', '),
    }))

  for (;;) {
    const plan = planCalls(state, agent, fresh, ids)
    const checked = await recheckCalls(plan, parts.gatekeeper, agent, { dialog, state, now: now() })
    const run = [...plan.run, ...checked.run]
    const settled = [...plan.settled, ...checked.settled]
    const asking = [...plan.ask.map(({ asked }) => asked), ...checked.ask]
    if (run.length + settled.length > 0) {
      if (run.length > 0 && (await gate.mayRun()) === null) return
      if (checked.start.length > 0) {
        const begun = await write(checked.start.map((call): DialogCommand => ({ type: 'start-tool', at: now(), call })))
        if (!begun.ok) return endForDead()
        state = begun.state
      }
      for (const { call } of run) started.add(call)
      const returns = settled.map(({ call, ok, output }): DialogCommand => ({ type: 'return-tool', at: now(), call, ok, output }))
      if (run.length > 0 && !(await mark(null))) return
      const { taskdoc, language } = state
      const calling = { clock, log, language, abandonAfterMs: parts.abandonAfterMs }
      const isSide = state.origin !== null
      const results = await outside(() =>
        Promise.all(
          run.map((call) => {
            const approval = call.question === null ? undefined : state.closed[call.question]?.asked.approval
            const where = { dialog, taskdoc, isSide, language, cause: call.cause ?? causeOf(state) }
            return runCall(agent, approval ? { ...where, approvedFiles: approval.bound } : where, call, calling, cut)
          }),
        ),
      )
      if (results === null) return
      const written = await write([...returns, ...results])
      if (!written.ok) return endForDead()
      state = written.state
    }
    if (asking.length > 0) {
      const asks = asking.map((asked): DialogCommand => ({ type: 'ask-question', at: now(), asked }))
      return void (await write([...asks, { type: 'finish-turn', at: now(), seen: state.turn?.seen ?? state.seenSeq }], 'done'))
    }
    const latest = await gate.mayRun()
    if (latest === null) return
    state = latest
    // Decided while the others ran: a generation would take the decision in without running the call.
    if (hasCallsToSettle(planCalls(state, agent, fresh, ids))) continue
    // Nothing to think about: what a person decided has run, and the rest is still waited for.
    const known = state.turn?.seen ?? state.seenSeq
    if (isBlocked(state) && state.inputSeq <= known) return void (await write([{ type: 'finish-turn', at: now(), seen: known }], 'done'))
    if ((state.turn?.generations ?? 0) >= dialogLimits.generationsPerTurn) {
      return void (await fail('too_many_generations', { limit: dialogLimits.generationsPerTurn }))
    }
    const remedy = remedyFor(state, agent)
    if (remedy.length > 0) {
      const written = await write(remedy.map((command): DialogCommand => ({ ...command, at: now() })))
      if (!written.ok) return
      state = written.state
    }

    const from = state
    const admitted = await parts.budgets.admit(dialog, from, agent)
    if (!admitted) return void (await fail('budget_spent', { tokens: from.spent.tokens }))
    const next = await advance(agent, from, admitted).finally(admitted.end)
    if (next === null) return
    state = next
  }

  /** One generation and all that follows from it. The state to go on from, null when the turn is over. */
  async function advance(by: Agent, from: DialogState, admitted: Admitted): Promise<DialogState | null> {
    if (!(await mark(costOfLost(admitted, by.spending), admitted.allowance !== null))) return null
    const thought = await outside(() => think(by, from, admitted))
    if (thought === null) return null
    const made = from.origin?.mode === 'reasoning' ? withoutCalls(thought, log, dialog) : thought
    const spent = counted().spent ?? { tokens: 0, money: 0 }
    // Many who reply to the same dialog write to it one after the other.
    const commit = () =>
      parts.inTurn(focusOf(from)?.from ?? dialog, () =>
        dialogs.handleAll((load) => outcome(load, made, by, from.seq, spent), { lease, rows: unmarkRunning(lease) }),
      )
    // Side dialogs of one tree are opened one generation at a time, so that their number can be counted.
    const asks = made.calls.some(({ name }) => isTellaskTool(name))
    const written = await (asks ? parts.inTurn(`tree ${from.origin?.root ?? dialog}`, commit) : commit())
    partial = ''
    if (!written.ok) {
      // A lost claim needs no words. Anything else the rules refuse would be refused again for ever.
      if (written.why === 'refused' && written.refusal.code !== 'dialog_dead') await fail(written.refusal.code, written.refusal.details)
      else await endForDead()
      return null
    }
    uncounted = null
    parts.alone.giveBack()
    const after = written.states.get(dialog) ?? from
    if (after.turn === null) {
      finished()
      return null
    }
    for (const call of made.calls) fresh.add(call.call)
    return after
  }

  /** What agents and tools throw ends the turn; what the store throws is not theirs and goes on to the pump. */
  async function outside<Result>(act: () => Promise<Result>): Promise<Result | null> {
    try {
      return await act()
    } catch (error) {
      await endBadly(error)
      return null
    }
  }

  /** Written before an effect, so that a crash leaves a trace. False when the claim was lost. */
  async function mark(spent: Spent | null, isDurable = false): Promise<boolean> {
    const rows = markRunning(lease, { owner: parts.store.owner, at: now(), note: spent, group: state.origin?.root ?? dialog })
    // Without a budget the mark need not survive a power cut.
    const marked = await dialogs.handle(dialog, [], isDurable ? { lease, rows } : { lease, rows, repeatable: true })
    return marked.ok
  }

  /** The cost of the generation that is not in the log yet, for the event that is about to say how it ended. */
  function counted(cause?: unknown): { spent?: Spent } {
    if (uncounted === null) return {}
    const { by, admitted, heard } = uncounted
    const spent = costOf(heard, admitted, by.spending, cause instanceof ParleyError && cause.isUnmetered)
    if (spent.tokens === 0 && spent.money === 0) return {}
    if (!uncounted.isInMetrics) countInMetrics(by.name, spent)
    uncounted.isInMetrics = true
    return { spent }
  }

  function countInMetrics(by: string, spent: Spent): void {
    metrics.count('tokens_total', spent.tokens, { agent: by })
    metrics.count('money_total', spent.money, { agent: by })
  }

  /** Writes that the turn was cut off, whether or not its start is already in the log. */
  function cutOff(why: TurnCutReason, cost: { spent?: Spent }, under: Under): ReturnType<typeof dialogs.handle> {
    const command: DialogCommand = { type: 'cut-turn', at: now(), why, ...cost }
    const start = gate.start()
    return dialogs.handle(dialog, (known) => (known.turn === null && needsTurn(known) ? [start, command] : [command]), {
      ...under,
      rows: unmarkRunning(lease),
    })
  }

  /** The rules refuse everything to a dialog that was declared dead, except to count its last generation. */
  async function endForDead(): Promise<void> {
    if (!(await dialogs.load(dialog)).isDead) return
    const cost = counted()
    uncounted = null
    await (cost.spent ? cutOff('death', cost, { lease, settle: 'done' }) : write([], 'done'))
  }

  async function think(by: Agent, from: DialogState, admitted: Admitted): Promise<Generated> {
    const { allowance } = admitted
    const turn = from.turn?.turn ?? from.turns + 1
    const generation = (from.turn?.generations ?? 0) + 1
    const draft = parts.drafts.begin(dialog, turn, `${turn}.${generation}.${lease.epoch}`)
    const { agent: name, language, context, contextDropped, course, taskdoc } = from
    const isSide = from.origin !== null
    const tools = offeredTools(from, by, team)
    const reminders = from.reminders.map(({ text }) => text)
    if (!isSide) notes = await parts.turnNotes({ dialog, turn, agent: name })
    const heard = nothingHeard()
    uncounted = { by, admitted, heard, isInMetrics: false }
    const bounds = boundsFor(by, allowance ? { allowance } : {}, from.origin?.mode === 'reasoning', parts.bounds)
    try {
      // A generation that never began has read nothing: what a person wrote is still to be answered.
      cut.throwIfAborted()
      read = from.seq
      return await generate(
        by,
        {
          dialog,
          agent: name,
          language,
          turn,
          generation,
          context,
          contextDropped,
          tools,
          reminders,
          course,
          isSide,
          role: from.floor,
          ...(allowance ? { allowance } : {}),
          taskdoc,
          ...(notes === noNotes ? {} : { notes }),
        },
        draft,
        { ids, clock, log, bounds, heard, abandonAfterMs: parts.abandonAfterMs },
        cut,
      )
    } finally {
      partial = draft.text
      draft.end()
    }
  }

  /** Everything that follows from a generation, here and in other dialogs, as one commit. */
  async function outcome(
    load: (stream: string) => Promise<DialogState>,
    made: Generated,
    by: Agent,
    seen: number,
    spent: Spent,
  ): Promise<{ orders: Order[]; settle?: Settle | undefined }> {
    const latest = await load(dialog)
    const at = now()
    const { text, calls, questions, together, title, model, usage, wantsMore } = made
    const message = text.trim() === '' ? null : { id: ids.next('msg'), text }
    const health = healthOf(usage.inputTokens, by.mind?.context)
    const own: DialogCommand[] = latest.turn === null ? [gate.start()] : []
    const judged = await judgeCalls(parts.gatekeeper, by, calls, { dialog, state: foldCommands(latest, own), now: at })
    const denied = new Set(judged.denied.map(({ call }) => call))
    const asked = questions.filter(({ call }) => call === null || !denied.has(call))
    own.push({
      type: 'finish-generation',
      at,
      model,
      usage,
      seen,
      health,
      spent,
      message,
      calls: judged.calls,
      questions: [...asked, ...judged.approvals],
      ...(title === undefined ? {} : { title }),
    })
    for (const { call, text: output } of judged.denied) own.push({ type: 'return-tool', at, call, ok: false, output })
    for (const call of together) if (!denied.has(call)) own.push({ type: 'return-tool', at, call, ok: true, output: askedTogether })
    const hold = (folded: DialogState): ReturnType<HoldOn> => parts.holdOn(dialog, folded, load)
    const scene = { dialog, state: foldCommands(latest, own), agent: by, team, ids, at, load, hold, ...parts.tree }
    const tree = await treeCalls(
      calls.filter(({ call }) => !denied.has(call)),
      asked,
      scene,
    )
    own.push(...tree.own)
    const others = [...tree.others]
    const after = foldCommands(latest, own)
    const order: Order = { stream: dialog, commands: own }
    // A stop that came while the last words were written still counts; the words stay.
    if (after.stopRequested) {
      const held = await hold(after)
      const cutCalls = calls.map(({ call }) => call)
      own.push({ type: 'stop-turn', at, text: null, seen, unstarted: cutCalls, ...(held ? { held } : {}) })
      return { orders: [order, ...others], settle: held?.dialog === null ? { retryAt: at, forgive: true } : 'done' }
    }
    const isUnanswered = (call: { call: string; name: string }): boolean =>
      denied.has(call.call) ||
      !isTreeTool(call.name) ||
      (call.name === askHuman && !together.includes(call.call) && !asked.some((question) => question.call === call.call))
    if (wantsMore || calls.some(isUnanswered) || tree.own.some((command) => command.type === 'return-tool'))
      return { orders: [order, ...others] }
    // What came while it thought was not in its thoughts: those words are no reply to it, and not the last word either.
    const hasNews = latest.inputSeq > seen || latest.settledSeq > seen
    const focus = focusOf(after)
    // An answer to a person while the work is stopped is no reply to a request: that stays open.
    if (!after.turn?.alone && isUnblocked(after) && (focus?.mode === 'back' ? focus.seq <= seen : !hasNews)) {
      const reply = replyOf(after, text)
      const push = reply || notes.followUps === 'suppressed' ? null : pushFor(after, by, ids)
      if (push) own.push({ ...push, at })
      if (push?.type === 'add-prompt') return { orders: [order, ...others] }
      if (reply) {
        own.push({ type: 'give-reply', at, tellask: reply.focus.tellask, text: reply.text })
        if (!(await load(reply.focus.from)).isDead) {
          others.push({
            stream: reply.focus.from,
            commands: [
              { type: 'receive-reply', at, tellask: reply.focus.tellask, outcome: 'replied', text: reply.text, cause: causeOf(after) },
            ],
          })
        }
      }
    }
    own.push({ type: 'finish-turn', at, seen })
    return { orders: [order, ...others], settle: 'done' }
  }

  function finished(): void {
    metrics.count('turns_total', 1, { outcome: 'finished' })
    metrics.observe('turn_seconds', (performance.now() - startedNs) / 1000)
  }

  async function endBadly(error: unknown): Promise<void> {
    const why = cut.aborted ? (cut.reason as CutReason) : null
    if (why === 'lost') return endForDead()
    if (why === 'shutdown') {
      const cost = counted(error)
      const settle: Settle = { retryAt: now(), forgive: true }
      return void (await (cost.spent ? cutOff('shutdown', cost, { lease, settle }) : write([], settle)))
    }
    if (why === 'stop') {
      metrics.count('turns_total', 1, { outcome: 'stopped' })
      return gate.cut(partial.toWellFormed())
    }
    if (!(error instanceof ParleyError)) {
      log('error', 'an agent has a fault', { dialog, agent: state.agent, error })
      return void (await fail('agent_failed', { why: error instanceof Error ? error.message : String(error) }, error))
    }
    const failures = (await dialogs.load(dialog)).turn?.failures ?? 0
    const waitMs = error.retryAfterMs ?? Math.min(turnLimits.firstRetryMs * 2 ** failures, turnLimits.longestRetryMs)
    log('warn', 'a generation failed', { dialog, code: error.code, failures: failures + 1, retryable: error.retryable, error })
    if (!error.retryable || failures >= turnLimits.modelRetries || waitMs > turnLimits.longestRetryAfterMs)
      return void (await fail(error.code, error.details, error))
    metrics.count('generation_retries_total', 1, { code: error.code })
    const retryAt = now() + waitMs
    const { code, details } = error
    await write([{ type: 'fail-generation', at: now(), code, details, retryAt, ...counted(error) }], { retryAt, forgive: true })
  }
}

/** An answer to a person while the work is stopped waits only for what it has asked that person itself. */
const isBlocked = (state: DialogState): boolean =>
  state.turn?.alone
    ? Object.values(state.questions).some(({ askedAt, purpose }) => purpose !== 'diligence' && askedAt >= (state.turn?.startedAt ?? 0))
    : !isUnblocked(state)

/** The state these commands would lead to; what is refused here is refused by the commit as well. */
function foldCommands(state: DialogState, commands: readonly DialogCommand[]): DialogState {
  let folded = state
  for (const command of commands) {
    const decision = decide(folded, command)
    if ('events' in decision) folded = decision.events.reduce(evolve, folded)
  }
  return folded
}

const askedTogether = 'Asked together with your other question, as one; the answer is there.'

/** Fresh minds only think. One that calls something all the same has broken the rule, and its reply says so. */
function withoutCalls(made: Generated, log: Log, dialog: string): Generated {
  if (made.calls.length === 0 && made.questions.length === 0) return made
  log('warn', 'a fresh mind called something, which it may not', { dialog, calls: made.calls.map(({ name }) => name) })
  const names = [...new Set(made.calls.map(({ name }) => name))].join(', ') || 'a question'
  return {
    ...made,
    calls: [],
    questions: [],
    together: [],
    wantsMore: false,
    text: `${markers.reasonedOnly}\nThis mind broke a rule: it tried to call ${names}. What it said before that:\n\n${made.text}`,
  }
}
