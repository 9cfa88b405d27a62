import type { Inbound, Sender } from '../ports/channel.ts'

export type InboundMessage = Extract<Inbound, { type: 'message' }>

type Fact<Type extends string, Data extends object> = { type: Type; at: number; data: Data }

/** What happened at one address of a channel: who asked to be let in, which dialog it belongs to, what came in. */
export type BindingEvent =
  | Fact<'inbound.received', { inbound: InboundMessage }>
  | Fact<'inbound.routed', { id: string; dialog: string }>
  /** Nobody took it: a person finds it in the inbox. */
  | Fact<'inbound.unclaimed', { id: string; from: Sender; text: string; why: string }>
  /** A person saw it and lets it be. */
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
