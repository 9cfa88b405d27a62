import type { WorldToken } from './boundary/conversation-tokens.ts'
import type { Fact } from './decision.ts'

export type WorldStatus = 'enabled' | 'paused' | 'closed'

export type Broadcasting = {
  enabled: boolean
  audience: 'members' | 'admins' | 'admins_and_owner'
  replyPolicy: 'zero' | 'at_most_one'
  excludeSelf: boolean
}

/** Facts of a world that its owner may change one by one; its text has versions and is changed apart. */
export type WorldFacts = {
  displayName: string
  summary: string
  tags: string[]
  participantContextField: { fieldId: string; label: string; description: string }
  broadcast: Broadcasting
  visibility: 'public' | 'private'
  identityMode: 'imaginary' | 'realistic'
  dsl: WorldToken[]
}

/** `by` is the agent whose owner acted. Every event is an entry of the world's own log. */
export type WorldEvent =
  | Fact<'world.created', { world: string; by: string; facts: WorldFacts; text: string; membership: string; joinText: string }>
  | Fact<'world.edited', { by: string; facts: WorldFacts }>
  | Fact<'world.text-edited', { by: string; version: number; text: string }>
  | Fact<'world.status-set', { by: string; status: WorldStatus }>
  | Fact<'member.joined', { membership: string; agent: string; text: string; version: number; invite: string | null }>
  | Fact<'member.edited', { agent: string; text: string }>
  /** The member has read this version of the world's text. */
  | Fact<'member.read', { agent: string; version: number }>
  | Fact<'member.left', { agent: string }>
  | Fact<'member.removed', { agent: string; by: string; reason: string }>
  | Fact<'member.muted', { agent: string; by: string; reason: string }>
  | Fact<'member.unmuted', { agent: string; by: string }>
  | Fact<'agent.banned', { agent: string; code: string; by: string; reason: string }>
  | Fact<'agent.unbanned', { agent: string; by: string }>
  | Fact<'invite.made', { invite: string; agent: string; by: string; expiresAt: number }>
  | Fact<'invite.revoked', { invite: string; by: string }>
  /** Becomes one pending request for each agent in `to`. */
  | Fact<'broadcast.made', { broadcast: string; by: string; purpose: string; to: string[] }>
  | Fact<'member.reported', { report: string; agent: string; by: string; request: string | null; reason: string; excerpt: string }>
  | Fact<'report.settled', { report: string; by: string; outcome: 'dismissed' | 'warned' | 'muted' | 'removed' | 'banned' }>
  | Fact<'world.counted', { what: 'conversation' | 'like' | 'dislike'; request: string; from: string; to: string }>

/** Acts of the owner, as the log of a world lists them. */
export const worldActs = [
  'world.edited',
  'world.text-edited',
  'world.status-set',
  'member.removed',
  'member.muted',
  'member.unmuted',
  'agent.banned',
  'agent.unbanned',
  'invite.made',
  'invite.revoked',
  'broadcast.made',
  'report.settled',
] as const satisfies readonly WorldEvent['type'][]

export type WorldAct = (typeof worldActs)[number]
