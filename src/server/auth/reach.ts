import { can, type Principal } from './principal.ts'
import { isAtLeast } from '../../authority/roles.ts'
import { isBuildId } from '../../builds/rules/build-dialog.ts'
import type { QuestionView } from '../../shapes/wire.ts'
import type { Visibility } from '../../ports/visibility.ts'

/**
 * The ids a caller may see and change. The scopes of a token say which routes it may use, its role and its limit say for
 * what.
 *
 * | caller             | dialogs, builds          | questions                                               |
 * |--------------------|--------------------------|---------------------------------------------------------|
 * | owner, operator    | all                      | all                                                     |
 * | member and below   | their own                | in their own dialogs, addressed to them, to approve     |
 * | token with a limit | that one and those below | in that one and those below                             |
 */
export type Reach = {
  readonly isAll: boolean
  dialog(dialog: string): Promise<boolean>
  build(build: string): Promise<boolean>
  question(view: QuestionView): Promise<boolean>
  /** Of events. Streams that are neither a dialog nor a build are for those who reach everything. */
  stream(stream: string): Promise<boolean>
}

export function findReach(principal: Principal, visibility: Visibility): Reach {
  const { limit, author } = principal
  const isAll = !limit && isAtLeast(author.role, 'operator')
  const isApprover = can(principal, 'approve')

  async function dialog(id: string): Promise<boolean> {
    if (isAll) return true
    if (!limit) return visibility.ownsDialog(author.id, id)
    return 'dialog' in limit ? visibility.isWithin(id, limit.dialog) : (await visibility.buildBehind(id)) === limit.build
  }

  async function build(id: string): Promise<boolean> {
    if (isAll) return true
    return limit ? 'build' in limit && limit.build === id : visibility.ownsBuild(author.id, id)
  }

  async function question(view: QuestionView): Promise<boolean> {
    if (await dialog(view.dialog)) return true
    if (limit) return false
    if (await visibility.isAddressed(author.id, view.id)) return true
    if (!view.approval || !isApprover) return false
    return view.state !== 'open' || !(await visibility.hiddenApprovals(view.dialog, author)).some((one) => one.question === view.id)
  }

  return {
    isAll,
    dialog,
    build,
    question,
    async stream(id) {
      if (isAll) return true
      return isBuildId(id) ? build(id) : id.startsWith('dlg_') && dialog(id)
    },
  }
}
