import type { QuestionView } from '../shapes/wire.ts'
import type { Caller, Parley } from '../shapes/parley.ts'
import { mayAnswer } from '../authority/audience.ts'
import { ParleyError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { asking, askingAll } from '../streams/asking.ts'
import type { StreamHandler } from '../streams/stream-handler.ts'
import type { approvals } from './control/approvals.ts'
import { settleRaised } from './control/covered-limits.ts'
import type { EmergencyControl } from './control/emergency-control.ts'
import { giveUpFailure } from './control/give-up-failure.ts'
import { latchOver } from './control/latches.ts'
import { listPage } from './list-page.ts'
import { questionView } from './rows/dialog-rows.ts'
import type { DialogCommand } from './rules/decide-dialog.ts'
import type { DialogState } from './rules/dialog-state.ts'
import { eventAuthor } from './rules/event-author.ts'
import type { Answers } from './rules/question.ts'

type Parts = {
  store: Store
  dialogs: StreamHandler<DialogState, DialogCommand>
  emergency: EmergencyControl
  decisions: ReturnType<typeof approvals>
  clock: Clock
  getState(dialog: string): Promise<DialogState>
  onGrants?: ((agent: string) => Promise<number>) | undefined
}

/** Questions of agents: read, answered, declined, withdrawn. An approval is one with its own rules. */
export function questionNouns({ store, dialogs, emergency, decisions, clock, getState, onGrants }: Parts): Parley['questions'] {
  const at = (): number => clock.now()
  const ask = asking(store, dialogs, 'dialog')
  const askAll = askingAll(store, dialogs, 'dialog')

  async function toView(question: string): Promise<QuestionView> {
    const row = await store.row(questionView, question)
    if (!row) throw new ParleyError('question_not_found', { question })
    return row.body as QuestionView
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
    get: toView,
    list: async ({ state, limit, after } = {}) => listPage<QuestionView>(store, questionView, { group: state, limit, after }),
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
      // The person has decided that this work ends here, so the agent that waits for it gets a failed reply.
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
