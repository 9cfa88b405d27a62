import type { People } from '../authority/people.ts'
import { isAtLeast } from '../authority/roles.ts'
import { readTyped } from '../authority/typed-answer.ts'
import type { QuestionView } from '../client/wire.ts'
import type { Outbox } from '../delivery/outbox.ts'
import type { DialogCommand } from '../dialog/decide.ts'
import type { DialogState } from '../dialog/state.ts'
import { eventAuthor } from '../dialog/turn-cause.ts'
import { ParleyError } from '../errors.ts'
import { admit } from '../inbound/allow-list.ts'
import { type BindingView, inboundViews } from '../inbound/binding-kind.ts'
import type { InboundMessage } from '../inbound/binding-events.ts'
import type { InboundPorts, Tapped } from '../inbound/inbound-ports.ts'
import { isRefusal } from '../inbound/route.ts'
import type { Hooks } from '../ports/hooks.ts'
import type { Caller, Parley } from '../ports/parley.ts'
import type { Store } from '../ports/store.ts'
import { requestKey } from '../streams/asking.ts'
import type { StreamHandler } from '../streams/stream-handler.ts'
import { announceViews, type ApprovalCopy, type AskedAt, isApprovalCopy, placeGroup } from './announce-views.ts'
import type { ApprovalAnswers } from './approval-answers.ts'
import { isAboutApprovals } from './approval-copies.ts'
import { type CardTap, readCardTap } from './approval-message.ts'
import type { Connections } from './connections.ts'
import type { Identities } from './identities.ts'
import { messagingWords, spokenBy } from './messaging-words.ts'
import { type pairingRequests, streamAsked } from './pairing-requests.ts'
import { readReply } from './question-reply.ts'
import { onlyThey } from './refusal-text.ts'
import type { Place } from './reply-names.ts'

/** Open questions and approvals of one chat that a reply is compared with. */
const openQuestionsHere = 100

/** What comes from chat apps, said in Parley's own nouns: a message is said in its dialog or answers a question, a tap decides. */
export function inboundAnswers(parts: {
  store: Store
  parley: Pick<Parley, 'dialogs' | 'questions'>
  outbox: Outbox
  connections: Connections
  hooks: () => Hooks
  kindOf: (channel: string) => string
  dialogs: Pick<StreamHandler<DialogState, DialogCommand>, 'load'>
  identities: Identities
  approvals: ApprovalAnswers
  /** `people:` of parley.yaml as it is now. */
  people: () => People
  requests: Pick<ReturnType<typeof pairingRequests>, 'ask'>
  /** Lets somebody in, or not, by a button under the owner's message. */
  decidePairing: (code: string, isAccepted: boolean, by: string) => Promise<void>
}): InboundPorts {
  const { store, parley, outbox, connections, hooks, kindOf, dialogs, identities, approvals, people, requests, decidePairing } = parts

  /** Who lets strangers in: everybody with the capability `pair`. */
  const pairingNames = (): string[] => people().flatMap(({ key, role }) => (isAtLeast(role, 'operator') ? [key] : []))

  async function answerWith(question: string, answers: Record<string, string>, caller: Caller): Promise<void> {
    await parley.questions.answer(question, { answers }, caller)
  }

  /** True when the message was an answer, or an attempt at one by a person who may not answer; false when it is for the dialog. */
  async function answersQuestion(inbound: InboundMessage, caller: Caller): Promise<boolean> {
    const { address, text, replyTo, isPrivate, from } = inbound
    const place: Place = { channel: caller.via, address }
    const rows = await store.rows({ view: announceViews.askedAt, group: placeGroup(place), limit: openQuestionsHere })
    if (rows.length === 0) return false
    const standing = rows.map(({ body }) => body as AskedAt | ApprovalCopy)
    const replied =
      replyTo === undefined
        ? undefined
        : await firstWith(standing, async ({ delivery }) =>
            (await outbox.get(delivery)).receipts.some(({ messageId }) => messageId === replyTo),
          )
    if (replied && isApprovalCopy(replied)) return approvals.typed(replied, inbound, caller)
    const asked = standing.flatMap((one) => (isApprovalCopy(one) ? [] : [one]))
    // A reply to some other message is about that message.
    const candidates = replied ? [replied] : replyTo === undefined && isPrivate ? asked : []
    const questions = await Promise.all(candidates.map(({ question }) => forCaller(question, caller)))
    const open = questions.flatMap((one) => (one ? [one] : []))
    const mine = open.filter(({ isAddressed }) => isAddressed)
    const [target] = replied ? open : mine
    if (!target) return false
    const outcome = readTyped({
      text,
      isPrivate,
      openForAuthor: mine.length,
      ...(replied ? { repliesTo: { isApproval: false, isForAuthor: target.refusal === null } } : {}),
    })
    if (outcome.kind === 'refused') {
      await parley.questions.recordRefusal(target.view.id, caller)
      await outbox.plan({
        ...place,
        message: { text: onlyThey(target.refusal?.names ?? [], from.language) },
        once: `refused:${target.view.id}:${caller.by.id ?? caller.by.name}`,
      })
      return true
    }
    if (outcome.kind !== 'answer') return false
    const answers = readReply(target.view.ask, text)
    if (answers) {
      try {
        await answerWith(target.view.id, answers, caller)
        return true
      } catch (error) {
        if (!(error instanceof ParleyError) || error.retryable) throw error
      }
      return false
    }
    if (!replied) return false
    const words = messagingWords[spokenBy(from.language)]
    await outbox.plan({ ...place, message: { text: words.notAnAnswer }, once: `not-an-answer:${caller.once?.key ?? ''}` })
    return true
  }

  /** An open question, whether this caller may answer it, and whether it was asked of them; null once it is closed. */
  async function forCaller(
    question: string,
    caller: Caller,
  ): Promise<{ view: QuestionView; refusal: { names: readonly string[] } | null; isAddressed: boolean } | null> {
    const view = await parley.questions.get(question)
    if (view.state !== 'open') return null
    const { audience } = (await dialogs.load(view.dialog)).questions[question] ?? {}
    const { id, role } = eventAuthor(caller.by, caller.via)
    const isAddressed = audience?.kind === 'everyone' || (audience?.kind === 'authors' ? audience.ids.includes(id) : role === 'owner')
    return { view, refusal: await parley.questions.refusalFor(question, caller), isAddressed }
  }

  /** Whether somebody still waits to be let in; the owner may have decided elsewhere. */
  async function isAsking(about: string): Promise<boolean> {
    const row = await store.row(inboundViews.bindings, streamAsked(about))
    return (row?.body as BindingView | undefined)?.state === 'requested'
  }

  return {
    admit(channel, inbound) {
      const found = connections.connection(channel)
      if (!found) return 'refused'
      const { allow, notify: own } = found.config
      const isKnown = own.includes(inbound.address) || identities.isListed(channel, inbound)
      return isKnown ? 'allowed' : admit(allow, inbound)
    },
    identify: (channel, inbound) => ({ kind: 'human', ...identities.authorOf(channel, inbound) }),
    async openDialog({ channel, from }, caller) {
      const { agent, language } = connections.connection(channel)?.config ?? {}
      const { id } = await parley.dialogs.open({ agent, language: language ?? spokenBy(from.language) }, caller)
      return id
    },
    async say(dialog, text, caller, inbound) {
      if (inbound) {
        if (await answersQuestion(inbound, caller)) return
      }
      await parley.dialogs.say(dialog, text, caller)
    },
    async sayNow(dialog, text, caller, { address }) {
      const asked = await store.rows({ view: announceViews.askedAt, group: `${caller.via}/${address}`, limit: 1 })
      if (asked.length > 0) return false
      try {
        await parley.dialogs.say(dialog, text, caller)
        return true
      } catch (error) {
        if (isRefusal(error)) return false
        throw error
      }
    },
    wasSaid: async (caller) => (await store.remembered(requestKey(caller))) !== null,
    async tell({ channel, address }, text, once) {
      await outbox.plan({ channel, address, message: { text }, once: `tell:${once}` })
    },
    askOwner: (request) => requests.ask(request),
    answerQuestion: async (question, option, { caller }) => {
      const view = await parley.questions.get(question)
      const [item] = view.ask.items
      await answerWith(question, { [item?.id ?? '']: option }, caller)
    },
    async onDecision({ approvalId, decision }, { caller }) {
      const view = await parley.questions.get(approvalId)
      const [item] = view.ask.items
      await answerWith(approvalId, { [item?.id ?? '']: decision }, caller)
    },
    async onCallback(value, tapped) {
      const { about, caller } = tapped
      const tap = cardTap(value, about)
      if (tap) {
        await approvals.act(tap, tapped)
        return true
      }
      const [, verb, code = ''] = /^(accept|decline):(.+)$/.exec(value) ?? []
      if (verb === undefined || !about?.startsWith('pairing:')) return false
      await decidePairing(code, verb === 'accept', caller.by.name)
      return true
    },
    async mayNotDecide(action, tapped) {
      const { by, about, caller } = tapped
      const tap = action.type === 'callback' ? cardTap(action.value, about) : null
      if (tap) return approvals.refusal(tap, tapped)
      const isPairing = action.type === 'callback' && about?.startsWith('pairing:') === true
      if (isPairing) return isAtLeast(caller.by.role ?? 'guest', 'operator') ? null : onlyThey(pairingNames(), by.language)
      const question = action.type === 'question' ? action.questionId : action.type === 'approval' ? action.approvalId : null
      if (question === null) return null
      const refusal = await parley.questions.refusalFor(question, caller)
      if (refusal === null) return null
      await parley.questions.recordRefusal(question, caller)
      return onlyThey(refusal.names, by.language)
    },
    toastFor(action, tapped) {
      const tap = action.type === 'callback' ? cardTap(action.value, tapped.about) : null
      return tap ? approvals.toast(tap, tapped) : null
    },
    async whyNot(action, tapped: Tapped) {
      const { by, about, caller } = tapped
      const tap = action.type === 'callback' ? cardTap(action.value, about) : null
      if (tap) return approvals.late(tap, tapped)
      const words = messagingWords[spokenBy(by.language)]
      if (action.type === 'callback' && about?.startsWith('pairing:')) return (await isAsking(about)) ? null : words.already
      const question = action.type === 'question' ? action.questionId : action.type === 'approval' ? action.approvalId : null
      if (question === null) return null
      const view = await parley.questions.get(question)
      // Answered by this very tap, before a crash: whoever tapped is told what counts, not that they came too late.
      if (view.state === 'open' || (await store.remembered(requestKey(caller))) !== null) return null
      return view.closed?.by ? words.alreadyBy(view.closed.by) : words.already
    },
    controls: outbox.controls,
    async claimTap(channel, tap) {
      return hooks().tapped({ channel, kind: kindOf(channel.name), tap })
    },
    beforeKept: (channel, inbound) => hooks().messageReceived({ channel, kind: kindOf(channel), inbound }),
  }
}

/** A tap on a card of approvals. The same value below any other message means nothing: agents choose values too. */
const cardTap = (value: string, about: string | null): CardTap | null => (isAboutApprovals(about) ? readCardTap(value) : null)

async function firstWith<Item>(items: readonly Item[], fits: (item: Item) => Promise<boolean>): Promise<Item | undefined> {
  for (const item of items) if (await fits(item)) return item
  return undefined
}
