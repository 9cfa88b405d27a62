import { readLanguage } from '../../shapes/language.ts'
import { chatQuestionWords, messagingWords } from '../../words/index.ts'
import { readTyped } from '../../authority/typed-answer.ts'
import { answerHint } from '../../dialogs/rules/question.ts'
import { toIsoDate } from '../../dialogs/rules/question-kinds/iso-date.ts'
import { eventAuthor } from '../../dialogs/rules/event-author.ts'
import { ParleyError } from '../../errors.ts'
import type { Store } from '../../ports/store.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { QuestionView } from '../../shapes/wire.ts'
import { announceViews, type ApprovalCopy, type AskedAt, isApprovalCopy } from '../announce/announce-views.ts'
import { onlyThey } from '../announce/refusal-text.ts'
import type { InboundMessage } from '../bindings/binding-events.ts'
import { type ChatAddress, chatAddressKey } from '../bindings/chat-address.ts'
import type { InboundParts } from './inbound-parts.ts'
import { readReply } from './question-reply.ts'

/** Open questions and approvals of one chat that a reply is compared with. */
const openQuestionsHere = 100

export type TypedAnswerParts = Pick<InboundParts, 'store' | 'parley' | 'outbox' | 'dialogStreams' | 'approvals' | 'clock'>

/** An open question, with the rights of the caller. */
type Candidate = {
  view: QuestionView
  /** Names of the people who may answer instead; null when the caller may. */
  refusal: { names: readonly string[] } | null
  /** The question was asked of this caller. */
  isAddressed: boolean
}

export const hasOpenQuestions = async (store: Store, at: ChatAddress): Promise<boolean> =>
  (await store.rows({ view: announceViews.askedAt, group: chatAddressKey(at), limit: 1 })).length > 0

/**
 * Reads a message as the answer to a question of its chat. True when it was one, or an attempt at one by a person who may
 * not answer; false when it is for the dialog.
 */
export async function answerByText(parts: TypedAnswerParts, inbound: InboundMessage, caller: Caller): Promise<boolean> {
  const { store, approvals } = parts
  const { address, text, replyTo, isPrivate } = inbound
  const at: ChatAddress = { channel: caller.via, address }
  const rows = await store.rows({ view: announceViews.askedAt, group: chatAddressKey(at), limit: openQuestionsHere })
  if (rows.length === 0) return false
  const copies = rows.map(({ body }) => body as AskedAt | ApprovalCopy)
  const repliedTo = replyTo === undefined ? undefined : await findCopy(parts, copies, replyTo)
  if (repliedTo && isApprovalCopy(repliedTo)) return approvals.typed(repliedTo, inbound, caller)
  const questionCopies = copies.flatMap((copy) => (isApprovalCopy(copy) ? [] : [copy]))
  // A reply to some other message is about that message.
  const compared = repliedTo ? [repliedTo] : replyTo === undefined && isPrivate ? questionCopies : []
  const open = (await Promise.all(compared.map(({ question }) => findCandidate(parts, question, caller)))).flatMap((one) => one ?? [])
  const addressed = open.filter(({ isAddressed }) => isAddressed)
  const [target] = repliedTo ? open : addressed
  if (!target) return false
  const outcome = readTyped({
    text,
    isPrivate,
    openForAuthor: addressed.length,
    ...(repliedTo ? { repliesTo: { isApproval: false, isForAuthor: target.refusal === null } } : {}),
  })
  if (outcome.kind === 'refused') return refuse(parts, at, target, inbound, caller)
  if (outcome.kind !== 'answer') return false
  return answer(parts, at, target, inbound, caller, repliedTo !== undefined)
}

/** The copy of a question that has this platform message. */
async function findCopy<Copy extends { delivery: string }>(
  { outbox }: Pick<TypedAnswerParts, 'outbox'>,
  copies: readonly Copy[],
  messageId: string,
): Promise<Copy | undefined> {
  for (const copy of copies) if ((await outbox.get(copy.delivery)).receipts.some((receipt) => receipt.messageId === messageId)) return copy
  return undefined
}

async function findCandidate(
  { parley, dialogStreams }: Pick<TypedAnswerParts, 'parley' | 'dialogStreams'>,
  question: string,
  caller: Caller,
): Promise<Candidate | null> {
  const view = await parley.questions.get(question)
  if (view.state !== 'open') return null
  const { audience } = (await dialogStreams.load(view.dialog)).questions[question] ?? {}
  const { id, role } = eventAuthor(caller.by, caller.via)
  const isAddressed = audience?.kind === 'everyone' || (audience?.kind === 'authors' ? audience.ids.includes(id) : role === 'owner')
  return { view, refusal: await parley.questions.refusalFor(question, caller), isAddressed }
}

async function refuse(
  { parley, outbox }: Pick<TypedAnswerParts, 'parley' | 'outbox'>,
  at: ChatAddress,
  { view, refusal }: Candidate,
  { from }: InboundMessage,
  caller: Caller,
): Promise<true> {
  await parley.questions.recordRefusal(view.id, caller)
  const text = onlyThey(refusal?.names ?? [], from.language)
  await outbox.plan({ ...at, message: { text }, once: `refused:${view.id}:${caller.by.id ?? caller.by.name}` })
  return true
}

async function answer(
  { parley, outbox, clock }: Pick<TypedAnswerParts, 'parley' | 'outbox' | 'clock'>,
  at: ChatAddress,
  { view }: Candidate,
  { text: typed, from }: InboundMessage,
  caller: Caller,
  isReply: boolean,
): Promise<boolean> {
  const answers = readReply(view.ask, typed, toIsoDate(clock.now()))
  if (answers) {
    try {
      await parley.questions.answer(view.id, { answers }, caller)
      return true
    } catch (error) {
      if (!(error instanceof ParleyError) || error.retryable) throw error
      return false
    }
  }
  if (!isReply) return false
  const language = readLanguage(from.language)
  const [only, ...others] = view.ask.items
  const expected = only && others.length === 0 ? answerHint(only, language) : chatQuestionWords[language].replyMany
  const text = messagingWords[language].notAnAnswer(expected)
  await outbox.plan({ ...at, message: { text }, once: `not-an-answer:${caller.once?.key ?? ''}` })
  return true
}
