import { type Cause, listCausers } from './cause.ts'
import { authorOfPerson, currentRole, isSamePerson, ownerId } from './people.ts'
import type { Policy } from './policy.ts'
import { type Author, isAtLeast, type Role } from './roles.ts'

export const approvalDecisions = ['once', 'chat', 'always', 'deny'] as const
export type ApprovalDecision = (typeof approvalDecisions)[number]

/** The facts of an open approval that say who may decide it. */
export type ApprovalTerms = { cause: Cause; keys: number; approvers: readonly string[]; onceOnly: boolean; irreversible: boolean }

export type Refused = { refused: 'not-an-approver' | 'caused-it' | 'same-person' | 'not-a-person' | 'always-not-yours' | 'not-offered' }

/**
 * Whether this author may give this decision now. The role is read again at that moment, not taken from the question.
 *
 * | who | may decide |
 * |---|---|
 * | owner | always, also what they caused |
 * | operator, listed member | unless they are in `by` or in `writers` |
 * | several keys | distinct persons; of those who caused it at most one, and only an owner |
 * | always | owner and operator |
 * | deny | each person who may decide; one is enough |
 */
export function mayDecide(
  decision: ApprovalDecision,
  given: Author,
  terms: ApprovalTerms,
  policy: Pick<Policy, 'people' | 'approvers'>,
  keysGiven: readonly Author[] = [],
): { role: Role } | Refused {
  const author = { ...given, role: currentRole(given, policy.people) }
  const isListed = [...policy.approvers, ...terms.approvers].some((key) => author.id === `person:${key}`)
  const canApprove = isAtLeast(author.role, 'operator') || (isListed && isAtLeast(author.role, 'member'))
  if (!canApprove) return { refused: 'not-an-approver' }
  const causers = listCausers(terms.cause)
  const isCause = (one: Author): boolean => causers.some((by) => isSamePerson(by, one))
  if (author.role !== 'owner' && isCause(author)) return { refused: 'caused-it' }
  if (decision === 'always' && !isAtLeast(author.role, 'operator')) return { refused: 'always-not-yours' }
  if ((decision === 'always' || decision === 'chat') && terms.onceOnly) return { refused: 'not-offered' }
  if (decision === 'always' && terms.irreversible) return { refused: 'not-offered' }
  if (decision === 'deny' || terms.keys <= 1) return { role: author.role }
  // A token names no person, so two of them could belong to one.
  if (!author.id.startsWith('person:')) return { refused: 'not-a-person' }
  if (keysGiven.some((key) => isSamePerson(key, author))) return { refused: 'same-person' }
  if (isCause(author) && keysGiven.some(isCause)) return { refused: 'caused-it' }
  return { role: author.role }
}

/** People who could decide now, for "Waiting for {name}" and for notifications. The terminal stands for an owner if none is listed. */
export function listApprovers(
  terms: Pick<ApprovalTerms, 'cause' | 'approvers'>,
  { people, approvers }: Pick<Policy, 'people' | 'approvers'>,
): Author[] {
  const listed = new Set([...approvers, ...terms.approvers])
  const causers = listCausers(terms.cause)
  const able = people
    .filter(({ key, role }) => isAtLeast(role, 'operator') || (listed.has(key) && isAtLeast(role, 'member')))
    .map(authorOfPerson)
    .filter((author) => author.role === 'owner' || !causers.some((by) => isSamePerson(by, author)))
  return able.some(({ role }) => role === 'owner') ? able : [{ id: ownerId, name: 'owner', role: 'owner' }, ...able]
}

/** The actions a card offers, in order. An irreversible call puts Deny first and has no "always". */
export function offeredDecisions(author: Author, terms: ApprovalTerms, policy: Pick<Policy, 'people' | 'approvers'>): ApprovalDecision[] {
  const order: readonly ApprovalDecision[] = terms.irreversible ? ['deny', 'once', 'chat'] : approvalDecisions
  return order.filter((decision) => 'role' in mayDecide(decision, author, terms, policy))
}

/** The people who may answer an ordinary question: the authors of the turn, the owner, or everyone in the group. */
export type QuestionAudience = { kind: 'authors'; ids: readonly string[] } | { kind: 'owner' } | { kind: 'everyone' }

/** Questions of 0.1 name no audience. */
export const ownerAudience: QuestionAudience = { kind: 'owner' }

export function questionAudience({ by, origin }: Cause, to?: 'owner' | 'everyone', isInGroup = false): QuestionAudience {
  if (to === 'everyone' && isInGroup) return { kind: 'everyone' }
  // A plugin answers no questions.
  if (to === 'owner' || origin === 'peer' || by.every(({ id }) => id.startsWith('plugin:'))) return ownerAudience
  return { kind: 'authors', ids: by.map(({ id }) => id) }
}

/**
 * Owners and operators may always answer. The answer gives no authority: no gate reads it. `author` has the role of this
 * moment; surfaces look it up with every request.
 */
export function mayAnswer({ id, role }: Author, audience: QuestionAudience): boolean {
  if (isAtLeast(role, 'operator')) return true
  if (audience.kind === 'everyone') return role !== 'peer'
  return audience.kind === 'authors' && audience.ids.includes(id)
}
