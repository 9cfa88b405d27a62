import type { Announce } from './boundary/announce.ts'
import type { EndReason } from './conversation-events.ts'
import type { ReportQuote } from './report-quotes.ts'
import type { Fact } from './decision.ts'

/** Facts that the runtime knows and no model can write: a report that contradicts it is seen through. */
export type ReportFacts = {
  peer: string
  world: string | null
  turns: number
  money: number
  endedBy: 'you' | 'peer' | 'both' | 'runtime'
  reason: EndReason
  likes: { given: 'like' | 'dislike' | null; received: 'like' | 'dislike' | null }
  /** Quotations of the report, by turn. Reports of older versions have none. */
  quotes?: readonly ReportQuote[]
}

export type ReportSource = 'agent' | 'runtime'

/** The report of one intent to one owner. */
export type ReportEvent =
  /** In between, where the owner asked for milestones or each turn. */
  | Fact<'report.noted', { request: string; agent: string; turn: number; text: string }>
  | Fact<
      'report.filed',
      /** `nextStep`: what the owner can decide or do. Reports of older versions have it in their text. */
      { request: string; agent: string; text: string; source: ReportSource; announce: Announce; nextStep?: string }
    >
  /** Added when the intent is over. */
  | Fact<'report.completed', { facts: ReportFacts }>
  /** It is a message in the main dialog of the owner. */
  | Fact<'report.stored', { dialog: string; message: string }>
  | Fact<'report.announced', { outcome: 'told' | 'skipped' }>
