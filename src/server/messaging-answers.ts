import { z } from 'zod'
import type { ChannelView, DeliveryView, Done, DrySend, Page, PairingState, PairingView, Sent, UnclaimedView } from '../client/wire.ts'

/** What the API answers about chat apps, for its document. The types of the wire keep these honest. */

const when = z.int().describe('Milliseconds since 1970.')

const losses = z
  .array(z.object({ what: z.string(), from: z.string(), to: z.string(), why: z.string() }))
  .describe('What a person sees otherwise than it was said.')

const dropped = z.array(z.object({ at: z.string(), why: z.string() })).describe('What of the request nobody could have shown.')

const sender = z.object({ id: z.string(), name: z.string(), language: z.string().exactOptional() })

export const channel = z.object({
  name: z.string(),
  kind: z.string(),
  state: z.enum(['connecting', 'connected', 'waiting', 'off']),
  account: z.string().nullable(),
  receives: z.enum(['polling', 'webhook']),
  problem: z.string().nullable(),
}) satisfies z.ZodType<ChannelView>

export const channels = z.object({ items: z.array(channel) })

export const deliveryStates = [
  'waiting',
  'sent',
  'partly-sent',
  'unknown',
  'failed',
  'parked',
  'dismissed',
] as const satisfies readonly DeliveryView['state'][]

export const delivery = z.object({
  id: z.string(),
  channel: z.string(),
  address: z.string(),
  state: z.enum(deliveryStates),
  text: z.string(),
  about: z.string().nullable(),
  plannedAt: when,
  parts: z.object({ sent: z.int(), total: z.int().nullable() }),
  receipts: z.array(z.object({ messageId: z.string(), at: when })),
  losses,
  pin: z.enum(['none', 'wanted', 'pinned', 'failed']),
  tries: z.int(),
  error: z.object({ message: z.string(), hint: z.string() }).nullable(),
}) satisfies z.ZodType<DeliveryView>

export const deliveries: z.ZodType<Page<DeliveryView>> = z.object({ items: z.array(delivery), next: z.string().nullable() })

export const pins = z.object({ items: z.array(delivery) })

export const sent = z.object({ delivery, dropped }) satisfies z.ZodType<Sent>

/** For the document only: a dry run answers the same request otherwise. */
export const sentOrDry = z.union([
  sent,
  z.object({
    channel: z.string(),
    address: z.string(),
    requests: z.array(z.object({ operation: z.string(), body: z.record(z.string(), z.unknown()) })),
    text: z.string(),
    losses,
    dropped,
  }) satisfies z.ZodType<DrySend>,
])

export const done = z.object({ channel: z.string(), address: z.string(), messageId: z.string() }) satisfies z.ZodType<Done>

export const tested = z.object({ account: z.string(), delivery: delivery.nullable() })

export const pairingStates = [
  'none',
  'requested',
  'accepted',
  'bound',
  'declined',
  'expired',
  'blocked',
] as const satisfies readonly PairingState[]

export const pairing = z.object({
  channel: z.string(),
  address: z.string(),
  state: z.enum(pairingStates),
  dialog: z.string().nullable(),
  pairing: z.object({ code: z.string(), from: sender, text: z.string(), requestedAt: when, expiresAt: when }).nullable(),
}) satisfies z.ZodType<PairingView>

export const pairings = z.object({ items: z.array(pairing) })

export const unclaimed = z.object({
  id: z.string(),
  channel: z.string(),
  address: z.string(),
  from: sender,
  text: z.string(),
  why: z.string(),
  at: when,
}) satisfies z.ZodType<UnclaimedView>

export const unclaimedOnes = z.object({ items: z.array(unclaimed) })
