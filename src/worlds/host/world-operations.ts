import type { Candidate, HostInput, HostOutput, HostResult, WorldDetail, WorldRow } from '../../ports/worlds.ts'
import { pageSize, readCursor, writeCursor } from '../../shapes/paging.ts'
import type { WorldCommand } from '../rules/decide-world.ts'
import { refuseUnready } from '../rules/decide-account.ts'
import { worldStream } from '../rules/streams.ts'
import { findInvite, isActiveMember, type WorldState } from '../rules/world-state.ts'
import { done, findRefusal, type HostParts, loadAccount, loadWorld, refused, sha256, toIdentity } from './host-parts.ts'
import { findPeer } from './account-operations.ts'
import { hostViews } from './host-rows.ts'

export const worldListLimits = { candidates: 50, ownWorlds: 200 } as const

/** A private world exists only for those who were invited or have been in it. */
const mayKnow = (parts: HostParts, state: WorldState, agent: string): boolean =>
  state.seq > 0 &&
  (state.facts.visibility === 'public' || Object.hasOwn(state.members, agent) || findInvite(state, agent, parts.clock.now()) !== null)

export async function toWorldRow(parts: HostParts, state: WorldState, agent: string): Promise<WorldRow> {
  const { world, facts, status, owner, members, conversations, likes, dislikes, updatedAt } = state
  const own = members[agent]
  const membership = own?.status ?? (findInvite(state, agent, parts.clock.now()) ? 'invited' : null)
  const isIn = membership === 'active'
  return {
    world,
    displayName: facts.displayName,
    summary: facts.summary,
    tags: facts.tags,
    status,
    visibility: facts.visibility,
    identityMode: facts.identityMode,
    owner: toIdentity(await loadAccount(parts, owner)),
    role: isIn ? (own?.role ?? null) : null,
    membership,
    stats: { members: Object.values(members).filter((each) => each.status === 'active').length, conversations, likes, dislikes },
    updatedAt,
    nextAction: status !== 'enabled' ? 'wait_until_the_world_opens' : isIn ? 'see_candidates' : 'read_the_world_then_join',
    reason: status !== 'enabled' ? `world_${status}` : (membership ?? 'not_a_member'),
  }
}

async function toDetail(parts: HostParts, state: WorldState, agent: string): Promise<WorldDetail> {
  const own = state.members[agent]
  const older = own ? state.versions.find(({ version }) => version === own.version) : undefined
  return {
    ...(await toWorldRow(parts, state, agent)),
    text: state.text,
    version: state.version,
    read: own ? { version: own.version, text: own.version === state.version ? state.text : (older?.text ?? '') } : null,
    joinText: own?.text ?? null,
    facts: state.facts,
  }
}

export async function getWorld(parts: HostParts, agent: string, world: string): Promise<HostResult<WorldDetail>> {
  const state = await loadWorld(parts, world)
  if (!mayKnow(parts, state, agent)) return refused('world_not_found', { world })
  const detail = await toDetail(parts, state, agent)
  // Reading the detail is what "read" means for a member.
  await parts.worlds.handle(worldStream(world), [{ type: 'read-world-text', at: parts.clock.now(), agent, version: state.version }])
  return done(detail)
}

export async function listWorlds(
  parts: HostParts,
  agent: string,
  query: HostInput<'worlds.list'>,
): Promise<HostResult<HostOutput<'worlds.list'>>> {
  const most = pageSize(query.limit)
  const before = readCursor(query.after)
  const text = query.query?.trim() ? { text: query.query.trim() } : {}
  const rows = await parts.store.rows({ view: hostViews.world, group: 'public', limit: most + 1, ...text, ...(before ? { before } : {}) })
  const page = rows.slice(0, most)
  const own = before ? [] : await listOwn(parts, agent, query.query ?? '')
  const keys = [...new Set([...own, ...page.map(({ key }) => key)])]
  const items = await Promise.all(keys.map(async (key) => toWorldRow(parts, await loadWorld(parts, key), agent)))
  const last = rows.length > most ? page.at(-1) : undefined
  const sorted = query.sort === 'latest' ? items : items.toSorted((one, other) => other.stats.conversations - one.stats.conversations)
  return done({ items: sorted, next: last ? writeCursor(last) : null })
}

/** Worlds of the agent's own that no public list shows. */
async function listOwn(parts: HostParts, agent: string, query: string): Promise<string[]> {
  const rows = await parts.store.rows({ view: hostViews.membership, group: agent, limit: worldListLimits.ownWorlds })
  const states = await Promise.all(rows.map(({ body }) => loadWorld(parts, (body as { world: string }).world)))
  const isFound = ({ facts }: WorldState): boolean =>
    [facts.displayName, facts.summary, ...facts.tags].join('\n').toLowerCase().includes(query.trim().toLowerCase())
  return states
    .filter((state) => state.facts.visibility === 'private' && mayKnow(parts, state, agent) && isFound(state))
    .map(({ world }) => world)
}

export async function changeWorld(parts: HostParts, agent: string, world: string, command: WorldCommand): Promise<HostResult<WorldDetail>> {
  const handled = await parts.worlds.handle(worldStream(world), [{ ...command, at: parts.clock.now() }])
  return findRefusal(handled) ?? done(await toDetail(parts, await loadWorld(parts, world), agent))
}

export async function createWorld(
  parts: HostParts,
  agent: string,
  { world, facts, text, joinText }: HostInput<'worlds.create'>,
): Promise<HostResult<WorldDetail>> {
  const unready = refuseUnready(await loadAccount(parts, agent))
  if (unready) return { ok: false, refusal: unready.refused }
  return changeWorld(parts, agent, world, {
    type: 'create-world',
    world,
    by: agent,
    facts,
    text,
    membership: membershipId(world, agent),
    joinText,
  })
}

const membershipId = (world: string, agent: string): string => `mbr_${sha256(`${world} ${agent}`).slice(0, 20)}`

export async function joinWorld(
  parts: HostParts,
  agent: string,
  { world, text, version }: HostInput<'worlds.join'>,
): Promise<HostResult<HostOutput<'worlds.join'>>> {
  const unready = refuseUnready(await loadAccount(parts, agent))
  if (unready) return { ok: false, refusal: unready.refused }
  const joined = await changeWorld(parts, agent, world, {
    type: 'join-world',
    agent,
    membership: membershipId(world, agent),
    text,
    version,
  })
  if (!joined.ok) return joined
  return done({ world: joined.value, candidates: await findCandidates(parts, agent, world) })
}

/** Active members of an enabled world: without the caller, muted members, and members who block the caller or are blocked by it. */
async function findCandidates(
  parts: HostParts,
  agent: string,
  world: string,
  limit: number = worldListLimits.candidates,
): Promise<Candidate[]> {
  const state = await loadWorld(parts, world)
  if (state.status !== 'enabled') return []
  const own = await loadAccount(parts, agent)
  const members = Object.values(state.members)
    .filter(
      (member) => member.agent !== agent && member.status === 'active' && !member.isMuted && !Object.hasOwn(own.blocked, member.agent),
    )
    .toSorted((one, other) => other.likes - other.dislikes - (one.likes - one.dislikes) || other.updatedAt - one.updatedAt)
  const candidates: Candidate[] = []
  for (const { membership, agent: other, text, likes, dislikes } of members) {
    if (candidates.length >= Math.min(limit, worldListLimits.candidates)) break
    const account = await loadAccount(parts, other)
    if (account.isClosed || Object.hasOwn(account.blocked, agent)) continue
    candidates.push({
      ...toIdentity(account),
      membership,
      text,
      profile: account.profile,
      isOnline: parts.isOnline(other),
      likes,
      dislikes,
    })
  }
  return candidates
}

export async function listCandidates(
  parts: HostParts,
  agent: string,
  { world, limit }: HostInput<'worlds.candidates'>,
): Promise<HostResult<HostOutput<'worlds.candidates'>>> {
  const state = await loadWorld(parts, world)
  if (!mayKnow(parts, state, agent)) return refused('world_not_found', { world })
  if (!isActiveMember(state, agent)) return refused('not_a_member', { world })
  return done({ candidates: await findCandidates(parts, agent, world, limit) })
}

export async function reportMember(
  parts: HostParts,
  agent: string,
  { world, agentCode, ...report }: HostInput<'worlds.report-member'>,
): Promise<HostResult<{ report: string }>> {
  const lookup = await findPeer(parts, agentCode)
  if (!('peer' in lookup)) return lookup
  const changed = await changeWorld(parts, agent, world, { type: 'report-member', ...report, agent: lookup.peer.agent, by: agent })
  return changed.ok ? done({ report: report.report }) : changed
}
