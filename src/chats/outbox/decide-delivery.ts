import { type Refusal, refuse } from '../../errors.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import type { SendFailure } from '../../ports/channel.ts'
import { getPin } from '../message/reply-payload.ts'
import type { DeliveryEvent } from './delivery-events.ts'
import { deliveryLimits } from './delivery-limits.ts'
import { type DeliveryState, findShown } from './delivery-state.ts'
import { backOffMs } from '../../shapes/back-off.ts'

type DataOf<Type extends DeliveryEvent['type']> = Extract<DeliveryEvent, { type: Type }>['data']

export type DeliveryCommand = { at: number } & (
  | ({ type: 'plan-delivery' } & DataOf<'delivery.planned'>)
  /** `revision` of the text that was prepared. */
  | ({ type: 'intend-part'; revision: number; again?: true } & DataOf<'delivery.intended'>)
  /** One id for each part that the request covered. */
  | { type: 'record-receipt'; key: string; messageIds: readonly string[]; sentAt: number }
  | { type: 'record-failure'; key: string; failure: SendFailure; hasKey: boolean }
  /** A process ended between the intention and its outcome. */
  | { type: 'give-up-part' }
  | { type: 'park-delivery' }
  /** This channel cannot change what it sent, or has nothing to send for this part. */
  | { type: 'refuse-part'; why: string }
  | { type: 'record-pin'; failure: SendFailure | null }
  /** One of its messages was pinned or unpinned by hand. */
  | { type: 'note-pin'; messageId: string; isPinned: boolean }
  | { type: 'record-strip'; messageId: string; failure: SendFailure | null }
  | { type: 'record-removal'; messageId: string; failure: SendFailure | null }
  | {
      type: 'edit-delivery'
      message: ReplyPayload
      keepMedia?: boolean
      orSend: boolean
      orKeep?: true
      order: number
      staleAt: number
      ifDraft?: true
    }
  | { type: 'retry-delivery'; by: string; order: number; staleAt: number }
  | { type: 'dismiss-delivery'; by: string }
  /** A person saw the message that the platform did not confirm. */
  | { type: 'confirm-delivery'; by: string }
  | {
      type: 'use-control'
      tap: string
      token: string
      messageId: string
      by: string
      byName: string
      isReusable: boolean
      order: number
      stripAt?: number
    }
)

type Decision = { events: DeliveryEvent[] } | { refused: Refusal }

export function decideDelivery(state: DeliveryState, command: DeliveryCommand): Decision {
  const { at } = command
  if (command.type === 'plan-delivery') {
    if (state.status !== 'absent') return refuse('delivery_exists', { delivery: state.delivery })
    const { type: _type, at: _at, ...data } = command
    return { events: [{ type: 'delivery.planned', at, data }] }
  }
  if (state.status === 'absent') return refuse('delivery_not_found', { delivery: 'of that name' })
  switch (command.type) {
    case 'intend-part': {
      const { type: _type, at: _at, again, revision, ...data } = command
      // An edit came after this part was prepared: its older text must not count as the new one.
      if (revision !== state.revision) return notNow(state)
      const isNext = data.part === state.done && (!state.intended || (again && mayRepeat(state.intended, data.key, state)))
      return state.status === 'open' && isNext ? { events: [{ type: 'delivery.intended', at, data }] } : notNow(state)
    }
    case 'record-receipt': {
      if (state.intended?.key !== command.key) return notNow(state)
      const { part, covers } = state.intended
      const [messageId = '', ...more] = Array.from({ length: covers }, (_, index) => command.messageIds[index] ?? '')
      return {
        events: [{ type: 'delivery.sent', at, data: { part, messageId, ...(more.length > 0 && { more }), sentAt: command.sentAt } }],
      }
    }
    case 'record-failure':
      return state.intended?.key === command.key ? { events: failedPart(state, state.intended, command) } : notNow(state)
    case 'give-up-part': {
      if (state.status !== 'open' || (!state.intended && state.maybe === null)) return notNow(state)
      const why = state.why ?? 'Parley ended while it was being sent, and this channel cannot say whether it arrived'
      return { events: [unclear(state, state.intended?.part ?? state.done, at, why)] }
    }
    case 'park-delivery': {
      if (state.status !== 'open' || state.intended) return notNow(state)
      const why = state.why === null ? 'it waited too long to be sent' : `it waited too long to be sent; last: ${state.why}`
      return { events: [{ type: 'delivery.parked', at, data: { reason: 'stale', why } }] }
    }
    case 'refuse-part':
      return state.status === 'open' && !state.intended
        ? { events: refusedPart(state, state.done, { at, code: 'unsupported', why: command.why }) }
        : notNow(state)
    case 'record-pin':
      return state.status === 'open' && state.pin === 'wanted' ? { events: pinned(state, command) } : notNow(state)
    case 'note-pin': {
      const { messageId, isPinned } = command
      const isOurs = state.pinned.includes(messageId) || state.shown.some((part) => part.messageId === messageId)
      if (!isOurs || state.pinned.includes(messageId) === isPinned) return { events: [] }
      return { events: [{ type: isPinned ? 'delivery.pinned' : 'delivery.unpinned', at, data: { messageId } }] }
    }
    case 'record-strip':
      return {
        events: sideEffect(state, command, {
          type: 'delivery.stripped',
          at,
          data: { messageId: command.messageId, why: command.failure?.why ?? null },
        }),
      }
    case 'record-removal':
      // Only the last message beyond the parts of the text is removed; without it a part before it would be missing.
      if (state.intended || state.shown.length <= state.done || state.shown.at(-1)?.messageId !== command.messageId) return { events: [] }
      return {
        events: sideEffect(state, command, {
          type: 'delivery.shortened',
          at,
          data: { messageId: command.messageId, why: command.failure?.why ?? null },
        }),
      }
    case 'edit-delivery': {
      if (command.ifDraft && !state.isDraft) return { events: [] }
      const { orSend, orKeep, order, staleAt, keepMedia = false } = command
      const { media } = state.message
      const message = keepMedia && media ? { ...command.message, media } : command.message
      return { events: [{ type: 'delivery.edited', at, data: { message, orSend, ...(orKeep && { orKeep }), order, staleAt } }] }
    }
    case 'retry-delivery': {
      if (state.status === 'open' || state.status === 'sent') return refuse('delivery_not_stuck', { state: state.status })
      const { by, order, staleAt } = command
      return { events: [{ type: 'delivery.retried', at, data: { by, order, staleAt } }] }
    }
    case 'dismiss-delivery':
      if (state.status === 'open' || state.status === 'sent') return refuse('delivery_not_stuck', { state: state.status })
      return { events: state.status === 'dismissed' ? [] : [{ type: 'delivery.dismissed', at, data: { by: command.by } }] }
    case 'confirm-delivery': {
      const parts = [...state.unclear.map(({ part }) => part), ...(state.intended ? [state.intended.part] : [])]
      if ((state.status !== 'unknown' && state.status !== 'dismissed') || parts.length === 0)
        return refuse('delivery_not_unconfirmed', { state: state.status })
      return { events: parts.map((part) => ({ type: 'delivery.confirmed', at, data: { part, messageId: '', by: command.by } })) }
    }
    case 'use-control':
      return useControl(state, command)
  }
}

/** The same request under its key; or a change of a message that was replaced by a newer change. */
const mayRepeat = (intended: NonNullable<DeliveryState['intended']>, key: string, state: DeliveryState): boolean =>
  intended.isRepeatable && (intended.key === key || findShown(state, intended.part) !== undefined)

const notNow = (state: DeliveryState): Decision => refuse('delivery_moved_on', { state: state.status })

/** The outcome of this part is unknown. For a draft, the finished text is sent as a new message. */
function unclear({ intended, revision, total, shown }: DeliveryState, part: number, at: number, why: string): DeliveryEvent {
  if (intended?.isDraft === true && intended.revision !== revision) return { type: 'delivery.edit-refused', at, data: { part, why } }
  const hasMore = intended?.revision === revision && (part + intended.covers < (total ?? 0) || part + intended.covers < shown.length)
  return hasMore
    ? { type: 'delivery.part-unclear', at, data: { part, covers: intended.covers, why } }
    : { type: 'delivery.unknown', at, data: { part, why } }
}

function failedPart(
  state: DeliveryState,
  intended: NonNullable<DeliveryState['intended']>,
  { at, failure, hasKey }: Extract<DeliveryCommand, { type: 'record-failure' }>,
): DeliveryEvent[] {
  const { part } = intended
  const before = findShown(state, part)
  const isEdit = before !== undefined
  // The words are there already: that is what was wanted.
  if (failure.code === 'not_modified' && isEdit) {
    const { messageId } = before
    return [{ type: 'delivery.sent', at, data: { part, messageId, sentAt: at } }]
  }
  if (failure.code === 'unformattable' && state.plain === null)
    return [{ type: 'delivery.simplified', at, data: { part, why: failure.why } }]
  if (failure.maybeSent && !isEdit && !hasKey) return [unclear(state, part, at, failure.why)]
  const events =
    failure.retryable || failure.maybeSent
      ? tryAgain(state, at, failure)
      : refusedPart(state, part, { at, code: failure.code, why: failure.why })
  const isFinal = events.some(({ type }) => type === 'delivery.failed' || type === 'delivery.parked')
  // An earlier try of the same part went unanswered, so "not sent" would be more than we know.
  if (isFinal && !isEdit && (state.maybe || failure.maybeSent)) return [{ type: 'delivery.unknown', at, data: { part, why: failure.why } }]
  return events
}

type FailedCode = Extract<DeliveryEvent, { type: 'delivery.failed' }>['data']['code']

function refusedPart(
  state: DeliveryState,
  part: number,
  { at, code, why }: { at: number; code: FailedCode; why: string },
): DeliveryEvent[] {
  const there = findShown(state, part)
  if (there && state.orSend) return [{ type: 'delivery.edit-refused', at, data: { part, why } }]
  // Controls that stay are refused when they are tapped, and a message that a person deleted is no failure either.
  // A text whose later parts were never sent is one.
  const lacksParts = state.closedBy !== null && (state.shown.length < (state.total ?? 0) || there?.messageId === '')
  if (there && (state.orKeep || state.closedBy) && !lacksParts) return [{ type: 'delivery.unchanged', at, data: { why } }]
  return [{ type: 'delivery.failed', at, data: { code, why } }]
}

function tryAgain({ tries }: DeliveryState, at: number, failure: SendFailure): DeliveryEvent[] {
  const isTry = failure.code !== 'rate_limited'
  const until = at + (failure.retryAfterMs ?? backOffMs(deliveryLimits, tries))
  if (isTry && tries + 1 >= deliveryLimits.tries)
    return [{ type: 'delivery.parked', at, data: { reason: 'tries', why: `${failure.why}; tried ${tries + 1} times` } }]
  return [{ type: 'delivery.postponed', at, data: { until, why: failure.why, isTry, maybeSent: failure.maybeSent } }]
}

/** Pinning twice is pinning once, so anything that may pass by is simply tried again. */
function pinned(state: DeliveryState, { at, failure }: Extract<DeliveryCommand, { type: 'record-pin' }>): DeliveryEvent[] {
  const messageId = state.shown[0]?.messageId
  if (!failure) return messageId === undefined ? [] : [{ type: 'delivery.pinned', at, data: { messageId } }]
  const [later] = failure.retryable ? tryAgain(state, at, failure) : []
  if (later?.type === 'delivery.postponed') return [later]
  return [{ type: 'delivery.pin-failed', at, data: { why: failure.why, isRequired: getPin(state.message.delivery).required } }]
}

/** A removal is retried while that may help, then skipped: the text itself arrived. */
function sideEffect(
  state: DeliveryState,
  { at, failure }: { at: number; failure: SendFailure | null },
  done: DeliveryEvent,
): DeliveryEvent[] {
  if (state.status !== 'open') return []
  const [later] = failure?.retryable ? tryAgain(state, at, failure) : []
  return later?.type === 'delivery.postponed' ? [later] : [done]
}

function useControl(state: DeliveryState, command: Extract<DeliveryCommand, { type: 'use-control' }>): Decision {
  const { at, tap, token, messageId, by, byName, isReusable, order, stripAt } = command
  // The same tap again, after a crash: it has its effect already.
  if (state.closedBy?.tap === tap) return { events: [] }
  if (state.closedBy && !isReusable)
    return refuse('control_used', { by: state.closedBy.name, at: new Date(state.closedBy.at).toISOString() })
  // Some platforms do not say which message was tapped; the token belongs to this delivery alone.
  const isKnown = state.shown.some((part) => part.messageId === messageId || (messageId === '' && part.hasControls))
  // A message that is tapped has arrived.
  const proof: DeliveryEvent[] =
    !isKnown && state.intended?.hasControls && (state.status === 'unknown' || state.status === 'dismissed')
      ? [{ type: 'delivery.confirmed', at, data: { part: state.intended.part, messageId } }]
      : []
  // The token belongs to this delivery alone, so a tap on a message that is not known is one on the part without an answer.
  const unclearPart = isKnown || proof.length > 0 ? undefined : state.unclear.find(({ hasControls }) => hasControls)
  if (unclearPart) proof.push({ type: 'delivery.confirmed', at, data: { part: unclearPart.part, messageId } })
  if (!isKnown && !state.intended?.hasControls && !unclearPart) return refuse('control_unknown')
  const data = { tap, token, by, byName, order, closes: !isReusable, ...(stripAt !== undefined && { stripAt }) }
  return { events: [...proof, { type: 'control.tapped', at, data }] }
}
