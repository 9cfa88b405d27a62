import { mayDecide } from '../../authority/audience.ts'
import { fill } from '../../authority/authority-words.ts'
import type { Language } from '../../shapes/language.ts'
import { authorityWords, messagingWords } from '../../words/index.ts'
import type { Policy } from '../../authority/policy.ts'
import { buildOfDialog, dialogOfBuild, isOfBuild } from '../../builds/rules/build-dialog.ts'
import type { BuildSummary } from '../../client/builds.ts'
import { type Cursor, type Page, type PageRequest, pageSize, readCursor, writeCursor } from '../../shapes/paging.ts'
import type { DialogSummary, QuestionView } from '../../shapes/wire.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { DialogState } from '../rules/dialog-state.ts'
import type { Store, ViewRow } from '../../ports/store.ts'
import type { Visibility } from '../../ports/visibility.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import { buildView } from '../../builds/rows/build-rows.ts'
import { builderView, dialogView, isOnShelf, pinnedSort, questionView, sideView, stoppedFromAbove } from '../rows/dialog-rows.ts'
import { addressedGroup, addressedView, anyApprover, ownBuildView, ownDialogView, ownKey, type OwnRow } from '../rows/own-rows.ts'
import type { EmergencyControl } from './emergency-control.ts'

export const visibilityLimits = {
  scanned: 1_000,
  levels: 1_000,
  /** Trees that one search of a member looks through, the latest. */
  roots: 1_000,
} as const

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

  const findRoot = async (dialog: string): Promise<string> => (await store.row(sideView, dialog))?.group ?? dialog

  async function buildBehind(dialog: string): Promise<string | null> {
    const root = await findRoot(dialog)
    return isOfBuild(root) ? buildOfDialog(root) : null
  }

  /** Rows of one author, each read where it lives; what a filter leaves out is not counted, and the scan is bounded. */
  async function own<Item>(
    view: string,
    author: string,
    { limit, after }: PageRequest,
    load: (id: string) => Promise<ViewRow | null>,
    isWanted: (row: ViewRow) => boolean,
  ): Promise<Page<Item>> {
    const most = pageSize(limit)
    const items: Item[] = []
    let last = readCursor(after)
    for (let scanned = 0; scanned < visibilityLimits.scanned;) {
      const rows = await store.rows({ view, group: author, limit: most, ...getBefore(author, last) })
      for (const row of rows) {
        last = readOwnRow(row)
        scanned += 1
        const lastRoot = await load(last.key)
        if (lastRoot && isWanted(lastRoot)) items.push(lastRoot.body as Item)
        if (items.length === most) return { items, next: writeCursor(last) }
      }
      if (rows.length < most) return { items, next: null }
    }
    return { items, next: last ? writeCursor(last) : null }
  }

  /** Few dialogs are pinned, so that those of others can be passed over. A cursor above every date is among them. */
  async function ownPinnedFirst(author: string, page: PageRequest, isWanted: (row: ViewRow) => boolean): Promise<Page<DialogSummary>> {
    const most = pageSize(page.limit)
    const items: DialogSummary[] = []
    let last = readCursor(page.after)
    for (let scanned = 0; last === undefined || last.sort >= pinnedSort;) {
      const rows = await store.rows({ view: dialogView, limit: most, ...(last ? { before: last } : {}) })
      for (const row of rows) {
        if (row.sort < pinnedSort) break
        last = { sort: row.sort, key: row.key }
        scanned += 1
        if (isWanted(row) && (await has(ownDialogView, author, row.key))) items.push(row.body as DialogSummary)
        if (items.length === most) return { items, next: writeCursor(last) }
      }
      if (rows.length < most || (rows.at(-1)?.sort ?? 0) < pinnedSort) break
      if (scanned >= visibilityLimits.scanned) return { items, next: last ? writeCursor(last) : null }
    }
    const after = last && last.sort < pinnedSort ? page.after : undefined
    const isUnpinned = (row: ViewRow): boolean => row.sort < pinnedSort && isWanted(row)
    const rest = await own<DialogSummary>(
      ownDialogView,
      author,
      { limit: most - items.length, after },
      (id) => store.row(dialogView, id),
      isUnpinned,
    )
    return { items: [...items, ...rest.items], next: rest.next }
  }

  return {
    async ownsDialog(author, dialog) {
      const root = await findRoot(dialog)
      return isOfBuild(root) ? has(ownBuildView, author, buildOfDialog(root)) : has(ownDialogView, author, root)
    },
    ownsBuild: (author, build) => has(ownBuildView, author, build),
    isAddressed: (author, question) => has(addressedView, author, question),
    async dialogsOf(author, { of = 'people', search, status, pinned, archived, ...page }) {
      const matches = wanted(search, status)
      const isWanted = (row: ViewRow): boolean => matches(row) && isOnShelf(row.body, { pinned, archived })
      const isVisible =
        of === 'people'
          ? await ownPinnedFirst(author, page, isWanted)
          : await own<DialogSummary>(ownBuildView, author, page, (id) => store.row(builderView, dialogOfBuild(id)), isWanted)
      return { ...isVisible, items: stoppedFromAbove(isVisible.items, await emergency.current()) }
    },
    buildsOf: (author, { search, status, ...page }) =>
      own<BuildSummary>(ownBuildView, author, page, (id) => store.row(buildView, id), wanted(search, status)),
    async questionsFor(author, { state, limit, after }, isApprover) {
      const most = pageSize(limit)
      const from = readCursor(after)
      const pages = [author, ...(isApprover ? [anyApprover] : [])].flatMap((who) =>
        (state === undefined ? questionStates : [state]).map((one) =>
          store.rows({ view: addressedView, group: addressedGroup(who, one), limit: most + 1, ...getBefore(who, from) }),
        ),
      )
      const cursors = (await Promise.all(pages)).flat().map(readOwnRow)
      // An approval may be addressed to its approver by name as well.
      const each = [...new Map(cursors.map((cursor) => [cursor.key, cursor])).values()].toSorted(newestFirst)
      const visibleRows = each.slice(0, most)
      const last = visibleRows.at(-1)
      const views = await Promise.all(visibleRows.map(({ key }) => store.row(questionView, key)))
      return {
        items: views.flatMap((row) => (row ? [row.body as QuestionView] : [])),
        next: each.length > most && last ? writeCursor(last) : null,
      }
    },
    async rootsOf(reader) {
      if (typeof reader !== 'string') return ['dialog' in reader ? await findRoot(reader.dialog) : dialogOfBuild(reader.build)]
      const { roots } = visibilityLimits
      const [opened, started] = await Promise.all(
        [ownDialogView, ownBuildView].map((view) => store.rows({ view, group: reader, limit: roots })),
      )
      const all = [
        ...(opened ?? []).map(({ sort, body }) => ({ sort, root: (body as OwnRow).id })),
        ...(started ?? []).map(({ sort, body }) => ({ sort, root: dialogOfBuild((body as OwnRow).id) })),
      ]
      return all
        .toSorted((a, b) => b.sort - a.sort)
        .slice(0, roots)
        .map(({ root }) => root)
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
        return [
          {
            question,
            call,
            waiting: fill(authorityWords[state.language].status.requester, { name: waitingFor(approval.names, state.language) }),
          },
        ]
      })
    },
  }
}

const waitingFor = (names: readonly string[], language: Language): string =>
  names.map((name) => (name === 'owner' ? messagingWords[language].theOwner : name)).join(', ')

function wanted(search: string | undefined, status: string | undefined): (row: ViewRow) => boolean {
  const part = search?.toLowerCase() ?? ''
  return ({ group, text }) => (status === undefined || group === status) && text.toLowerCase().includes(part)
}

/** The cursor has the id of the row without its author: names of people do not fit into an address. */
const readOwnRow = ({ sort, body }: ViewRow): Cursor => ({ sort, key: (body as OwnRow).id })

const getBefore = (author: string, cursor: Cursor | undefined): { before?: Cursor } =>
  cursor ? { before: { sort: cursor.sort, key: ownKey(author, cursor.key) } } : {}

const newestFirst = (a: Cursor, b: Cursor): number => b.sort - a.sort || (a.key < b.key ? 1 : -1)
