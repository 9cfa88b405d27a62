import { type Cause, mergeAuthors, roleOfVia } from '../authority/cause.ts'
import { type Author, lowestRole } from '../authority/roles.ts'
import type { Participant, Via } from './events.ts'
import type { Answers, Question } from './question.ts'
import type { DialogState } from './state.ts'

/** Events of 0.1 name no id and no role: the surface decides then. */
export const eventAuthor = (by: Participant, via: Via | null): Author => ({
  id: by.id ?? `${via ?? 'unknown'}:${by.name}`,
  name: by.name,
  role: by.role ?? roleOfVia(via),
})

/**
 * The cause of the running turn, or of the next one.
 *
 * | the turn                                       | `by`                                          |
 * |------------------------------------------------|-----------------------------------------------|
 * | starts because of messages                     | their authors                                 |
 * | runs, and messages came meanwhile              | its own `by` and their authors                |
 * | goes on after an answer or a reply             | the waiting turn's `by`, and the new authors  |
 * | is continued, retried or re-run after a crash  | the stored `by`, never the person who continues it |
 */
export function causeOf(
  state: Pick<DialogState, 'turn' | 'inputAuthors' | 'settledSeq' | 'seenSeq' | 'cause' | 'floor' | 'origin'>,
): Cause {
  const { turn, inputAuthors, settledSeq, seenSeq, cause, floor } = state
  const goesOn = turn !== null || inputAuthors.length === 0 || settledSeq > seenSeq
  const before = goesOn ? cause : null
  return {
    by: mergeAuthors([...(before?.by ?? []), ...inputAuthors]),
    role: floor,
    origin: before?.origin ?? (state.origin === null ? 'message' : 'tellask'),
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
  inputAuthors: mergeAuthors([...state.inputAuthors, ...authors]),
})

/** A tapped option is a choice among the agent's own words; only typed text counts as input of its author. */
export const isTyped = (question: Question, answers: Answers): boolean =>
  question.items.some((item) => item.kind === 'text' && (answers[item.id] ?? '').trim() !== '')
