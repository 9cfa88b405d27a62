/** Messages, independent of any channel: what can be said, how others' JSON becomes it, and how it reads as plain text. */

// Saying something
export type {
  MessagePresentation,
  MessagePresentationAction,
  MessagePresentationBlock,
  MessagePresentationButton,
  MessagePresentationButtonStyle,
  MessagePresentationChart,
  MessagePresentationOption,
  MessagePresentationTable,
  MessagePresentationTone,
} from './presentation.ts'
export type { MediaKind, MessageMedia } from './media.ts'
export type { ReplyPayload, ReplyPayloadDelivery } from './reply-payload.ts'
export { buildCrossContextPresentation } from './cross-context.ts'

// Reading it
export { actionOf } from './presentation.ts'
export { textReading } from './text-reading.ts'

// Taking it from others
export { normaliseMessage } from './normalise.ts'
export { type Dropped, normalisePresentation } from './normalise-blocks.ts'
export { messageLimits } from './message-limits.ts'

// Capability sheets
export type { ChannelDeliveryCapabilities, ChannelPresentationCapabilities, TextEncoding } from './channel-capabilities.ts'
