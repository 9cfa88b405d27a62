import type { Author } from '../authority/roles.ts'
import type { BuildSummary } from '../client/builds.ts'
import type { DialogSummary, Page, QuestionView, TokenLimit } from '../shapes/wire.ts'
import type { QuestionOutcome } from '../dialogs/rules/question.ts'

export type OwnQuery = {
  search?: string | undefined
  status?: string | undefined
  limit?: number | undefined
  after?: string | undefined
}

/** An open approval whose arguments are hidden. `waiting` is the line that is shown instead. */
export type HiddenApproval = { question: string; call: string | null; waiting: string }

/** Facts of the store that say what one caller may see. Authors are named by their id. */
export type Visibility = {
  /** The author opened a dialog or spoke in the tree of this one, or started the build that the tree works on. */
  ownsDialog(author: string, dialog: string): Promise<boolean>
  ownsBuild(author: string, build: string): Promise<boolean>
  isAddressed(author: string, question: string): Promise<boolean>
  /** Those the author spoke in last first. A page may be short although more follow: only `next` says so. */
  dialogsOf(
    author: string,
    query: OwnQuery & { of?: 'people' | 'builds' | undefined; pinned?: boolean | undefined; archived?: boolean | undefined },
  ): Promise<Page<DialogSummary>>
  buildsOf(author: string, query: OwnQuery): Promise<Page<BuildSummary>>
  /** Questions addressed to the author; with `isApprover`, approvals as well. */
  questionsFor(
    author: string,
    query: { state?: 'open' | QuestionOutcome | undefined; limit?: number | undefined; after?: string | undefined },
    isApprover: boolean,
  ): Promise<Page<QuestionView>>
  /** Roots of the trees this author, or a token with this limit, may read: the latest first, a bounded number. */
  rootsOf(reader: string | TokenLimit): Promise<readonly string[]>
  /** True for `top` itself and every dialog below it. */
  isWithin(dialog: string, top: string): Promise<boolean>
  /** The build whose agent works in the tree of this dialog; null for the others. */
  buildBehind(dialog: string): Promise<string | null>
  /** Open approvals of the dialog that this author may not decide; null for a caller who may decide none. */
  hiddenApprovals(dialog: string, author: Author | null): Promise<readonly HiddenApproval[]>
}
