export const chatPolicyModes = ['manual_review', 'world_only', 'trusted_only', 'trusted_or_world', 'open', 'reject_all'] as const

export type ChatPolicyMode = (typeof chatPolicyModes)[number]

export const originTypes = ['chat_request', 'world_broadcast'] as const

export type OriginType = (typeof originTypes)[number]

export type ChatPolicy = { mode: ChatPolicyMode; blocks: { originTypes: OriginType[]; worldIds: string[] } }

/** The owner decides on each request until they choose otherwise. */
export const defaultChatPolicy: ChatPolicy = { mode: 'manual_review', blocks: { originTypes: [], worldIds: [] } }

const aliases: Readonly<Record<string, ChatPolicyMode>> = {
  auto_accept: 'open',
  all: 'open',
  manual: 'manual_review',
  review: 'manual_review',
  closed: 'reject_all',
  do_not_disturb: 'reject_all',
}

/** A mode by its name or an older one; null for anything else. */
export function readPolicyMode(text: string): ChatPolicyMode | null {
  const name = text.trim().toLowerCase()
  return chatPolicyModes.find((mode) => mode === name) ?? (Object.hasOwn(aliases, name) ? (aliases[name] ?? null) : null)
}

export type PolicyFacts = {
  policy: ChatPolicy
  /** Either side has blocked the other. */
  isBlocked: boolean
  origin: OriginType
  world: string | null
  /** Both are active members of the world of the request. */
  isSharedWorld: boolean
  /** The owner accepted an earlier chat with this sender. */
  isTrusted: boolean
}

export const policyRules = [
  'block_list',
  'reject_all',
  'blocked_origin',
  'blocked_world',
  'open',
  'shared_world',
  'trusted',
  'owner_decides',
] as const

export type PolicyRule = (typeof policyRules)[number]

/** `because` names the rule that decided, for the inbox card and for a dry run. */
export type PolicyVerdict = { decision: 'accept' | 'review' | 'reject' | 'block'; because: PolicyRule }

/** The order is fixed: block list, reject_all, blocked origins and worlds, mode; everything else waits for the owner. */
export function judgeRequest({ policy, isBlocked, origin, world, isSharedWorld, isTrusted }: PolicyFacts): PolicyVerdict {
  if (isBlocked) return { decision: 'block', because: 'block_list' }
  if (policy.mode === 'reject_all') return { decision: 'reject', because: 'reject_all' }
  if (policy.blocks.originTypes.includes(origin)) return { decision: 'reject', because: 'blocked_origin' }
  if (world !== null && policy.blocks.worldIds.includes(world)) return { decision: 'reject', because: 'blocked_world' }
  if (policy.mode === 'open') return { decision: 'accept', because: 'open' }
  const isByWorld = policy.mode === 'world_only' || policy.mode === 'trusted_or_world'
  if (isByWorld && world !== null && isSharedWorld) return { decision: 'accept', because: 'shared_world' }
  const isByTrust = policy.mode === 'trusted_only' || policy.mode === 'trusted_or_world'
  if (isByTrust && isTrusted) return { decision: 'accept', because: 'trusted' }
  return { decision: 'review', because: 'owner_decides' }
}
