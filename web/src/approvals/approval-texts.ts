import { isNamelessOwner } from '../../../src/authority/owner-names.ts'
import { requestSentence } from '../../../src/authority/request-sentence.ts'
import { listOptions } from '../../../src/client/index.ts'
import type { ApprovalView, Language, QuestionView } from '../../../src/shapes/wire.ts'
import { isOperator, type Reader } from '../link/reader.ts'
import type { PageWords } from '../../../src/words/en/page.ts'
import { isShown } from './approval-title.ts'
import type { ApprovalWords } from './approval-words.ts'
import { withVisibleCharacters } from './visible-characters.ts'

export type ApprovalDecision = NonNullable<ApprovalView['decision']>

/** The part of a question that a card shows; `approval` is missing for a reader who may not see the call. */
export type ApprovalQuestion = Pick<QuestionView, 'id' | 'dialog' | 'agent' | 'ask' | 'approval'>

const decisions: readonly ApprovalDecision[] = ['once', 'chat', 'always', 'deny']

/**
 * The decisions to show, in order.
 *
 * | approval                          | offered                                  |
 * |-----------------------------------|------------------------------------------|
 * | hidden from this reader           | none: the server lists no options        |
 * | too large to be shown whole       | deny                                     |
 * | the reader has given a key        | deny: another person has to give the next |
 * | the reader is below operator      | no "always"                              |
 */
export function offeredDecisions({ ask, approval }: ApprovalQuestion, reader: Reader): ApprovalDecision[] {
  if (!isShown(approval)) return []
  const [item] = ask.items
  const options = listOptions(item).map(({ value }) => value)
  const isSpent = approval.shown.isCut === true || hasGivenKey(approval, reader)
  return decisions.filter((one) => options.includes(one) && (!isSpent || one === 'deny') && (isOperator(reader) || one !== 'always'))
}

export const hasGivenKey = ({ keysGiven }: ApprovalView, reader: Reader): boolean => reader !== null && keysGiven.includes(reader.name)

/** "Requested by Mia (owner, page). Reason: …." */
export const requestFacts = (approval: ApprovalView, own: ApprovalWords, language: Language): string =>
  requestSentence(approval, own, language, { name: withVisibleCharacters, text: withVisibleCharacters })

/** A name in a sentence that its reader did not write: the nameless owner is not "you" for every reader. */
export const personName = (name: string, own: ApprovalWords): string => (isNamelessOwner({ name }) ? own.theOwner : name)

/** "Mia or Ann". */
export const joinNames = (names: readonly string[], own: ApprovalWords, language: Language): string =>
  names.length === 0
    ? own.theOwner
    : new Intl.ListFormat(language, { type: 'disjunction' }).format(names.map((name) => personName(name, own)))

export const decisionLabel = (decision: ApprovalDecision, words: PageWords): string => words.approval.actions[decision].replace('…', '')

/** Scopes that "Allow in this chat" grants: the best one for each part of the call. */
export const bestScopes = ({ proposals }: ApprovalView): string[] =>
  proposals.flatMap(([best]) => (best ? [withVisibleCharacters(scopeWithFields(best))] : []))

/** A scope as it is granted, such as `tool(refund) (order=17, euros=20)`. */
export function scopeWithFields({ text, where = {} }: { text: string; where?: Readonly<Record<string, string>> }): string {
  const fields = Object.entries(where).map(([field, value]) => `${field}=${value}`)
  return fields.length === 0 ? text : `${text} (${fields.join(', ')})`
}
