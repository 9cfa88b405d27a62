import { authorOf, ownerId, type People } from '../authority/people.ts'
import { isAtLeast } from '../authority/roles.ts'
import { readTyped } from '../authority/typed-answer.ts'
import type { QuestionView } from '../client/wire.ts'
import type { Outbox } from '../delivery/outbox.ts'
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
import { announceViews, type AskedAt } from './announcer.ts'
import type { Connections } from './connections.ts'
import { messagingWords, spokenBy } from './messaging-words.ts'
import { type pairingRequests, streamAsked } from './pairing-requests.ts'
import { readReply } from './question-reply.ts'
import type { Place } from './reply-names.ts'

const openQuestionsHere = 20

/** What comes from chat apps, said in Parley's own nouns: a message is said in its dialog or answers a question, a tap decides. */
export function inboundAnswers(parts: {
  store: Store
  parley: Pick<Parley, 'dialogs' | 'questions'>
  outbox: Outbox
  connections: Connections
  hooks: () => Hooks
  kindOf: (channel: string) => string
  /** `people:` of parley.yaml as it is now. */
  people: () => People
  requests: Pick<ReturnType<typeof pairingRequests>, 'ask'>
  /** Lets somebody in, or not, by a button under the owner's message. */
  decidePairing: (code: string, isAccepted: boolean, by: string) => Promise<void>
}): InboundPorts {
  const { store, parley, outbox, connections, hooks, kindOf, people, requests, decidePairing } = parts

  async function answerWith(question: string, answers: Record<string, string>, caller: Caller): Promise<void> {
    await parley.questions.answer(question, { answers }, caller)
  }

  /** True when the message was an answer, or an attempt at one by a person who may not answer; false when it is for the dialog. */
  async function answersQuestion({ address, text, replyTo, isPrivate, from }: InboundMessage, caller: Caller): Promise<boolean> {
    const place: Place = { channel: caller.via, address }
    const rows = await store.rows({ view: announceViews.askedAt, group: `${place.channel}/${place.address}`, limit: openQuestionsHere })
    if (rows.length === 0) return false
    const asked = rows.map(({ body }) => body as AskedAt)
    const replied =
      replyTo === undefined
        ? undefined
        : await firstWith(asked, async ({ delivery }) =>
            (await outbox.get(delivery)).receipts.some(({ messageId }) => messageId === replyTo),
          )
    // A reply to some other message is about that message.
    const candidates = replied ? [replied] : replyTo === undefined && isPrivate ? asked : []
    const questions = await Promise.all(candidates.map(({ question }) => forCaller(question, caller)))
    const open = questions.flatMap((one) => (one ? [one] : []))
    const mine = open.filter(({ refusal }) => refusal === null)
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
        once: `refused:${caller.once?.key ?? ''}`,
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

  /** An open question and whether this caller may answer it; null once it is closed. */
  async function forCaller(
    question: string,
    caller: Caller,
  ): Promise<{ view: QuestionView; refusal: { names: readonly string[] } | null } | null> {
    const view = await parley.questions.get(question)
    return view.state === 'open' ? { view, refusal: await parley.questions.refusalFor(question, caller) } : null
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
      return own.includes(inbound.address) ? 'allowed' : admit(allow, inbound)
    },
    identify(channel, { from, address, isPrivate }) {
      const sender = { platform: kindOf(channel), account: channel, sender: from.id, name: from.name }
      const isNotifyAddress = connections.connection(channel)?.config.notify.includes(address) ?? false
      const author = isPrivate
        ? authorOf({ surface: 'private', ...sender, isNotifyAddress }, people())
        : authorOf({ surface: 'group', ...sender }, people())
      return { kind: 'human', ...author, name: author.id === ownerId ? from.name : author.name }
    },
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
    async onCallback(value, { about, by }) {
      const [, verb, code = ''] = /^(accept|decline):(.+)$/.exec(value) ?? []
      if (verb === undefined || !about?.startsWith('pairing:')) return false
      await decidePairing(code, verb === 'accept', by.name)
      return true
    },
    async mayNotDecide(action, { by, about, caller }) {
      const words = messagingWords[spokenBy(by.language)]
      const isPairing = action.type === 'callback' && about?.startsWith('pairing:') === true
      if (isPairing) return isAtLeast(caller.by.role ?? 'guest', 'operator') ? null : words.onlyOne(words.theOwner)
      const question = action.type === 'question' ? action.questionId : action.type === 'approval' ? action.approvalId : null
      if (question === null) return null
      const refusal = await parley.questions.refusalFor(question, caller)
      if (refusal === null) return null
      await parley.questions.recordRefusal(question, caller)
      return onlyThey(refusal.names, by.language)
    },
    async whyNot(action, { by, about, caller }: Tapped) {
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

function onlyThey(names: readonly string[], language: string | undefined): string {
  const words = messagingWords[spokenBy(language)]
  return words.onlyOne(names.join(', ') || words.theOwner)
}

async function firstWith<Item>(items: readonly Item[], fits: (item: Item) => Promise<boolean>): Promise<Item | undefined> {
  for (const item of items) if (await fits(item)) return item
  return undefined
}
