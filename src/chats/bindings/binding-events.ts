import type { Inbound, Sender } from '../../ports/channel.ts'

export type InboundMessage = Extract<Inbound, { type: 'message' }>

type Fact<Type extends string, Data extends object> = { type: Type; at: number; data: Data }

/** Events of one address of a channel: pairing, the bound dialog, received messages. */
export type BindingEvent =
  | Fact<'inbound.received', { inbound: InboundMessage }>
  | Fact<'inbound.routed', { id: string; dialog: string }>
  /** No dialog took it. It is shown in the inbox. */
  | Fact<'inbound.unclaimed', { id: string; from: Sender; text: string; why: string }>
  /** A person dismissed it. */
  | Fact<'unclaimed.dismissed', { id: string; by: string }>
  | Fact<'inbound.dropped', { id: string; why: string }>
  | Fact<'pairing.requested', { channel: string; address: string; isPrivate: boolean; from: Sender; code: string; expiresAt: number }>
  | Fact<'pairing.accepted', { channel: string; address: string; by: string }>
  | Fact<'pairing.declined', { by: string }>
  | Fact<'pairing.expired', { code: string }>
  | Fact<'address.blocked', { channel: string; address: string; by: string }>
  | Fact<'address.unblocked', { by: string }>
  | Fact<'binding.made', { channel: string; address: string; dialog: string; by: string }>
  | Fact<'binding.ended', { by: string }>
