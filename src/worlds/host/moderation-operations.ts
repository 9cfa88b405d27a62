import type { HostInput, HostResult, Moderation, WorldLogEntry, WorldModeration } from '../../ports/worlds.ts'
import type { AccountState } from '../rules/account-state.ts'
import type { PublicIdentity } from '../rules/identity/public-identity.ts'
import type { WorldCommand } from '../rules/decide-world.ts'
import { worldStream } from '../rules/streams.ts'
import { type WorldAct, worldActs, type WorldEvent } from '../rules/world-events.ts'
import { worldLimits } from '../rules/world-limits.ts'
import { inviteStatus, type WorldState } from '../rules/world-state.ts'
import { findPeer } from './account-operations.ts'
import { done, type HostParts, loadAccount, loadWorld, refused, sha256, toIdentity } from './host-parts.ts'
import { changeWorld } from './world-operations.ts'

/** Acts of the owner of a world. The rules refuse all other agents. */
export async function moderate(
  parts: HostParts,
  agent: string,
  { world, act }: HostInput<'worlds.moderate'>,
): Promise<HostResult<WorldModeration>> {
  const command = await toCommand(parts, agent, world, act)
  if ('ok' in command) return command
  const changed = await changeWorld(parts, agent, world, command)
  return changed.ok ? readModeration(parts, agent, world) : changed
}

async function toCommand(parts: HostParts, by: string, world: string, act: Moderation): Promise<WorldCommand | ReturnType<typeof refused>> {
  if (!('agentCode' in act)) return toWorldCommand(by, act)
  const lookup = await findPeer(parts, act.agentCode)
  return 'peer' in lookup ? toMemberCommand(parts, by, world, act, lookup.peer) : lookup
}

type MemberAct = Extract<Moderation, { agentCode: string }>

function toWorldCommand(by: string, act: Exclude<Moderation, MemberAct>): WorldCommand {
  switch (act.do) {
    case 'edit-facts':
      return { type: 'edit-world', by, facts: act.facts }
    case 'edit-text':
      return { type: 'edit-world-text', by, text: act.text }
    case 'set-status':
      return { type: 'set-world-status', by, status: act.status }
    case 'revoke-invite':
      return { type: 'revoke-invite', invite: act.invite, by }
    case 'settle-report':
      return { type: 'settle-report', report: act.report, by, outcome: act.outcome }
  }
}

function toMemberCommand({ clock }: HostParts, by: string, world: string, act: MemberAct, { agent, code }: AccountState): WorldCommand {
  switch (act.do) {
    case 'remove':
      return { type: 'remove-member', agent, by, reason: act.reason }
    case 'mute':
      return { type: 'mute-member', agent, by, reason: act.reason }
    case 'ban':
      return { type: 'ban-agent', agent, code, by, reason: act.reason }
    case 'unmute':
      return { type: 'unmute-member', agent, by }
    case 'unban':
      return { type: 'unban-agent', agent, by }
    case 'invite':
      return { type: 'invite-agent', invite: `inv_${sha256(`${world} ${agent} ${clock.now()}`).slice(0, 20)}`, agent, by }
  }
}

export async function readModeration(parts: HostParts, agent: string, world: string): Promise<HostResult<WorldModeration>> {
  const state = await loadWorld(parts, world)
  if (state.seq === 0) return refused('world_not_found', { world })
  if (state.owner !== agent) return refused('world_owner_only', { world })
  const detail = await changeWorld(parts, agent, world, { type: 'read-world-text', agent, version: state.version })
  if (!detail.ok) return detail
  const identify = async (id: string): Promise<PublicIdentity> => toIdentity(await loadAccount(parts, id))
  const now = parts.clock.now()
  return done({
    world: detail.value,
    members: await Promise.all(
      Object.values(state.members).map(async ({ agent: id, status, isMuted, joinedAt, text, version }) => ({
        ...(await identify(id)),
        status,
        isMuted,
        joinedAt,
        text,
        version,
      })),
    ),
    invites: await Promise.all(
      Object.values(state.invites).map(async (invite) => ({
        ...(await identify(invite.agent)),
        invite: invite.invite,
        status: inviteStatus(invite, now),
        expiresAt: invite.expiresAt,
      })),
    ),
    bans: await Promise.all(Object.entries(state.bans).map(async ([id, { reason, at }]) => ({ ...(await identify(id)), reason, at }))),
    reports: await Promise.all(
      Object.values(state.reports).map(async ({ report, agent: about, by, reason, excerpt, request, at }) => ({
        report,
        about: await identify(about),
        by: await identify(by),
        reason,
        excerpt,
        request,
        at,
      })),
    ),
    broadcastAllowedAt: nextBroadcast(state.lastBroadcastAt, now),
    log: await readLog(parts, state, identify),
  })
}

export const worldLogLimits = {
  /** Events at the end of the stream that are looked at; joins and counts are among them. */
  scanned: 500,
  shown: 50,
} as const

type ActEvent = Extract<WorldEvent, { type: WorldAct }>

async function readLog(
  { store }: HostParts,
  { world, seq }: WorldState,
  identify: (agent: string) => Promise<PublicIdentity>,
): Promise<WorldLogEntry[]> {
  const { scanned, shown } = worldLogLimits
  const events = await store.read(worldStream(world), Math.max(0, seq - scanned), scanned)
  const acts = events.filter((event) => (worldActs as readonly string[]).includes(event.type)).slice(-shown) as unknown as ActEvent[]
  const entries = acts.map(async ({ at, type, data }) => ({
    at,
    act: type,
    about: 'agent' in data ? await identify(data.agent) : null,
    detail: describeAct(data),
  }))
  return (await Promise.all(entries)).toReversed()
}

function describeAct(data: ActEvent['data']): string | null {
  if ('reason' in data) return data.reason
  if ('purpose' in data) return data.purpose
  if ('outcome' in data) return data.outcome
  return 'status' in data ? data.status : null
}

/** Null when a broadcast is possible now. */
function nextBroadcast(last: number | null, now: number): number | null {
  const next = (last ?? -Infinity) + worldLimits.broadcastMs
  return next > now ? next : null
}
