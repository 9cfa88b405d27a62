import { z } from 'zod'
import type { HostInput, HostOperation } from '../../ports/worlds.ts'
import { languageCodes } from '../../shapes/language.ts'
import { pageLimits } from '../../shapes/paging.ts'
import { silenceReasons } from '../rules/boundary/agent-output.ts'
import { chatPolicyModes, originTypes } from '../rules/chat-policy.ts'
import { worldLimits } from '../rules/world-limits.ts'

const id = z.string().min(1).max(200)
const code = z.string().min(1).max(20)
/** The rules refuse what is too long by their own measure; this bounds what they are given. */
const text = (most: number): z.ZodString => z.string().max(most * 2)
const page = { limit: z.int().min(1).max(pageLimits.most).optional(), after: z.string().max(pageLimits.cursorChars).optional() }
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const link = z.strictObject({ turn: z.int().min(1), previous: hash, hash, signature: z.string().max(400).nullable() })
const reason = text(worldLimits.reasonChars)
const complaint = { report: id, agentCode: code, request: id.nullable(), reason, excerpt: text(worldLimits.excerptChars) }
const none = z.strictObject({})
const request = z.strictObject({ request: id })
const world = z.strictObject({ world: id })
const named = z.strictObject({ agentCode: code })
const requestStatuses = ['pending', 'accepted', 'rejected', 'expired', 'withdrawn', 'blocked'] as const
const worldStatuses = ['enabled', 'paused', 'closed'] as const

const facts = z.strictObject({
  displayName: text(worldLimits.worldNameChars),
  summary: text(worldLimits.worldSummaryChars),
  tags: z.array(text(worldLimits.tagChars)).max(worldLimits.tags * 2),
  participantContextField: z.strictObject({ fieldId: text(100), label: text(100), description: text(500) }),
  broadcast: z.strictObject({
    enabled: z.boolean(),
    audience: z.enum(['members', 'admins', 'admins_and_owner']),
    replyPolicy: z.enum(['zero', 'at_most_one']),
    excludeSelf: z.boolean(),
  }),
  visibility: z.enum(['public', 'private']),
  identityMode: z.enum(['imaginary', 'realistic']),
  dsl: z
    .array(z.strictObject({ name: text(40), meaning: text(worldLimits.tokenMeaningChars), isCounted: z.boolean() }))
    .max(worldLimits.worldTokens * 2),
})

const moderation = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('edit-facts'), facts }),
  z.strictObject({ do: z.literal('edit-text'), text: text(worldLimits.worldTextChars) }),
  z.strictObject({ do: z.literal('set-status'), status: z.enum(worldStatuses) }),
  z.strictObject({ do: z.enum(['remove', 'mute', 'ban']), agentCode: code, reason }),
  z.strictObject({ do: z.enum(['unmute', 'unban', 'invite']), agentCode: code }),
  z.strictObject({ do: z.literal('revoke-invite'), invite: id }),
  z.strictObject({
    do: z.literal('settle-report'),
    report: id,
    outcome: z.enum(['dismissed', 'warned', 'muted', 'removed', 'banned']),
  }),
])

/** The input of each operation as it may come from outside. An operation without a schema does not compile. */
export const operationInputs: { readonly [Name in HostOperation]: z.ZodType<HostInput<Name>> } = {
  'account.open': z.strictObject({ member: id, language: z.enum(languageCodes) }),
  'account.view': none,
  'account.name': z.strictObject({ displayName: text(worldLimits.displayNameChars * 4) }),
  'account.describe': z.strictObject({ profile: text(worldLimits.profileChars) }),
  'account.set-policy': z.strictObject({
    policy: z.strictObject({
      mode: z.enum(chatPolicyModes),
      blocks: z.strictObject({ originTypes: z.array(z.enum(originTypes)).max(2), worldIds: z.array(id).max(worldLimits.blocks + 1) }),
    }),
  }),
  'account.set-key': z.strictObject({ key: z.string().max(60), previous: z.string().max(60).nullable() }),
  'account.block': named,
  'account.unblock': named,
  'account.report': z.strictObject(complaint),
  'account.close': none,
  'account.find': named,
  'worlds.list': z.strictObject({ query: text(200).optional(), sort: z.enum(['hot', 'match', 'latest']).optional(), ...page }) as z.ZodType<
    HostInput<'worlds.list'>
  >,
  'worlds.get': world,
  'worlds.create': z.strictObject({ world: id, facts, text: text(worldLimits.worldTextChars), joinText: text(worldLimits.joinTextChars) }),
  'worlds.join': z.strictObject({ world: id, text: text(worldLimits.joinTextChars), version: z.int().min(0) }),
  'worlds.leave': world,
  'worlds.edit-membership': z.strictObject({ world: id, text: text(worldLimits.joinTextChars) }),
  'worlds.candidates': z.strictObject({ world: id, limit: page.limit }) as z.ZodType<HostInput<'worlds.candidates'>>,
  'worlds.report-member': z.strictObject({ world: id, ...complaint }),
  'worlds.moderate': z.strictObject({ world: id, act: moderation }),
  'worlds.moderation': world,
  'worlds.broadcast': z.strictObject({ world: id, broadcast: id, purpose: text(worldLimits.purposeChars), hasBrief: z.boolean() }),
  'requests.submit': z.strictObject({
    request: id,
    agentCode: code,
    displayName: text(worldLimits.displayNameChars * 4).nullable(),
    world: id.nullable(),
    purpose: text(worldLimits.purposeChars).nullable(),
    hasBrief: z.boolean(),
    trace: z.strictObject({ id, agents: z.array(id).max(20) }).nullable(),
  }),
  'requests.accept': request,
  'requests.reject': request,
  'requests.withdraw': request,
  'requests.get': request,
  'requests.list': z.strictObject({
    direction: z.enum(['inbound', 'outbound']).optional(),
    mode: z.enum(['direct', 'world']).optional(),
    status: z.enum(requestStatuses).optional(),
    world: id.optional(),
    agentCode: code.optional(),
    ...page,
  }) as z.ZodType<HostInput<'requests.list'>>,
  'deliveries.get': request,
  'deliveries.accept': z.strictObject({ request: id, delivery: id }),
  'deliveries.reply': z.strictObject({
    request: id,
    delivery: id,
    text: text(worldLimits.turnChars),
    author: z.enum(['agent', 'owner']),
    asksOwner: z.boolean(),
    asksEnd: z.boolean(),
    link,
  }),
  'deliveries.keep-silent': z.strictObject({
    request: id,
    delivery: id,
    reason: z.enum(silenceReasons),
    asksOwner: z.boolean(),
    asksEnd: z.boolean(),
  }),
  'conversations.write': z.strictObject({ request: id, text: text(worldLimits.turnChars), link }),
  'conversations.resume': request,
  'conversations.close': z.strictObject({
    request: id,
    reason: z.enum(['owner_closed', 'owner_stopped_all', 'budget_spent', 'turns_spent']),
  }),
  'conversations.notice-budget': z.strictObject({ request: id, why: z.enum(['tokens', 'money', 'turns']) }),
  'conversations.turns': request,
}
