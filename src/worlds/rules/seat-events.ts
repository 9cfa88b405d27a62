import type { Language } from '../../shapes/language.ts'
import type { SilenceReason } from './boundary/agent-output.ts'
import type { LeakKind } from './boundary/leak-filter.ts'
import type { ContextSnapshot, ReportingMode } from './context/snapshot.ts'
import type { EndReason, RequestStatus, Side } from './conversation-events.ts'
import type { Fact } from './decision.ts'
import type { PublicIdentity } from './identity/public-identity.ts'

/** Limits that one side sets for one intent: its own spending, and turns of both sides together. */
export type SeatLimits = { tokens: number; money: number; turns: number }

/** Why a model is called for this seat. */
export type RunPurpose = 'kickoff' | 'reply' | 'resume' | 'rewrite' | 'report'

/** Result of a delivery for the host; a turn without a delivery is one that the owner wrote unasked. */
export type SeatResult = {
  delivery: string | null
  reply: { text: string; author: 'agent' | 'owner' } | null
  silence: SilenceReason | null
  asksOwner: boolean
  asksEnd: boolean
}

export type AlertCause = 'leak' | 'kickoff_failed' | 'budget' | 'agent_failed' | 'no_reply_misuse'

export type Spending = { tokens: number; money: number }

/** Everything that can have happened on one side of one chat request. Never leaves the machine of its owner. */
export type SeatEvent =
  | Fact<
      'seat.opened',
      {
        request: string
        agent: string
        side: Side
        key: string
        world: string | null
        language: Language
        peer: PublicIdentity
        /** Seats of older versions have the turns of the host alone. */
        limits: Omit<SeatLimits, 'turns'> & { turns?: number }
        reporting: ReportingMode
        canary: string
      }
    >
  /** By the owner. `reporting` holds from the next document on. */
  | Fact<'limits.changed', { limits: SeatLimits; reporting: ReportingMode; by: string }>
  /** `consent` is the entry of the ledger that approves the text. */
  | Fact<'brief.written', { revision: number; text: string; consent: string }>
  | Fact<'request.settled', { status: Exclude<RequestStatus, 'pending'> }>
  | Fact<'context.written', { snapshot: ContextSnapshot; isRefresh: boolean }>
  | Fact<
      'delivery.received',
      { delivery: string; kind: 'kickoff' | 'turn'; turns: { turn: number; text: string }[]; allowReply: boolean; refresh: boolean }
    >
  /** Before the model is called. The reservation is part of the event, so it holds after a crash. */
  | Fact<
      'run.reserved',
      /** `canary` is in the document of this run alone; runs of older versions have that of the seat. */
      { run: string; purpose: RunPurpose; delivery: string | null; tokens: number; money: number; canary?: string }
    >
  | Fact<'run.finished', { run: string; spent: Spending }>
  /** It gave nothing to send: the process ended, the agent failed, or its output had only notices. */
  | Fact<'run.failed', { run: string; why: 'crash' | 'failure' | 'notice'; spent: Spending }>
  /** The leak filter held the text; the agent is asked to write it again, once. */
  | Fact<'reply.held', { delivery: string; leaks: LeakKind[]; text: string }>
  /** Ends the conversation without a report: it waits until the agent was asked for one. */
  | Fact<'result.parked', { result: SeatResult }>
  | Fact<'result.ready', { result: SeatResult }>
  /** The host has taken it. */
  | Fact<'result.delivered', { delivery: string | null; turn: number | null }>
  | Fact<'report.settled', { source: 'agent' | 'runtime' }>
  | Fact<'question.asked', { question: string; text: string }>
  | Fact<'question.answered', { question: string; answer: string | null; consent: string | null }>
  | Fact<'seat.taken-over', { by: string }>
  | Fact<'seat.handed-back', { by: string }>
  /** `leaks`: kinds of private text in the message that was withheld. */
  | Fact<'seat.alerted', { why: AlertCause; leaks?: readonly LeakKind[] }>
  /** The owner has read the alert. */
  | Fact<'alert.settled', { alert: number }>
  | Fact<'seat.ended', { reason: EndReason; by: Side | null; turns: number }>
