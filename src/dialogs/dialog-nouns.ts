import type { DialogDetail, DialogSummary, FailureView, QuestionView } from '../shapes/wire.ts'
import type { EmergencyControl } from './control/emergency-control.ts'
import { latchOver } from './control/latches.ts'
import type { MessageFiles } from './control/message-files.ts'
import { branching } from './control/branch-dialog.ts'
import { treeDeletion } from './control/delete-tree.ts'
import { taskdocNouns } from './control/task-documents.ts'
import { treeControl } from './control/tree-control.ts'
import { listTappable, type TappableControl } from '../chats/message/tappable.ts'
import type { DialogEvent } from './rules/dialog-events.ts'
import type { NoteCommand } from './rules/decide-talk.ts'
import type { DialogCommand } from './rules/decide-dialog.ts'
import { newestFirst, onePerBudget } from './rules/question-order.ts'
import type { DialogState } from './rules/dialog-state.ts'
import { defaultPolicy, type Policy } from '../authority/policy.ts'
import { giveUpFailure } from './control/give-up-failure.ts'
import { showPushes, withPush } from './control/pushes.ts'
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
import { asking, isRepeatedBy } from '../streams/asking.ts'
import type { StreamHandler } from '../streams/stream-handler.ts'
import { eventNouns } from './event-nouns.ts'
import { listFailed, listLimits, listPage } from './list-page.ts'
import { questionNouns } from './question-nouns.ts'
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

  /** The control as the agent showed it. */
  async function findControl(dialog: string, message: string, value: string): Promise<TappableControl> {
    const shownMessage = (await getState(dialog)).shown.find((one) => one.message === message)
    const [event] = shownMessage ? ((await store.read(dialog, shownMessage.seq - 1, 1)) as unknown as DialogEvent[]) : []
    const presentation = event?.type === 'message.said' ? event.data.shown?.presentation : undefined
    const tappable = presentation && listTappable(presentation).find((one) => one.value === value)
    if (!tappable) throw new ParleyError('control_unknown')
    return tappable
  }

  function mustBeOffered(agent: string, model: string): void {
    const models = team.agent(agent)?.models ?? []
    if (!models.includes(model)) throw new ParleyError('model_not_offered', { agent, model, models: models.join(', ') || '–' })
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

  const apply = async (dialog: string, command: NoteCommand, caller: Caller): Promise<DialogDetail> => {
    await ask(dialog, (state) => withPush(state, command, team, at()), caller, nothing)
    return detail(dialog)
  }

  return {
    taskdocs: taskdocNouns({ team, isRepeated, note: apply, findTaskdoc: async (dialog) => (await getState(dialog)).taskdoc }),
    dialogs: {
      async open({ agent = team.default, title, text, language = 'en', taskdoc, model, files = [] }, caller) {
        if (!team.agent(agent))
          throw new ParleyError('agent_not_found', {
            agent,
            known: team
              .list()
              .map(({ name }) => name)
              .join(', '),
          })
        if (model !== undefined) mustBeOffered(agent, model)
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
            if (model !== undefined) opens.push({ type: 'choose-model', at: at(), model, by: caller.by, via: caller.via })
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
            : await listPage<DialogSummary>(
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
      async chooseModel(dialog, model, caller) {
        if (model !== null) mustBeOffered((await getState(dialog)).agent, model)
        return apply(dialog, { type: 'choose-model', model, by: caller.by, via: caller.via }, caller)
      },
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
    questions: questionNouns({ store, dialogs, emergency, decisions, clock, getState, onGrants }),
    async inbox() {
      const rows = await store.rows({ view: questionView, group: 'open', limit: listLimits.inbox })
      const count = await store.countRows(questionView, 'open')
      const questions = rows.map((row) => row.body as QuestionView).toSorted(newestFirst)
      const visibleQuestions = onePerBudget(questions)
      const items = visibleQuestions.map((question) => ({ kind: 'question' as const, question }))
      return { items, count: count - (questions.length - visibleQuestions.length) }
    },
    events: eventNouns({ store, clock, drafts }),
  }
}

const nothing = (): null => null
