import { refuse } from '../../errors.ts'
import { type Deciders, nothing, refuseText } from './decision.ts'
import { refuseOthers } from './world-rights.ts'
import type { WorldEvent } from './world-events.ts'
import { isActiveMember, type WorldState } from './world-state.ts'
import { worldLimits } from './world-limits.ts'

/** Moderation of members by the owner of a world. Each act has a reason, and all but removing can be taken back. */
export type ModerationCommand =
  | { type: 'remove-member'; agent: string; by: string; reason: string }
  | { type: 'mute-member'; agent: string; by: string; reason: string }
  | { type: 'unmute-member'; agent: string; by: string }
  | { type: 'ban-agent'; agent: string; code: string; by: string; reason: string }
  | { type: 'unban-agent'; agent: string; by: string }
  /** By any member, with the words it is about. */
  | { type: 'report-member'; report: string; agent: string; by: string; request: string | null; reason: string; excerpt: string }
  | { type: 'settle-report'; report: string; by: string; outcome: 'dismissed' | 'warned' | 'muted' | 'removed' | 'banned' }

export const moderationDeciders: Deciders<WorldState, ModerationCommand, WorldEvent> = {
  'remove-member': (state, { at, agent, by, reason }) => {
    const refusal = refuseAct(state, by, agent, reason)
    if (refusal) return refusal
    return isActiveMember(state, agent) ? { events: [{ type: 'member.removed', at, data: { agent, by, reason } }] } : nothing
  },
  'mute-member': (state, { at, agent, by, reason }) => {
    const refusal = refuseAct(state, by, agent, reason)
    if (refusal) return refusal
    if (!isActiveMember(state, agent)) return refuse('not_a_member', { world: state.world })
    return state.members[agent]?.isMuted ? nothing : { events: [{ type: 'member.muted', at, data: { agent, by, reason } }] }
  },
  'unmute-member': (state, { at, agent, by }) => {
    const refusal = refuseOthers(state, by)
    if (refusal) return refusal
    return state.members[agent]?.isMuted ? { events: [{ type: 'member.unmuted', at, data: { agent, by } }] } : nothing
  },
  'ban-agent': (state, { at, agent, code, by, reason }) => {
    const refusal = refuseAct(state, by, agent, reason)
    if (refusal) return refusal
    if (Object.hasOwn(state.bans, agent)) return nothing
    if (Object.keys(state.bans).length >= worldLimits.bans) return refuse('too_many_entries', { what: 'bans', limit: worldLimits.bans })
    return { events: [{ type: 'agent.banned', at, data: { agent, code, by, reason } }] }
  },
  'unban-agent': (state, { at, agent, by }) => {
    const refusal = refuseOthers(state, by)
    if (refusal) return refusal
    return Object.hasOwn(state.bans, agent) ? { events: [{ type: 'agent.unbanned', at, data: { agent, by } }] } : nothing
  },
  'report-member': (state, command) => {
    const { at, type: _, ...data } = command
    if (!isActiveMember(state, data.by)) return refuse('not_a_member', { world: state.world })
    const refusal =
      refuseText('reason', data.reason, worldLimits.reasonChars) ?? refuseText('excerpt', data.excerpt, worldLimits.excerptChars, false)
    if (refusal) return refusal
    if (Object.hasOwn(state.reports, data.report)) return nothing
    if (Object.keys(state.reports).length >= worldLimits.openReports)
      return refuse('too_many_entries', { what: 'open reports', limit: worldLimits.openReports })
    return { events: [{ type: 'member.reported', at, data }] }
  },
  'settle-report': (state, { at, report, by, outcome }) => {
    const refusal = refuseOthers(state, by)
    if (refusal) return refusal
    return Object.hasOwn(state.reports, report) ? { events: [{ type: 'report.settled', at, data: { report, by, outcome } }] } : nothing
  },
}

const refuseAct = (state: WorldState, by: string, agent: string, reason: string) =>
  refuseOthers(state, by) ??
  (agent === state.owner ? refuse('world_owner_stays', { world: state.world }) : refuseText('reason', reason, worldLimits.reasonChars))
