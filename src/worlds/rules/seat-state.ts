import type { Language } from '../../shapes/language.ts'
import type { LeakKind } from './boundary/leak-filter.ts'
import type { ContextSnapshot, ReportingMode } from './context/snapshot.ts'
import type { EndReason, RequestStatus, Side } from './conversation-events.ts'
import type { PublicIdentity } from './identity/public-identity.ts'
import { worldLimits } from './world-limits.ts'
import type { AlertCause, RunPurpose, SeatEvent, SeatLimits, SeatResult, Spending } from './seat-events.ts'

export type SeatDelivery = Extract<SeatEvent, { type: 'delivery.received' }>['data'] & {
  /** Runs for it that gave nothing. */
  failures: number
  held: { leaks: readonly LeakKind[]; text: string } | null
}

/** Causes that the owner is asked about. A failed kickoff is in the report; a misused token is for the log only. */
export type OwnerAlert = Extract<AlertCause, 'leak' | 'budget' | 'agent_failed'>

const isOwnerAlert = (why: AlertCause): why is OwnerAlert => why === 'leak' || why === 'budget' || why === 'agent_failed'

export type SeatState = {
  seq: number
  request: string
  agent: string
  side: Side
  key: string
  world: string | null
  language: Language
  peer: PublicIdentity
  limits: SeatLimits
  reporting: ReportingMode
  canary: string
  status: RequestStatus
  briefs: readonly { revision: number; text: string }[]
  context: ContextSnapshot | null
  /** The owner changed what the context says: it is written again with the next delivery. */
  isRefreshDue: boolean
  /** Number of the last turn that this side knows. */
  turns: number
  delivery: SeatDelivery | null
  run: { run: string; purpose: RunPurpose; tokens: number; money: number; canary: string } | null
  runs: number
  spent: Spending
  parked: SeatResult | null
  outgoing: SeatResult | null
  /** Deliveries that were answered, so that a repeated one is recognised. */
  answered: readonly string[]
  report: 'open' | 'requested' | 'settled'
  question: { question: string; text: string } | null
  answer: { question: string; text: string; answer: string | null } | null
  /** Words of the peer and the owner, for the check of outgoing texts. The latest only. */
  peerTexts: readonly string[]
  ownerTexts: readonly string[]
  isTakenOver: boolean
  /** An alert that the owner has not settled. A second cause in the meantime adds none. */
  alert: { alert: number; why: OwnerAlert; leaks: readonly LeakKind[] } | null
  alerts: number
  end: { reason: EndReason; by: Side | null; turns: number } | null
}

export const initialSeat: SeatState = {
  seq: 0,
  request: '',
  agent: '',
  side: 'sender',
  key: '',
  world: null,
  language: 'en',
  peer: { displayName: '', agentCode: '' },
  limits: { tokens: 0, money: 0, turns: worldLimits.turns },
  reporting: 'end',
  canary: '',
  status: 'pending',
  briefs: [],
  context: null,
  isRefreshDue: false,
  turns: 0,
  delivery: null,
  run: null,
  runs: 0,
  spent: { tokens: 0, money: 0 },
  parked: null,
  outgoing: null,
  answered: [],
  report: 'open',
  question: null,
  answer: null,
  peerTexts: [],
  ownerTexts: [],
  isTakenOver: false,
  alert: null,
  alerts: 0,
  end: null,
}

const keptTexts = 6

export const currentBrief = ({ briefs }: SeatState): string | null => briefs.at(-1)?.text ?? null

export function evolveSeat(before: SeatState, event: SeatEvent): SeatState {
  const state: SeatState = { ...before, seq: before.seq + 1 }
  switch (event.type) {
    case 'seat.opened':
      return { ...state, ...event.data, limits: { turns: worldLimits.turns, ...event.data.limits } }
    case 'limits.changed': {
      const { limits, reporting } = event.data
      return { ...state, limits, reporting, isRefreshDue: state.context !== null }
    }
    case 'brief.written': {
      const { revision, text } = event.data
      return { ...state, briefs: [...state.briefs, { revision, text }].slice(-keptTexts) }
    }
    case 'request.settled':
      return { ...state, status: event.data.status }
    case 'context.written': {
      const { snapshot, isRefresh } = event.data
      const delivery = state.delivery && { ...state.delivery, refresh: state.delivery.refresh || isRefresh }
      return { ...state, context: snapshot, isRefreshDue: false, delivery }
    }
    case 'delivery.received': {
      const texts = event.data.turns.map(({ text }) => text)
      const last = event.data.turns.at(-1)?.turn ?? 0
      return {
        ...state,
        delivery: { ...event.data, failures: 0, held: null },
        turns: Math.max(state.turns, last),
        peerTexts: [...state.peerTexts, ...texts].slice(-keptTexts),
      }
    }
    case 'run.reserved': {
      const { run, purpose, tokens, money, canary = state.canary } = event.data
      return {
        ...state,
        run: { run, purpose, tokens, money, canary },
        runs: state.runs + 1,
        report: purpose === 'report' ? 'requested' : state.report,
      }
    }
    case 'run.finished':
      return { ...state, run: null, spent: addSpending(state.spent, event.data.spent) }
    case 'run.failed': {
      const { delivery } = state
      return {
        ...state,
        run: null,
        spent: addSpending(state.spent, event.data.spent),
        delivery: delivery && { ...delivery, failures: delivery.failures + 1 },
      }
    }
    case 'reply.held':
      return { ...state, delivery: state.delivery && { ...state.delivery, held: { leaks: event.data.leaks, text: event.data.text } } }
    case 'result.parked':
      return { ...state, parked: event.data.result }
    case 'result.ready':
      return { ...state, parked: null, outgoing: event.data.result, answer: null }
    case 'result.delivered': {
      const { delivery, turn } = event.data
      return {
        ...state,
        outgoing: null,
        turns: Math.max(state.turns, turn ?? 0),
        ...(delivery === null ? {} : { delivery: null, answered: [...state.answered, delivery].slice(-worldLimits.knownDeliveries) }),
      }
    }
    case 'report.settled':
      return { ...state, report: 'settled' }
    case 'question.asked':
      return { ...state, question: event.data }
    case 'question.answered': {
      const { question, answer } = event.data
      const text = state.question?.text ?? ''
      const ownerTexts = answer === null ? state.ownerTexts : [...state.ownerTexts, answer].slice(-keptTexts)
      return { ...state, question: null, answer: { question, text, answer }, ownerTexts }
    }
    case 'seat.taken-over':
      return { ...state, isTakenOver: true }
    case 'seat.handed-back':
      return { ...state, isTakenOver: false }
    case 'seat.alerted': {
      const { why, leaks = [] } = event.data
      if (state.alert || !isOwnerAlert(why)) return state
      return { ...state, alerts: state.alerts + 1, alert: { alert: state.alerts + 1, why, leaks } }
    }
    case 'alert.settled':
      return { ...state, alert: null }
    case 'seat.ended':
      return { ...state, end: event.data, delivery: null, parked: null, outgoing: null, question: null, answer: null, isTakenOver: false }
  }
}

const addSpending = (one: Spending, other: Spending): Spending => ({ tokens: one.tokens + other.tokens, money: one.money + other.money })

const sampleResult: SeatResult = {
  delivery: '',
  reply: { text: '', author: 'agent' },
  silence: 'no_reply_token',
  asksOwner: false,
  asksEnd: false,
}
const sampleText = { is: 'available' as const, value: '' }
const sampleParticipant = { displayName: '', agentCode: '', profile: sampleText, membership: sampleText }

export const seatSample: SeatState = {
  ...initialSeat,
  world: '',
  briefs: [{ revision: 1, text: '' }],
  context: {
    version: 1,
    intent: '',
    side: 'sender',
    language: 'en',
    facts: { mode: 'direct', origin: 'chat_request', replyPolicy: 'any', purpose: sampleText },
    brief: sampleText,
    additional: sampleText,
    world: {
      is: 'available',
      value: { world: '', name: '', text: '', identityMode: 'realistic', dsl: [{ name: '', meaning: '', isCounted: false }] },
    },
    you: sampleParticipant,
    peer: sampleParticipant,
    policy: {
      reporting: 'end',
      isLaterIntent: false,
      budget: { is: 'available', value: { turns: 0, minutes: 0 } },
      wrapUp: { is: 'available', value: 'turns' },
    },
    canary: '',
  },
  delivery: {
    delivery: '',
    kind: 'turn',
    turns: [{ turn: 0, text: '' }],
    allowReply: true,
    refresh: false,
    failures: 0,
    held: { leaks: ['canary'], text: '' },
  },
  run: { run: '', purpose: 'reply', tokens: 0, money: 0, canary: '' },
  parked: sampleResult,
  outgoing: sampleResult,
  answered: [''],
  question: { question: '', text: '' },
  answer: { question: '', text: '', answer: '' },
  peerTexts: [''],
  ownerTexts: [''],
  alert: { alert: 1, why: 'leak', leaks: ['canary'] },
  end: { reason: 'both_agreed', by: 'sender', turns: 0 },
}
