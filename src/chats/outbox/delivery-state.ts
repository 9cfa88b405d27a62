import { getPin, type ReplyPayload } from '../message/reply-payload.ts'
import type { Loss } from '../../ports/channel.ts'
import type { DeliveryEvent, MayTap } from './delivery-events.ts'
import { deliveryLimits } from './delivery-limits.ts'
import { withoutOneShots } from './without-one-shots.ts'

/**
 * | status      | means                                                        | goes on by                     |
 * |-------------|--------------------------------------------------------------|--------------------------------|
 * | open        | something is left to do: a part, a pin, controls to take away| itself                         |
 * | sent        | everything is there                                          | an edit, a tap                 |
 * | partly-sent | the words are there, the pin that was required is not        | a person (only the pin)        |
 * | unknown     | no answer came for a part: maybe sent, never retried           | a person, or a tap on it |
 * | failed      | the platform said no                                         | a person, an edit              |
 * | parked      | tried too often, or too old                                  | a person                       |
 * | dismissed   | a person saw that it got stuck and lets it be                | a person, an edit, a tap on it |
 */
export type DeliveryStatus = 'absent' | 'open' | 'sent' | 'partly-sent' | 'unknown' | 'failed' | 'parked' | 'dismissed'

/** One platform message that is there. */
export type SentPart = { messageId: string; sentAt: number; hasControls: boolean; medium: string | null }

export type DeliveryState = {
  status: DeliveryStatus
  delivery: string
  channel: string
  address: string
  /** As it should be seen in the end. */
  message: ReplyPayload
  /** Raised by each change of the message. */
  revision: number
  /** When the older message cannot be changed: is the new one sent instead? */
  orSend: boolean
  /** When it cannot be changed and is not sent again either: does it stay as it is? */
  orKeep: boolean
  order: number
  plannedAt: number
  staleAt: number
  mayTap: MayTap
  about: string | null
  reply: { dialog: string; turn: number } | null
  isDraft: boolean
  shown: SentPart[]
  /** Why this revision is sent without formatting; null while it has some. */
  plain: string | null
  /** Finished parts of this revision, and their total once it is known. */
  done: number
  total: number | null
  /** Parts that may be there without our knowing, while the others are. They stand in `shown` with an empty id. */
  unclear: { part: number; covers: number; hasControls: boolean; why: string }[]
  /** Unclear parts that a person wants sent again. */
  resend: number[]
  /** Parts of this revision that were finished before a person asked for that. */
  reached: number
  /** Asked of the platform, without an outcome yet. Outlives an edit: whatever comes of it must still be told. */
  intended: {
    part: number
    revision: number
    key: string
    at: number
    isRepeatable: boolean
    /** The platform recognises the key until then. */
    keyUntil: number
    covers: number
    hasControls: boolean
    medium: string | null
    isDraft: boolean
  } | null
  /** The next part may be there without our knowing; only where a key makes asking again safe, and only with the same words. */
  maybe: { keyUntil: number; revision: number } | null
  tries: number
  notBefore: number
  /** When `notBefore` was set; a clock that is before this was set back, and `notBefore` says nothing any more. */
  postponedAt: number
  why: string | null
  losses: Loss[]
  pin: 'none' | 'wanted' | 'pinned' | 'failed'
  /** Which of its messages are pinned. */
  pinned: string[]
  /** A person dismissed the problem, so it is not reported again. */
  isDismissed: boolean
  closedBy: { tap: string; token: string; name: string; at: number } | null
  /** All controls go, also those of parts that are not there yet. */
  stripsAll: boolean
  /** Parts that lose their controls. */
  toStrip: string[]
  /** Until then a change of the whole message is expected, which takes its controls away too. */
  stripAt: number
}

export const initialDelivery: DeliveryState = {
  status: 'absent',
  delivery: '',
  channel: '',
  address: '',
  message: {},
  revision: 0,
  orSend: false,
  orKeep: false,
  order: 0,
  plannedAt: 0,
  staleAt: 0,
  mayTap: 'anyone',
  about: null,
  reply: null,
  isDraft: false,
  shown: [],
  plain: null,
  done: 0,
  total: null,
  unclear: [],
  resend: [],
  reached: 0,
  intended: null,
  maybe: null,
  tries: 0,
  notBefore: 0,
  postponedAt: 0,
  why: null,
  losses: [],
  pin: 'none',
  pinned: [],
  isDismissed: false,
  closedBy: null,
  stripsAll: false,
  toStrip: [],
  stripAt: 0,
}

/** True while something is left to do; only called for an open delivery. */
export const isComplete = ({ done, total, shown, toStrip, pin, intended }: DeliveryState): boolean =>
  intended === null && total !== null && done >= total && shown.length <= total && toStrip.length === 0 && pin !== 'wanted'

/** The platform message of a part that is there, or may be. */
export const findShown = ({ shown, resend }: Pick<DeliveryState, 'shown' | 'resend'>, part: number): SentPart | undefined =>
  resend.includes(part) ? undefined : shown[part]

function settled(state: DeliveryState): DeliveryState {
  if (!isComplete(state)) return state
  const [unclear] = state.unclear
  if (unclear) return { ...state, status: state.isDismissed ? 'dismissed' : 'unknown', why: unclear.why }
  const lacksPin = state.pin === 'failed' && getPin(state.message.delivery).required
  return { ...state, status: !lacksPin ? 'sent' : state.isDismissed ? 'dismissed' : 'partly-sent' }
}

const fresh = { done: 0, total: null, plain: null, tries: 0, notBefore: 0, why: null, isDismissed: false } as const

/** The next part: of those that are sent again, as long as they were finished before; then the others in their order. */
function advance(state: DeliveryState, part: number, covers: number): Pick<DeliveryState, 'done' | 'resend'> {
  const resend = state.resend.filter((one) => one < part || one >= part + covers)
  return { resend, done: resend.find((one) => one < state.reached) ?? Math.max(part + covers, state.reached) }
}

/** An unclear part is there: a person says so, or a tap proves it. */
function withProof(state: DeliveryState, part: number, messageId: string, at: number): DeliveryState {
  const proven = state.unclear.find((one) => one.part === part)
  if (!proven) return state
  const shown = state.shown.map((one, index) =>
    index === part && one.messageId === '' && messageId !== '' ? { ...one, messageId, sentAt: at, hasControls: proven.hasControls } : one,
  )
  return { ...state, status: 'open', shown, unclear: state.unclear.filter((one) => one !== proven), why: null }
}

export function evolveDelivery(state: DeliveryState, { type, at, data }: DeliveryEvent): DeliveryState {
  switch (type) {
    case 'delivery.planned': {
      const { reply = null, isDraft = false, ...planned } = data
      const { message } = planned
      const pin = getPin(message.delivery).enabled ? 'wanted' : 'none'
      return { ...initialDelivery, ...planned, status: 'open', reply, isDraft, plannedAt: at, pin }
    }
    case 'delivery.intended': {
      const { part, parts, key, isRepeatable, hasControls, losses, medium = null, covers = 1 } = data
      const keyUntil = at + (data.keyForMs ?? deliveryLimits.repeatKeyWithinMs)
      // Asked a second time: the first one may have been heard.
      const before =
        state.intended && findShown(state, part) === undefined
          ? { keyUntil: state.intended.keyUntil, revision: state.intended.revision }
          : null
      return {
        ...state,
        total: parts,
        losses,
        maybe: state.maybe ?? before,
        intended: { part, revision: state.revision, key, at, isRepeatable, keyUntil, covers, hasControls, medium, isDraft: state.isDraft },
      }
    }
    case 'delivery.sent':
    case 'delivery.confirmed': {
      const { part, messageId } = data
      if (type === 'delivery.confirmed' && state.intended?.part !== part) return settled(withProof(state, part, messageId, at))
      const sentAt = type === 'delivery.sent' ? data.sentAt : at
      const shownParts = [...state.shown]
      const { hasControls = false, medium = null } = state.intended ?? shownParts[part] ?? {}
      // Confirmed by a person: its id is unknown, so it can neither lose its controls nor be found by a tap.
      const others = type === 'delivery.sent' ? (data.more ?? []) : Array.from({ length: (state.intended?.covers ?? 1) - 1 }, () => '')
      const ids = [messageId, ...others]
      for (const [index, id] of ids.entries())
        shownParts[part + index] = { messageId: id, sentAt, hasControls: hasControls && id !== '', medium }
      // A tap can be faster than the receipt of the message it was made on.
      const toStrip = state.stripsAll && hasControls && messageId !== '' ? [...state.toStrip, ...ids] : state.toStrip
      const next = state.intended?.revision === state.revision ? advance(state, part, state.intended.covers) : null
      return settled({
        ...state,
        status: 'open',
        shown: shownParts,
        toStrip,
        intended: null,
        maybe: null,
        ...next,
        tries: 0,
        notBefore: 0,
        why: null,
      })
    }
    case 'delivery.postponed':
      return {
        ...state,
        intended: null,
        maybe: data.maybeSent
          ? (state.maybe ?? { keyUntil: state.intended?.keyUntil ?? at, revision: state.intended?.revision ?? state.revision })
          : state.maybe,
        notBefore: data.until,
        postponedAt: at,
        why: data.why,
        tries: state.tries + (data.isTry ? 1 : 0),
      }
    case 'delivery.simplified':
      return { ...state, plain: data.why, intended: null }
    case 'delivery.failed':
      return { ...state, status: 'failed', intended: null, why: data.why }
    case 'delivery.parked':
      return { ...state, status: 'parked', intended: null, why: data.why }
    case 'delivery.unknown':
      // The intention stays: a tap may still prove that the message arrived.
      return { ...state, status: 'unknown', why: data.why }
    case 'delivery.part-unclear': {
      const { part, covers, why } = data
      const { hasControls = false, medium = null } = state.intended ?? {}
      const shownParts = [...state.shown]
      for (let index = part; index < part + covers; index += 1)
        shownParts[index] = { messageId: '', sentAt: at, hasControls: false, medium }
      return settled({
        ...state,
        shown: shownParts,
        unclear: [...state.unclear.filter((one) => one.part !== part), { part, covers, hasControls, why }],
        ...advance(state, part, covers),
        intended: null,
        maybe: null,
        tries: 0,
        notBefore: 0,
        why: null,
      })
    }
    case 'delivery.retried': {
      const { order, staleAt } = data
      const missing = state.unclear.flatMap(({ part, covers }) => Array.from({ length: covers }, (_, index) => part + index))
      const resend = missing.filter((part) => state.shown[part]?.messageId === '').toSorted((one, other) => one - other)
      const pin = state.pin === 'failed' ? 'wanted' : state.pin
      return {
        ...state,
        status: 'open',
        order,
        staleAt,
        pin,
        unclear: [],
        resend,
        reached: resend.length > 0 ? state.done : 0,
        done: Math.min(resend[0] ?? state.done, state.done),
        intended: null,
        maybe: null,
        tries: 0,
        notBefore: 0,
        why: null,
        isDismissed: false,
      }
    }
    case 'delivery.dismissed':
      // The intention stays here too.
      return { ...state, status: 'dismissed', isDismissed: true }
    case 'delivery.edited': {
      const { message, orSend, orKeep = false, order, staleAt } = data
      const pin = state.shown.length > 0 ? state.pin : getPin(message.delivery).enabled ? 'wanted' : 'none'
      return {
        ...state,
        ...fresh,
        status: 'open',
        message,
        resend: [],
        reached: 0,
        orSend,
        orKeep,
        order,
        staleAt,
        pin,
        isDraft: false,
        // An unconfirmed preview does not matter: the finished text was never requested before and is sent.
        ...(state.intended?.isDraft === true && state.status !== 'open' && { intended: null, maybe: null }),
        revision: state.revision + 1,
        closedBy: null,
        stripsAll: false,
        toStrip: [],
        stripAt: 0,
      }
    }
    case 'delivery.unchanged': {
      const count = state.shown.length
      return settled({
        ...state,
        status: 'open',
        done: count,
        total: count,
        intended: null,
        maybe: null,
        toStrip: [],
        tries: 0,
        notBefore: 0,
      })
    }
    case 'delivery.edit-refused':
      return { ...state, shown: state.shown.slice(0, data.part), total: null, intended: null, tries: 0, why: data.why }
    case 'delivery.shortened':
      return settled({ ...state, shown: state.shown.slice(0, -1), tries: 0, notBefore: 0 })
    case 'delivery.stripped':
      return settled({
        ...state,
        toStrip: state.toStrip.filter((messageId) => messageId !== data.messageId),
        shown: state.shown.map((part) => (part.messageId === data.messageId ? { ...part, hasControls: false } : part)),
        tries: 0,
        notBefore: 0,
      })
    case 'delivery.pinned': {
      const pinned = [...state.pinned.filter((messageId) => messageId !== data.messageId), data.messageId]
      // Pinned by hand, it may still lack something else.
      const isStuck = state.status === 'failed' || state.status === 'parked' || state.status === 'unknown'
      return isStuck ? { ...state, pin: 'pinned', pinned } : settled({ ...state, pin: 'pinned', pinned, tries: 0, why: null })
    }
    case 'delivery.unpinned': {
      const pinned = state.pinned.filter((messageId) => messageId !== data.messageId)
      return { ...state, pinned, pin: pinned.length === 0 && state.pin === 'pinned' ? 'none' : state.pin }
    }
    case 'delivery.pin-failed':
      return settled({ ...state, pin: 'failed', tries: 0, why: data.why })
    case 'control.tapped': {
      const { tap, token, byName, closes, order } = data
      if (!closes) return state
      const closed = { ...state, closedBy: { tap, token, name: byName, at } }
      const rest = withoutOneShots(state.message)
      const toStrip = state.shown.filter(({ hasControls }) => hasControls).map(({ messageId }) => messageId)
      // While parts are missing the text stays as it was begun: a refused change of the first part must not end the others.
      const isBegun = state.status === 'open' && state.done > 0 && state.total !== null && state.done < state.total
      const change =
        rest && !isBegun
          ? { ...fresh, message: rest, orSend: false, orKeep: true, revision: state.revision + 1 }
          : { stripsAll: true, toStrip, stripAt: data.stripAt ?? 0 }
      // Work on a message that is there; one that failed or is unclear stays what it is until a person decides.
      const isThere = state.status === 'sent' || state.status === 'partly-sent' || (state.status === 'dismissed' && isComplete(state))
      if (isThere) return settled({ ...closed, ...change, status: 'open', order, notBefore: 0 })
      return { ...closed, ...change, order: state.order }
    }
  }
}
