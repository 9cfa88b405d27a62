import type { MessageMedia } from './media.ts'
import type { Poll } from './poll.ts'
import type { MessagePresentation } from './presentation.ts'

/** One message as its author hands it over. */
export type ReplyPayload = {
  text?: string
  presentation?: MessagePresentation
  /** Pictures, sounds, films and files, in their order, after the words. */
  media?: MessageMedia[]
  /**
   * `fallback`: the text says in plain words what the presentation shows, so a person gets one or the other:
   * the presentation where it is shown natively, the text where all its data would turn into text anyway.
   */
  presentationTextMode?: 'fallback'
  /** Then there is nothing else in the message. Only the owner and programs send one, so it is never in JSON of an agent. */
  poll?: Poll
  /** Options of the send call. */
  send?: {
    replyTo?: string
    silent?: boolean
    /** The one person of a group who sees it, by the id of the platform. Elsewhere than in a group it has to be their own chat. */
    onlyFor?: string
  }
  /** Actions after delivery. */
  delivery?: ReplyPayloadDelivery
}

export type ReplyPayloadDelivery = { pin?: boolean | { enabled: boolean; notify?: boolean; required?: boolean } }

export function getPin(delivery: ReplyPayloadDelivery | undefined): { enabled: boolean; notify: boolean; required: boolean } {
  const pin = delivery?.pin ?? false
  if (typeof pin === 'boolean') return { enabled: pin, notify: false, required: false }
  return { enabled: pin.enabled, notify: pin.notify ?? false, required: pin.required ?? false }
}
