import { refuse } from '../../errors.ts'
import { readAgentOutput, type SilenceReason } from './boundary/agent-output.ts'
import { conversationTokens, readTokens } from './boundary/conversation-tokens.ts'
import { findLeaks } from './boundary/leak-filter.ts'
import { readValue } from './context/snapshot.ts'
import { type Decision, type Deciders, nothing, type Timed } from './decision.ts'
import type { RunPurpose, SeatEvent, SeatResult, Spending } from './seat-events.ts'
import { isReportOwed, nextRun } from './seat-needs.ts'
import { currentBrief, evolveSeat, type SeatState } from './seat-state.ts'
import { worldLimits } from './world-limits.ts'

/** Calls of the three tools during a run. */
export type RunTools = { hasReported: boolean; question: { question: string; text: string } | null; asksEnd: boolean }

export type RunCommand =
  /** Refused unless exactly this run is due. `tokens` and `money` are the most that it may cost. */
  | { type: 'reserve-run'; run: string; purpose: RunPurpose; tokens: number; money: number; canary: string }
  | { type: 'finish-run'; run: string; output: string; tools: RunTools; spent: Spending }
  | { type: 'fail-run'; run: string; why: 'crash' | 'failure'; spent: Spending }
  /** No run can be made: the budget is spent or the owner stopped all talks. */
  | { type: 'give-up-run'; why: 'budget' | 'stopped' }

type Command<Type extends RunCommand['type']> = Timed<Extract<RunCommand, { type: Type }>>

/** Runs for one delivery that may fail before it is answered with silence. A kickoff is tried twice. */
const mostFailures = 2

export const runDeciders: Deciders<SeatState, RunCommand, SeatEvent> = {
  'reserve-run': (state, { at, run, purpose, tokens, money, canary }) => {
    if (state.run?.run === run) return nothing
    if (state.status !== 'accepted') return refuse('request_not_accepted', { request: state.request })
    if (nextRun(state) !== purpose) return refuse('turn_over')
    const isOver = state.spent.tokens + tokens > state.limits.tokens || state.spent.money + money > state.limits.money
    if (isOver) return refuse('talk_budget_spent', { scope: 'conversation' })
    const delivery = state.delivery?.delivery ?? null
    return { events: [{ type: 'run.reserved', at, data: { run, purpose, delivery, tokens, money, canary } }] }
  },
  'finish-run': finishRun,
  'fail-run': (state, { at, run, why, spent }) =>
    state.run?.run === run ? { events: afterFailure(state, at, { run, why, spent: bounded(state, spent) }) } : nothing,
  'give-up-run': (state, { at, why }) => {
    if (state.run) return refuse('agent_is_writing', { request: state.request })
    if (state.parked) return { events: [{ type: 'result.ready', at, data: { result: state.parked } }] }
    if (!state.delivery || state.outgoing || state.end) return nothing
    const alert: SeatEvent[] = why === 'budget' ? [{ type: 'seat.alerted', at, data: { why: 'budget' } }] : []
    return { events: [...alert, ready(at, silent(state, 'budget_spent', false))] }
  },
}

/** A model that reports more than was reserved is charged what was reserved: budgets hold. */
const bounded = ({ run }: SeatState, { tokens, money }: Spending): Spending => ({
  tokens: Math.max(0, Math.min(tokens, run?.tokens ?? 0)),
  money: Math.max(0, Math.min(money, run?.money ?? 0)),
})

const ready = (at: number, result: SeatResult): SeatEvent => ({ type: 'result.ready', at, data: { result } })

const silent = ({ delivery }: SeatState, silence: SilenceReason, asksEnd: boolean): SeatResult => ({
  delivery: delivery?.delivery ?? null,
  reply: null,
  silence,
  asksOwner: false,
  asksEnd,
})

function finishRun(state: SeatState, command: Command<'finish-run'>): Decision<SeatEvent> {
  const { at, run, tools } = command
  if (state.run?.run !== run) return nothing
  const spent = bounded(state, command.spent)
  const reported: SeatEvent[] =
    tools.hasReported && state.report !== 'settled' ? [{ type: 'report.settled', at, data: { source: 'agent' } }] : []
  const finished: SeatEvent[] = [{ type: 'run.finished', at, data: { run, spent } }, ...reported]
  const after = finished.reduce(evolveSeat, state)
  if (state.run.purpose === 'report' || state.end) {
    // Its words are not for the peer. The result that waited for the report leaves now.
    return { events: after.parked ? [...finished, ready(at, after.parked)] : finished }
  }
  const output = readAgentOutput(command.output)
  if (output.kind === 'silence' && output.reason !== 'no_reply_token' && !tools.question && !tools.asksEnd) {
    const failed = afterFailure(state, at, { run, why: 'notice', spent }, output.reason)
    return { events: [...failed, ...reported] }
  }
  const misuse: SeatEvent[] = output.isMisuse ? [{ type: 'seat.alerted', at, data: { why: 'no_reply_misuse' } }] : []
  const leakEvents = output.kind === 'reply' ? checkText(after, at, state.run.canary, output.text) : []
  // A question to the owner is worth more than the words around it.
  if (leakEvents.length > 0 && !tools.question) return { events: [...finished, ...misuse, ...leakEvents] }
  const text = output.kind === 'reply' && leakEvents.length === 0 ? cut(output.text) : null
  const questionEvents: SeatEvent[] = tools.question
    ? [{ type: 'question.asked', at, data: { ...tools.question, text: tools.question.text.slice(0, worldLimits.ownerQuestionChars) } }]
    : []
  const result: SeatResult = {
    delivery: state.delivery?.delivery ?? null,
    reply: text === null ? null : { text, author: 'agent' },
    silence: text === null ? (tools.question ? 'waiting_for_owner' : 'no_reply_token') : null,
    asksOwner: tools.question !== null,
    asksEnd: tools.asksEnd,
  }
  return { events: [...finished, ...misuse, ...questionEvents, release(after, at, result)] }
}

/** A result that ends the conversation waits until the agent was asked for the report it forgot. */
function release(state: SeatState, at: number, result: SeatResult): SeatEvent {
  const isKickoff = state.delivery?.kind === 'kickoff'
  const endsByToken = result.reply !== null && readTokens(result.reply.text).includes(conversationTokens.end)
  const isEnding = !result.asksOwner && (result.asksEnd || endsByToken || result.silence === 'no_reply_token')
  const isParked = isEnding && !isKickoff && isReportOwed(state) && state.report === 'open'
  return isParked ? { type: 'result.parked', at, data: { result } } : ready(at, result)
}

const cut = (text: string): string =>
  text.length > worldLimits.turnChars ? `${text.slice(0, worldLimits.turnChars - 1).toWellFormed()}…` : text.toWellFormed()

/** No events for a text that may leave. Held once, withheld the second time. */
function checkText(state: SeatState, at: number, canary: string, text: string): SeatEvent[] {
  const { delivery, context, ownerTexts, peerTexts } = state
  const brief = currentBrief(state)
  const you = context ? [readValue(context.you.profile), readValue(context.you.membership)] : []
  const approvedTexts = [...you, brief, ...ownerTexts, ...peerTexts].filter((each) => each !== null)
  const leaks = findLeaks(text, { canary, secretTexts: brief === null ? [] : [brief], approvedTexts })
  if (leaks.length === 0) return []
  const kinds = leaks.map(({ kind }) => kind)
  if (!delivery?.held) return [{ type: 'reply.held', at, data: { delivery: delivery?.delivery ?? '', leaks: kinds, text } }]
  return [{ type: 'seat.alerted', at, data: { why: 'leak', leaks: kinds } }, ready(at, silent(state, 'reply_withheld', false))]
}

/** The same delivery is tried again, and answered with silence when it fails again. */
function afterFailure(
  state: SeatState,
  at: number,
  data: Extract<SeatEvent, { type: 'run.failed' }>['data'],
  reason: SilenceReason = 'runtime_failed_before_reply',
): SeatEvent[] {
  const failed: SeatEvent = { type: 'run.failed', at, data }
  const after = evolveSeat(state, failed)
  if (state.run?.purpose === 'report') return after.parked ? [failed, ready(at, after.parked)] : [failed]
  const isRetried =
    (after.delivery?.failures ?? 0) < mostFailures && (data.why === 'crash' || after.delivery?.kind === 'kickoff' || data.why === 'failure')
  if (isRetried || !after.delivery || after.end) return [failed]
  return [failed, { type: 'seat.alerted', at, data: { why: 'agent_failed' } }, ready(at, silent(after, reason, false))]
}
