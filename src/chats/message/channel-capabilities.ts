import type { MediaKind } from './media.ts'
import type { MessagePresentationButtonStyle, MessagePresentationTone } from './presentation.ts'

/** Units in which a platform measures text. `characters` are Unicode code points. */
export const textEncodings = ['characters', 'utf8-bytes', 'utf16-units'] as const
export type TextEncoding = (typeof textEncodings)[number]

/** Presentation capabilities of a channel, as data. A missing capability does not exist; a missing limit is no limit. */
export type ChannelPresentationCapabilities = {
  /** False: the channel gets the plain reading of the message and nothing else. */
  supported: boolean
  buttons?: boolean
  selects?: boolean
  /** Without `selects`: the options of a select are shown as buttons. */
  selectsAsButtons?: boolean
  context?: boolean
  divider?: boolean
  tones?: readonly MessagePresentationTone[]
  /** For a channel that shows a tone as a sign before the title. */
  toneSigns?: Readonly<Partial<Record<MessagePresentationTone, string>>>
  images?: boolean
  tables?: boolean
  charts?: boolean
  /** Kinds of media it takes; others are listed with their address. */
  media?: readonly MediaKind[]
  limits?: { text?: TextLimits; actions?: ActionLimits; selects?: SelectLimits; images?: ImageLimits; media?: MediaLimits }
}

export type TextLimits = {
  /** Of all text of one platform message together. */
  maxLength?: number
  /** Of one block in it. */
  maxBlockLength?: number
  /** Of one platform message as it is sent, by the `cost` of its blocks. */
  maxBytes?: number
  maxBlocks?: number
  maxTitleLength?: number
  /** Counts texts, titles and labels. `characters` unless said. */
  encoding?: TextEncoding
  /** Output of the renderer; `none` sends text unchanged. */
  markdownDialect?: 'none' | 'markdown' | 'html'
  supportsEdit?: boolean
  /** Text of a message with controls only, on a platform that requires text. */
  bodyOfControls?: string
}

export type ActionLimits = {
  maxActions?: number
  maxActionsPerRow?: number
  maxRows?: number
  /** Columns that the labels of one row may take together; a row with more gets fewer buttons. */
  rowWidth?: number
  maxLabelLength?: number
  maxValueBytes?: number
  /** Of all controls of one message, as JSON. */
  maxTotalBytes?: number
  styles?: readonly MessagePresentationButtonStyle[]
  supportsDisabled?: boolean
  supportsCopyText?: boolean
  /** It can ask before a tap counts, in a text of this length. */
  maxConfirmLength?: number
  maxCopyTextLength?: number
  maxUrlLength?: number
  urlSchemes?: readonly string[]
  /** A link to a host without a dot (such as localhost) is refused by the platform. */
  publicUrlsOnly?: boolean
}

export type SelectLimits = { maxOptions?: number; maxLabelLength?: number; maxValueBytes?: number; maxPlaceholderLength?: number }

export type ImageLimits = {
  /** An image is a platform message of its own. */
  separate?: boolean
  maxAltLength?: number
  /** The platform fetches images over https alone. */
  httpsOnly?: boolean
}

export type MediaLimits = {
  /** A medium is a platform message of its own, with its words below it. */
  separate?: boolean
  /** Of the words below it, where it is separate. */
  maxCaptionLength?: number
  maxUrlLength?: number
  /** A medium on a host without a dot (such as localhost) cannot be fetched by the platform. */
  publicUrlsOnly?: boolean
  /** The platform fetches media over https alone. */
  httpsOnly?: boolean
  /** Files of this machine can be sent. */
  uploads?: boolean
  /** File extensions accepted as this kind; other files are sent as plain files. A kind that is not named accepts all. */
  endings?: Readonly<Partial<Record<MediaKind, readonly string[]>>>
  /** File extensions the platform fetches by URL; other files of this kind are listed as losses. */
  endingsByAddress?: Readonly<Partial<Record<MediaKind, readonly string[]>>>
}

/** Capabilities of a channel for delivered messages. */
export type ChannelDeliveryCapabilities = { pinSentMessage?: boolean }
