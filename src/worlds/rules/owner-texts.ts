import type { EndReason } from './conversation-events.ts'
import type { LeakKind } from './boundary/leak-filter.ts'
import type { OwnerAlert } from './seat-state.ts'
import type { ReportFacts } from './report-events.ts'

/** Texts of a member for its owner and its own agents, in one language. */
export type OwnerTexts = {
  /** In place of the peer's words, when a channel agent is asked for something else. */
  noPeerText: string
  tools: { reported: string; noted: string; asked: string; ending: string }
  ends: Readonly<Record<EndReason, string>>
  endedBy: Readonly<Record<ReportFacts['endedBy'], string>>
  votes: { like: string; dislike: string; none: string }
  /** Composed by the runtime when the agent has filed no report. */
  stub(peer: string, turns: number, lines: readonly string[]): string
  stubLine(turn: number, who: string, text: string): string
  you: string
  /** Facts below a report that no model can write. */
  facts(facts: ReportFacts, end: string, endedBy: string, votes: { given: string; received: string }): string
  /** Below a report. */
  nextStep(text: string): string
  /** The message by which a report reaches the main agent. */
  announce: { required: string; default: string }
  /** In place of the token by which a main agent tells its owner nothing. */
  skipped: string
  mainTitle: string
  /** A message to the peer that did not leave, and what the owner can do. `leaks` are in words. */
  alert(why: OwnerAlert, peer: string, leaks: readonly string[]): string
  alertChoices: Readonly<Record<AlertChoice, string>>
  leaks: Readonly<Record<LeakKind, string>>
  /** Last line of a transcript. */
  transcriptEnd(reason: string): string
  /** Labels of the picture of a conversation. */
  card: { title: string; turns: string; ended: string; feedback: string }
  /** Labels of the picture of an account. */
  accountCard: { title: string; host: string; key: string }
}

export type AlertChoice = 'seen' | 'take_over' | 'close'
