import type { Inbound, Sender } from '../../ports/channel.ts'
import type { Caller } from '../../shapes/parley.ts'

export type InboundTap = Extract<Inbound, { type: 'tap' }>

/** A tap on a control that Parley sent. `caller` carries the once-only key of the tap. */
export type ControlTap = {
  channel: string
  address: string
  messageId: string
  by: Sender
  label: string
  isReusable: boolean
  delivery: string
  about: string | null
  /** The dialog that the address is bound to. */
  dialog: string | null
  caller: Caller
}
