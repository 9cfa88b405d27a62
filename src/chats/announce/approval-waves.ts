import { listApprovers } from '../../authority/audience.ts'
import type { Policy } from '../../authority/policy.ts'
import type { Author } from '../../authority/roles.ts'
import type { OpenQuestion } from '../../dialogs/rules/dialog-state.ts'

const isNamed = ({ id }: Author, keys: readonly string[]): boolean => keys.some((key) => id === `person:${key}`)

/**
 * The people notified of an approval.
 *
 * | the rule says           | at once                    | after `escalate.after` |
 * |-------------------------|----------------------------|------------------------|
 * | nothing                 | all who may decide         | –                      |
 * | approvers               | those of them              | –                      |
 * | escalate                | all but `to`               | `to`                   |
 * | approvers and escalate  | the approvers              | `to`                   |
 *
 * People who are not notified may still decide on the page and in the terminal.
 */
export function notifiedFirst({ cause, approval }: OpenQuestion, policy: Policy): Author[] {
  if (!approval || !cause) return []
  const able = listApprovers({ cause, approvers: approval.approvers }, policy)
  const named = able.filter((author) => isNamed(author, approval.approvers))
  if (named.length > 0) return named
  const others = able.filter((author) => !isNamed(author, approval.escalate?.to ?? []))
  return others.length > 0 ? others : able
}

export function notifiedLater({ cause, approval }: OpenQuestion, policy: Policy): Author[] {
  if (!approval?.escalate || !cause) return []
  const { to } = approval.escalate
  return listApprovers({ cause, approvers: [...approval.approvers, ...to] }, policy).filter((author) => isNamed(author, to))
}
