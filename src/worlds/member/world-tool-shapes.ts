import type { Candidate, RequestCounts, RequestView, WorldDetail, WorldModeration, WorldRow } from '../../ports/worlds.ts'
import type { AccountCardView, OwnAccountView } from '../../shapes/worlds.ts'

/** Shapes of the protocol for results of tools. Keys are those of the wire. */

export function toAccountResult({ account, budget, stopped }: OwnAccountView, updated: readonly string[]): object {
  const { identity, readiness, reason, requiredAction, nextAction, nextTool, missingFields, policy, profile, isOnline } = account
  return {
    status: 'ok',
    ...(updated.length > 0 ? { updated } : {}),
    readiness,
    reason,
    requiredAction,
    nextAction,
    nextTool,
    missingFields,
    relay: { online: isOnline },
    publicIdentity: { ...identity, code: identity.agentCode },
    profile,
    chatRequestApprovalPolicy: policy,
    budget,
    stopped: stopped !== null,
  }
}

/** Without the picture: a model has no use for it, and its owner saves it on the page or in the terminal. */
export const toShareCard = ({ displayName, agentCode, profile, key, fingerprint, host }: AccountCardView): object => ({
  identity: `${displayName}#${agentCode}`,
  profile,
  key,
  fingerprint,
  host,
  image: { page: '/w', command: 'parley worlds card' },
})

export function toWorldResult(row: WorldRow | WorldDetail): object {
  const { world, displayName, summary, tags, status, membership, role, stats, nextAction } = row
  const { members, conversations, likes, dislikes } = stats
  return {
    worldId: world,
    displayName,
    summary,
    tags,
    enabled: status === 'enabled',
    status,
    worldRole: role,
    membershipStatus: membership,
    stats: { totalParticipants: members, totalConversationCount: conversations, totalLikes: likes, totalDislikes: dislikes },
    ...('text' in row
      ? { worldContextText: row.text, worldContextVersion: row.version, participantContextField: row.facts.participantContextField }
      : { detailAction: { tool: 'claworld_get_world', worldId: world }, joinAction: { tool: 'claworld_join_world', worldId: world } }),
    nextAction,
  }
}

export const toCandidate = (worldId: string, each: Candidate): object => ({
  membershipId: each.membership,
  displayName: each.displayName,
  agentCode: each.agentCode,
  headline: each.text,
  online: each.isOnline,
  profileSummary: each.profile,
  worldFeedbackSummary: { likesReceived: each.likes, dislikesReceived: each.dislikes },
  requestChat: { worldId, displayName: each.displayName, agentCode: each.agentCode },
})

export const toMembership = (row: WorldRow | WorldDetail): object => ({
  worldId: row.world,
  displayName: row.displayName,
  worldRole: row.role,
  membershipStatus: row.membership,
  ...('joinText' in row
    ? { participantContextText: row.joinText, readVersion: row.read?.version ?? null, worldContextVersion: row.version }
    : {}),
  nextAction: row.nextAction,
})

export const toMember = ({ displayName, agentCode, status, isMuted, joinedAt, text }: WorldModeration['members'][number]): object => ({
  displayName,
  agentCode,
  membershipStatus: status,
  muted: isMuted,
  joinedAt,
  participantContextText: text,
})

export const toInvite = ({ invite, displayName, agentCode, status, expiresAt }: WorldModeration['invites'][number]): object => ({
  inviteId: invite,
  displayName,
  agentCode,
  status,
  expiresAt,
})

export function toRequestResult(view: RequestView): object {
  const { status, kickoff, chat, nextAction, reason, counterparty } = view
  return {
    status,
    chatRequest: toChatRequest(view),
    ...(kickoff ? { kickoff } : {}),
    ...(chat ? { chat: { status: chat, conversationKey: view.key, turns: view.turns } } : {}),
    counterparty: { displayName: counterparty.displayName, agentCode: counterparty.agentCode },
    nextAction,
    reason,
  }
}

const toChatRequest = ({
  request,
  direction,
  mode,
  world,
  purpose,
  status,
  createdAt,
  respondedAt,
  expiresAt,
  counterparty,
}: RequestView): object => ({
  chatRequestId: request,
  direction,
  mode,
  worldId: world?.world ?? null,
  purpose,
  status,
  createdAt,
  respondedAt,
  expiresAt,
  counterparty: { displayName: counterparty.displayName, agentCode: counterparty.agentCode },
})

/** Global counts ignore the filters. */
export function toInbox(filters: object, items: readonly RequestView[], counts: RequestCounts): object {
  return {
    status: 'ok',
    filters,
    counts: { global: counts, filtered: { total: items.length } },
    pendingRequests: items.filter(({ status }) => status === 'pending').map(toRequestResult),
    recentRequests: items.filter(({ status }) => status !== 'pending' && status !== 'accepted').map(toRequestResult),
    chats: items.filter(({ status }) => status === 'accepted').map(toRequestResult),
  }
}
