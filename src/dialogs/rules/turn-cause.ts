import { type Cause, mergeAuthors, withWriters } from '../../authority/cause.ts'
import { type Author, lowestRole } from '../../authority/roles.ts'
import { type Answers, isTypedAnswer, type Question } from './question.ts'
import type { DialogState } from './dialog-state.ts'

/**
 * The cause of the running turn, or of the next one.
 *
 * | the turn                                       | `by`                                          |
 * |------------------------------------------------|-----------------------------------------------|
 * | starts because of messages                     | their authors                                 |
 * | runs, and messages came meanwhile              | its own `by` and their authors                |
 * | continues after an answer or a reply           | the waiting turn's `by`, and the new authors  |
 * | is continued, retried or re-run after a crash  | the stored `by`, never the person who continues it |
 */
export function getCause(
  state: Pick<DialogState, 'turn' | 'inputAuthors' | 'writers' | 'settledSeq' | 'seenSeq' | 'cause' | 'floor' | 'origin'>,
): Cause {
  const { turn, inputAuthors, settledSeq, seenSeq, cause, floor } = state
  const goesOn = turn !== null || inputAuthors.length === 0 || settledSeq > seenSeq
  const before = goesOn ? cause : null
  return {
    by: mergeAuthors([...(before?.by ?? []), ...inputAuthors]),
    role: floor,
    origin: before?.origin ?? (state.origin === null ? 'message' : 'tellask'),
    ...withWriters(state.writers),
  }
}

/** Free text of these authors came into the dialog. */
export const withText = (
  state: DialogState,
  authors: readonly Author[],
  role = lowestRole('owner', ...authors.map((each) => each.role)),
): DialogState => ({
  ...state,
  floor: lowestRole(state.floor, role),
  ...(role === 'owner' ? {} : { loweredSeq: state.seq, loweredAt: state.updatedAt }),
  inputAuthors: mergeAuthors([...state.inputAuthors, ...authors]),
})

/** A tapped option is a choice among the agent's own words; only typed text counts as input of its author. */
export const isTyped = (question: Question, answers: Answers): boolean =>
  question.items.some((item) => isTypedAnswer(item) && (answers[item.id] ?? '').trim() !== '')
