import type { DeltaView, DialogDetail, DialogSummary, EventView, Page, QuestionView } from './client/wire.ts'
import type { EmergencyControl } from './control/emergency.ts'
import { latchOver } from './control/latches.ts'
import { treeControl } from './control/tree-control.ts'
import { mayAnswer } from './authority/audience.ts'
import type { DialogCommand } from './dialog/decide.ts'
import type { Answers } from './dialog/question.ts'
import type { DialogState } from './dialog/state.ts'
import { defaultPolicy, type Policy } from './authority/policy.ts'
import { approvals } from './control/approvals.ts'
import { grantsOf } from './control/gate-facts.ts'
import { policyReader } from './control/policy-reader.ts'
import { eventAuthor } from './dialog/turn-cause.ts'
import type { Drafts } from './driver/drafts.ts'
import { ParleyError } from './errors.ts'
import type { Team } from './ports/agent-runtime.ts'
import type { Clock } from './ports/clock.ts'
import type { Hooks } from './ports/hooks.ts'
import type { Ids } from './ports/ids.ts'
import type { Caller, Parley } from './ports/parley.ts'
import type { Store, ViewRow } from './ports/store.ts'
import { asking, askingAll } from './streams/asking.ts'
import { feed } from './streams/feed.ts'
import type { StreamHandler } from './streams/stream-handler.ts'
import { builderView, detailOf, dialogView, questionView, rootView, sideView, stoppedFromAbove, withStop } from './views/dialog-views.ts'

export const listLimits = {
  page: 50,
  mostPage: 200,
  inbox: 200,
  tree: 5_000,
  eventsPage: 1_000,
  eventsPageBytes: 100_000,
  gatherChangesMs: 50,
  levels: 1_000,
} as const

type Parts = {
  store: Store
  dialogs: StreamHandler<DialogState, DialogCommand>
  team: Team
  drafts: Drafts
  emergency: EmergencyControl
  clock: Clock
  ids: Ids
  policy?: (() => Policy) | undefined
  /** Called after an answer that made grants for an agent. */
  onGrants?: (agent: string) => void
  saidInDialog?: Hooks['saidInDialog']
}

/** The nouns of Parley over a store: the library's face, and what the HTTP API is a door to. */
export function parleyOver({
  store,
  dialogs,
  team,
  drafts,
  emergency,
  clock,
  ids,
  policy = () => defaultPolicy,
  onGrants,
  saidInDialog,
}: Parts): Omit<Parley, 'builds'> {
  const at = (): number => clock.now()
  const ask = asking(store, dialogs, 'dialog')
  const askAll = askingAll(store, dialogs, 'dialog')
  const control = treeControl({ store, dialogs, emergency, clock })
  const decisions = approvals({ store, dialogs, policy, clock, ids })

  async function stateOf(dialog: string): Promise<DialogState> {
    const state = await dialogs.load(dialog)
    if (state.seq === 0) throw new ParleyError('dialog_not_found', { dialog })
    return state
  }

  /** A dialog as people see it, with the stop that holds it back wherever that was set. */
  async function detail(dialog: string): Promise<DialogDetail> {
    const state = await stateOf(dialog)
    const shown = detailOf(dialog, state)
    const stop = await emergency.current()
    if (stop) return { ...withStop(shown, { ...stop, in: null }), ...(state.turn ? { status: shown.status } : {}) }
    const latch = await latchOver(dialog, state, dialogs.load)
    if (!latch?.dialog || latch.dialog === dialog) return shown
    const { at: since = 0 } = (await dialogs.load(latch.dialog)).latch ?? {}
    return { ...shown, stop: { by: latch.by, at: since, in: latch.dialog } }
  }

  async function viewOf(question: string): Promise<QuestionView> {
    const row = await store.row(questionView, question)
    if (!row) throw new ParleyError('question_not_found', { question })
    return row.body as QuestionView
  }

  const rootOf = async (dialog: string): Promise<string> => (await stateOf(dialog)).origin?.root ?? dialog

  /** Whether a dialog is another one or lies below it. */
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

  const byQuestion = async (question: string, command: (at: number) => DialogCommand, caller: Caller): Promise<QuestionView> => {
    const { dialog, approval } = await viewOf(question)
    try {
      if (approval) await decideUnlessStopped(dialog, command(at()), caller)
      else await ask(dialog, () => [command(at())], caller, nothing)
    } catch (error) {
      if (error instanceof ParleyError && error.code === 'not_addressed') await recordRefusal(dialog, question, caller)
      throw error
    }
    return viewOf(question)
  }

  return {
    dialogs: {
      async open({ agent = team.default, title, text, language = 'en', taskdoc }, caller) {
        if (!team.agent(agent))
          throw new ParleyError('agent_not_found', {
            agent,
            known: team
              .list()
              .map(({ name }) => name)
              .join(', '),
          })
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
            if (text !== undefined) opens.push({ type: 'say', at: at(), message, text, by: caller.by, via: caller.via })
            return opens
          },
          caller,
          () => dialog,
        )
        return detail(opened)
      },
      get: detail,
      async list({ search, status, limit, after, of = 'people' } = {}) {
        const found = await page<DialogSummary>(store, of === 'people' ? dialogView : builderView, {
          group: status,
          text: search,
          limit,
          after,
        })
        return { ...found, items: stoppedFromAbove(found.items, await emergency.current()) }
      },
      async say(dialog, text, caller) {
        const message = ids.next('msg')
        await saidInDialog?.({ dialog, text, via: caller.via, key: caller.once?.key ?? message })
        return ask(
          dialog,
          () => [{ type: 'say', at: at(), message, text, by: caller.by, via: caller.via }],
          caller,
          (seq) => ({ dialog, message, seq }),
        )
      },
      async title(dialog, title, caller) {
        await ask(dialog, () => [{ type: 'title-dialog', at: at(), title, by: 'human' }], caller, nothing)
        return detail(dialog)
      },
      async stop(dialog, caller) {
        await control.stop(dialog, caller)
        await decisions.withdraw(caller.by, (each) => isWithin(each, dialog))
        return detail(dialog)
      },
      async resume(dialog, caller) {
        // A crash may have kept the stop from withdrawing them all.
        if ((await stateOf(dialog)).latch) await decisions.withdraw(caller.by, (each) => isWithin(each, dialog))
        await control.resume(dialog, caller)
        return detail(dialog)
      },
      async tree(dialog) {
        const { origin } = await stateOf(dialog)
        const root = origin?.root ?? dialog
        const [top, sides] = await Promise.all([
          store.row(rootView(root), root),
          store.rows({ view: sideView, group: root, limit: listLimits.tree }),
        ])
        const items = [...(top ? [top] : []), ...sides.toReversed()].map((row) => row.body as DialogSummary)
        return stoppedFromAbove(items, await emergency.current())
      },
      async declareDead(dialog, note, caller) {
        await control.abandon(dialog, note, caller)
        return detail(dialog)
      },
      async stopAll(caller, root) {
        const stopped = await control.stopAll(caller, root)
        await decisions.withdraw(caller.by, async (dialog) => root === undefined || (await rootOf(dialog)) === root)
        return stopped
      },
      async resumeAll(caller, root) {
        if (await emergency.current()) await decisions.withdraw(caller.by, async () => true)
        return control.resumeAll(caller, root)
      },
      async trust(dialog, caller) {
        const root = await rootOf(dialog)
        const trust = (): DialogCommand[] => [{ type: 'trust-dialog', at: at(), by: caller.by, via: caller.via }]
        await ask(root, trust, caller, nothing)
        const sides = await store.rows({ view: sideView, group: root, limit: listLimits.tree })
        for (const { key } of sides) if ((await dialogs.load(key)).floor !== 'owner') await dialogs.handle(key, trust())
        return detail(dialog)
      },
      emergency: () => emergency.current(),
    },
    grants: decisions.grants,
    policy: policyReader({ policy, grantsOf: (agent) => grantsOf(store, agent), team, clock }),
    questions: {
      get: viewOf,
      list: async ({ state, limit, after } = {}) => page<QuestionView>(store, questionView, { group: state, limit, after }),
      async answer(question, given, caller) {
        const view = await viewOf(question)
        const approval = view.approval ? decisions.read(await stateOf(view.dialog), view.dialog, question, given, caller) : undefined
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
          }),
          caller,
        )
        if (approval && approval.grants.length > 0) onGrants?.(approval.grants[0]?.agent ?? '')
        return answered
      },
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
        const { dialog } = await viewOf(question)
        const open = (await stateOf(dialog)).questions[question]
        if (open?.approval) return decisions.refusalFor(open, open.approval, caller, decision)
        return !open || mayAnswer(eventAuthor(caller.by, caller.via), open.audience) ? null : { names: open.audienceNames }
      },
      recordRefusal: async (question, caller) => recordRefusal((await viewOf(question)).dialog, question, caller),
    },
    async inbox() {
      const rows = await store.rows({ view: questionView, group: 'open', limit: listLimits.inbox })
      const count = await store.countRows(questionView, 'open')
      return { items: rows.map((row) => ({ kind: 'question', question: row.body as QuestionView })), count }
    },
    events: {
      async read({ stream, after, limit, maxBytes }) {
        const most = Math.min(limit, listLimits.eventsPage)
        const bytes = Math.min(maxBytes ?? Infinity, listLimits.eventsPageBytes)
        return stream === undefined ? store.readAll(after, most, bytes) : store.read(stream, after, most, bytes)
      },
      follow: (from, signal): AsyncIterable<EventView[]> => feed(store, clock, from, signal),
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

async function page<Item>(
  store: Store,
  view: string,
  {
    group,
    text,
    limit = listLimits.page,
    after,
  }: { group?: string | undefined; text?: string | undefined; limit?: number | undefined; after?: string | undefined },
): Promise<Page<Item>> {
  const most = Math.min(limit, listLimits.mostPage)
  const before = after === undefined ? undefined : readCursor(after)
  const rows = await store.rows({
    view,
    limit: most + 1,
    ...(group === undefined ? {} : { group }),
    ...(text ? { text } : {}),
    ...(before ? { before } : {}),
  })
  const shown = rows.slice(0, most)
  const last = shown.at(-1)
  return { items: shown.map((row) => row.body as Item), next: rows.length > most && last ? cursorOf(last) : null }
}

const cursorOf = ({ sort, key }: ViewRow): string => `${sort}~${key}`

function readCursor(cursor: string): { sort: number; key: string } {
  const mark = cursor.indexOf('~')
  const sort = Number(cursor.slice(0, mark))
  if (mark < 1 || !Number.isFinite(sort))
    throw new ParleyError('bad_request', { field: 'after', why: 'it is not the "next" of an earlier page' })
  return { sort, key: cursor.slice(mark + 1) }
}
