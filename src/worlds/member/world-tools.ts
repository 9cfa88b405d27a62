import { z } from 'zod'
import { defineTool, faultInWords } from '../../agents/tool.ts'
import { getToolKind, type ToolKind } from '../../authority/tool-kinds.ts'
import { ParleyError } from '../../errors.ts'
import type { ApprovalText } from '../../dialogs/rules/approval.ts'
import type { Agent, Team, Tool, ToolContext } from '../../ports/agent-runtime.ts'
import type { RequestView } from '../../ports/worlds.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { Worlds } from '../../shapes/worlds.ts'
import { hideAnnounceSkip } from './hide-announce-skip.ts'
import type { MakeTool } from './make-tool.ts'
import { manageTools } from './manage-tools.ts'
import { originTypes } from '../rules/chat-policy.ts'
import { worldLimits } from '../rules/world-limits.ts'
import { reportAuthor } from './report-work.ts'
import { toToolResult } from './world-tool-result.ts'
import { toAccountResult, toShareCard, toCandidate, toInbox, toRequestResult, toWorldResult } from './world-tool-shapes.ts'

type Approver = { name: string; via: string | null }

type Parts = {
  worlds(): Worlds | null
  takesPart(agent: string): boolean
  /** The person who allowed this call; null where an earlier grant or rule did. */
  approver(dialog: string, call: string): Promise<Approver | null>
}

/** The team in which members that take part have the tools of worlds beside their own. */
export function withWorldTools(team: Team, parts: Parts): Team {
  const equippedAgents = new WeakMap<Agent, Agent>()
  return {
    get default() {
      return team.default
    },
    list: () => team.list(),
    get taskdocs() {
      return team.taskdocs
    },
    agent(name, model) {
      const agent = team.agent(name, model)
      if (!agent || !parts.takesPart(name)) return agent
      const existing = equippedAgents.get(agent)
      if (existing) return existing
      const equipped = { ...agent, runtime: hideAnnounceSkip(agent.runtime), tools: [...agent.tools, ...worldTools(parts, name)] }
      equippedAgents.set(agent, equipped)
      return equipped
    },
  }
}

const accountId = z.string().optional().describe('Leave out.')

/** Tools of the main agent, with the names and result shapes of the protocol. What leaves is approved by the owner before it runs. */
export function worldTools(parts: Pick<Parts, 'worlds' | 'approver'>, agent: string): readonly Tool[] {
  const on = (): Worlds => {
    const worlds = parts.worlds()
    if (!worlds) throw new ParleyError('worlds_off')
    return worlds
  }
  const tool: MakeTool = (name, description, input, run, action, readAction) =>
    defineTool({
      name,
      description,
      input: input.extend({ accountId }),
      afterCrash: 'repeat',
      gate: {
        kind: action === undefined ? getKind(name, undefined) : 'world-change',
        kindOf: (given) => (readAction ? getKind(name, { action: readAction(given as z.output<typeof input>) }) : getKind(name, given)),
        texts: (given) => listTexts(given as Readonly<Record<string, unknown>>),
      },
      run: (given, context) =>
        toToolResult(name, async () => {
          const result = await run(on(), given as z.output<typeof input>, await toCaller(parts, context), context)
          // The agent must not believe that its own words left.
          return context.edits ? { ...result, ownerEdited: context.edits } : result
        }),
    })
  return [...readTools(tool, agent), ...changeTools(tool, agent), ...manageTools(tool, agent)]
}

/** Fields with words that leave or that the own colleague acts on, with the longest text the host takes. */
const textFields: Readonly<Record<string, number>> = {
  displayName: worldLimits.displayNameChars,
  profile: worldLimits.profileChars,
  participantContextText: worldLimits.joinTextChars,
  openingMessage: worldLimits.briefChars,
  purpose: worldLimits.purposeChars,
  brief: worldLimits.briefChars,
  worldContextText: worldLimits.worldTextChars,
  summary: worldLimits.worldSummaryChars,
  reason: worldLimits.reasonChars,
  excerpt: worldLimits.excerptChars,
}

/** The name in a request names the other side, so it is not a text of the owner. */
function listTexts(input: Readonly<Record<string, unknown>>): ApprovalText[] {
  const isRequest = 'agentCode' in input
  const fields = 'worldContextText' in input ? { ...textFields, displayName: worldLimits.worldNameChars } : textFields
  return Object.entries(fields).flatMap(([field, most]) => {
    const text = input[field]
    return typeof text === 'string' && !(field === 'displayName' && isRequest) ? [{ field, text, most }] : []
  })
}

/** A call that only reads needs no approval; `action` says what a call of a tool with several does. */
const getKind = (name: string, input: unknown): ToolKind =>
  getToolKind(name, (input as { action?: unknown } | undefined)?.action) ?? 'world-change'

/** No person allowed the call: an earlier grant or rule did. */
const self = 'self'

/** The chat request whose report is among the messages that caused this turn. */
const findReported = ({ by }: ToolContext['cause']): string | undefined =>
  by.find(({ id }) => id.startsWith(reportAuthor))?.id.slice(reportAuthor.length)

/** The words of a call are approved by allowing it. The call is the key, so a second run finds the first. */
async function toCaller({ approver }: Pick<Parts, 'approver'>, { cause, call, dialog }: ToolContext): Promise<Caller> {
  const [first] = cause.by
  const allowed = await approver(dialog, call)
  const once = { key: `${dialog} ${call}`, request: call }
  if (allowed) return { by: { kind: 'human', name: allowed.name, role: 'owner' }, via: allowed.via ?? 'approval', once }
  return {
    by: { kind: 'human', name: first?.name ?? 'owner', role: first?.role ?? 'owner', ...(first ? { id: first.id } : {}) },
    via: self,
    once,
  }
}

const readTools = (tool: MakeTool, agent: string): readonly Tool[] => [
  tool(
    'claworld_list_worlds',
    'List worlds in which agents of other owners can be met.',
    z.object({ query: z.string().optional(), sort: z.enum(['hot', 'match', 'latest']).optional(), page: z.string().optional() }),
    async (worlds, { query, sort, page }) => {
      const { items, next } = await worlds.worlds.list(agent, { query, sort, after: page })
      return { status: 'ok', worlds: items.map((row) => toWorldResult(row)), nextPage: next }
    },
  ),
  tool(
    'claworld_get_world',
    'Read one world with its text. Read it before joining.',
    z.object({ worldId: z.string() }),
    async (worlds, { worldId }) => ({ status: 'ok', world: toWorldResult(await worlds.worlds.get(agent, worldId)) }),
  ),
  tool(
    'claworld_list_candidates',
    'List members of a world that you could talk to.',
    z.object({ worldId: z.string(), limit: z.int().min(1).max(50).optional() }),
    async (worlds, { worldId, limit }) => ({
      status: 'ok',
      candidates: (await worlds.worlds.candidates(agent, worldId, limit)).map((each) => toCandidate(worldId, each)),
    }),
  ),
]

const inboxFilters = z.strictObject({
  direction: z.enum(['inbound', 'outbound']).optional(),
  mode: z.enum(['direct', 'world']).optional(),
  status: z.enum(['pending', 'accepted', 'rejected', 'expired', 'withdrawn', 'blocked']).optional(),
  worldId: z.string().optional(),
  chatRequestId: z.string().optional(),
  conversationKey: z.string().optional(),
  localSessionKey: z.string().optional(),
  counterpartyAgentId: z.string().optional(),
})

async function readInbox(worlds: Worlds, agent: string, given: object): Promise<object> {
  const checked = inboxFilters.safeParse(given)
  if (!checked.success) throw new ParleyError('bad_request', { field: 'filters', why: faultInWords(checked.error) })
  const { direction, mode, status, worldId, chatRequestId, conversationKey, localSessionKey, counterpartyAgentId } = checked.data
  const page = await worlds.requests.list(agent, {
    ...(direction ? { direction } : {}),
    ...(mode ? { mode } : {}),
    ...(status ? { status } : {}),
    ...(worldId ? { world: worldId } : {}),
  })
  const isMeant = ({ request, key, trace }: RequestView): boolean =>
    (chatRequestId === undefined || request === chatRequestId) &&
    (conversationKey === undefined || key === conversationKey) &&
    (localSessionKey === undefined || localSessionKey === `conversation:${key}`) &&
    (counterpartyAgentId === undefined || trace.agents.includes(counterpartyAgentId) || key.includes(counterpartyAgentId))
  return toInbox(given, page.items.filter(isMeant), page.counts)
}

const changeTools = (tool: MakeTool, agent: string): readonly Tool[] => [
  tool(
    'claworld_account',
    'View your public account (action view), or change the name, profile or chat policy. The owner approves the exact words.',
    z.object({
      action: z.enum(['view', 'update_identity', 'update_profile', 'update_chat_policy']).optional(),
      displayName: z.string().optional(),
      profile: z.string().optional(),
      generateShareCard: z.boolean().optional().describe('With what your owner hands out so that others find this account.'),
      chatRequestApprovalPolicy: z
        .strictObject({
          mode: z.string().optional(),
          blocks: z
            .strictObject({ originTypes: z.array(z.enum(originTypes)).optional(), worldIds: z.array(z.string()).max(100).optional() })
            .optional(),
        })
        .optional(),
    }),
    async (
      worlds,
      {
        action = 'view',
        displayName,
        profile,
        generateShareCard = action === 'update_identity',
        chatRequestApprovalPolicy: { mode, blocks } = {},
      },
      caller,
    ) => {
      const withCard = async (result: object): Promise<object> =>
        generateShareCard ? { ...result, shareCard: toShareCard(await worlds.card(agent, {})) } : result
      if (action === 'view') return withCard(toAccountResult(await worlds.account(agent), []))
      const changes = {
        update_identity: { displayName: displayName ?? '' },
        update_profile: { profile: profile ?? '' },
        update_chat_policy: {
          mode: mode ?? (blocks ? undefined : ''),
          blockedWorlds: blocks?.worldIds,
          blockedOrigins: blocks?.originTypes,
        },
      } as const
      const updated = {
        update_identity: 'displayName',
        update_profile: 'profile',
        update_chat_policy: 'chatRequestApprovalPolicy',
      } as const
      return withCard(toAccountResult(await worlds.changeAccount(agent, changes[action], caller), [updated[action]]))
    },
    'update_identity',
  ),
  tool(
    'claworld_join_world',
    'Join a world with a text about your owner that the owner has approved. Read the world first.',
    z.object({ worldId: z.string(), participantContextText: z.string() }),
    async (worlds, { worldId, participantContextText }, caller) => {
      const { version } = await worlds.worlds.get(agent, worldId)
      const { world, candidates } = await worlds.worlds.join(agent, worldId, { text: participantContextText, version }, caller)
      return {
        status: 'joined',
        membershipStatus: world.membership,
        world: toWorldResult(world),
        candidateDelivery: { candidates: candidates.map((each) => toCandidate(worldId, each)) },
        requestChatAction: { tool: 'claworld_request_chat' },
        nextAction: world.nextAction,
      }
    },
  ),
  tool(
    'claworld_request_chat',
    'Ask another account for a conversation. openingMessage is a brief for your own colleague who will talk: goal, tone, what to avoid, when to stop. It is never sent. Never guess a code.',
    z.object({
      displayName: z.string(),
      agentCode: z.string(),
      openingMessage: z.string().optional(),
      purpose: z.string().max(200).optional().describe('One line that the other owner sees.'),
      worldId: z.string().optional(),
    }),
    async (worlds, { displayName, agentCode, openingMessage = '', purpose, worldId }, caller, { dialog, cause }) => {
      if (openingMessage.trim() === '') throw new ParleyError('opening_message_required')
      const after = caller.via === self ? findReported(cause) : undefined
      const draft = { to: `${displayName}#${agentCode}`, brief: openingMessage, purpose, world: worldId, after }
      const { request, warnings } = await worlds.requests.send(agent, draft, caller, dialog)
      return { ...toRequestResult(request), ...(warnings.length > 0 ? { warnings } : {}) }
    },
  ),
  tool(
    'claworld_chat_inbox',
    'Decide on a chat request: accept (with a brief if the owner gave one) or reject; list shows all. After accepting, write nothing more: your colleague talks.',
    z.object({
      action: z.enum(['list', 'accept', 'reject']).optional(),
      chatRequestId: z.string().optional(),
      brief: z.string().optional(),
      filters: z.record(z.string(), z.unknown()).optional().describe('For list: direction, mode, status, worldId, chatRequestId.'),
    }),
    async (worlds, { action = 'list', chatRequestId = '', brief, filters = {} }, caller) => {
      if (action === 'list') return readInbox(worlds, agent, filters)
      if (action === 'reject') return toRequestResult(await worlds.requests.reject(agent, chatRequestId))
      return toRequestResult(await worlds.requests.accept(agent, chatRequestId, brief, caller))
    },
    'accept',
  ),
]
