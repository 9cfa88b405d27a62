import type { ReplyPayload } from '../message/reply-payload.ts'
import type { Loss, SendFailure } from '../../ports/channel.ts'

/** People who may tap the controls of a message: anyone who sees it, or people by the platform's ids. */
export type MayTap = 'anyone' | readonly string[]

/** A control that was given out, under the short name that the platform carries. */
export type GivenControl = { token: string; value: string; label: string; isReusable: boolean }

type Fact<Type extends string, Data extends object> = { type: Type; at: number; data: Data }

/** Events of one delivery. Receipts come from the platform, all else from Parley. */
export type DeliveryEvent =
  | Fact<
      'delivery.planned',
      {
        delivery: string
        channel: string
        address: string
        message: ReplyPayload
        /** Place in the queue of its address: smaller is earlier. */
        order: number
        staleAt: number
        mayTap: MayTap
        /** Its topic, such as a dialog or a question, by which deliveries are found. */
        about: string | null
        /** Set for what an agent said in a turn. */
        reply?: { dialog: string; turn: number }
        /** Not finished yet: what it says is replaced by the finished words. */
        isDraft?: true
      }
    >
  /** The platform is about to be asked. Whatever happens next, it may have been done. */
  | Fact<
      'delivery.intended',
      {
        part: number
        parts: number
        key: string
        isRepeatable: boolean
        hasControls: boolean
        /** Parts that this one request sends; 1 unless set. */
        covers?: number
        /** The platform recognises the key for this long. */
        keyForMs?: number
        /** The medium it shows, by its address. */
        medium?: string | null
        losses: Loss[]
        controls: GivenControl[]
        controlsUntil: number
      }
    >
  /** `more`: message ids of the parts that the same request sent. */
  | Fact<'delivery.sent', { part: number; messageId: string; more?: string[]; sentAt: number }>
  /** It was not sent. A retry follows. */
  | Fact<'delivery.postponed', { until: number; why: string; isTry: boolean; maybeSent: boolean }>
  /** The platform could not read our formatting: from this part on it is sent as plain text, once. */
  | Fact<'delivery.simplified', { part: number; why: string }>
  | Fact<'delivery.failed', { code: SendFailure['code'] | 'unsupported'; why: string }>
  | Fact<'delivery.parked', { reason: 'tries' | 'stale'; why: string }>
  | Fact<'delivery.unknown', { part: number; why: string }>
  /** The same for a part that others follow: those are sent, and the delivery ends as unknown. */
  | Fact<'delivery.part-unclear', { part: number; covers: number; why: string }>
  /** A tap on a part with unknown outcome proves that the part arrived. */
  | Fact<'delivery.confirmed', { part: number; messageId: string; by?: string }>
  | Fact<'delivery.retried', { by: string; order: number; staleAt: number }>
  /** A person dismissed it. */
  | Fact<'delivery.dismissed', { by: string }>
  /** `orKeep`: a message that cannot be changed stays as it is, and that is no failure. */
  | Fact<'delivery.edited', { message: ReplyPayload; orSend: boolean; orKeep?: true; order: number; staleAt: number }>
  /** The message could not be changed and stays as it is. */
  | Fact<'delivery.unchanged', { why: string }>
  /** The message can no longer be edited: this part and the following are sent again. */
  | Fact<'delivery.edit-refused', { part: number; why: string }>
  | Fact<'delivery.shortened', { messageId: string; why: string | null }>
  | Fact<'delivery.stripped', { messageId: string; why: string | null }>
  | Fact<'delivery.pinned', { messageId: string }>
  | Fact<'delivery.unpinned', { messageId: string }>
  | Fact<'delivery.pin-failed', { why: string; isRequired: boolean }>
  /** `stripAt`: the message is about to be replaced, and its controls are taken away only if it is not until then. */
  | Fact<'control.tapped', { tap: string; token: string; by: string; byName: string; order: number; closes: boolean; stripAt?: number }>
