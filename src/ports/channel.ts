import type { ChannelDeliveryCapabilities, ChannelPresentationCapabilities } from '../chats/message/channel-capabilities.ts'
import type { MediaKind } from '../chats/message/media.ts'
import type {
  MessagePresentationButtonStyle,
  MessagePresentationChart,
  MessagePresentationTable,
  MessagePresentationTone,
} from '../chats/message/presentation.ts'

/**
 * One connected account on one platform. What it can show and do is data, so callers never try a method to find out:
 * every method is always there, and the capability sheet says what it is good for.
 */
export type Channel = ChannelRenderer & {
  /** Is this really from the platform? Works on the raw bytes, before anything is parsed. */
  verify(raw: RawInbound): 'genuine' | 'forged'
  /** Parses the body. Unknown parts are skipped. */
  parse(body: unknown): Inbound[]
  /** One platform request. Throws nothing: what went wrong is a value, because the outbox decides what to do. */
  send(request: PlatformRequest, by: { key: string; signal: AbortSignal }): Promise<{ receipt: Receipt } | { failure: SendFailure }>
  /** A received file. It does not throw; the body ends with an error when it exceeds the limit. */
  download(fileId: string, signal: AbortSignal): Promise<{ file: InboundFile } | { failure: SendFailure }>
  /** The platform's own words for things that are done to a message already there. */
  readonly operations: {
    pin(at: SentAt, notify: boolean): PlatformRequest
    unpin(at: SentAt): PlatformRequest
    remove(at: SentAt): PlatformRequest
    react(at: SentAt, emoji: string | null): PlatformRequest
    /** Takes the controls away and leaves the words; a marker stays as a button that does nothing, where there is such a thing. */
    stripControls(at: SentAt, marker?: string): PlatformRequest
    /** Shows a typing indicator for a few seconds; null where there is none. */
    typing(address: string): PlatformRequest | null
    /** Tells the person who tapped that it was seen. */
    answerTap(tap: string, toast: string | null): PlatformRequest
  }
}

/** The half of a channel that touches nothing: enough for a preview, without loading a platform's SDK. */
export type ChannelRenderer = {
  readonly name: string
  readonly capabilities: CapabilitySheet
  /** One request for each part, in order. */
  render(adapted: AdaptedMessage, to: RenderTarget): { requests: PlatformRequest[] }
}

export type CapabilitySheet = {
  presentation: ChannelPresentationCapabilities
  delivery: ChannelDeliveryCapabilities & {
    /** The platform notices a repeated request by its key, so an unclear sending may be repeated. */
    idempotencyKey: boolean
    editSentMessage: boolean
    removeSentMessage: boolean
    react: boolean
    /** Time limit of the platform for an answer to a tap. */
    tapDeadlineMs: number
    maxToastLength: number
    rates: readonly { of: 'address' | 'group' | 'account'; count: number; perMs: number }[]
    /** Which limits an address falls under: a topic shares those of its group. Each is a place of its own unless said. */
    toPlace?(address: string): { place: string; isGroup: boolean }
    /** The one spelling of an address, as inbound messages have it; null for a name whose chat is not known. Any spelling is exact unless said. */
    normaliseAddress?(target: string): string | null
  }
}

/** `operation` and `body` exactly as the platform names them. */
export type PlatformRequest = { operation: string; body: Record<string, unknown> }

export type RenderTarget = {
  /** A place on the channel that can be written to, in the channel's own spelling. */
  address: string
  replyTo?: string
  silent?: boolean
  /** Platform ids of the parts that are already there; they are edited, further parts are sent. */
  edit?: readonly string[]
  /** The media that those parts show; null for words alone. */
  showing?: readonly (string | null)[]
  /** Without any formatting, because the platform refused it: words and controls are the same. */
  plain?: boolean
}

/** A message prepared for one channel: everything in it fits. Each part is one platform message. */
export type AdaptedMessage = { tone?: MessagePresentationTone; parts: AdaptedPart[] }

export type AdaptedPart = { blocks: AdaptedBlock[] }

export type AdaptedBlock =
  | { type: 'title'; text: string }
  /** `plain` is shown to the letter; `markdown` was written by the author as such. */
  | { type: 'text' | 'context'; text: string; format: 'markdown' | 'plain' }
  | { type: 'divider' }
  | { type: 'image'; url: string; alt: string }
  /** On a channel where it is a message of its own, the words of its part stand below it. */
  | { type: 'media'; url: string; kind: MediaKind; name: string }
  | MessagePresentationTable
  | MessagePresentationChart
  | { type: 'buttons'; rows: AdaptedButton[][] }
  | { type: 'select'; placeholder: string; options: { label: string; value: string }[] }

export type AdaptedButton = {
  label: string
  /** Effect of a press: a value that comes back with the tap, a URL to open, a text to copy, or none. */
  press: { type: 'value'; value: string } | { type: 'url'; url: string } | { type: 'copy-text'; text: string } | { type: 'none' }
  style?: MessagePresentationButtonStyle
  reusable?: boolean
}

/** Something that a person sees otherwise than its author said it. In words for people. */
export type Loss = { what: string; from: string; to: string; why: string }

export type RawInbound = { headers: Readonly<Record<string, string>>; body: Uint8Array }

/** The person behind an inbound event, in the platform's own names. */
export type Sender = {
  id: string
  name: string
  language?: string
  /** Speaks as a group or a channel: which person it is, the platform does not say. `id` names that group or channel. */
  isAnonymous?: true
}

export type Inbound = {
  /** The same for every time the platform tells this: it is taken in once. */
  id: string
  address: string
  /** Only one person reads along with us. */
  isPrivate: boolean
  from: Sender
  at: number
  /** The platform's own number of it, where it has one: a lower one happened earlier. */
  order?: number
} & (
  | { type: 'message'; messageId: string; text: string; replyTo?: string; media: readonly InboundMedia[] }
  | { type: 'edit'; messageId: string; text: string }
  | { type: 'tap'; tap: string; messageId: string; value: string }
)

export type InboundMedia = {
  kind: 'image' | 'audio' | 'video' | 'file'
  fileId: string
  name?: string
  sizeBytes?: number
  mimeType?: string
}

/** The bytes behind `InboundMedia.fileId`. */
export type InboundFile = { body: ReadableStream<Uint8Array>; name?: string; sizeBytes?: number }

export type SentAt = { address: string; messageId: string }

/** The platform's proof that a part is there. */
export type Receipt = SentAt & { at: number }

/**
 * `maybeSent`: no response came. Only a platform with an idempotency key may be called again then.
 * `unformattable`: the platform cannot read our formatting; the same words without it may pass.
 */
export type SendFailure = {
  code: 'rate_limited' | 'unreachable' | 'refused' | 'gone' | 'forbidden' | 'too_large' | 'not_modified' | 'unformattable'
  why: string
  retryable: boolean
  retryAfterMs?: number
  maybeSent: boolean
}
