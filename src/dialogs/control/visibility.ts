import { mayDecide } from '../authority/audience.ts'
import { fill, words } from '../authority/authority-words.ts'
import type { Policy } from '../authority/policy.ts'
import { buildOfDialog, dialogOfBuild, isOfBuild } from '../build/build-dialog.ts'
import type { BuildSummary } from '../client/builds.ts'
import type { DialogSummary, Page, QuestionView } from '../client/wire.ts'
import type { DialogCommand } from '../dialog/decide.ts'
import type { DialogState } from '../dialog/state.ts'
import { ParleyError } from '../errors.ts'
import type { Store, ViewRow } from '../ports/store.ts'
import type { Visibility } from '../ports/visibility.ts'
import type { StreamHandler } from '../streams/stream-handler.ts'
import { buildView } from '../views/build-views.ts'
import { builderView, dialogView, questionView, sideView, stoppedFromAbove } from '../views/dialog-views.ts'
import { addressedGroup, addressedView, anyApprover, ownBuildView, ownDialogView, ownKey, type OwnRow } from '../views/own-views.ts'
import type { EmergencyControl } from './emergency.ts'

export const visibilityLimits = { page: 50, mostPage: 200, scanned: 1_000, levels: 1_000 } as const

type Parts = {
  store: Store
  dialogs: StreamHandler<DialogState, DialogCommand>
  emergency: EmergencyControl
  policy: () => Policy
}

const questionStates = ['open', 'answered', 'declined', 'cancelled', 'expired'] as const

/** Reads the rows of `own-views.ts`: one or two rows by key to check an id, one page by group to make a list. */
export function visibility({ store, dialogs, emergency, policy }: Parts): Visibility {
  const has = async (view: string, author: string, id: string): Promise<boolean> => (await store.row(view, ownKey(author, id))) !== null

  const rootOf = async (dialog: string): Promise<string> => (await store.row(sideView, dialog))?.group ?? dialog

  async function buildBehind(dialog: string): Promise<string | null> {
    const root = await rootOf(dialog)
    return isOfBuild(root) ? buildOfDialog(root) : null
  }

  /** Rows of one author, each read where it lives; what a filter leaves out is not counted, and the scan is bounded. */
  async function own<Item>(
    view: string,
    author: string,
    { limit = visibilityLimits.page, after }: { limit?: number | undefined; after?: string | undefined },
    load: (id: string) => Promise<ViewRow | null>,
    isWanted: (row: ViewRow) => boolean,
  ): Promise<Page<Item>> {
    const most = Math.min(limit, visibilityLimits.mostPage)
    const items: Item[] = []
    let last = after === undefined ? undefined : readCursor(after)
    for (let scanned = 0; scanned < visibilityLimits.scanned;) {
      const rows = await store.rows({ view, group: author, limit: most, ...beforeOf(author, last) })
      for (const row of rows) {
        last = placeOf(row)
        scanned += 1
        const found = await load(last.id)
        if (found && isWanted(found)) items.push(found.body as Item)
        if (items.length === most) return { items, next: cursorOf(last) }
      }
      if (rows.length < most) return { items, next: null }
    }
    return { items, next: last ? cursorOf(last) : null }
  }

  return {
    async ownsDialog(author, dialog) {
      const root = await rootOf(dialog)
      return isOfBuild(root) ? has(ownBuildView, author, buildOfDialog(root)) : has(ownDialogView, author, root)
    },
    ownsBuild: (author, build) => has(ownBuildView, author, build),
    isAddressed: (author, question) => has(addressedView, author, question),
    async dialogsOf(author, { of = 'people', search, status, ...page }) {
      const isWanted = wanted(search, status)
      const found =
        of === 'people'
          ? await own<DialogSummary>(ownDialogView, author, page, (id) => store.row(dialogView, id), isWanted)
          : await own<DialogSummary>(ownBuildView, author, page, (id) => store.row(builderView, dialogOfBuild(id)), isWanted)
      return { ...found, items: stoppedFromAbove(found.items, await emergency.current()) }
    },
    buildsOf: (author, { search, status, ...page }) =>
      own<BuildSummary>(ownBuildView, author, page, (id) => store.row(buildView, id), wanted(search, status)),
    async questionsFor(author, { state, limit = visibilityLimits.page, after }, isApprover) {
      const most = Math.min(limit, visibilityLimits.mostPage)
      const from = after === undefined ? undefined : readCursor(after)
      const pages = [author, ...(isApprover ? [anyApprover] : [])].flatMap((who) =>
        (state === undefined ? questionStates : [state]).map((one) =>
          store.rows({ view: addressedView, group: addressedGroup(who, one), limit: most + 1, ...beforeOf(who, from) }),
        ),
      )
      const places = (await Promise.all(pages)).flat().map(placeOf)
      // An approval may be addressed to its approver by name as well.
      const each = [...new Map(places.map((place) => [place.id, place])).values()].toSorted(newestFirst)
      const shown = each.slice(0, most)
      const last = shown.at(-1)
      const views = await Promise.all(shown.map(({ id }) => store.row(questionView, id)))
      return {
        items: views.flatMap((row) => (row ? [row.body as QuestionView] : [])),
        next: each.length > most && last ? cursorOf(last) : null,
      }
    },
    async isWithin(dialog, top) {
      let at: string | undefined = dialog
      for (let level = 0; at !== undefined && level < visibilityLimits.levels; level += 1) {
        if (at === top) return true
        at = ((await store.row(sideView, at))?.body as DialogSummary | undefined)?.origin?.parent
      }
      return false
    },
    buildBehind,
    async hiddenApprovals(dialog, author) {
      const state = await dialogs.load(dialog)
      const { people, approvers } = policy()
      return Object.values(state.questions).flatMap(({ question, call, approval, cause }) => {
        if (!approval) return []
        const terms = { ...approval, cause: cause ?? { by: [], role: approval.role, origin: 'message' as const } }
        if (author && 'role' in mayDecide('deny', author, terms, { people, approvers })) return []
        return [{ question, call, waiting: fill(words[state.language].status.requester, { name: approval.names.join(', ') }) }]
      })
    },
  }
}

function wanted(search: string | undefined, status: string | undefined): (row: ViewRow) => boolean {
  const part = search?.toLowerCase() ?? ''
  return ({ group, text }) => (status === undefined || group === status) && text.toLowerCase().includes(part)
}

/** Where a page ended. The author is not in it: names of people do not fit into an address. */
type Place = { sort: number; id: string }

const placeOf = ({ sort, body }: ViewRow): Place => ({ sort, id: (body as OwnRow).id })

const beforeOf = (author: string, place: Place | undefined): { before?: { sort: number; key: string } } =>
  place ? { before: { sort: place.sort, key: ownKey(author, place.id) } } : {}

const newestFirst = (a: Place, b: Place): number => b.sort - a.sort || (a.id < b.id ? 1 : -1)

const cursorOf = ({ sort, id }: Place): string => `${sort}~${id}`

function readCursor(cursor: string): Place {
  const mark = cursor.indexOf('~')
  const sort = Number(cursor.slice(0, mark))
  if (mark < 1 || !Number.isFinite(sort))
    throw new ParleyError('bad_request', { field: 'after', why: 'it is not the "next" of an earlier page' })
  return { sort, id: cursor.slice(mark + 1) }
}
