import { groupQuestions } from '../approvals/group-questions.ts'
import type { QuestionView } from '../../../src/shapes/wire.ts'
import type { LeavingRow } from './leaving-rows.ts'

/** A row of the inbox as it is drawn: one thing, or every approval of one turn. */
export type InboxGroup = { key: string; row: LeavingRow } | { key: string; approvals: { question: QuestionView; isGone: boolean }[] }

/** Keeps the order of the rows. */
export function inboxGroups(rows: readonly LeavingRow[]): InboxGroup[] {
  const groupable = rows.map((row) => {
    const question = row.item.kind === 'question' && row.item.question.approval ? row.item.question : null
    return { id: row.key, row, question, ...(question ? { dialog: question.dialog, approval: question.approval } : {}) }
  })
  return groupQuestions(groupable).flatMap(({ key, questions }): InboxGroup[] => {
    const approvals = questions.flatMap(({ question, row }) => (question ? [{ question, isGone: row.goneAt !== null }] : []))
    // Ids grow: a turn is read from its start, although the inbox begins with the newest.
    if (approvals.length > 0) return [{ key, approvals: approvals.toSorted((a, b) => (a.question.id < b.question.id ? -1 : 1)) }]
    return questions.map(({ row }) => ({ key, row }))
  })
}
