import { z } from 'zod'
import { list, named, page, when } from './component.ts'

const losses = z
  .array(z.object({ what: z.string(), from: z.string(), to: z.string(), why: z.string() }))
  .describe('What a person sees otherwise than it was said.')

const dropped = z.array(z.object({ at: z.string(), why: z.string() })).describe('Parts of the request that no channel can show.')

const sender = z.object({ id: z.string(), name: z.string(), language: z.string().exactOptional() })

export const channel = named(
  'Channel',
  z.object({
    name: z.string(),
    kind: z.string(),
    state: z.enum(['connecting', 'connected', 'waiting', 'off']),
    account: z.string().nullable(),
    /** Null while it is not open. */
    receives: z.enum(['polling', 'socket', 'webhook']).nullable(),
    problem: z.string().nullable(),
  }),
)

export const channels = list('ChannelList', channel)

export const deliveryStates = ['waiting', 'sent', 'partly-sent', 'unknown', 'failed', 'parked', 'dismissed'] as const

export const delivery = named(
  'Delivery',
  z.object({
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
  }),
)

export const deliveries = page('DeliveryPage', delivery)

export const pins = list('PinList', delivery)

export const foundMessage = named(
  'FoundMessage',
  z.object({
    messageId: z.string(),
    from: z.object({ id: z.string(), name: z.string(), isBot: z.boolean() }),
    at: when,
    text: z.string(),
    files: z.int().describe('How many pictures and files it has.'),
  }),
)

export const foundMessages = list('FoundMessageList', foundMessage)

export const foundReaction = named(
  'FoundReaction',
  z.object({
    emoji: z.string().describe('As the platform names it.'),
    count: z.int(),
    people: z.array(z.string()).describe('Ids of the platform; it may name fewer than `count`.'),
  }),
)

export const foundReactions = list('FoundReactionList', foundReaction)

export const sent = named('SentMessage', z.object({ delivery, dropped }))

/** For the document only: a dry run answers the same request otherwise. */
const texts = z.record(z.string(), z.string())

/** As the platform names the operation and its fields. */
const platformRequest = named(
  'PlatformRequest',
  z.object({
    operation: z.string(),
    path: texts.optional(),
    query: texts.optional(),
    headers: texts.optional(),
    body: z.record(z.string(), z.unknown()).optional(),
    covers: z.number().optional(),
  }),
)

export const drySend = named(
  'DrySend',
  z.object({
    channel: z.string(),
    address: z.string(),
    requests: z.array(platformRequest),
    text: z.string(),
    losses,
    dropped,
  }),
)

export const preview = named(
  'MessagePreview',
  z.object({
    channels: z.record(
      z.string(),
      z.object({
        title: z.string(),
        requests: z.array(platformRequest),
        text: z.string(),
        losses,
        shown: z
          .array(z.record(z.string(), z.unknown()))
          .nullable()
          .describe('What a person sees, as a presentation for each platform message; null where requests cannot be read back.'),
      }),
    ),
    dropped,
  }),
)

export const sentOrDry = named('SentOrDry', z.union([sent, drySend]))

export const done = named('ChangedMessage', z.object({ channel: z.string(), address: z.string(), messageId: z.string() }))

export const tested = named('ChannelTest', z.object({ account: z.string(), delivery: delivery.nullable() }))

export const pairingStates = ['none', 'requested', 'accepted', 'bound', 'declined', 'expired', 'blocked'] as const

export const pairing = named(
  'Pairing',
  z.object({
    channel: z.string(),
    address: z.string(),
    state: z.enum(pairingStates),
    dialog: z.string().nullable(),
    pairing: z.object({ code: z.string(), from: sender, text: z.string(), requestedAt: when, expiresAt: when }).nullable(),
  }),
)

export const pairings = list('PairingList', pairing)

export const unclaimed = named(
  'UnclaimedMessage',
  z.object({
    id: z.string(),
    channel: z.string(),
    address: z.string(),
    from: sender,
    text: z.string(),
    why: z.string(),
    at: when,
  }),
)

export const unclaimedOnes = list('UnclaimedList', unclaimed)
