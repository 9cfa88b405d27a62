import { type Refusal, refuse } from '../../errors.ts'
import { type Decision, decideBy, type Deciders, nothing, refuseText, type Timed } from './decision.ts'
import { moderationDeciders, type ModerationCommand } from './decide-moderation.ts'
import type { WorldEvent, WorldFacts, WorldStatus } from './world-events.ts'
import { isWorldTokenName } from './boundary/conversation-tokens.ts'
import { refuseOthers } from './world-rights.ts'
import { findInvite, isActiveMember, type WorldState } from './world-state.ts'
import { worldLimits } from './world-limits.ts'

export type WorldCommand =
  /** The creator joins with `joinText`. */
  | { type: 'create-world'; world: string; by: string; facts: WorldFacts; text: string; membership: string; joinText: string }
  | { type: 'edit-world'; by: string; facts: WorldFacts }
  | { type: 'edit-world-text'; by: string; text: string }
  | { type: 'set-world-status'; by: string; status: WorldStatus }
  /** `version` is that of the text the caller has read: the detail is read before joining. */
  | { type: 'join-world'; agent: string; membership: string; text: string; version: number }
  | { type: 'edit-membership'; agent: string; text: string }
  | { type: 'read-world-text'; agent: string; version: number }
  | { type: 'leave-world'; agent: string }
  | { type: 'invite-agent'; invite: string; agent: string; by: string }
  | { type: 'revoke-invite'; invite: string; by: string }
  /** `purpose` is the line that recipients see. */
  | { type: 'make-broadcast'; broadcast: string; by: string; purpose: string }
  | { type: 'count-in-world'; what: 'conversation' | 'like' | 'dislike'; request: string; from: string; to: string }
  | ModerationCommand

const deciders: Deciders<WorldState, WorldCommand, WorldEvent> = {
  'create-world': (state, command) => {
    const { at, type: _, ...data } = command
    if (state.seq > 0) return state.owner === data.by ? nothing : refuse('world_exists', { world: data.world })
    const refusal =
      refuseFacts(data.facts) ??
      refuseWorldText(data.text) ??
      refuseText('participantContextText', data.joinText, worldLimits.joinTextChars)
    return refusal ?? { events: [{ type: 'world.created', at, data }] }
  },
  'edit-world': (state, { at, by, facts }) => {
    const refusal = refuseOthers(state, by) ?? refuseFacts(facts)
    return refusal ?? { events: [{ type: 'world.edited', at, data: { by, facts } }] }
  },
  'edit-world-text': (state, { at, by, text }) => {
    const refusal = refuseOthers(state, by) ?? refuseWorldText(text)
    if (refusal) return refusal
    return text === state.text ? nothing : { events: [{ type: 'world.text-edited', at, data: { by, version: state.version + 1, text } }] }
  },
  'set-world-status': (state, { at, by, status }) => {
    const refusal = refuseOthers(state, by)
    if (refusal) return refusal
    if (status === state.status) return nothing
    // A closed world stays closed: its members were told so.
    if (state.status === 'closed') return refuse('world_not_open', { world: state.world, status: state.status })
    return { events: [{ type: 'world.status-set', at, data: { by, status } }] }
  },
  'join-world': joinWorld,
  'edit-membership': (state, { at, agent, text }) => {
    const refusal = refuseOutsiders(state, agent) ?? refuseText('participantContextText', text, worldLimits.joinTextChars)
    return refusal ?? { events: [{ type: 'member.edited', at, data: { agent, text } }] }
  },
  'read-world-text': (state, { at, agent, version }) => {
    const member = state.members[agent]
    if (!member || version <= member.version || version > state.version) return nothing
    return { events: [{ type: 'member.read', at, data: { agent, version } }] }
  },
  'leave-world': (state, { at, agent }) => {
    if (agent === state.owner) return refuse('world_owner_stays', { world: state.world })
    return isActiveMember(state, agent) ? { events: [{ type: 'member.left', at, data: { agent } }] } : nothing
  },
  'invite-agent': (state, { at, invite, agent, by }) => {
    const refusal = refuseOthers(state, by) ?? refuseClosed(state)
    if (refusal) return refusal
    if (Object.hasOwn(state.bans, agent)) return refuse('world_banned', { world: state.world })
    if (isActiveMember(state, agent) || findInvite(state, agent, at)) return nothing
    const open = Object.values(state.invites).filter((each) => each.status === 'pending' && each.expiresAt > at).length
    if (open >= worldLimits.invites) return refuse('too_many_entries', { what: 'open invites', limit: worldLimits.invites })
    return { events: [{ type: 'invite.made', at, data: { invite, agent, by, expiresAt: at + worldLimits.inviteMs } }] }
  },
  'revoke-invite': (state, { at, invite, by }) => {
    const refusal = refuseOthers(state, by)
    if (refusal) return refusal
    return state.invites[invite]?.status === 'pending' ? { events: [{ type: 'invite.revoked', at, data: { invite, by } }] } : nothing
  },
  'make-broadcast': makeBroadcast,
  'count-in-world': (_, { at, what, request, from, to }) => ({
    events: [{ type: 'world.counted', at, data: { what, request, from, to } }],
  }),
  ...moderationDeciders,
}

function joinWorld(state: WorldState, command: Timed<Extract<WorldCommand, { type: 'join-world' }>>): Decision<WorldEvent> {
  const { at, agent, membership, text, version } = command
  if (Object.hasOwn(state.bans, agent)) return refuse('world_banned', { world: state.world })
  const refusal = refuseClosed(state) ?? refuseText('participantContextText', text, worldLimits.joinTextChars)
  if (refusal) return refusal
  const invite = findInvite(state, agent, at)
  // A private world does not tell strangers that it exists.
  if (state.facts.visibility === 'private' && invite === null && !state.members[agent])
    return refuse('world_not_found', { world: state.world })
  if (version !== state.version) return refuse('world_text_unread', { world: state.world, version: state.version })
  if (isActiveMember(state, agent))
    return state.members[agent]?.text === text ? nothing : { events: [{ type: 'member.edited', at, data: { agent, text } }] }
  if (Object.keys(state.members).length >= worldLimits.members)
    return refuse('too_many_entries', { what: 'members', limit: worldLimits.members })
  return { events: [{ type: 'member.joined', at, data: { membership, agent, text, version, invite: invite?.invite ?? null } }] }
}

function makeBroadcast(state: WorldState, command: Timed<Extract<WorldCommand, { type: 'make-broadcast' }>>): Decision<WorldEvent> {
  const { at, broadcast, by, purpose } = command
  const refusal = refuseOthers(state, by) ?? refuseClosed(state) ?? refuseText('purpose', purpose, worldLimits.purposeChars)
  if (refusal) return refusal
  if (!state.facts.broadcast.enabled) return refuse('broadcast_disabled', { world: state.world })
  const next = (state.lastBroadcastAt ?? -Infinity) + worldLimits.broadcastMs
  if (at < next) return refuse('broadcast_too_soon', { world: state.world, retryAt: new Date(next).toISOString() })
  const { audience, excludeSelf } = state.facts.broadcast
  const to = Object.values(state.members)
    .filter(
      ({ agent, status, isMuted, role }) => status === 'active' && !isMuted && agent !== by && (audience === 'members' || role === 'owner'),
    )
    .map(({ agent }) => agent)
  return {
    events: [{ type: 'broadcast.made', at, data: { broadcast, by, purpose, to: excludeSelf ? to.filter((agent) => agent !== by) : to } }],
  }
}

const refuseOutsiders = (state: WorldState, agent: string): { refused: Refusal } | null =>
  isActiveMember(state, agent) ? null : refuse('not_a_member', { world: state.world })

const refuseClosed = ({ world, status }: WorldState): { refused: Refusal } | null =>
  status === 'enabled' ? null : refuse('world_not_open', { world, status })

const refuseWorldText = (text: string): { refused: Refusal } | null => refuseText('worldContextText', text, worldLimits.worldTextChars)

function refuseFacts({ displayName, summary, tags, dsl }: WorldFacts): { refused: Refusal } | null {
  const refusal =
    refuseText('displayName', displayName, worldLimits.worldNameChars) ??
    refuseText('summary', summary, worldLimits.worldSummaryChars, false) ??
    dsl.map(({ meaning }) => refuseText('dsl', meaning, worldLimits.tokenMeaningChars)).find((each) => each !== null) ??
    tags.map((tag) => refuseText('tag', tag, worldLimits.tagChars)).find((each) => each !== null) ??
    null
  if (refusal) return refusal
  if (tags.length > worldLimits.tags) return refuse('too_many_entries', { what: 'tags', limit: worldLimits.tags })
  if (dsl.length > worldLimits.worldTokens) return refuse('too_many_entries', { what: 'tokens', limit: worldLimits.worldTokens })
  const bad = dsl.find(({ name }) => !isWorldTokenName(name))
  return bad
    ? refuse('bad_request', {
        field: 'dsl',
        why: `"${bad.name.slice(0, 40)}" is not a name of lower-case letters, digits and _, or is one of Parley's own`,
      })
    : null
}

export function decideWorld(state: WorldState, command: Timed<WorldCommand>): Decision<WorldEvent> {
  if (state.seq === 0 && command.type !== 'create-world') return refuse('world_not_found', { world: '' })
  return decideBy(deciders, state, command)
}
