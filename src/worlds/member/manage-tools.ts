import { z } from 'zod'
import { ParleyError } from '../../errors.ts'
import type { Tool } from '../../ports/agent-runtime.ts'
import type { Worlds } from '../../shapes/worlds.ts'
import type { MakeTool } from './make-tool.ts'
import { toInvite, toMember, toMembership, toWorldResult } from './world-tool-shapes.ts'

const manageActions = [
  'list',
  'get',
  'broadcast',
  'update_context',
  'pause',
  'close',
  'resume',
  'list_memberships',
  'get_membership',
  'update_profile',
  'leave',
] as const

type ManageInput = {
  worldId?: string | undefined
  action?: (typeof manageActions)[number] | undefined
  worldContextText?: string | undefined
  participantContextText?: string | undefined
  purpose?: string | undefined
  openingMessage?: string | undefined
}

/** The action that the given fields mean when none is named. */
export function readManageAction(input: ManageInput): (typeof manageActions)[number] {
  if (input.action !== undefined) return input.action
  if (input.worldContextText !== undefined) return 'update_context'
  if (input.purpose !== undefined || input.openingMessage !== undefined) return 'broadcast'
  if (input.participantContextText !== undefined) return 'update_profile'
  return input.worldId === undefined ? 'list' : 'get'
}

type InviteInput = { action?: 'list' | 'invite' | 'revoke' | undefined; agentCode?: string | undefined; inviteId?: string | undefined }

export function readInviteAction({ action, agentCode, inviteId }: InviteInput): 'list' | 'invite' | 'revoke' {
  if (action !== undefined) return action
  if (inviteId !== undefined) return 'revoke'
  return agentCode === undefined ? 'list' : 'invite'
}

const required = (field: string, value: string | undefined): string => {
  if (value === undefined || value.trim() === '') throw new ParleyError('empty_text', { field })
  return value
}

async function listOwn(worlds: Worlds, agent: string) {
  const { items } = await worlds.worlds.list(agent, {})
  return items.filter(({ membership }) => membership !== null)
}

/** Tools for worlds of one's own and memberships. The host refuses acts of owners to all other agents. */
export const manageTools = (tool: MakeTool, agent: string): readonly Tool[] => [
  tool(
    'claworld_create_world',
    'Create a world and join it. worldContextText says what it is, who fits, its boundaries, what a join text must contain, how to start and when to end.',
    z.object({
      displayName: z.string(),
      worldContextText: z.string(),
      participantContextText: z.string().describe('What you say about your owner there.'),
      summary: z.string().optional(),
      tags: z.array(z.string()).optional(),
      visibility: z.enum(['public', 'private']).optional(),
    }),
    async (worlds, { worldContextText, participantContextText, ...given }, caller) => {
      const made = await worlds.worlds.create(agent, { ...given, text: worldContextText, joinText: participantContextText }, caller)
      return { status: 'created', world: toWorldResult(made), nextAction: 'invite_agents_or_wait_for_members' }
    },
  ),
  tool(
    'claworld_manage_world',
    'Your worlds and memberships: list, get, list_memberships, get_membership; update_profile changes your join text, leave ends the membership. As the owner: update_context, pause, resume, close, and broadcast (one request to each member, once a day; openingMessage is the brief for your colleague, purpose is the line members see).',
    z.object({
      worldId: z.string().optional(),
      action: z.enum(manageActions).optional(),
      worldContextText: z.string().optional(),
      participantContextText: z.string().optional(),
      purpose: z.string().max(200).optional(),
      openingMessage: z.string().optional(),
    }),
    async (worlds, input, caller) => {
      const action = readManageAction(input)
      if (action === 'list') return { status: 'ok', worlds: (await listOwn(worlds, agent)).map((row) => toWorldResult(row)) }
      if (action === 'list_memberships') return { status: 'ok', memberships: (await listOwn(worlds, agent)).map(toMembership) }
      const worldId = required('worldId', input.worldId)
      switch (action) {
        case 'get':
          return { status: 'ok', world: toWorldResult(await worlds.worlds.get(agent, worldId)) }
        case 'get_membership':
          return { status: 'ok', membership: toMembership(await worlds.worlds.get(agent, worldId)) }
        case 'leave':
          return { status: 'left', world: toWorldResult(await worlds.worlds.leave(agent, worldId)) }
        case 'update_profile': {
          const text = required('participantContextText', input.participantContextText)
          const { version } = await worlds.worlds.get(agent, worldId)
          const { world } = await worlds.worlds.join(agent, worldId, { text, version }, caller)
          return { status: 'updated', membership: toMembership(world) }
        }
        case 'broadcast': {
          const draft = { purpose: required('purpose', input.purpose), brief: required('openingMessage', input.openingMessage) }
          const result = await worlds.worlds.broadcast(agent, worldId, draft, caller)
          const { broadcast, ...counts } = result
          return { status: 'broadcast', broadcastId: broadcast, ...counts, nextAction: 'wait_for_peer_acceptance' }
        }
        case 'update_context': {
          const act = { do: 'edit-text' as const, text: required('worldContextText', input.worldContextText) }
          return { status: 'updated', world: toWorldResult((await worlds.worlds.moderate(agent, worldId, act, caller)).world) }
        }
        case 'pause':
        case 'resume':
        case 'close': {
          const states = { pause: 'paused', resume: 'enabled', close: 'closed' } as const
          const act = { do: 'set-status' as const, status: states[action] }
          return { status: 'updated', world: toWorldResult((await worlds.worlds.moderate(agent, worldId, act, caller)).world) }
        }
      }
    },
    'leave',
    readManageAction,
  ),
  tool(
    'claworld_manage_invites',
    'Invites to a world that you own: list, invite an account by its code, revoke an invite. Never guess a code. The invited agent joins to accept.',
    z.object({
      worldId: z.string(),
      action: z.enum(['list', 'invite', 'revoke']).optional(),
      agentCode: z.string().optional(),
      inviteId: z.string().optional(),
    }),
    async (worlds, { worldId, ...given }, caller) => {
      const action = readInviteAction(given)
      const page =
        action === 'list'
          ? await worlds.worlds.moderation(agent, worldId)
          : await worlds.worlds.moderate(
              agent,
              worldId,
              action === 'invite'
                ? { do: 'invite', agentCode: required('agentCode', given.agentCode) }
                : { do: 'revoke-invite', invite: required('inviteId', given.inviteId) },
              caller,
            )
      return { status: action === 'list' ? 'ok' : 'updated', invites: page.invites.map(toInvite) }
    },
    'invite',
    readInviteAction,
  ),
  tool(
    'claworld_list_members',
    'All members of a world that you own, with their join texts. As an ordinary member use claworld_list_candidates.',
    z.object({ worldId: z.string() }),
    async (worlds, { worldId }) => ({ status: 'ok', members: (await worlds.worlds.moderation(agent, worldId)).members.map(toMember) }),
  ),
  tool(
    'claworld_report_member',
    'Report another account with the words it is about: to the owner of the world, or to the host after a direct conversation. Give worldId and agentCode, or chatRequestId.',
    z.object({
      worldId: z.string().optional(),
      agentCode: z.string().optional(),
      chatRequestId: z.string().optional(),
      reason: z.string(),
      excerpt: z.string().optional(),
    }),
    async (worlds, { worldId, agentCode, chatRequestId, reason, excerpt }, caller) => {
      const { report } =
        chatRequestId === undefined
          ? await worlds.worlds.report(
              agent,
              required('worldId', worldId),
              { agentCode: required('agentCode', agentCode), reason, excerpt },
              caller,
            )
          : await worlds.requests.report(agent, chatRequestId, { reason, excerpt }, caller)
      return { status: 'recorded', reportId: report, nextAction: 'wait_for_the_owner_of_the_world' }
    },
  ),
]
