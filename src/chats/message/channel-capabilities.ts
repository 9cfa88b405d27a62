import type { MediaKind } from './media.ts'
import type { MessagePresentationButtonStyle, MessagePresentationTone } from './presentation.ts'

/** How a platform counts the length of a text. `characters` are Unicode code points. */
export const textEncodings = ['characters', 'utf8-bytes', 'utf16-units'] as const
export type TextEncoding = (typeof textEncodings)[number]

/** What a channel can show, as data. What is not named is not there; a limit that is not named does not exist. */
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
  maxBlocks?: number
  maxTitleLength?: number
  /** Counts texts, titles and labels. `characters` unless said. */
  encoding?: TextEncoding
  /** What the renderer writes; `none` sends text as it is. */
  markdownDialect?: 'none' | 'markdown' | 'html'
  supportsEdit?: boolean
  /** What stands in a message that has controls and no text, on a platform that takes no controls without text. */
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
}

export type MediaLimits = {
  /** A medium is a platform message of its own, with its words below it. */
  separate?: boolean
  /** Of the words below it, where it is separate. */
  maxCaptionLength?: number
  maxUrlLength?: number
  /** A medium on a host without a dot (such as localhost) cannot be fetched by the platform. */
  publicUrlsOnly?: boolean
  /** Files of this machine can be sent. */
  uploads?: boolean
  /** What it takes as this kind, by the ending; a file of another sort is sent as a file. A kind that is not named takes any. */
  endings?: Readonly<Partial<Record<MediaKind, readonly string[]>>>
  /** What the platform fetches by an address itself; everything else of this kind is listed. */
  endingsByAddress?: Readonly<Partial<Record<MediaKind, readonly string[]>>>
}

/** What a channel can do with a message once it is there. */
export type ChannelDeliveryCapabilities = { pinSentMessage?: boolean }
