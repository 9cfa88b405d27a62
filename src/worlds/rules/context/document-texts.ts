import type { LeakKind } from '../boundary/leak-filter.ts'
import type { ReplyPolicy, WrapUpCause } from '../conversation-events.ts'
import type { ReportingMode } from './snapshot.ts'

/**
 * Sentences of the context document. Headings are English in every language. The rules by their number:
 *
 * | rule | said in |
 * |---|---|
 * | P1, P4, P5 | Handling Rules of every baseline |
 * | P2 | Style of every baseline |
 * | P3 | Style in a world |
 * | P6 | Task Instruction of a kickoff |
 * | P7 | Handling Rules of the recipient's first document |
 * | P8 | Live Turn with a queue |
 * | P9, P10, P11 | Ending Rules |
 * | P12 | Reporting |
 * | P13 | Conversation DSL |
 * | P14 | Ending Rules of a refresh that asks to conclude |
 * | P15 | Handling Rules of every baseline after the first of a session |
 */
export type DocumentTexts = {
  facts: {
    modes: Record<'direct' | 'world', string>
    replyPolicy: Record<Exclude<ReplyPolicy, 'any'>, string>
    refresh: string
    identityMode: Record<'imaginary' | 'realistic', string>
    broadcast: string
    /** Above the line that the sender's owner approved for the recipient. */
    purpose: string
    /** In a world, where a participant has two profiles. */
    profiles: string
  }
  P1: string
  P2: string
  P3: string
  P4: string
  P5: string
  P6: readonly string[]
  P7: string
  P8: string
  P9: { brief: string; open: string }
  P10: { report: string; plain: string }
  P11: string
  P12: { modes: Record<ReportingMode, string>; covers: string; form: string }
  P13: { like: string; world: (token: string, meaning: string) => string }
  P14: (turns: number, minutes: number) => string
  P15: string
  wrapUp: Record<WrapUpCause, string>
  currentTurn: (boundary: string) => string
  tasks: {
    answered: string
    declined: string
    question: string
    answer: string
    resume: string
    report: { ended: string; ending: string }
    rewrite: (kinds: readonly string[]) => string
    leaks: Record<LeakKind, string>
  }
}
