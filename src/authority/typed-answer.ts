import type { ApprovalDecision } from './audience.ts'
import { languageCodes } from '../shapes/language.ts'
import { authorityWords } from '../words/index.ts'

/** A text that arrives in a chat while questions are open. */
export type TypedText = {
  text: string
  isPrivate: boolean
  /** Set when the text is a platform reply to the message that shows a question. */
  repliesTo?: { isApproval: boolean; isForAuthor: boolean }
  /** Open ordinary questions to this person in this chat. */
  openForAuthor: number
}

/**
 * | text | ordinary question | approval |
 * |---|---|---|
 * | reply to the question, by its audience | answer | decision, when equal to a label; else a message |
 * | reply to the question, by others | refused | refused when equal to a label; else a message |
 * | no reply, private, exactly one question to this person | answer | – |
 * | anything else | message | message: a plain "yes" never counts |
 */
export type TypedOutcome = { kind: 'message' } | { kind: 'answer' } | { kind: 'refused' } | { kind: 'decision'; decision: ApprovalDecision }

export function readTyped({ text, isPrivate, repliesTo, openForAuthor }: TypedText): TypedOutcome {
  if (repliesTo?.isApproval) {
    const decision = decisionOfLabel(text)
    if (decision === null) return { kind: 'message' }
    return repliesTo.isForAuthor ? { kind: 'decision', decision } : { kind: 'refused' }
  }
  if (repliesTo) return { kind: repliesTo.isForAuthor ? 'answer' : 'refused' }
  return { kind: isPrivate && openForAuthor === 1 ? 'answer' : 'message' }
}

/** "Always allow…" and "Deny with a note" need more than their label, so they cannot be typed. */
const typable = ['once', 'chat', 'deny'] as const

function decisionOfLabel(text: string): ApprovalDecision | null {
  const plain = text.trim().normalize('NFC').toLowerCase()
  return (
    typable.find((decision) => languageCodes.some((language) => authorityWords[language].actions[decision].toLowerCase() === plain)) ?? null
  )
}
