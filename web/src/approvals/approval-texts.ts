import type { ApprovalView, Language, QuestionView } from '../../../src/client/wire.ts'
import { handleName, ownerNames } from '../chat/author.ts'
import { isOperator, type Reader } from '../link/reader.ts'
import type { Words } from '../words/en.ts'
import type { ApprovalWords } from './approval-words.ts'
import { withVisibleCharacters } from './visible-characters.ts'

export type ApprovalDecision = NonNullable<ApprovalView['decision']>

/** The part of a question that a card shows; `approval` is missing for a reader who may not see the call. */
export type ApprovalQuestion = Pick<QuestionView, 'id' | 'dialog' | 'agent' | 'ask' | 'approval'>

/** The server hides the call from readers who may not decide about it; the log then has an empty text. */
export const isShown = (approval: ApprovalView | undefined): approval is ApprovalView =>
  approval !== undefined && !approval.isHidden && approval.shown.text !== ''

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
  const options = item?.kind === 'choice' ? item.options.map(({ value }) => value) : []
  const isSpent = approval.shown.isCut === true || (reader !== null && approval.keysGiven.includes(reader.name))
  return decisions.filter((one) => options.includes(one) && (!isSpent || one === 'deny') && (isOperator(reader) || one !== 'always'))
}

/** The heading in the reader's language. */
export function approvalTitle({ agent, approval }: ApprovalQuestion, own: ApprovalWords): string {
  if (!isShown(approval)) return own.asks(handleName(agent))
  const { kind, target, server } = approval.shown
  return withVisibleCharacters(own.title[kind](handleName(agent), target, server))
}

/** "Requested by Mia (owner, page). Reason: …." */
export function requestFacts({ requesters, because }: ApprovalView, own: ApprovalWords, language: Language): string {
  const people = requesters.map(({ id, name, role, via }) =>
    own.person(personName(name, own), own.roles[role], surfaceName(via ?? surfaceOfId(id), own)),
  )
  const list = new Intl.ListFormat(language, { type: 'conjunction' }).format(people) || own.theOwner
  return withVisibleCharacters(own.facts(list, because.replace(/[.。]$/, '')))
}

/** Ids of people say nothing about where they wrote. */
const surfaceOfId = (id: string): string => (/^(?:person|plugin|peer|unknown):/.test(id) ? '' : id.replace(/:.*$/s, ''))

export const surfaceName = (via: string, own: ApprovalWords): string => own.surfaces[via] ?? handleName(via)

/** A name in a sentence that its reader did not write: the nameless owner is not "you" for everybody. */
export const personName = (name: string, own: ApprovalWords): string => (ownerNames.has(name) ? own.theOwner : handleName(name))

/** "Mia or Ann". */
export const anyOf = (names: readonly string[], own: ApprovalWords, language: Language): string =>
  names.length === 0
    ? own.theOwner
    : new Intl.ListFormat(language, { type: 'disjunction' }).format(names.map((name) => personName(name, own)))

export const decisionLabel = (decision: ApprovalDecision, words: Words): string => words.approval.actions[decision].replace('…', '')

/** Scopes that "Allow in this chat" grants: the best one for each part of the call. */
export const bestScopes = ({ proposals }: ApprovalView): string[] =>
  proposals.flatMap(([best]) => (best ? [withVisibleCharacters(best.text)] : []))
