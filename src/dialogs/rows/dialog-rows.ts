import { isOfBuild } from '../../builds/rules/build-dialog.ts'
import { isPeerDialog } from '../rules/peer-dialog.ts'
import type { ApprovalView, DialogDetail, DialogSummary, FailureView, GrantView, QuestionView, StopView } from '../../shapes/wire.ts'
import { type Approval, type GrantState, type ShownCall } from '../rules/approval.ts'
import type { DialogEvent, Spent } from '../rules/dialog-events.ts'
import { type ClosedQuestion, type DialogState, type OpenQuestion, getStatus, retiredState } from '../rules/dialog-state.ts'
import { approvalView, ownStop, questionParts } from '../rules/question-view.ts'
import { eventAuthor } from '../rules/event-author.ts'
import { describeError } from '../../errors.ts'
import type { Store, Unit, ViewRow } from '../../ports/store.ts'
import { limitRow } from './budget-rows.ts'
import { fileRows } from './file-rows.ts'
import { addressedRows, ownDialogRows } from './own-rows.ts'

/** The rows people's lists are read from. Written with the events they follow from, and equal to a fold from zero. */
export const dialogView = 'dialog'
export const questionView = 'question'
export const sideView = 'side'
/** Roots in which an agent works on a build: no person talks there, so they are not among people's dialogs. */
export const builderView = 'builder'

/** Dialogs of agents that talk with agents of other owners, by their id. */
export const peerView = 'peer-dialog'

export const approvalRowView = 'approval'

export type ApprovalRow = {
  question: string
  dialog: string
  agent: string
  kind: ShownCall['kind']
  requesters: readonly string[]
  isDropped?: true
}

/** Grants, by their id; the group is the agent they serve. */
export const grantView = 'grant'

export const rootView = (dialog: string): string => (isOfBuild(dialog) ? builderView : isPeerDialog(dialog) ? peerView : dialogView)

/** Dialogs whose failure waits for a person, by their id. */
export const failureView = 'failure'

/** A failure that the inbox shows. */
const shownFailure = ({ failure, rest, isDead }: DialogState): DialogState['failure'] =>
  rest !== 'failed' || isDead || failure?.isGivenUp ? null : failure

/** The failure of this dialog as the inbox shows it; a row without a body removes one; null changes nothing. */
function failureRow(dialog: string, state: DialogState, before: DialogState): NonNullable<Unit['rows']>[number] | null {
  const { origin, agent, title } = state
  const root = origin?.root ?? dialog
  // Their own people are told: those of the build, and the owner by the conversation's report.
  if (isOfBuild(root) || isPeerDialog(root)) return null
  const failure = shownFailure(state)
  if (failure === null) return shownFailure(before) === null ? null : { view: failureView, key: dialog, body: null }
  const { code, details, at, isTold, replyDueAt } = failure
  const body: FailureView = {
    dialog,
    root,
    agent,
    title,
    error: describeError(code, details),
    at,
    isSide: origin !== null,
    canRetry: origin === null || !isTold,
    isTold: isTold ?? false,
    replyDueAt: isTold ? null : (replyDueAt ?? null),
  }
  return { view: failureView, key: dialog, group: 'open', sort: at, text: `${title}\n${agent}`, body }
}

export function rowsFor(
  dialog: string,
  events: readonly DialogEvent[],
  after: DialogState,
  before: DialogState,
): NonNullable<Unit['rows']> {
  if (after.isDeleted) return [rootView(dialog), sideView].map((view) => ({ view, key: dialog, body: null }))
  const touched = new Set<string>()
  const grants = new Set<string>()
  for (const event of events) {
    if (event.type === 'dialog.titled') for (const question of Object.keys(after.questions)) touched.add(question)
    if (event.type === 'answer.taken' || event.type === 'answer.withdrawn' || isAboutQuestion(event)) touched.add(event.data.question)
    if (event.type === 'approval.key-given') touched.add(event.data.question)
    if (event.type === 'grant.made') grants.add(event.data.grant.grant)
    if (event.type === 'grant.ended') grants.add(event.data.grant)
  }
  const rows: NonNullable<Unit['rows']>[number][] = [
    ...(isSameSummary(before, after) ? [] : [rowOfDialog(dialog, after)]),
    ...ownDialogRows(after.origin?.root ?? dialog, events),
    ...fileRows(dialog, events),
  ]
  const failure = failureRow(dialog, after, before)
  if (failure) rows.push(failure)
  for (const grant of grants) {
    const grantState = after.grants.find((one) => one.grant === grant)
    if (grantState) rows.push(grantRow(dialog, grantState))
  }
  for (const question of touched) {
    const open = after.questions[question]
    const undoable = after.undoable[question]
    const closed = undoable ?? after.closed[question]
    const view = open ? openView(dialog, after, open) : closed ? closedView(dialog, after, closed, undoable?.until) : null
    const questionState = open ?? closed?.asked
    if (view && questionState) rows.push(questionRow(view), ...addressedRows(view, questionState.audience, questionState.approval !== null))
    const limit = questionState && limitRow(dialog, questionState, open !== undefined)
    if (limit) rows.push(limit)
    if (questionState?.approval) rows.push(approvalRow(dialog, after.agent, questionState, questionState.approval, closed?.end ?? null))
  }
  return rows
}

type QuestionEvent = Extract<DialogEvent, { type: `question.${string}` }>

const isAboutQuestion = (event: DialogEvent): event is QuestionEvent => event.type.startsWith('question.')

/** Everything that the dialogs of a tree have spent. */
export async function spentInTree(store: Store, root: string): Promise<Spent> {
  const own = await store.row(rootView(root), root)
  const bodies = own ? [own.body] : []
  for (let before: { sort: number; key: string } | undefined; ;) {
    const sides = await store.rows({ view: sideView, group: root, limit: 500, ...(before ? { before } : {}) })
    bodies.push(...sides.map(({ body }) => body))
    const last = sides.at(-1)
    if (!last || sides.length < 500) break
    before = { sort: last.sort, key: last.key }
  }
  const costs = bodies.map((body) => (body as { spent?: Spent }).spent ?? { tokens: 0, money: 0 })
  return costs.reduce((sum, { tokens, money }) => ({ tokens: sum.tokens + tokens, money: sum.money + money }), { tokens: 0, money: 0 })
}

export const toSummary = (dialog: string, state: DialogState): DialogSummary => ({
  id: dialog,
  agent: state.agent,
  title: state.title,
  status: getStatus(state),
  openQuestions: Object.keys(state.questions).length,
  preview: state.preview,
  language: state.language,
  openedAt: state.openedAt,
  updatedAt: state.updatedAt,
  origin: state.origin,
  ...(state.isPinned ? { isPinned: true as const } : {}),
  ...(state.isArchived ? { isArchived: true as const } : {}),
  // Absent where nothing is stopped, so that rows of 0.1 stay equal to their fold.
  ...withOwnStop(dialog, state),
  course: state.course,
  spent: state.spent,
  pending: Object.values(state.pending).map(({ tellask, to, agent, session, at }) => ({ tellask, to, agent, session, at })),
})

/** A list leaves out what is archived, unless it is asked for that. */
export const isOnShelf = (
  { isPinned, isArchived }: Pick<DialogSummary, 'isPinned' | 'isArchived'>,
  { pinned, archived = false }: { pinned?: boolean | undefined; archived?: boolean | undefined },
): boolean => (isArchived ?? false) === archived && (pinned === undefined || (isPinned ?? false) === pinned)

/** Everything that `toSummary` reads. States share what did not change between them. */
const isSameSummary = (before: DialogState, after: DialogState): boolean =>
  before.seq > 0 &&
  before.updatedAt === after.updatedAt &&
  before.agent === after.agent &&
  before.title === after.title &&
  before.isPinned === after.isPinned &&
  before.isArchived === after.isArchived &&
  before.preview === after.preview &&
  before.language === after.language &&
  before.openedAt === after.openedAt &&
  before.origin === after.origin &&
  before.course === after.course &&
  before.spent === after.spent &&
  before.pending === after.pending &&
  before.questions === after.questions &&
  before.latch === after.latch &&
  before.held === after.held &&
  getStatus(before) === getStatus(after)

function withOwnStop(dialog: string, state: DialogState): { stop?: StopView } {
  const stop = ownStop(dialog, state)
  return stop ? { stop } : {}
}

/** A dialog that only waits for its turn is shown as stopped. */
export const withStop = <Item extends DialogSummary>(item: Item, stop: StopView): Item => ({
  ...item,
  stop,
  status: item.status === 'working' ? 'stopped' : item.status,
})

/** Adds the stops that other dialogs of the list, or the emergency stop, put on these. */
export function stoppedFromAbove(items: readonly DialogSummary[], emergency: { by: string; at: number } | null): DialogSummary[] {
  if (emergency) return items.map((item) => withStop(item, { ...emergency, in: null }))
  const byId = new Map(items.map((item) => [item.id, item]))
  return items.map((item) => {
    let stop = item.stop
    let above = item.origin ? byId.get(item.origin.parent) : undefined
    for (let level = 0; above && level < items.length; level += 1) {
      if (above.stop?.in === above.id) stop = above.stop
      above = above.origin ? byId.get(above.origin.parent) : undefined
    }
    return stop ? { ...item, stop } : item
  })
}

export const getDetail = (dialog: string, state: DialogState): DialogDetail => ({
  ...toSummary(dialog, state),
  head: state.seq,
  turns: state.turns,
  failure: state.failure && {
    ...describeError(state.failure.code, state.failure.details),
    at: state.failure.at,
    retryAt: state.failure.retryAt,
  },
  questions: [
    ...Object.values(state.questions).map((open) => openView(dialog, state, open)),
    ...Object.values(state.undoable).map((given) => closedView(dialog, state, given, given.until)),
  ],
  reminders: state.reminders.map(({ reminder, text }) => ({ id: reminder, text })),
  ...(state.taskdoc === null ? {} : { taskdoc: state.taskdoc }),
  ...(state.model === null ? {} : { model: state.model }),
  health: state.health,
  usage: state.tokens,
})

/** Pinned dialogs stand above every date, so that lists and their pages begin with them. */
export const pinnedSort = 1e15

/** One row each: roots in the list people see, side dialogs below their root in the order they were opened. */
function rowOfDialog(dialog: string, state: DialogState): ViewRow {
  // The same row, whether the events of a retired dialog are gone or have been put back.
  const body = toSummary(dialog, state.retired ? retiredState(state.retired) : state)
  const text = `${body.title}\n${body.agent}\n${body.preview}`
  if (state.origin !== null) return { view: sideView, key: dialog, group: state.origin.root, sort: body.openedAt, text, body }
  const sort = body.updatedAt + (body.isPinned ? pinnedSort : 0)
  return { view: rootView(dialog), key: dialog, group: body.status, sort, text, body }
}

function grantRow(dialog: string, state: GrantState): ViewRow {
  const { grant, scope, agent, tool, madeAt, by, via, question: _, ...rest } = state
  const body: GrantView = { ...rest, id: grant, agent, tool, scope, madeIn: dialog, madeAt, by: eventAuthor(by, via), via }
  return { view: grantView, key: grant, group: agent, sort: madeAt, text: `${agent}\n${tool}\n${scope}`, body }
}

const questionRow = (body: QuestionView): ViewRow => ({
  view: questionView,
  key: body.id,
  group: body.state,
  sort: body.askedAt,
  text: `${body.ask.text}\n${body.dialogTitle}`,
  body,
})

/** Few of many open questions are approvals, and the gate looks for these alone. */
function approvalRow(
  dialog: string,
  agent: string,
  { question, askedAt, cause }: OpenQuestion,
  { shown: { kind } }: Approval,
  end: ClosedQuestion | null,
): ViewRow {
  const body: ApprovalRow = {
    question,
    dialog,
    agent,
    kind,
    requesters: (cause?.by ?? []).map(({ id }) => id),
    ...(end?.outcome === 'cancelled' && end.why === 'mind-cleared' && { isDropped: true }),
  }
  const isAllowed = end?.decision !== undefined && end.decision !== 'deny'
  const group = end === null ? 'open' : isAllowed ? 'allowed' : 'closed'
  return { view: approvalRowView, key: question, group, sort: askedAt, text: '', body }
}

const openView = (dialog: string, state: DialogState, open: OpenQuestion): QuestionView => ({
  id: open.question,
  dialog,
  dialogTitle: state.title,
  // The runtime asks for an approval on behalf of the agent of the dialog.
  agent: open.approval ? state.agent : open.by.name,
  state: 'open',
  ask: open.ask,
  askedAt: open.askedAt,
  expiresAt: open.expiresAt,
  ...questionParts(open),
  closed: null,
})

const closedView = (
  dialog: string,
  state: DialogState,
  { asked, end }: { asked: OpenQuestion; end: ClosedQuestion },
  undoUntil: number | undefined,
): QuestionView => ({
  ...openView(dialog, state, asked),
  state: end.outcome,
  ...(asked.approval ? { approval: { ...approvalView(asked, asked.approval), ...getDecision(end) } } : {}),
  closed: {
    at: end.at,
    by: end.by,
    via: end.via,
    answers: end.answers,
    reason: end.reason,
    ...(end.why && { why: end.why }),
    ...(undoUntil !== undefined && { undoUntil }),
  },
})

const getDecision = ({ decision, note }: ClosedQuestion): Pick<ApprovalView, 'decision' | 'note'> => ({
  ...(decision === undefined ? {} : { decision }),
  ...(note === undefined ? {} : { note }),
})
