import type { ClosingMessages } from './closing-messages.ts'
import { messagingWords } from '../../words/index.ts'
import { createHash } from 'node:crypto'
import { type ApprovalDecision, approvalDecisions, mayDecide } from '../../authority/audience.ts'
import { isSamePerson, ownerId } from '../../authority/people.ts'
import type { Policy } from '../../authority/policy.ts'
import type { Author } from '../../authority/roles.ts'
import type { QuestionView } from '../../shapes/wire.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { DialogCommand } from '../../dialogs/rules/decide-dialog.ts'
import type { DialogState, OpenQuestion } from '../../dialogs/rules/dialog-state.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Store, ViewRow, Wake } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import { questionView } from '../../dialogs/rows/dialog-rows.ts'
import { announceViews, type ApprovalBatch, type ApprovalCopy, isApprovalCopy } from './announce-views.ts'
import {
  type ApprovalCard,
  approvalMessage,
  type ApprovalQuestion,
  listDecisions,
  type CardMode,
  isApprovalQuestion,
  scopeChoices,
  waitingMessage,
} from './approval-message.ts'
import { notifiedFirst, notifiedLater } from './approval-waves.ts'
import type { Identities } from '../bindings/identities.ts'
import { type ChatAddress, chatAddressKey } from '../bindings/chat-address.ts'

export const approvalCopyLimits = {
  /** An approval has no end, so its card is sent however late a platform is back. */
  staleAfterMs: 30 * 24 * 60 * 60_000,
  /** Changes of one copy while the approval changes under it. */
  refreshes: 5,
} as const

export const escalateWork = 'escalate'

/** All messages about a batch of approvals are found by this. */
const aboutApprovals = (batch: string): string => `approvals:${batch}`

export const isAboutApprovals = (about: string | null): boolean => about?.startsWith('approvals:') ?? false

/**
 * Cards and waiting lines of approvals in chats.
 *
 * | address                                   | what stands there                      |
 * |-------------------------------------------|----------------------------------------|
 * | private chat of an approver               | the card                               |
 * | group of the dialog, `approvals.inGroup`  | the card; only approvers can tap       |
 * | other chat of the dialog                  | the waiting line, without arguments    |
 * | other `notify` address                    | the waiting line, with the dialog      |
 */
export type ApprovalCopies = {
  /** Shows approvals that were asked together. `here`: the chats of their dialog. */
  show(asked: {
    dialog: string
    questions: readonly string[]
    here: readonly ChatAddress[]
    surfaces: ApprovalCopy['surfaces']
  }): Promise<void>
  /** Every copy shows what is the case now. */
  refresh(question: string): Promise<void>
  /** Notifies the people named for later, if it is still open. Decides nothing. */
  escalate(question: string): Promise<void>
  find(delivery: string): Promise<ApprovalCopy | null>
  setMode(delivery: string, mode: CardMode): Promise<void>
  /** One card for each approval of this one that is still open. */
  showEach(delivery: string): Promise<void>
  views(questions: readonly string[]): Promise<ApprovalQuestion[]>
}

export function approvalCopies(parts: {
  store: Store
  committer: Committer
  dialogs: Pick<StreamHandler<DialogState, DialogCommand>, 'load'>
  outbox: Outbox
  closing: ClosingMessages
  identities: Identities
  policy: () => Policy
  notify: () => readonly ChatAddress[]
  /** Where the page shows a dialog; null without an address. */
  pageUrl: (dialog: string) => string | null
  /** Characters of a call that one message of this channel shows. */
  pieceChars: (channel: string) => number
  clock: Clock
}): ApprovalCopies {
  const { store, committer, dialogs, outbox, closing, identities, policy, notify, pageUrl, pieceChars, clock } = parts

  async function views(questions: readonly string[]): Promise<ApprovalQuestion[]> {
    const rows = await Promise.all(questions.map((question) => store.row(questionView, question)))
    return rows.map((row) => row?.body as QuestionView | undefined).filter(isApprovalQuestion)
  }

  async function find(delivery: string): Promise<ApprovalCopy | null> {
    const body = (await store.row(announceViews.askedAt, delivery))?.body as ApprovalCopy | undefined
    return body && isApprovalCopy(body) ? body : null
  }

  const getBatch = async (question: string): Promise<ApprovalBatch | null> =>
    ((await store.row(announceViews.approvals, question))?.body as ApprovalBatch | undefined) ?? null

  const batchRows = (batch: ApprovalBatch): ViewRow[] =>
    batch.questions.map((key) => ({ view: announceViews.approvals, key, group: '', sort: clock.now(), text: '', body: batch }))

  function offered(reader: Author | null, open: OpenQuestion | undefined, question: ApprovalQuestion): ApprovalDecision[] {
    const { approval, cause, keysGiven } = open ?? {}
    if (!approval || !cause) return []
    const order: readonly ApprovalDecision[] = approval.irreversible ? ['deny', 'once', 'chat'] : approvalDecisions
    const terms = { ...approval, cause }
    // In a group the buttons are the same for all: those that need no further step, and no role above an approver's.
    const isOffered = (decision: ApprovalDecision): boolean =>
      reader === null
        ? decision !== 'always' && !(decision === 'chat' && approval.onceOnly)
        : 'role' in mayDecide(decision, reader, terms, policy(), keysGiven)
    return order.filter((decision) => isOffered(decision) && (decision !== 'always' || scopeChoices(question.approval).length > 0))
  }

  async function render(
    copy: Omit<ApprovalCopy, 'delivery' | 'hash'>,
  ): Promise<{ message: ReplyPayload; offered: readonly ApprovalDecision[] }> {
    const { dialog, language, isElsewhere, surfaces, mode, reader, channel } = copy
    const state = await dialogs.load(dialog)
    const questions = await views(copy.questions)
    const elsewhere = isElsewhere ? (questions[0]?.dialogTitle ?? null) : null
    if (copy.shows === 'waiting') {
      const names = await waitingNames(copy, state)
      return { message: waitingMessage({ language, names, questions, agent: state.agent, elsewhere }), offered: [] }
    }
    const byId = new Map(questions.map((question) => [question.id, question]))
    const card: ApprovalCard = {
      agent: state.agent,
      language,
      questions,
      mode,
      elsewhere,
      surfaces,
      takesNote: reader !== null,
      judged: (id) => (state.questions[id] ?? state.closed[id]?.asked)?.approval ?? {},
      offered: (id) => {
        const question = byId.get(id)
        return question ? offered(reader, state.questions[id], question) : []
      },
      pageUrl: pageUrl(dialog),
      pieceChars: pieceChars(channel),
      now: clock.now(),
    }
    return { message: approvalMessage(card), offered: listDecisions(card) }
  }

  /** Names of the notified people. Others may decide as well, but the text does not name them. */
  async function waitingNames({ batch, questions, language }: Pick<ApprovalCopy, 'batch' | 'questions' | 'language'>, state: DialogState) {
    const { escalated = [] } = (await getBatch(batch)) ?? {}
    const notified = questions.flatMap((question) => {
      const open = state.questions[question]
      if (!open) return []
      const deciders = [...notifiedFirst(open, policy()), ...(escalated.includes(question) ? notifiedLater(open, policy()) : [])]
      return deciders.filter((author) => !open.keysGiven.some((key) => isSamePerson(key, author)))
    })
    return [...new Set(notified.map(({ id, name }) => (id === ownerId ? messagingWords[language].theOwner : name)))]
  }

  async function plan(copy: Omit<ApprovalCopy, 'delivery' | 'hash'>, once: string): Promise<string> {
    const { channel, address, batch } = copy
    const { message, offered: decisions } = await render(copy)
    const { delivery } = await outbox.plan({
      channel,
      address,
      message,
      about: aboutApprovals(batch),
      once: `${once}:${channel}:${address}`,
      staleAfterMs: approvalCopyLimits.staleAfterMs,
    })
    // Planned before a crash: what became of it since then stays.
    if (!(await find(delivery))) await keep({ ...copy, delivery, offered: decisions, hash: computeHash(message) })
    return delivery
  }

  async function keep(copy: ApprovalCopy): Promise<void> {
    await committer.commit({
      rows: [{ view: announceViews.askedAt, key: copy.delivery, group: chatAddressKey(copy), sort: clock.now(), text: '', body: copy }],
    })
  }

  /** Looks again after each change: the approval may have been decided between reading and writing. */
  async function update(copy: ApprovalCopy): Promise<void> {
    let { hash } = copy
    for (let tries = 0; tries < approvalCopyLimits.refreshes; tries += 1) {
      const { message, offered: decisions } = await render(copy)
      if (computeHash(message) === hash) return
      // On a platform without editing, a card that still offers something is sent again, and its outcome is a line.
      if (decisions.length > 0) await outbox.edit(copy.delivery, message, { orSend: !closing.canEdit(copy.channel), orKeep: true })
      else await closing.close({ id: copy.delivery, channel: copy.channel, address: copy.address }, message)
      hash = computeHash(message)
      await keep({ ...copy, offered: decisions, hash })
    }
  }

  /** A tap changes a copy while the end of its approval may just have removed it from the bookkeeping. */
  async function forgetIfOver({ batch }: ApprovalCopy, deliveries: readonly string[]): Promise<void> {
    if (await getBatch(batch)) return
    await committer.commit({ rows: deliveries.map((key) => ({ view: announceViews.askedAt, key, body: null })) })
  }

  return {
    find,
    views,
    async show({ dialog, questions, here, surfaces }) {
      const [batch] = questions
      const state = await dialogs.load(dialog)
      const open = questions.flatMap((question) => state.questions[question] ?? [])
      if (batch === undefined || open.length === 0) return
      const batchCopies = await getBatch(batch)
      const wake = open.flatMap(({ question, askedAt, approval }): Wake[] =>
        approval?.escalate ? [{ kind: escalateWork, key: question, at: askedAt + approval.escalate.afterMs }] : [],
      )
      if (!batchCopies) await committer.commit({ rows: batchRows({ batch, dialog, questions, escalated: [] }), wake })
      const isHere = new Set(here.map(chatAddressKey))
      const common = { dialog, batch, mode: 'decide' as const, surfaces }
      const cards = new Map<string, { place: ChatAddress; reader: Author | null; questions: string[] }>()
      for (const each of open)
        for (const reader of notifiedFirst(each, policy()))
          for (const place of await identities.makeChats(reader)) {
            const card = cards.get(chatAddressKey(place)) ?? { place, reader, questions: [] }
            if (!card.questions.includes(each.question)) card.questions.push(each.question)
            cards.set(chatAddressKey(place), card)
          }
      const waiting: ChatAddress[] = []
      for (const place of here) {
        if (cards.has(chatAddressKey(place))) continue
        const isGroupCard = policy().approvalsInGroup && !(await identities.isPrivate(place))
        if (isGroupCard) cards.set(chatAddressKey(place), { place, reader: null, questions: open.map(({ question }) => question) })
        else waiting.push(place)
      }
      waiting.push(...notify().filter((place) => !cards.has(chatAddressKey(place)) && !isHere.has(chatAddressKey(place))))
      for (const { place, reader, questions: shown } of cards.values()) {
        const language = await identities.languageAt(place, state.language)
        const isElsewhere = !isHere.has(chatAddressKey(place))
        const copy = { ...common, ...place, shows: 'card' as const, questions: shown, reader, isElsewhere, language }
        await plan(copy, `approvals:${batch}`)
      }
      for (const place of waiting) {
        const language = await identities.languageAt(place, state.language)
        const isElsewhere = !isHere.has(chatAddressKey(place))
        await plan({ ...common, ...place, shows: 'waiting', questions, reader: null, isElsewhere, language }, `approvals:${batch}`)
      }
    },
    async refresh(question) {
      const batchOfQuestion = await getBatch(question)
      if (!batchOfQuestion) return
      // Read first: what is decided while the copies are changed has a refresh of its own.
      const isOver = (await views(batchOfQuestion.questions)).every(({ state }) => state !== 'open')
      const copies = await outbox.about(aboutApprovals(batchOfQuestion.batch))
      for (const { id, state, parts: shown } of copies) {
        const copy = await find(id)
        // It never arrived and a person dismissed it: there is nothing to change.
        if (copy && !(state === 'dismissed' && shown.sent === 0)) await update(copy)
      }
      if (!isOver) return
      await committer.commit({
        rows: [
          ...copies.map(({ id }) => ({ view: announceViews.askedAt, key: id, body: null })),
          ...batchOfQuestion.questions.map((key) => ({ view: announceViews.approvals, key, body: null })),
        ],
      })
    },
    async escalate(question) {
      const batchOfQuestion = await getBatch(question)
      if (!batchOfQuestion) return
      const state = await dialogs.load(batchOfQuestion.dialog)
      const open = state.questions[question]
      if (!open) return
      const copies = (await Promise.all((await outbox.about(aboutApprovals(batchOfQuestion.batch))).map(({ id }) => find(id)))).flatMap(
        (copy) => copy ?? [],
      )
      const [sample] = copies
      for (const reader of notifiedLater(open, policy()))
        for (const place of await identities.makeChats(reader)) {
          const isThere = copies.some(
            (copy) => copy.shows === 'card' && chatAddressKey(copy) === chatAddressKey(place) && copy.questions.includes(question),
          )
          if (isThere) continue
          const language = await identities.languageAt(place, state.language)
          const isElsewhere = !copies.some((copy) => !copy.isElsewhere && chatAddressKey(copy) === chatAddressKey(place))
          const { dialog, batch } = batchOfQuestion
          const cardState = { shows: 'card' as const, mode: 'decide' as const, questions: [question], surfaces: sample?.surfaces ?? {} }
          await plan({ ...cardState, ...place, dialog, batch, reader, isElsewhere, language }, `approvals:${question}:escalated`)
        }
      await committer.commit({ rows: batchRows({ ...batchOfQuestion, escalated: [...new Set([...batchOfQuestion.escalated, question])] }) })
      await this.refresh(question)
    },
    async setMode(delivery, mode) {
      const copy = await find(delivery)
      if (!copy) return
      await update({ ...copy, mode })
      await forgetIfOver(copy, [delivery])
    },
    async showEach(delivery) {
      const copy = await find(delivery)
      if (!copy) return
      const { hash: _hash, delivery: _delivery, ...shared } = copy
      const open = (await views(copy.questions)).filter(({ state }) => state === 'open')
      const planned: string[] = []
      for (const { id } of open) planned.push(await plan({ ...shared, mode: 'decide', questions: [id] }, `approvals:${id}:each`))
      await update({ ...copy, mode: 'each' })
      await forgetIfOver(copy, [delivery, ...planned])
    },
  }
}

const computeHash = (message: ReplyPayload): string => createHash('sha256').update(JSON.stringify(message)).digest('base64url')
