import type { DeltaView, DialogDetail, DialogSummary, EventView, FailureView, QuestionView } from '../shapes/wire.ts'
import { type Page, type PageRequest, pageSize, readCursor, writeCursor } from '../shapes/paging.ts'
import type { EmergencyControl } from './control/emergency-control.ts'
import { latchOver } from './control/latches.ts'
import type { MessageFiles } from './control/message-files.ts'
import { withoutPrompt } from './control/shown-event.ts'
import { branching } from './control/branch-dialog.ts'
import { treeDeletion } from './control/delete-tree.ts'
import { taskdocNouns } from './control/task-documents.ts'
import { treeControl } from './control/tree-control.ts'
import { mayAnswer } from '../authority/audience.ts'
import { listTappable, type TappableControl } from '../chats/message/tappable.ts'
import type { DialogEvent } from './rules/dialog-events.ts'
import type { NoteCommand } from './rules/decide-talk.ts'
import type { DialogCommand } from './rules/decide-dialog.ts'
import type { Answers } from './rules/question.ts'
import { newestFirst, onePerBudget } from './rules/question-order.ts'
import type { DialogState } from './rules/dialog-state.ts'
import { defaultPolicy, type Policy } from '../authority/policy.ts'
import { giveUpFailure } from './control/give-up-failure.ts'
import { showPushes, withPush } from './control/pushes.ts'
import { settleRaised } from './control/covered-limits.ts'
import { approvals } from './control/approvals.ts'
import { listGrants } from './control/gate-facts.ts'
import { policyReader } from './control/policy-reader.ts'
import { eventAuthor } from './rules/event-author.ts'
import { isAtLeast } from '../authority/roles.ts'
import type { Drafts } from './driver/drafts.ts'
import { ParleyError } from '../errors.ts'
import type { Team } from '../ports/agent-runtime.ts'
import type { Clock } from '../ports/clock.ts'
import type { Hooks } from '../ports/hooks.ts'
import type { Ids } from '../ports/ids.ts'
import type { Caller, Parley } from '../shapes/parley.ts'
import type { Store } from '../ports/store.ts'
import { asking, askingAll, isRepeatedBy } from '../streams/asking.ts'
import { feed } from '../streams/feed.ts'
import { mapIterator } from '../streams/map-iterator.ts'
import type { StreamHandler } from '../streams/stream-handler.ts'
import {
  builderView,
  failureView,
  getDetail,
  isOnShelf,
  dialogView,
  questionView,
  rootView,
  sideView,
  stoppedFromAbove,
  withStop,
} from './rows/dialog-rows.ts'

export const listLimits = {
  inbox: 200,
  tree: 5_000,
  eventsPage: 1_000,
  eventsPageBytes: 100_000,
  gatherChangesMs: 50,
  levels: 1_000,
  /** Rows that one page looks at where a filter leaves some out. */
  scanned: 5_000,
} as const

type Parts = {
  store: Store
  dialogs: StreamHandler<DialogState, DialogCommand>
  team: Team
  drafts: Drafts
  messageFiles: MessageFiles
  emergency: EmergencyControl
  clock: Clock
  ids: Ids
  policy?: (() => Policy) | undefined
  /** Called after an answer that made grants for an agent. */
  /** Settles open approvals that new grants of this agent cover; resolves with how many were allowed. */
  onGrants?: (agent: string) => Promise<number>
  saidInDialog?: Hooks['saidInDialog']
}

/** The nouns of Parley over a store: the library's face, and what the HTTP API is a door to. */
export function parleyOver({
  store,
  dialogs,
  team,
  drafts,
  messageFiles,
  emergency,
  clock,
  ids,
  policy = () => defaultPolicy,
  onGrants,
  saidInDialog,
}: Parts): Omit<Parley, 'builds' | 'search'> {
  const at = (): number => clock.now()
  /** Its files are used already: the first result is given again. */
  const isRepeated = (caller: Caller): Promise<boolean> => isRepeatedBy(store, caller)
  const ask = asking(store, dialogs, 'dialog')
  const askAll = askingAll(store, dialogs, 'dialog')
  const control = treeControl({ store, dialogs, emergency, clock })
  const deleteTree = treeDeletion({ store, dialogs, clock })
  const branch = branching({
    store,
    dialogs,
    clock,
    ids,
    ask,
    takeFiles: async (files, caller) => (files.length > 0 && !(await isRepeated(caller)) ? messageFiles.take(files, caller) : []),
  })
  const decisions = approvals({ store, dialogs, policy, clock, ids })

  async function getState(dialog: string): Promise<DialogState> {
    const state = await dialogs.load(dialog)
    if (state.seq === 0) throw new ParleyError('dialog_not_found', { dialog })
    if (state.isDeleted) throw new ParleyError('dialog_deleted')
    return state
  }

  /** A dialog as people see it, with the stop that holds it back wherever that was set. */
  async function detail(dialog: string): Promise<DialogDetail> {
    const state = await getState(dialog)
    const dialogDetail = { ...getDetail(dialog, state), ...showPushes(state, team) }
    const stop = await emergency.current()
    if (stop) return { ...withStop(dialogDetail, { ...stop, in: null }), ...(state.turn ? { status: dialogDetail.status } : {}) }
    const latch = await latchOver(dialog, state, dialogs.load)
    if (!latch?.dialog || latch.dialog === dialog) return dialogDetail
    const { at: since = 0 } = (await dialogs.load(latch.dialog)).latch ?? {}
    return { ...dialogDetail, stop: { by: latch.by, at: since, in: latch.dialog } }
  }

  async function toView(question: string): Promise<QuestionView> {
    const row = await store.row(questionView, question)
    if (!row) throw new ParleyError('question_not_found', { question })
    return row.body as QuestionView
  }

  /** The control as the agent showed it. */
  async function findControl(dialog: string, message: string, value: string): Promise<TappableControl> {
    const shownMessage = (await getState(dialog)).shown.find((one) => one.message === message)
    const [event] = shownMessage ? ((await store.read(dialog, shownMessage.seq - 1, 1)) as unknown as DialogEvent[]) : []
    const presentation = event?.type === 'message.said' ? event.data.shown?.presentation : undefined
    const tappable = presentation && listTappable(presentation).find((one) => one.value === value)
    if (!tappable) throw new ParleyError('control_unknown')
    return tappable
  }

  const findRoot = async (dialog: string): Promise<string> => (await getState(dialog)).origin?.root ?? dialog

  /** True for the dialog itself and every dialog below it. */
  async function isWithin(dialog: string, top: string): Promise<boolean> {
    let next: string | undefined = dialog
    for (let level = 0; next !== undefined && level < listLimits.levels; level += 1) {
      if (next === top) return true
      next = (await dialogs.load(next)).origin?.parent
    }
    return false
  }

  async function recordRefusal(dialog: string, question: string, { by, via }: Caller): Promise<void> {
    await dialogs.handle(dialog, [{ type: 'refuse-answer', at: at(), question, by, via }])
  }

  /**
   * An answer to an approval is committed only while nothing above the dialog is stopped: a stop withdraws approvals one dialog
   * after the other, and a tap in between must run nothing.
   */
  async function decideUnlessStopped(dialog: string, command: DialogCommand, caller: Caller): Promise<void> {
    const plan = async (load: (stream: string) => Promise<DialogState>) => {
      const isStopped = (await emergency.current()) !== null || (await latchOver(dialog, await load(dialog), load)) !== null
      const withdraw: DialogCommand = { type: 'withdraw-approvals', at: at(), by: parleyItself }
      return { orders: [{ stream: dialog, commands: isStopped ? [withdraw, command] : [command] }] }
    }
    await askAll(dialog, plan, caller, nothing)
  }

  const apply = async (dialog: string, command: NoteCommand, caller: Caller): Promise<DialogDetail> => {
    await ask(dialog, (state) => withPush(state, command, team, at()), caller, nothing)
    return detail(dialog)
  }

  const byQuestion = async (question: string, command: (at: number) => DialogCommand, caller: Caller): Promise<QuestionView> => {
    const { dialog, approval } = await toView(question)
    try {
      if (approval) await decideUnlessStopped(dialog, command(at()), caller)
      else await ask(dialog, () => [command(at())], caller, nothing)
    } catch (error) {
      if (error instanceof ParleyError && (error.code === 'not_addressed' || error.code === 'already_allowed'))
        await recordRefusal(dialog, question, caller)
      throw error
    }
    return toView(question)
  }

  return {
    taskdocs: taskdocNouns({ team, isRepeated, note: apply, findTaskdoc: async (dialog) => (await getState(dialog)).taskdoc }),
    dialogs: {
      async open({ agent = team.default, title, text, language = 'en', taskdoc, files = [] }, caller) {
        if (!team.agent(agent))
          throw new ParleyError('agent_not_found', {
            agent,
            known: team
              .list()
              .map(({ name }) => name)
              .join(', '),
          })
        // A task document is shared by dialogs, and its text enters the prompts of all of them.
        if (taskdoc !== undefined && !isAtLeast(eventAuthor(caller.by, caller.via).role, 'operator'))
          throw new ParleyError('role_too_low', { role: eventAuthor(caller.by, caller.via).role, capability: 'write.all' })
        const fault = taskdoc === undefined ? null : (team.taskdocs?.findFault(taskdoc) ?? null)
        if (fault !== null) throw new ParleyError('bad_taskdoc', { taskdoc: taskdoc ?? '', why: fault })
        const storedFiles = files.length > 0 && !(await isRepeated(caller)) ? await messageFiles.take(files, caller) : []
        const dialog = ids.next('dlg')
        const message = ids.next('msg')
        const opened = await ask(
          dialog,
          () => {
            const opens: DialogCommand[] = [
              {
                type: 'open-dialog',
                at: at(),
                agent,
                by: caller.by,
                language,
                ...(title === undefined ? {} : { title }),
                ...(taskdoc === undefined ? {} : { taskdoc }),
              },
            ]
            if (text !== undefined || storedFiles.length > 0)
              opens.push({ type: 'say', at: at(), message, text: text ?? '', by: caller.by, via: caller.via, files: storedFiles })
            return opens
          },
          caller,
          () => dialog,
        )
        return detail(opened)
      },
      branch: async (dialog, input, caller) => detail(await branch(dialog, input, caller)),
      get: detail,
      async list({ search, status, limit, after, of = 'people', ...shelf } = {}) {
        const summaries =
          status === 'failed' && of === 'people'
            ? await listFailed(store, { text: search, limit, after })
            : await page<DialogSummary>(
                store,
                of === 'people' ? dialogView : builderView,
                { group: status, text: search, limit, after },
                (summary) => isOnShelf(summary, shelf),
              )
        return { ...summaries, items: stoppedFromAbove(summaries.items, await emergency.current()) }
      },
      async say(dialog, text, caller, files = []) {
        const message = ids.next('msg')
        const storedFiles = files.length > 0 && !(await isRepeated(caller)) ? await messageFiles.take(files, caller) : []
        await saidInDialog?.({ dialog, text, via: caller.via, key: caller.once?.key ?? message })
        return ask(
          dialog,
          () => [{ type: 'say', at: at(), message, text, by: caller.by, via: caller.via, files: storedFiles }],
          caller,
          (seq) => ({ dialog, message, seq }),
        )
      },
      async tap(dialog, { message: of, value }, caller) {
        const message = ids.next('msg')
        const { text, isReusable } = await findControl(dialog, of, value)
        await saidInDialog?.({ dialog, text, via: caller.via, key: caller.once?.key ?? message })
        return ask(
          dialog,
          () => [
            {
              type: 'tap-control',
              at: at(),
              message,
              of,
              value,
              text,
              isReusable,
              by: caller.by,
              via: caller.via,
            },
          ],
          caller,
          (seq) => ({ dialog, message, seq }),
        )
      },
      title: (dialog, title, caller) => apply(dialog, { type: 'title-dialog', title, by: 'human' }, caller),
      apply,
      async stop(dialog, caller) {
        await control.stop(dialog, caller)
        await decisions.withdraw(caller.by, (each) => isWithin(each, dialog))
        return detail(dialog)
      },
      async resume(dialog, caller) {
        // A crash may have kept the stop from withdrawing them all.
        if ((await getState(dialog)).latch) await decisions.withdraw(caller.by, (each) => isWithin(each, dialog))
        await control.resume(dialog, caller)
        return detail(dialog)
      },
      async freshStart(dialog, caller) {
        await ask(dialog, () => [{ type: 'request-course', at: at(), by: caller.by, via: caller.via }], caller, nothing)
        return detail(dialog)
      },
      delete: deleteTree,
      async tree(dialog) {
        const { origin } = await getState(dialog)
        const root = origin?.root ?? dialog
        const [top, sides] = await Promise.all([
          store.row(rootView(root), root),
          store.rows({ view: sideView, group: root, limit: listLimits.tree }),
        ])
        const items = [...(top ? [top] : []), ...sides.toReversed()].map((row) => row.body as DialogSummary)
        return stoppedFromAbove(items, await emergency.current())
      },
      async declareDead(dialog, note, caller) {
        const { rest, failure } = await getState(dialog)
        // The first press ends the failure, and the dialog can take another request; the second one ends the dialog.
        if (rest === 'failed' && failure && !failure.isGivenUp) await giveUpFailure({ dialogs, now: at }, dialog, caller)
        else await control.abandon(dialog, note, caller)
        return detail(dialog)
      },
      async giveUpFailure(dialog, caller) {
        await giveUpFailure({ dialogs, now: at }, dialog, caller)
        return detail(dialog)
      },
      async failures() {
        const rows = await store.rows({ view: failureView, group: 'open', limit: listLimits.inbox })
        return { items: rows.map(({ body }) => body as FailureView), count: await store.countRows(failureView, 'open') }
      },
      async stopAll(caller, root) {
        const stopped = await control.stopAll(caller, root)
        await decisions.withdraw(caller.by, async (dialog) => root === undefined || (await findRoot(dialog)) === root)
        return stopped
      },
      async resumeAll(caller, root) {
        if (await emergency.current()) await decisions.withdraw(caller.by, async () => true)
        return control.resumeAll(caller, root)
      },
      async trust(dialog, { upTo }, caller) {
        const root = await findRoot(dialog)
        const seenAt = (await store.read(dialog, upTo - 1, 1))[0]?.at ?? 0
        // `upTo` counts in one dialog; in the others of its tree, the time of that event bounds what the person can have seen.
        const boundIn = (key: string, state: DialogState): number => (key === dialog ? upTo : state.loweredAt > seenAt ? 0 : state.seq)
        const trust =
          (key: string) =>
          (state: DialogState): DialogCommand[] => [
            { type: 'trust-dialog', at: at(), by: caller.by, via: caller.via, upTo: boundIn(key, state) },
          ]
        await ask(dialog, trust(dialog), caller, nothing)
        const sides = await store.rows({ view: sideView, group: root, limit: listLimits.tree })
        for (const key of [root, ...sides.map((side) => side.key)])
          if (key !== dialog && (await dialogs.load(key)).floor !== 'owner') await dialogs.handle(key, trust(key))
        return detail(dialog)
      },
      emergency: () => emergency.current(),
    },
    files: { add: messageFiles.add, read: messageFiles.read },
    grants: decisions.grants,
    policy: policyReader({ policy, listGrants: (agent) => listGrants(store, agent), team, clock }),
    questions: {
      get: toView,
      list: async ({ state, limit, after } = {}) => page<QuestionView>(store, questionView, { group: state, limit, after }),
      async answer(question, given, caller) {
        const view = await toView(question)
        const approval = view.approval ? decisions.read(await getState(view.dialog), view.dialog, question, given, caller) : undefined
        const answers = view.approval ? (given.answers ?? {}) : answersFor(view, given)
        const answered = await byQuestion(
          question,
          (when) => ({
            type: 'answer-question',
            at: when,
            question,
            answers,
            by: caller.by,
            via: caller.via,
            ...(approval ? { approval, rights: decisions.rights() } : {}),
            ...(given.undoSeconds === undefined ? {} : { undoMs: given.undoSeconds * 1_000 }),
          }),
          caller,
        )
        const { closed, rest } = await dialogs.known(view.dialog)
        const limit = closed[question]?.asked.limit
        if (limit?.kind === 'budget') await settleRaised({ store, dialogs, now: at }, limit.key)
        // The person has decided that this work ends here: the agent that waits for it is told.
        if (limit && rest === 'failed') await giveUpFailure({ dialogs, now: at }, view.dialog, caller)
        const [first] = approval?.grants ?? []
        // A key that is not the last one makes no grant yet.
        if (!approval || !first || !answered.approval || answered.state !== 'answered') return answered
        const alsoAllowed = (await onGrants?.(first.agent)) ?? 0
        const grants = approval.grants.map(({ grant, scope, where, dialog, until }) => ({
          id: grant,
          scope,
          ...(where ? { where } : {}),
          dialog,
          until,
          ...(given.until !== undefined && until < given.until ? { isShortened: true as const } : {}),
        }))
        return { ...answered, approval: { ...answered.approval, grants, alsoAllowed } }
      },
      withdrawAnswer: (question, caller) =>
        byQuestion(question, (when) => ({ type: 'withdraw-answer', at: when, question, by: caller.by, via: caller.via }), caller),
      decline: (question, reason, caller) =>
        byQuestion(
          question,
          (when) => ({
            type: 'decline-question',
            at: when,
            question,
            rights: decisions.rights(),
            by: caller.by,
            via: caller.via,
            ...(reason === undefined ? {} : { reason }),
          }),
          caller,
        ),
      cancel: (question, reason, caller) =>
        byQuestion(
          question,
          (when) => ({ type: 'cancel-question', at: when, question, by: caller.by, ...(reason === undefined ? {} : { reason }) }),
          caller,
        ),
      async refusalFor(question, caller, decision = 'deny') {
        const { dialog } = await toView(question)
        const open = (await getState(dialog)).questions[question]
        if (open?.approval) return decisions.refusalFor(open, open.approval, caller, decision)
        return !open || mayAnswer(eventAuthor(caller.by, caller.via), open.audience) ? null : { names: open.audienceNames }
      },
      recordRefusal: async (question, caller) => recordRefusal((await toView(question)).dialog, question, caller),
    },
    async inbox() {
      const rows = await store.rows({ view: questionView, group: 'open', limit: listLimits.inbox })
      const count = await store.countRows(questionView, 'open')
      const questions = rows.map((row) => row.body as QuestionView).toSorted(newestFirst)
      const visibleQuestions = onePerBudget(questions)
      const items = visibleQuestions.map((question) => ({ kind: 'question' as const, question }))
      return { items, count: count - (questions.length - visibleQuestions.length) }
    },
    events: {
      async read({ stream, after, limit, maxBytes }) {
        const most = Math.min(limit, listLimits.eventsPage)
        const bytes = Math.min(maxBytes ?? Infinity, listLimits.eventsPageBytes)
        const events = await (stream === undefined ? store.readAll(after, most, bytes) : store.read(stream, after, most, bytes))
        return events.map(withoutPrompt)
      },
      follow: (from, signal): AsyncIterable<EventView[]> =>
        mapIterator(feed(store, clock, from, signal), (events) => events.map(withoutPrompt)),
      deltas(stream, listen) {
        for (const delta of drafts.current(stream)) listen(delta as unknown as DeltaView)
        return store.hints.onDelta((delta) => delta.stream === stream && listen(delta as unknown as DeltaView))
      },
      onChange(listen) {
        let cancel: (() => void) | null = null
        let changed = new Set<string>()
        const stop = store.hints.onStream((stream) => {
          changed.add(stream)
          cancel ??= clock.after(listLimits.gatherChangesMs, () => {
            const streams = changed
            cancel = null
            changed = new Set()
            listen(streams)
          })
        })
        return () => {
          cancel?.()
          stop()
        }
      },
      position: (stream) => (stream === undefined ? store.position() : store.head(stream)),
      check: () => store.check(),
    },
  }
}

const nothing = (): null => null

const parleyItself = { kind: 'agent', name: 'parley' } as const

/** A lone `choice` or `text` answers a question of one part; a set needs its ids. */
function answersFor(
  question: QuestionView,
  given: { choice?: string | undefined; text?: string | undefined; answers?: Answers | undefined },
): Answers {
  if (given.answers) return given.answers
  const value = given.choice ?? given.text
  const [only] = question.ask.items
  if (value === undefined || !only || question.ask.items.length > 1) {
    throw new ParleyError('bad_request', {
      field: 'answers',
      why: `this question has the parts ${question.ask.items.map((item) => item.id).join(', ')}: give an answer for each`,
    })
  }
  return { [only.id]: value }
}

/** Side dialogs are among them: an agent waits for each, and a person has to find it. */
async function listFailed(store: Store, query: { text?: string | undefined } & PageRequest): Promise<Page<DialogSummary>> {
  const { items, next } = await page<FailureView>(store, failureView, { group: 'open', ...query })
  const rows = await Promise.all(items.map(({ dialog, isSide }) => store.row(isSide ? sideView : dialogView, dialog)))
  return { items: rows.flatMap((row) => (row ? [row.body as DialogSummary] : [])), next }
}

async function page<Item>(
  store: Store,
  view: string,
  { group, text, limit, after }: { group?: string | undefined; text?: string | undefined } & PageRequest,
  isWanted: (item: Item) => boolean = () => true,
): Promise<Page<Item>> {
  const most = pageSize(limit)
  const items: Item[] = []
  let last = readCursor(after)
  for (let scanned = 0; ;) {
    const rows = await store.rows({
      view,
      limit: most + 1,
      ...(group === undefined ? {} : { group }),
      ...(text ? { text } : {}),
      ...(last ? { before: last } : {}),
    })
    for (const [index, row] of rows.slice(0, most).entries()) {
      last = { sort: row.sort, key: row.key }
      if (isWanted(row.body as Item)) items.push(row.body as Item)
      if (items.length === most) return { items, next: index + 1 < rows.length ? writeCursor(last) : null }
    }
    scanned += rows.length
    if (rows.length <= most) return { items, next: null }
    if (scanned >= listLimits.scanned) return { items, next: last ? writeCursor(last) : null }
  }
}
