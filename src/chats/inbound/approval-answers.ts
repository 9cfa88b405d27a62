import { readLanguage } from '../../shapes/language.ts'
import { chatApprovalWords } from '../../words/index.ts'
import { type ApprovalDecision } from '../../authority/audience.ts'
import { readTyped } from '../../authority/typed-answer.ts'
import { approvalLimits } from '../../dialogs/rules/approval.ts'
import { listOptions } from '../../dialogs/rules/question.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { InboundMessage } from '../bindings/binding-events.ts'
import { isRefusal } from './callers.ts'
import type { ControlTap } from './control-tap.ts'
import type { Caller, GivenAnswer, Parley } from '../../shapes/parley.ts'
import type { Store } from '../../ports/store.ts'
import { requestKey } from '../../streams/asking.ts'
import type { ApprovalCopy } from '../announce/announce-views.ts'
import type { ApprovalCopies } from '../announce/approval-copies.ts'
import { type ApprovalQuestion, type CardTap, type CardVerb, lateText, scopeChoices } from '../announce/approval-message.ts'
import { onlyThey } from '../announce/refusal-text.ts'

/** Taps and replies on cards of approvals. Who may decide is checked before anything changes, and again in the commit. */
export type ApprovalAnswers = {
  /** Why this person may not decide, for the toast; recorded once per person. Null when they may. */
  refusal(card: CardTap, tap: ControlTap): Promise<string | null>
  /** Why the tap comes too late; null when it does not. */
  late(card: CardTap, tap: ControlTap): Promise<string | null>
  /** Toast for a tap, where it says more than the label. */
  toast(card: CardTap, tap: ControlTap): string | null
  act(card: CardTap, tap: ControlTap): Promise<void>
  /** A text that is a platform reply to a message about approvals. False: it is an ordinary message. */
  typed(copy: ApprovalCopy, inbound: InboundMessage, caller: Caller): Promise<boolean>
}

/** The decision a tap leads to. A person who may give it may also take the steps before it. */
const decisions: Readonly<Record<CardVerb, ApprovalDecision>> = {
  once: 'once',
  chat: 'chat',
  always: 'always',
  scope: 'always',
  deny: 'deny',
  note: 'deny',
  back: 'deny',
  all: 'once',
  none: 'deny',
  each: 'deny',
}

export function approvalAnswers(parts: {
  store: Store
  parley: { questions: Pick<Parley['questions'], 'answer' | 'refusalFor' | 'recordRefusal'> }
  outbox: Pick<Outbox, 'plan'>
  copies: ApprovalCopies
}): ApprovalAnswers {
  const { store, parley, outbox, copies } = parts

  async function targets({ verb, target }: CardTap, { delivery }: ControlTap): Promise<ApprovalQuestion[]> {
    const isForAll = verb === 'all' || verb === 'none' || verb === 'each'
    const copy = isForAll ? await copies.find(delivery) : null
    return copies.views(copy?.questions ?? [target])
  }

  /** One tap may answer several approvals, each under a name of its own. */
  const callerFor = (caller: Caller, question: string): Caller =>
    caller.once ? { ...caller, once: { key: `${caller.once.key}/${question}`, request: caller.once.request } } : caller

  /** Answered by this very tap, before a crash. */
  const isAnsweredBy = async (caller: Caller, question: string): Promise<boolean> =>
    (await store.remembered(requestKey(callerFor(caller, question)))) !== null

  async function answer(question: string, given: GivenAnswer, caller: Caller): Promise<void> {
    await parley.questions.answer(question, given, callerFor(caller, question))
  }

  async function answerAll(questions: readonly ApprovalQuestion[], decision: 'once' | 'deny', caller: Caller): Promise<void> {
    for (const { id } of questions) {
      try {
        await answer(id, { decision }, caller)
      } catch (error) {
        // Decided by another person meanwhile, or not theirs: the others still count.
        if (!isRefusal(error)) throw error
      }
    }
  }

  async function refuse(question: string, names: readonly string[], copy: ApprovalCopy, language: string | undefined, caller: Caller) {
    await parley.questions.recordRefusal(question, caller)
    const { channel, address } = copy
    const once = `refused:${question}:${caller.by.id ?? caller.by.name}`
    await outbox.plan({ channel, address, message: { text: onlyThey(names, language) }, once })
  }

  return {
    async refusal(card, tap) {
      const { caller, by } = tap
      for (const { id, state } of await targets(card, tap)) {
        if (state !== 'open' || (await isAnsweredBy(caller, id))) continue
        const refusal = await parley.questions.refusalFor(id, caller, decisions[card.verb])
        if (refusal === null) return null
        await parley.questions.recordRefusal(id, caller)
        return onlyThey(refusal.names, by.language)
      }
      return null
    },
    async late(card, tap) {
      const match = await targets(card, tap)
      for (const { id, state } of match) if (state === 'open' || (await isAnsweredBy(tap.caller, id))) return null
      const [first] = match
      return first ? lateText(first, readLanguage(tap.by.language)) : null
    },
    toast({ verb }, { by }) {
      return verb === 'note' ? chatApprovalWords[readLanguage(by.language)].writeNote : null
    },
    async act(card, tap) {
      const { delivery, caller } = tap
      const { verb, target } = card
      const open = (await targets(card, tap)).filter(({ state }) => state === 'open')
      if (verb === 'always') await copies.setMode(delivery, 'scopes')
      else if (verb === 'note') await copies.setMode(delivery, 'note')
      else if (verb === 'back') await copies.setMode(delivery, 'decide')
      else if (verb === 'each') await copies.showEach(delivery)
      else if (verb === 'all') await answerAll(open, 'once', caller)
      else if (verb === 'none') await answerAll(open, 'deny', caller)
      else if (verb === 'scope') await answerAlways(open[0], card.scope ?? 0, caller)
      else await answer(target, { decision: verb }, caller)
    },
    async typed(copy, { text, isPrivate, from }, caller) {
      const open = (await copies.views(copy.questions)).filter(({ state }) => state === 'open')
      const [only] = open
      // A label that stands below several calls says nothing about one of them.
      if (!only || open.length > 1) return false
      const outcome = readTyped({ text, isPrivate, openForAuthor: 0, repliesTo: { isApproval: true, isForAuthor: true } })
      const decision = outcome.kind === 'decision' ? outcome.decision : copy.mode === 'note' ? 'deny' : null
      if (decision === null) return false
      if (outcome.kind === 'decision' && !isOffered(only, decision)) return false
      const refusal = await parley.questions.refusalFor(only.id, caller, decision)
      // A note is one from the person who was asked for it; other text of others is for the dialog.
      if (refusal !== null && outcome.kind !== 'decision') return false
      if (refusal !== null) {
        await refuse(only.id, refusal.names, copy, from.language, caller)
        return true
      }
      // Nothing decides that the message itself does not offer: it may not show the call.
      if (copy.shows === 'waiting' || !(copy.offered ?? ['deny']).includes(decision)) return false
      const note = outcome.kind === 'decision' ? {} : { note: text.trim().slice(0, approvalLimits.noteChars).toWellFormed() }
      try {
        await answer(only.id, { decision, ...note }, caller)
      } catch (error) {
        if (!isRefusal(error)) throw error
        return false
      }
      return true
    },
  }

  async function answerAlways(question: ApprovalQuestion | undefined, index: number, caller: Caller): Promise<void> {
    const choice = question ? scopeChoices(question.approval)[index] : undefined
    if (!question || !choice) return
    const [scope] = choice
    // The best scopes are taken without being named: they may be bound to the content of a script.
    const chosen = index === 0 || !scope ? {} : { scope: scope.text, ...(scope.where ? { where: scope.where } : {}) }
    await answer(question.id, { decision: 'always', ...chosen }, caller)
  }
}

const isOffered = ({ ask: { items } }: ApprovalQuestion, decision: ApprovalDecision): boolean =>
  items.some((item) => listOptions(item).some(({ value }) => value === decision))
