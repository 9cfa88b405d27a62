import { ownerAudience } from '../../authority/audience.ts'
import { authorOfPerson } from '../../authority/people.ts'
import type { Policy } from '../../authority/policy.ts'
import { isAtLeast } from '../../authority/roles.ts'
import type { QuestionView } from '../../shapes/wire.ts'
import { announceWork } from '../../dialogs/rules/announcements.ts'
import type { DialogCommand } from '../../dialogs/rules/decide-dialog.ts'
import type { DialogEvent } from '../../dialogs/rules/dialog-events.ts'
import { type DialogState, type OpenQuestion, getStatus } from '../../dialogs/rules/dialog-state.ts'
import { listOptions } from '../../dialogs/rules/question.ts'
import type { Outbox, OutboxUnder } from '../outbox/outbox.ts'
import { describeError } from '../../errors.ts'
import { bindingStream, type PlaceView } from '../bindings/binding-kind.ts'
import { findBoundAddresses } from '../bindings/bound-addresses.ts'
import type { BindingState } from '../bindings/binding-state.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Hooks } from '../../ports/hooks.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store, StoredEvent, Unit, ViewRow } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'
import { pump, type Pump, type Work } from '../../streams/pump.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import { questionView } from '../../dialogs/rows/dialog-rows.ts'
import { announceViews, type AskedAt, askedAtKey } from './announce-views.ts'
import type { ApprovalCopies } from './approval-copies.ts'
import type { ClosingMessages } from './closing-messages.ts'
import type { Identities } from '../bindings/identities.ts'
import { aboutFailure, failureMessage, isOpenFailure } from './failure-message.ts'
import { closedQuestionMessage, hasToggles, questionMessage } from './question-message.ts'
import { type ChatAddress, chatAddressKey } from '../bindings/chat-address.ts'
import { aboutShown, replyName } from './reply-names.ts'
import type { ReplyPreviews } from './reply-previews.ts'
import { requesterSurfaces } from './requester-surfaces.ts'
import { spokenWords, type SpokenWords } from './spoken-words.ts'

export const announceLimits = { concurrent: 64, page: 500, lateMs: 60 * 60_000 } as const

/**
 * Something to be done. Given a claim to end, it says whether it ended it. What is planned is repeatable: a power cut takes it
 * back together with the end of the work, which then plans it again, and an intention to send is on the disk before it is sent.
 */
type Step = (under: OutboxUnder) => Promise<boolean>

/** Approvals that were asked in one commit, and are shown together. */
type AskedTogether = { questions: string[]; lastSeq: number }

/**
 * Tells people in their chats what happened in a dialog: replies where the dialog is bound, questions where the person is.
 *
 * | in the log                       | at the places of its root            | at the owner's own chats               |
 * |----------------------------------|--------------------------------------|----------------------------------------|
 * | the end of a turn                | what the agent said in it to people  | –                                      |
 * | a turn that failed               | that it failed and why, Retry, Give up | –                                    |
 * | one of a side dialog that waits  | the same, where an operator is alone | the same                               |
 * | a question to its authors        | a message with its controls          | the same if an owner is among them, or `notifyFor: all` |
 * | a question to the owner          | the same, where the owner is alone   | the same                               |
 * | the end of a question            | the same message shows who said what | the same                               |
 * | approvals                        | see approval-copies.ts               | see there                              |
 *
 * Reading starts where the last announcement ended. Planning a message twice gives the same one, so a crash anywhere
 * means only that some of it is planned again.
 */
export function announcer(parts: {
  store: Store
  committer: Committer
  dialogs: StreamHandler<DialogState, DialogCommand>
  bindings: StreamHandler<BindingState, never>
  outbox: Outbox
  hooks: Pick<Hooks, 'prepareReply'>
  getKind: (channel: string) => string
  /** The owner's own chats. */
  notify: () => readonly ChatAddress[]
  policy: () => Policy
  identities: Identities
  approvals: Pick<ApprovalCopies, 'views' | 'show' | 'refresh'>
  previews: Pick<ReplyPreviews, 'stop'>
  /** The channel edits its messages and has room for this many options and a button that sends them. */
  canToggle: (place: ChatAddress, options: number) => Promise<boolean>
  hasButtons: (place: ChatAddress) => Promise<boolean>
  closing: ClosingMessages
  clock: Clock
  log: Log
  metrics: Metrics
}): Pump {
  const {
    store,
    committer,
    dialogs,
    bindings,
    outbox,
    hooks,
    getKind,
    notify,
    policy,
    identities,
    approvals,
    previews,
    canToggle,
    hasButtons,
    closing,
    clock,
    log,
    metrics,
  } = parts

  async function handle(work: Work): Promise<void> {
    const dialog = work.lease.key
    const state = await dialogs.load(dialog)
    const root = state.origin?.root ?? dialog
    const places = await findBoundAddresses(store, root)
    if (places.length === 0 && notify().length === 0 && policy().people.length === 0) return settle(work)
    let after = await announcedUpTo(dialog)
    const spoken = spokenWords()
    const steps: Step[] = []
    const together: AskedTogether[] = []
    for (;;) {
      const events = await store.read(dialog, after, announceLimits.page)
      for (const event of events) {
        steps.push(...stepsFor(dialog, state, event as StoredEvent & DialogEvent, places, spoken, together))
        after = event.seq
      }
      if (events.length < announceLimits.page) break
    }
    // Words of a turn that still runs are told at its end, so reading starts with them again.
    const since = spoken.since()
    const upTo = since === null ? after : since - 1
    const rows: Unit['rows'] = [{ view: announceViews.announced, key: dialog, group: '', sort: clock.now(), text: '', body: { upTo } }]
    for (const [index, step] of steps.entries()) {
      if (work.signal.aborted) return void (await committer.commit({ lease: work.lease, settle: { retryAt: clock.now(), forgive: true } }))
      // The last one ends the work in its own commit, if it has one.
      if (index === steps.length - 1 && (await step({ lease: work.lease, settle: 'done', rows, repeatable: true }))) return
      if (index < steps.length - 1) await step({ repeatable: true })
    }
    await settle(work, rows)
  }

  /** Steps that follow from one event, in order. */
  function stepsFor(
    dialog: string,
    state: DialogState,
    event: StoredEvent & DialogEvent,
    places: readonly PlaceView[],
    said: SpokenWords,
    together: AskedTogether[],
  ): Step[] {
    const here = places.filter(({ since }) => event.at >= since)
    const isRoot = state.origin === null
    if (isRoot) said.hear(event)
    if (event.type === 'turn.stopped') return words(dialog, state, here, said, { turn: event.data.turn, isEnd: false, at: event.at })
    if (event.type === 'turn.finished') return words(dialog, state, here, said, { turn: event.data.turn, isEnd: true, at: event.at })
    if (event.type === 'turn.failed') {
      const steps = words(dialog, state, here, said, { turn: event.data.turn, isEnd: false, at: event.at })
      return isLate(event.at) ? steps : [...steps, () => tellFailure(dialog, state, event, here)]
    }
    if (event.type === 'question.asked') {
      const { turn, question, approval } = event.data
      const last = together.at(-1)
      if (approval && last?.lastSeq === event.seq - 1) {
        last.questions.push(question)
        last.lastSeq = event.seq
        return []
      }
      const before = words(dialog, state, here, said, { turn: turn ?? 0, isEnd: false, at: event.at })
      if (!approval) return [...before, (under) => ask(question, dialog, here, under)]
      const batch: AskedTogether = { questions: [question], lastSeq: event.seq }
      together.push(batch)
      return [...before, () => askForApproval(dialog, state, batch.questions, here)]
    }
    if (event.type === 'approval.key-given') return [() => changed(event.data.question)]
    // Shown again where it was answered before it reached the chat; elsewhere this changes nothing.
    if (event.type === 'answer.withdrawn') return [(under) => ask(event.data.question, dialog, here, under)]
    const isOver =
      event.type === 'answer.taken' ||
      // Copies stay as they are while the answer may be withdrawn.
      (event.type === 'question.answered' && event.data.undoUntil === undefined) ||
      event.type === 'question.declined' ||
      event.type === 'question.cancelled' ||
      event.type === 'question.expired'
    return isOver ? [(under) => closeCopies(event.data.question, state, places, under)] : []
  }

  /** Messages of the agent since the last announcement, for each address. */
  function words(
    dialog: string,
    state: DialogState,
    places: readonly PlaceView[],
    said: SpokenWords,
    { turn, isEnd, at }: { turn: number; isEnd: boolean; at: number },
  ): Step[] {
    const { message: reply, shown } = said.take()
    // While it waits for teammates or for an answer, and when it goes on already, there is no end yet.
    const isAtRest = isEnd && state.turns === turn && getStatus(state) === 'ready'
    if ((reply.text === undefined && !reply.presentation) || isLate(at)) return []
    return places.map(({ channel, address }): Step => async (under) => {
      const { last, isPrivate } = await bindings.load(bindingStream(channel, address))
      const plain: ReplyPayload = { ...reply, ...(!isPrivate && last && { send: { replyTo: last.messageId } }) }
      await previews.stop(dialog)
      const message = isAtRest
        ? await hooks.prepareReply({
            dialog,
            turn,
            agent: state.agent,
            language: state.language,
            channel,
            kind: getKind(channel),
            address,
            isPrivate,
            asker: last?.from.id ?? null,
            hasButtons: await hasButtons({ channel, address }),
            message: plain,
          })
        : plain
      metrics.count('announced_total', 1, { channel })
      const once = replyName(dialog, turn, { channel, address })
      const about = shown.length > 0 ? { about: aboutShown(dialog, shown) } : {}
      const { delivery, isNew } = await outbox.plan({ channel, address, message, once, reply: { dialog, turn }, ...about }, under)
      // It could be read while it was written, or a crash came after it was planned.
      if (!isNew) await outbox.finishDraft(delivery, message)
      return isNew
    })
  }

  /** With Retry and Give up. That of a side dialog is for the people who decide about it, while it waits for one of them. */
  async function tellFailure(
    dialog: string,
    state: DialogState,
    { seq, data: { turn, code, details } }: StoredEvent & Extract<DialogEvent, { type: 'turn.failed' }>,
    here: readonly ChatAddress[],
  ): Promise<false> {
    const isRoot = state.origin === null
    if (!isRoot && (!isOpenFailure(state, turn) || state.failure?.isTold)) return false
    const { message: why } = describeError(code, details)
    const message = failureMessage(state.language, { why, agent: isRoot ? null : state.agent })
    const places = isRoot ? here : (await readers(undefined, here)).map(({ place }) => place)
    for (const { channel, address } of places)
      await outbox.plan({
        channel,
        address,
        message,
        about: aboutFailure(dialog, turn),
        once: `failure:${dialog}:${seq}:${channel}:${address}`,
      })
    return false
  }

  async function askForApproval(
    dialog: string,
    state: DialogState,
    questions: readonly string[],
    here: readonly ChatAddress[],
  ): Promise<false> {
    const [first] = await approvals.views(questions)
    const root = state.origin?.root ?? dialog
    const surfaces = await requesterSurfaces(store, root, first?.approval.requesters ?? [], getKind)
    await approvals.show({ dialog, questions, here, surfaces })
    return false
  }

  async function changed(question: string): Promise<false> {
    await approvals.refresh(question)
    return false
  }

  async function ask(question: string, dialog: string, here: readonly ChatAddress[], under: OutboxUnder): Promise<boolean> {
    const row = await store.row(questionView, question)
    const view = row?.body as QuestionView | undefined
    if (view?.state !== 'open') return false
    const state = await dialogs.load(dialog)
    const copies = await readers(state.questions[question], here)
    let isEnded = false
    for (const [index, { place, isElsewhere }] of copies.entries()) {
      const { channel, address } = place
      const isGroup = !isElsewhere && !(await identities.isPrivate(place))
      const { language } = state
      const questionContext = { language, isElsewhere, isGroup, isSide: state.origin !== null }
      const isChosenByButtons = hasToggles(view.ask) && (await canToggle(place, listOptions(view.ask.items[0]).length))
      const key = askedAtKey(question, place)
      const rowFor = (delivery: string): ViewRow => {
        const choosing = isChosenByButtons && { choosing: { shown: questionContext, values: [] } }
        const body: AskedAt = { question, channel, address, delivery, ...choosing }
        return { view: announceViews.askedAt, key, group: chatAddressKey(place), sort: clock.now(), text: '', body }
      }
      const isLast = index === copies.length - 1
      const { delivery, isNew } = await outbox.plan(
        {
          channel,
          address,
          message: questionMessage(view, language, { ...questionContext, ...(isChosenByButtons && { chosen: [] }) }),
          about: `question:${question}`,
          once: `question:${question}:${channel}:${address}`,
        },
        isLast ? under : { repeatable: true },
        (planned) => [rowFor(planned)],
      )
      if (isNew) isEnded = isLast && under.lease !== undefined
      // Planned before a crash. An earlier version stored the row in a commit of its own. The options chosen since then stay.
      else if (!(await store.row(announceViews.askedAt, key))) await committer.commit({ rows: [rowFor(delivery)], repeatable: true })
    }
    return isEnded
  }

  /** Where a question is shown. One that is for the owner is not shown to the people whose turn asked it. */
  async function readers(
    open: OpenQuestion | undefined,
    here: readonly ChatAddress[],
  ): Promise<{ place: ChatAddress; isElsewhere: boolean }[]> {
    const { audience = ownerAudience, cause } = open ?? {}
    const isToOwner = audience.kind === 'owner'
    const audiencePlaces = isToOwner ? await placesOfOperators(here) : here
    const knownKeys = new Set(here.map(chatAddressKey))
    const hasOwner =
      audience.kind === 'authors' && (cause?.by.some(({ id, role }) => role === 'owner' && audience.ids.includes(id)) ?? false)
    const others = isToOwner || hasOwner || policy().notifyFor === 'all' ? [...notify()] : []
    if (isToOwner)
      for (const person of policy().people)
        if (person.role === 'owner') others.push(...(await identities.makeChats(authorOfPerson(person))))
    const elsewhere = new Map(
      others.filter((place) => !knownKeys.has(chatAddressKey(place))).map((place) => [chatAddressKey(place), place]),
    )
    return [
      ...audiencePlaces.map((place) => ({ place, isElsewhere: false })),
      ...[...elsewhere.values()].map((place) => ({ place, isElsewhere: true })),
    ]
  }

  async function placesOfOperators(here: readonly ChatAddress[]): Promise<ChatAddress[]> {
    const people = await Promise.all(here.map((place) => identities.personAt(place)))
    return here.filter((_, index) => isAtLeast(people[index]?.role ?? 'guest', 'operator'))
  }

  async function closeCopies(question: string, state: DialogState, places: readonly ChatAddress[], under: OutboxUnder): Promise<boolean> {
    const row = await store.row(questionView, question)
    const view = row?.body as QuestionView | undefined
    if (!view || view.state === 'open') return false
    if (view.approval) return changed(question)
    const copies = await outbox.about(`question:${question}`)
    if (copies.length === 0) return false
    const addressKeys = new Set(places.map(chatAddressKey))
    const gone: Unit['rows'] = copies.map(({ channel, address }) => ({
      view: announceViews.askedAt,
      key: askedAtKey(question, { channel, address }),
      body: null,
    }))
    const end = { ...under, rows: [...gone, ...(under.rows ?? [])] }
    // One that never arrived and was dismissed has nothing to close.
    const visible = copies.filter(({ state: became, parts: shown }) => became !== 'dismissed' || shown.sent > 0)
    let isEnded = false
    for (const [index, copy] of visible.entries()) {
      const message = closedQuestionMessage(view, state.language, { isElsewhere: !addressKeys.has(chatAddressKey(copy)) })
      const isLast = index === visible.length - 1
      const isCommitted = await closing.close(copy, message, isLast ? end : { repeatable: true })
      isEnded = isLast && isCommitted
    }
    if (!isEnded) await committer.commit(end)
    return under.lease !== undefined
  }

  const isLate = (at: number): boolean => clock.now() - at > announceLimits.lateMs

  async function announcedUpTo(dialog: string): Promise<number> {
    const row: ViewRow | null = await store.row(announceViews.announced, dialog)
    return row ? (row.body as { upTo: number }).upTo : 0
  }

  const settle = async (work: Work, rows?: Unit['rows']): Promise<void> =>
    void (await committer.commit({ lease: work.lease, settle: 'done', ...(rows && { rows }), repeatable: true }))

  return pump({ store, clock, log, metrics, kind: announceWork, slots: announceLimits.concurrent, handle })
}
