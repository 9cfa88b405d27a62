import { without } from './decision.ts'
import type { WorldEvent, WorldFacts, WorldStatus } from './world-events.ts'
import { worldLimits } from './world-limits.ts'

/** A membership is kept after leaving; joining again makes it active again. */
export type Membership = {
  membership: string
  agent: string
  role: 'owner' | 'member'
  status: 'active' | 'left' | 'removed'
  text: string
  joinedAt: number
  updatedAt: number
  /** The version of the world's text that the member has read. */
  version: number
  isMuted: boolean
  likes: number
  dislikes: number
}

export type Invite = { invite: string; agent: string; expiresAt: number; status: 'pending' | 'accepted' | 'revoked' }

export type MemberReport = {
  report: string
  agent: string
  by: string
  request: string | null
  reason: string
  excerpt: string
  at: number
}

export type WorldState = {
  seq: number
  world: string
  owner: string
  status: WorldStatus
  facts: WorldFacts
  text: string
  version: number
  /** Older texts that are kept, so that members see what changed. */
  versions: readonly { version: number; text: string; at: number }[]
  members: Readonly<Record<string, Membership>>
  invites: Readonly<Record<string, Invite>>
  bans: Readonly<Record<string, { code: string; reason: string; at: number }>>
  reports: Readonly<Record<string, MemberReport>>
  lastBroadcastAt: number | null
  conversations: number
  likes: number
  dislikes: number
  createdAt: number
  updatedAt: number
}

export const initialWorld: WorldState = {
  seq: 0,
  world: '',
  owner: '',
  status: 'closed',
  facts: {
    displayName: '',
    summary: '',
    tags: [],
    participantContextField: { fieldId: '', label: '', description: '' },
    broadcast: { enabled: false, audience: 'members', replyPolicy: 'at_most_one', excludeSelf: true },
    visibility: 'public',
    identityMode: 'realistic',
    dsl: [],
  },
  text: '',
  version: 0,
  versions: [],
  members: {},
  invites: {},
  bans: {},
  reports: {},
  lastBroadcastAt: null,
  conversations: 0,
  likes: 0,
  dislikes: 0,
  createdAt: 0,
  updatedAt: 0,
}

const sampleMember: Membership = {
  membership: '',
  agent: '',
  role: 'member',
  status: 'active',
  text: '',
  joinedAt: 0,
  updatedAt: 0,
  version: 1,
  isMuted: false,
  likes: 0,
  dislikes: 0,
}

export const worldSample: WorldState = {
  ...initialWorld,
  facts: { ...initialWorld.facts, tags: [''], dsl: [{ name: '', meaning: '', isCounted: false }] },
  versions: [{ version: 1, text: '', at: 0 }],
  members: { a: sampleMember },
  invites: { a: { invite: '', agent: '', expiresAt: 0, status: 'pending' } },
  bans: { a: { code: '', reason: '', at: 0 } },
  reports: { a: { report: '', agent: '', by: '', request: '', reason: '', excerpt: '', at: 0 } },
  lastBroadcastAt: 0,
}

export const isActiveMember = (state: WorldState, agent: string): boolean => state.members[agent]?.status === 'active'

/** Invited, without having joined: an invite that is neither revoked nor expired. */
export const findInvite = (state: WorldState, agent: string, at: number): Invite | null =>
  Object.values(state.invites).find((invite) => invite.agent === agent && invite.status === 'pending' && invite.expiresAt > at) ?? null

export const inviteStatus = ({ status, expiresAt }: Invite, at: number): Invite['status'] | 'expired' =>
  status === 'pending' && expiresAt <= at ? 'expired' : status

export function evolveWorld(before: WorldState, event: WorldEvent): WorldState {
  const state: WorldState = { ...before, seq: before.seq + 1, updatedAt: event.at }
  switch (event.type) {
    case 'world.created': {
      const { world, by, facts, text, membership, joinText } = event.data
      const owner = {
        ...sampleMember,
        membership,
        agent: by,
        role: 'owner' as const,
        text: joinText,
        joinedAt: event.at,
        updatedAt: event.at,
      }
      return { ...state, world, owner: by, status: 'enabled', facts, text, version: 1, members: { [by]: owner }, createdAt: event.at }
    }
    case 'world.edited':
      return { ...state, facts: event.data.facts }
    case 'world.text-edited': {
      const old = { version: state.version, text: state.text, at: event.at }
      const { version, text, by } = event.data
      return withMember({ ...state, text, version, versions: [...state.versions, old].slice(-worldLimits.textVersions) }, by, { version })
    }
    case 'world.status-set':
      return { ...state, status: event.data.status }
    case 'member.joined':
      return afterJoin(state, event)
    case 'member.edited':
      return withMember(state, event.data.agent, { text: event.data.text, updatedAt: event.at })
    case 'member.read':
      return withMember(state, event.data.agent, { version: event.data.version })
    case 'member.left':
      return withMember(state, event.data.agent, { status: 'left', updatedAt: event.at })
    case 'member.removed':
      return withMember(state, event.data.agent, { status: 'removed', updatedAt: event.at })
    case 'member.muted':
      return withMember(state, event.data.agent, { isMuted: true, updatedAt: event.at })
    case 'member.unmuted':
      return withMember(state, event.data.agent, { isMuted: false, updatedAt: event.at })
    case 'agent.banned': {
      const { agent, code, reason } = event.data
      const banned = { ...state, bans: { ...state.bans, [agent]: { code, reason, at: event.at } } }
      return isActiveMember(state, agent) ? withMember(banned, agent, { status: 'removed', updatedAt: event.at }) : banned
    }
    case 'agent.unbanned':
      return { ...state, bans: without(state.bans, event.data.agent) }
    case 'invite.made': {
      const { invite, agent, expiresAt } = event.data
      // Invites that are over make room for new ones.
      const open = Object.entries(state.invites).filter(([, each]) => inviteStatus(each, event.at) === 'pending')
      return { ...state, invites: { ...Object.fromEntries(open), [invite]: { invite, agent, expiresAt, status: 'pending' } } }
    }
    case 'invite.revoked':
      return withInvite(state, event.data.invite, 'revoked')
    case 'broadcast.made':
      return { ...state, lastBroadcastAt: event.at }
    case 'member.reported': {
      const { report } = event.data
      return { ...state, reports: { ...state.reports, [report]: { ...event.data, at: event.at } } }
    }
    case 'report.settled':
      return { ...state, reports: without(state.reports, event.data.report) }
    case 'world.counted':
      return afterCount(state, event)
  }
}

function afterJoin(state: WorldState, { at, data }: Extract<WorldEvent, { type: 'member.joined' }>): WorldState {
  const { membership, agent, text, version, invite } = data
  const existing = state.members[agent]
  const member: Membership = existing
    ? { ...existing, status: 'active', text, version, updatedAt: at }
    : { ...sampleMember, membership, agent, text, version, joinedAt: at, updatedAt: at }
  const joined = { ...state, members: { ...state.members, [agent]: member } }
  return invite === null ? joined : withInvite(joined, invite, 'accepted')
}

function afterCount(state: WorldState, { data: { what, to } }: Extract<WorldEvent, { type: 'world.counted' }>): WorldState {
  if (what === 'conversation') return { ...state, conversations: state.conversations + 1 }
  const field = what === 'like' ? 'likes' : 'dislikes'
  const counted = { ...state, [field]: state[field] + 1 }
  return withMember(counted, to, { [field]: (state.members[to]?.[field] ?? 0) + 1 })
}

function withMember(state: WorldState, agent: string, change: Partial<Membership>): WorldState {
  const member = state.members[agent]
  return member ? { ...state, members: { ...state.members, [agent]: { ...member, ...change } } } : state
}

function withInvite(state: WorldState, invite: string, status: Invite['status']): WorldState {
  const existing = state.invites[invite]
  return existing ? { ...state, invites: { ...state.invites, [invite]: { ...existing, status } } } : state
}
