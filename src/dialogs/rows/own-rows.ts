import type { QuestionAudience } from '../../authority/audience.ts'
import type { StoredBuildEvent } from '../../builds/rules/build-events.ts'
import type { DialogEvent } from '../rules/dialog-events.ts'
import type { ViewRow } from '../../ports/store.ts'

/**
 * Rows that say what belongs to whom. The group is the id of an author, so that a member's lists are read by it.
 *
 * | view       | one row for                                                     | key               | sort           |
 * |------------|-----------------------------------------------------------------|-------------------|----------------|
 * | own-dialog | each root in whose tree an author opened a dialog or spoke      | author, root      | when last      |
 * | own-build  | each build an author started                                    | author, build     | when started   |
 * | addressed  | each question and each author it is for; approvals: `approvers` | author, question  | when asked     |
 */
export const ownDialogView = 'own-dialog'
export const ownBuildView = 'own-build'
export const addressedView = 'addressed'

/** Stands for all approvers of the policy, who change with parley.yaml. */
export const anyApprover = 'approvers'

export type OwnRow = { id: string }

export const ownKey = (author: string, id: string): string => `${author} ${id}`

export const addressedGroup = (author: string, state: string): string => `${author} ${state}`

/** Only people and tokens read at the API. Everyone else is known by an id of their chat platform. */
const isReader = (author: string | undefined): author is string =>
  author !== undefined && (author.startsWith('person:') || author.startsWith('token:'))

const ownRow = (view: string, author: string, id: string, at: number): ViewRow => ({
  view,
  key: ownKey(author, id),
  group: author,
  sort: at,
  text: '',
  body: { id } satisfies OwnRow,
})

export function ownDialogRows(root: string, events: readonly DialogEvent[]): ViewRow[] {
  return events.flatMap((event) => {
    if (event.type !== 'dialog.opened' && event.type !== 'message.said') return []
    const { kind, id } = event.data.by
    return kind === 'human' && isReader(id) ? [ownRow(ownDialogView, id, root, event.at)] : []
  })
}

export function ownBuildRows(build: string, events: readonly StoredBuildEvent[]): ViewRow[] {
  return events.flatMap((event) => {
    const author = event.type === 'build.opened' ? event.data.author?.id : undefined
    return isReader(author) ? [ownRow(ownBuildView, author, build, event.at)] : []
  })
}

export function addressedRows(
  question: { id: string; state: string; askedAt: number },
  audience: QuestionAudience,
  isApproval: boolean,
): ViewRow[] {
  const ids = audience.kind === 'authors' ? audience.ids.filter(isReader) : []
  return [...(isApproval ? [anyApprover] : []), ...ids].map((author) => ({
    ...ownRow(addressedView, author, question.id, question.askedAt),
    group: addressedGroup(author, question.state),
  }))
}
