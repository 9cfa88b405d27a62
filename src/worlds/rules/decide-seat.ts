import { refuse } from '../../errors.ts'
import type { ContextSnapshot, ReportingMode } from './context/snapshot.ts'
import type { EndReason, RequestStatus, Side } from './conversation-events.ts'
import { type Decision, decideBy, type Deciders, nothing, refuseText, type Timed } from './decision.ts'
import { runDeciders, type RunCommand } from './decide-run.ts'
import type { SeatEvent, SeatLimits } from './seat-events.ts'
import { isStubDue } from './seat-needs.ts'
import type { SeatState } from './seat-state.ts'
import { worldLimits } from './world-limits.ts'

export type SeatCommand =
  | ({ type: 'open-seat' } & Extract<SeatEvent, { type: 'seat.opened' }>['data'])
  /** The sender may change it while the request is pending, the recipient when accepting. */
  | { type: 'write-brief'; text: string; consent: string | null }
  | { type: 'settle-request'; status: Exclude<RequestStatus, 'pending'> }
  | { type: 'write-context'; snapshot: ContextSnapshot; isRefresh: boolean }
  /** By the owner, before or during the conversation. What is left out stays. */
  | { type: 'change-limits'; limits: Partial<SeatLimits>; reporting?: ReportingMode; by: string }
  | ({ type: 'receive-delivery' } & Extract<SeatEvent, { type: 'delivery.received' }>['data'])
  | { type: 'confirm-result'; delivery: string | null; turn: number | null }
  /** `answer` is null when the owner declines. */
  | { type: 'answer-owner'; question: string; answer: string | null; consent: string | null }
  | { type: 'settle-alert'; alert: number }
  | { type: 'take-over'; by: string }
  | { type: 'hand-back'; by: string }
  /** The owner writes in place of the agent. */
  | { type: 'write-own-turn'; text: string; consent: string | null; asksEnd: boolean }
  | { type: 'end-seat'; reason: EndReason; by: Side | null; turns: number }
  /** The runtime has composed the report. */
  | { type: 'settle-report'; source: 'agent' | 'runtime' }
  | RunCommand

type Command<Type extends SeatCommand['type']> = Timed<Extract<SeatCommand, { type: Type }>>

const deciders: Deciders<SeatState, SeatCommand, SeatEvent> = {
  'open-seat': (state, command) => {
    const { at, type: _, ...data } = command
    return state.seq > 0 ? nothing : { events: [{ type: 'seat.opened', at, data }] }
  },
  'write-brief': writeBrief,
  'settle-request': (state, { at, status }) =>
    state.status === 'pending' ? { events: [{ type: 'request.settled', at, data: { status } }] } : nothing,
  'write-context': (state, { at, snapshot, isRefresh }) => {
    if (state.status !== 'accepted') return refuse('request_not_accepted', { request: state.request })
    return state.end ? nothing : { events: [{ type: 'context.written', at, data: { snapshot, isRefresh } }] }
  },
  'change-limits': changeLimits,
  'receive-delivery': receiveDelivery,
  'confirm-result': (state, { at, delivery, turn }) =>
    state.outgoing?.delivery === delivery ? { events: [{ type: 'result.delivered', at, data: { delivery, turn } }] } : nothing,
  'answer-owner': (state, { at, question, answer, consent }) => {
    if (state.question?.question !== question) return state.answer?.question === question ? nothing : refuse('no_question_open')
    if (answer !== null && consent === null) return refuse('consent_missing', { kind: 'owner_answer' })
    const refusal = answer === null ? null : refuseText('answer', answer, worldLimits.turnChars)
    return refusal ?? { events: [{ type: 'question.answered', at, data: { question, answer, consent } }] }
  },
  'settle-alert': (state, { at, alert }) =>
    state.alert?.alert === alert ? { events: [{ type: 'alert.settled', at, data: { alert } }] } : nothing,
  'take-over': (state, { at, by }) => {
    if (state.end) return refuse('conversation_over', { request: state.request })
    if (state.status !== 'accepted') return refuse('request_not_accepted', { request: state.request })
    return state.isTakenOver ? nothing : { events: [{ type: 'seat.taken-over', at, data: { by } }] }
  },
  'hand-back': (state, { at, by }) => (state.isTakenOver ? { events: [{ type: 'seat.handed-back', at, data: { by } }] } : nothing),
  'write-own-turn': writeOwnTurn,
  'end-seat': (state, { at, reason, by, turns }) => {
    if (state.end) return nothing
    if (state.status !== 'accepted') return refuse('request_not_accepted', { request: state.request })
    const alert: SeatEvent[] =
      reason === 'kickoff_failed' && state.side === 'sender' ? [{ type: 'seat.alerted', at, data: { why: 'kickoff_failed' } }] : []
    return { events: [{ type: 'seat.ended', at, data: { reason, by, turns } }, ...alert] }
  },
  'settle-report': (state, { at, source }) => {
    if (state.report === 'settled') return nothing
    if (source === 'runtime' && !isStubDue(state)) return refuse('turn_over')
    return { events: [{ type: 'report.settled', at, data: { source } }] }
  },
  ...runDeciders,
}

function writeBrief(state: SeatState, { at, text, consent }: Command<'write-brief'>): Decision<SeatEvent> {
  const refusal = refuseText('brief', text, worldLimits.briefChars)
  if (refusal) return refusal
  if (consent === null) return refuse('consent_missing', { kind: 'brief' })
  const last = state.briefs.at(-1)
  if (last?.text === text) return nothing
  // Later it would change the task behind the agent's back; the recipient's first brief comes with the acceptance.
  const isFixed = state.side === 'sender' ? state.status !== 'pending' : last !== undefined || state.context !== null
  if (isFixed) return refuse('brief_fixed', { request: state.request })
  return { events: [{ type: 'brief.written', at, data: { revision: (last?.revision ?? 0) + 1, text, consent } }] }
}

function changeLimits(state: SeatState, { at, limits, reporting = state.reporting, by }: Command<'change-limits'>): Decision<SeatEvent> {
  if (state.end || (state.status !== 'pending' && state.status !== 'accepted'))
    return refuse('conversation_over', { request: state.request })
  const wanted = { ...state.limits, ...limits }
  const next: SeatLimits = {
    tokens: Math.max(0, wanted.tokens),
    money: Math.max(0, wanted.money),
    turns: Math.min(Math.max(1, wanted.turns), worldLimits.turns),
  }
  const isSame = next.tokens === state.limits.tokens && next.money === state.limits.money && next.turns === state.limits.turns
  if (isSame && reporting === state.reporting) return nothing
  return { events: [{ type: 'limits.changed', at, data: { limits: next, reporting, by } }] }
}

function receiveDelivery(state: SeatState, command: Command<'receive-delivery'>): Decision<SeatEvent> {
  const { at, type: _, ...data } = command
  if (state.status !== 'accepted') return refuse('request_not_accepted', { request: state.request })
  if (state.end) return refuse('conversation_over', { request: state.request })
  if (state.delivery?.delivery === data.delivery || state.answered.includes(data.delivery)) return nothing
  if (state.delivery) return refuse('delivery_waits', { request: state.request })
  const received: SeatEvent = { type: 'delivery.received', at, data }
  if (data.allowReply) return { events: [received] }
  // For information only: no model is called.
  const result = { delivery: data.delivery, reply: null, silence: 'reply_not_allowed' as const, asksOwner: false, asksEnd: false }
  return { events: [received, { type: 'result.ready', at, data: { result } }] }
}

function writeOwnTurn(state: SeatState, { at, text, consent, asksEnd }: Command<'write-own-turn'>): Decision<SeatEvent> {
  if (state.end) return refuse('conversation_over', { request: state.request })
  if (state.status !== 'accepted') return refuse('request_not_accepted', { request: state.request })
  const refusal = refuseText('text', text, worldLimits.turnChars)
  if (refusal) return refusal
  if (consent === null) return refuse('consent_missing', { kind: 'own_turn' })
  // A run that is under way would answer the same delivery.
  if (state.run || state.outgoing || state.parked) return refuse('agent_is_writing', { request: state.request })
  const delivery = state.delivery?.allowReply ? state.delivery.delivery : null
  const result = { delivery, reply: { text, author: 'owner' as const }, silence: null, asksOwner: false, asksEnd }
  return { events: [{ type: 'result.ready', at, data: { result } }] }
}

export function decideSeat(state: SeatState, command: Timed<SeatCommand>): Decision<SeatEvent> {
  if (state.seq === 0 && command.type !== 'open-seat') return refuse('chat_request_not_found', { request: '' })
  return decideBy(deciders, state, command)
}
