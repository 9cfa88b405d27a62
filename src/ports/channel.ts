import type { ChannelDeliveryCapabilities, ChannelPresentationCapabilities } from '../chats/message/channel-capabilities.ts'
import type { MediaKind } from '../chats/message/media.ts'
import type { Poll } from '../chats/message/poll.ts'
import type {
  MessagePresentation,
  MessagePresentationButtonStyle,
  MessagePresentationChart,
  MessagePresentationTable,
  MessagePresentationTone,
} from '../chats/message/presentation.ts'

/**
 * One connected account on one platform. Its abilities are data, so callers never try a method to find out:
 * every method is always there, and the capability sheet says what it is good for.
 */
export type Channel = ChannelRenderer & {
  readonly address: AddressRules
  /** One platform request. It never throws: a failure is a value, because the outbox decides what follows. */
  send(request: PlatformRequest, by: { key: string; signal: AbortSignal }): Promise<{ receipt: Receipt } | { failure: SendFailure }>
  /** A received file. It never throws; the body ends with an error when it exceeds the limit. */
  download(fileId: string, signal: AbortSignal): Promise<{ file: InboundFile } | { failure: SendFailure }>
  /** Questions of a bot about messages that are there, by anyone. Absent where the platform has no such call. They never throw. */
  readonly lookups?: {
    /** The newest first. */
    messages?(query: MessageQuery, signal: AbortSignal): Promise<{ messages: FoundMessage[] } | { failure: SendFailure }>
    reactions?(at: SentAt, signal: AbortSignal): Promise<{ reactions: FoundReaction[] } | { failure: SendFailure }>
  }
  /** Platform requests for changes of a message that was sent. */
  readonly operations: {
    pin(at: SentAt, notify: boolean): PlatformRequest
    unpin(at: SentAt): PlatformRequest
    remove(at: SentAt): PlatformRequest
    react(at: SentAt, emoji: string | null): PlatformRequest
    /**
     * Removes the controls and leaves the text; a marker stays as a button without an effect, where there is such a thing.
     * Called only where `editing.ability` is `controls-alone`: elsewhere the message is rendered again without them.
     */
    stripControls(at: SentAt, marker?: string): PlatformRequest
    /** Shows a typing indicator for a few seconds; null where there is none. */
    typing(address: string): PlatformRequest | null
    /** Shows a toast to the person who tapped; null where a tap is answered in the HTTP response alone, or not at all. */
    answerTap(tap: TapHandle, toast: string | null): PlatformRequest | null
  }
}

/** Spelling of addresses on a platform. */
export type AddressRules = {
  /** The one spelling of an address, as inbound messages have it; null for a name whose chat is not known. */
  parse(text: string): string | null
  /** The chat that a thread or topic belongs to; null for a chat itself. */
  parent(address: string): string | null
  /** Null where the address does not tell. */
  isGroup(address: string): boolean | null
  /** A valid address for previews. */
  sample: string
}

/** For platforms without threads, whose addresses say nothing about themselves. */
export const plainAddresses: AddressRules = { parse: (text) => text, parent: () => null, isGroup: () => null, sample: '1' }

/** The pure half of a channel: enough for a preview, without loading a platform's SDK. */
export type ChannelRenderer = {
  readonly name: string
  readonly capabilities: CapabilitySheet
  /** Requests that together cover every part, in order. Null: it cannot render this message, which is then sent as plain text. */
  render(adapted: AdaptedMessage, to: RenderTarget): { requests: PlatformRequest[] } | null
  /** A request as a person sees it, one for each platform message, so that a preview draws the request itself. */
  readBack?(request: PlatformRequest): MessagePresentation[]
}

/** The share of a block in the limits of one platform message, as the platform counts it. */
export type BlockCost = { text: number; blocks: number; bytes: number }

/** Polls of a platform that has them. */
export type PollSheet = {
  maxOptions: number
  maxQuestionLength: number
  maxOptionLength: number
  /** Time a poll may be open: the shortest and the longest time. */
  openMs: readonly [shortest: number, longest: number]
  /** Whether people see who voted for what. */
  voters: 'shown' | 'as-asked'
  /** Pure. */
  render(poll: Poll, to: RenderTarget): PlatformRequest
}

export type PresentationSheet = ChannelPresentationCapabilities & {
  /** Absent where the platform has no polls that a bot can send. */
  polls?: PollSheet
  /** Pure. Without it, text is measured as it is written and every block counts as one. */
  cost?(block: AdaptedBlock): BlockCost
}

export type CapabilitySheet = {
  presentation: PresentationSheet
  delivery: ChannelDeliveryCapabilities & {
    /** The platform recognises a repeated request by its key for this long, so an unclear sending may be repeated; null without keys. */
    idempotency: { keyForMs: number } | null
    editing: Editing
    /** `edit`: a reply can be read while it is written, as one message that is edited. */
    streaming: 'edit' | 'none'
    removeSentMessage: boolean
    react: boolean
    /** It can show a message of a group to one person alone. */
    showsToOne?: boolean
    /** Time limit of the platform for an answer to a tap. */
    tapDeadlineMs: number
    /** `response`: the HTTP response to the tap shows the toast. `call`: a request of its own does. */
    tapAnswer: 'call' | 'response'
    maxToastLength: number
    rates: readonly { of: 'address' | 'group' | 'account'; count: number; perMs: number }[]
  }
}

/**
 * `whole`: a sent message is replaced as a whole. `controls-alone`: also its controls without its text. After `withinMs` the
 * platform refuses changes.
 */
export type Editing = { ability: 'none' } | { ability: 'whole' | 'controls-alone'; withinMs?: number }

/** `operation` and all fields exactly as the platform names them. */
export type PlatformRequest = {
  operation: string
  /** Values for the path of the operation. */
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Record<string, unknown>
  /** Parts of the message that this request sends together; 1 unless set. */
  covers?: number
  /** Sent without the key of the platform, so an unclear sending must not be repeated, although the channel has keys. */
  isOneTime?: true
}

export type RenderTarget = {
  /** A place on the channel that can be written to, in the channel's own spelling. */
  address: string
  replyTo?: string
  silent?: boolean
  /** The one person of the chat who sees it, by the id of the platform. Only where `showsToOne` is set. */
  onlyFor?: string
  /** Platform ids of the parts that are already there; they are edited, the others are sent. */
  edit?: readonly (string | undefined)[]
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
  /** Asked before the tap counts. */
  confirm?: string
}

/** Something that a person sees otherwise than its author said it. In words for people. */
export type Loss = { what: string; from: string; to: string; why: string }

/** The person behind an inbound event, in the platform's own names. */
export type Sender = {
  id: string
  name: string
  language?: string
  /** Speaks as a group or a channel: which person it is, the platform does not say. `id` names that group or channel. */
  isAnonymous?: true
}

export type Inbound = {
  /** The same each time the platform reports this event: it is stored once. */
  id: string
  address: string
  /** Only one person reads along with us. */
  isPrivate: boolean
  from: Sender
  at: number
  /** The platform's own number of it, where it has one: a lower one happened earlier. */
  order?: number
} & (
  | {
      type: 'message'
      messageId: string
      text: string
      replyTo?: string
      /** Several for an album, which is one message. */
      media: readonly InboundMedia[]
      /** The account was named in it. */
      isMention?: true
    }
  | { type: 'edit'; messageId: string; text: string }
  | { type: 'deleted'; messageId: string }
  /** `messageId` is empty where the platform does not say which message was tapped. */
  | { type: 'tap'; tap: TapHandle; messageId: string; value: string }
  /** A slash command; `messageId` where it is a message too. */
  | { type: 'command'; name: string; text: string; messageId?: string }
  | { type: 'reaction'; messageId: string; emoji: string; isAdded: boolean }
  /** The chat has another address from now on. */
  | { type: 'moved'; to: string }
  /** The account itself joined or left this chat, or a person blocked or unblocked it. */
  | { type: 'membership'; change: 'added' | 'removed' | 'blocked' | 'unblocked' }
)

/** Everything that an answer to one tap needs, as the platform gave it. After `expiresAt` the platform accepts no answer. */
export type TapHandle = { readonly data: Readonly<Record<string, string>>; readonly expiresAt: number }

export type InboundMedia = {
  kind: 'image' | 'audio' | 'video' | 'file'
  fileId: string
  name?: string
  sizeBytes?: number
  mimeType?: string
}

/** The bytes behind `InboundMedia.fileId`. */
export type InboundFile = { body: ReadableStream<Uint8Array>; name?: string; sizeBytes?: number }

/** `before` and `messageId` are ids of the platform: the messages before that one, or that one alone. */
export type MessageQuery = { address: string; limit: number; before?: string; messageId?: string }

/** A message as the platform has it now. `files` counts pictures and files. */
export type FoundMessage = {
  messageId: string
  from: { id: string; name: string; isBot: boolean }
  at: number
  text: string
  files: number
}

/** `people` are ids of the platform, and may be fewer than `count`. `emoji` is the platform's own name where it has one. */
export type FoundReaction = { emoji: string; count: number; people: readonly string[] }

export type SentAt = { address: string; messageId: string }

/** The platform's proof that a request was carried out: one message id for each part it covers. */
export type Receipt = { address: string; messageIds: readonly string[]; at: number; pace?: PaceHint }

/** Requests of one chat, of the whole account, or of one operation of the account. */
export type RateScope = 'address' | 'account' | 'method'

/** Rate limit as the headers of a response state it. */
export type PaceHint = { scope: RateScope; remaining: number; resetAfterMs: number }

/**
 * `maybeSent`: no response came. Only a platform with an idempotency key may be called again then.
 * `unformattable`: the platform cannot read our formatting; the same words without it may pass.
 */
export type SendFailure = {
  code: 'rate_limited' | 'unreachable' | 'refused' | 'gone' | 'forbidden' | 'too_large' | 'not_modified' | 'unformattable'
  why: string
  retryable: boolean
  retryAfterMs?: number
  /** Requests that a `rate_limited` applies to; `address` unless set. */
  scope?: RateScope
  maybeSent: boolean
}
