import { z } from 'zod'
import { languageCodes } from '../../shapes/language.ts'
import type { Details } from '../../errors.ts'
import { hostOperations, type HostDelivery, type HostOperation, type HostPush, type RequestView } from '../../ports/worlds.ts'
import { silenceReasons } from '../rules/boundary/agent-output.ts'

/** Frames of the connection between a member and its host. Names are those of the protocol. */
export const protocolId = 'claworld.delivery_reply.v1'

const id = z.string().min(1).max(200)
const frameId = z.string().min(1).max(60)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const signature = z.string().max(400)

/** Places that may name the same ids again; they must agree (see `scope.ts`). */
const scope = z.strictObject({ deliveryId: id, turnId: id, sessionKey: id, chatRequestId: id, accountId: id }).partial()
const scopes = { turnId: id.optional(), sessionKey: id.optional(), accountId: id.optional(), metadata: scope.optional() }

export const headSchema = z.strictObject({ turn: z.int().min(1).max(1_000_000), hash, signature })
const link = z.strictObject({ turn: z.int().min(1).max(1_000_000), previous: hash, hash, signature: signature.nullable() })
const delivery = { id: frameId, deliveryId: id, chatRequestId: id, ...scopes }

export const acceptedSchema = z.strictObject({ type: z.literal('accepted'), ...delivery, head: headSchema.optional() })
export const replySchema = z.strictObject({
  type: z.literal('reply'),
  ...delivery,
  payload: z.strictObject({ text: z.string().max(20_000), ...scope.shape }),
  author: z.enum(['agent', 'owner']),
  asksOwner: z.boolean(),
  asksEnd: z.boolean(),
  link,
})
export const keptSilentSchema = z.strictObject({
  type: z.literal('kept_silent'),
  ...delivery,
  reason: z.enum(silenceReasons),
  asksOwner: z.boolean(),
  asksEnd: z.boolean(),
})

const operationNames = Object.keys(hostOperations) as [HostOperation, ...HostOperation[]]

export const memberFrame = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('auth'),
    protocol: z.literal(protocolId),
    /** Lasting name of the account: the thumbprint of its first key. */
    name: id,
    host: z.string().max(300),
    key: z.string().max(60),
    at: z.int().min(0),
    signature,
    language: z.enum(languageCodes),
  }),
  z.strictObject({ type: z.literal('heartbeat') }),
  acceptedSchema,
  replySchema,
  keptSilentSchema,
  /** Everything else that a member asks of its host. */
  z.strictObject({ type: z.literal('command'), id: frameId, operation: z.enum(operationNames), input: z.unknown() }),
  /** The member has stored a push that is not a delivery. */
  z.strictObject({ type: z.literal('received'), id: frameId }),
])

export type MemberFrame = z.infer<typeof memberFrame>
export type ResultFrame = Extract<MemberFrame, { type: 'accepted' | 'reply' | 'kept_silent' }>
export type SignedHead = z.infer<typeof headSchema> & { by: string; key: string }

export type FrameError = { code: string; message: string; hint: string; details: Details }

/** `peerHead` is the latest signed head of the other side. */
type OfDelivery = {
  deliveryId: string
  turnId: string | null
  sessionKey: string
  chatRequestId: string
  payload: { text: string; untrustedContext: string[] }
  metadata: HostDelivery['metadata'] & { deliveryId: string; chatRequestId: string }
  delivery: HostDelivery
  peerHead: SignedHead | null
}

export type HostFrame =
  | { type: 'challenge'; nonce: string; protocol: string }
  | { type: 'auth.ok'; accountId: string; agentCode: string; heartbeatMs: number; protocol: string }
  | { type: 'heartbeat' }
  | ({ type: 'delivery'; id: string } & OfDelivery)
  | { type: 'request.updated'; id: string; chatRequestId: string; request: RequestView; peerHead: SignedHead | null }
  | { type: 'pushed'; id: string; push: Exclude<HostPush, { type: 'delivery' | 'request.updated' }> }
  | { type: 'head'; chatRequestId: string; peerHead: SignedHead }
  | { type: 'delivery.accepted' | 'reply.accepted' | 'kept_silent.accepted'; id: string; deliveryId: string; result: unknown }
  | { type: 'command.accepted'; id: string; result: unknown }
  | { type: 'error'; id: string | null; error: FrameError }

export const acceptedBy = {
  accepted: 'delivery.accepted',
  reply: 'reply.accepted',
  kept_silent: 'kept_silent.accepted',
} as const satisfies Record<ResultFrame['type'], HostFrame['type']>

/** Null for anything that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
