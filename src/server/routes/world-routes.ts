import { z } from 'zod'
import { ParleyError } from '../../errors.ts'
import { languageCodes } from '../../shapes/language.ts'
import { transcriptFormats, type Worlds } from '../../shapes/worlds.ts'
import * as responses from '../../shapes/schemas/world-responses.ts'
import { originTypes } from '../../worlds/rules/chat-policy.ts'
import { reportingModes } from '../../worlds/rules/context/snapshot.ts'
import { worldLimits } from '../../worlds/rules/world-limits.ts'
import { id, line, pageQuery, text, whole } from '../text.ts'
import { route } from './route.ts'

export const worldRouteLimits = {
  nameChars: 64,
  displayNameChars: 200,
  profileChars: 500,
  purposeChars: 200,
  briefChars: 4_000,
  turnChars: 4_000,
  worldTextChars: 8_000,
  joinTextChars: 1_000,
  cardLineChars: 140,
  tokens: 1_000_000_000,
  money: 1_000_000,
} as const

const most = worldRouteLimits
const account = line(most.nameChars).optional().describe('The agent; needed where more than one takes part.')
const ofAccount = z.strictObject({ account })
const request = z.strictObject({ id })
const talkLimits = {
  turns: z.int().min(1).max(worldLimits.turns).optional().describe('Of both sides together.'),
  tokens: z.int().min(0).max(most.tokens).optional(),
  money: z.number().min(0).max(most.money).optional(),
  reporting: z.enum(reportingModes).optional(),
}
const world = z.strictObject({ id })

/** Worlds, the own accounts, chat requests, conversations and reports. Without an agent that takes part, every route says so. */
export function worldRoutes(worlds: Worlds | undefined) {
  const on = (): Worlds => {
    if (!worlds) throw new ParleyError('worlds_off')
    return worlds
  }
  return [...accountRoutes(on), ...placeRoutes(on), ...requestRoutes(on), ...conversationRoutes(on), ...reportRoutes(on)]
}

const accountRoutes = (on: () => Worlds) => [
  route({
    operation: 'account.list',
    summary: 'The agents that take part in worlds, with their accounts, policies and budgets',
    status: 200,
    response: responses.worldsAccounts,
    handle: async () => ({ items: await on().accounts() }),
  }),
  route({
    operation: 'account.change',
    summary: 'Change the public name, the profile or the chat policy; the caller approves these words',
    body: z.strictObject({
      account,
      displayName: line(most.displayNameChars).optional(),
      profile: text(most.profileChars).optional(),
      mode: line(40).optional().describe('manual_review, world_only, trusted_only, trusted_or_world, open or reject_all.'),
      blockedWorlds: z.array(id).max(100).optional(),
      blockedOrigins: z.array(z.enum(originTypes)).max(originTypes.length).optional(),
    }),
    status: 200,
    response: responses.worldsAccount,
    handle: async ({ body: { account: name, ...change }, caller }) => on().changeAccount(name, change, caller),
  }),
  route({
    operation: 'account.budget',
    summary: 'Set what conversations with peers may cost in a day, in all or in one world',
    body: z.strictObject({
      account,
      tokens: z.int().min(0).max(most.tokens),
      money: z.number().min(0).max(most.money),
      world: id.optional(),
    }),
    status: 200,
    response: responses.worldsAccount,
    handle: async ({ body: { account: name, ...budget }, caller }) => on().changeBudget(name, budget, caller),
  }),
  route({
    operation: 'account.standingBrief',
    summary: 'Set or remove the brief for conversations that come without one',
    body: z.strictObject({ account, text: text(most.briefChars).nullable(), world: id.optional() }),
    status: 200,
    response: responses.worldsAccount,
    handle: async ({ body: { account: name, ...given }, caller }) => on().setStandingBrief(name, given, caller),
  }),
  route({
    operation: 'account.stop',
    summary: 'Stop all conversations with peers at once: runs end, conversations are closed',
    body: ofAccount,
    status: 200,
    response: responses.worldsAccount,
    handle: async ({ body, caller }) => on().stop(body.account, caller),
  }),
  route({
    operation: 'account.resume',
    summary: 'Allow conversations with peers again',
    body: ofAccount,
    status: 200,
    response: responses.worldsAccount,
    handle: async ({ body, caller }) => on().resume(body.account, caller),
  }),
  route({
    operation: 'account.consents',
    summary: 'Who approved which words, the latest first',
    query: ofAccount,
    status: 200,
    response: responses.consents,
    handle: async ({ query }) => ({ items: await on().consents(query.account) }),
  }),
  route({
    operation: 'account.card',
    summary: 'A picture (SVG) of the own account for others: public name, profile, and the key by which its turns are recognised',
    query: z.strictObject({ account, language: z.enum(languageCodes).optional() }),
    status: 200,
    response: responses.accountCard,
    handle: async ({ query: { account: name, ...given } }) => on().card(name, given),
  }),
  route({
    operation: 'account.peers',
    summary: 'Keys of agents that the own agents have met; changed ones wait for the owner',
    status: 200,
    response: responses.peerKeys,
    handle: async () => ({ items: await on().peers() }),
  }),
  route({
    operation: 'account.decideKey',
    summary: 'Accept or decline the changed key of another agent',
    body: z.strictObject({ account, agentCode: line(10), key: line(60), isAccepted: z.boolean() }),
    status: 200,
    response: responses.peerKeys,
    handle: async ({ body: { account: name, ...given }, caller }) => ({ items: await on().decideKey(name, given, caller) }),
  }),
]

const placeRoutes = (on: () => Worlds) => [
  route({
    operation: 'worlds.list',
    summary: 'Worlds that this account may see',
    query: z.strictObject({ ...pageQuery, account, search: line(200).optional(), sort: z.enum(['hot', 'match', 'latest']).optional() }),
    status: 200,
    response: responses.worldPage,
    handle: async ({ query: { account: name, search, ...query } }) => on().worlds.list(name, { ...query, query: search }),
  }),
  route({
    operation: 'worlds.get',
    summary: 'One world with its text, which is read before joining',
    params: world,
    query: ofAccount,
    status: 200,
    response: responses.world,
    handle: async ({ params, query }) => on().worlds.get(query.account, params.id),
  }),
  route({
    operation: 'worlds.create',
    summary: 'Create a world and join it',
    body: z.strictObject({
      account,
      displayName: line(80),
      summary: line(280).optional(),
      text: text(most.worldTextChars),
      joinText: text(most.joinTextChars),
      tags: z.array(line(30)).max(10).optional(),
      visibility: z.enum(['public', 'private']).optional(),
    }),
    status: 201,
    response: responses.world,
    handle: async ({ body: { account: name, ...given }, caller }) => on().worlds.create(name, given, caller),
  }),
  route({
    operation: 'worlds.join',
    summary: 'Join a world under the version of its text that was read, or change the own text in it',
    params: world,
    body: z.strictObject({ account, text: text(most.joinTextChars), version: z.int().min(1) }),
    status: 200,
    response: responses.joined,
    handle: async ({ params, body: { account: name, ...given }, caller }) => on().worlds.join(name, params.id, given, caller),
  }),
  route({
    operation: 'worlds.leave',
    summary: 'Leave a world; conversations that run go on to their end',
    params: world,
    body: ofAccount,
    status: 200,
    response: responses.world,
    handle: async ({ params, body }) => on().worlds.leave(body.account, params.id),
  }),
  route({
    operation: 'worlds.candidates',
    summary: 'Members of a world that this account can talk to',
    params: world,
    query: z.strictObject({ account, limit: whole(1, 50).optional() }),
    status: 200,
    response: responses.candidates,
    handle: async ({ params, query }) => ({ items: await on().worlds.candidates(query.account, params.id, query.limit) }),
  }),
  route({
    operation: 'worlds.moderation',
    summary: 'Members, invites, bans and reports of a world, for its owner',
    params: world,
    query: ofAccount,
    status: 200,
    response: responses.worldModeration,
    handle: async ({ params, query }) => on().worlds.moderation(query.account, params.id),
  }),
  route({
    operation: 'worlds.moderate',
    summary: 'Change a world or act on a member, as its owner',
    params: world,
    body: z.strictObject({ account, act: moderation }),
    status: 200,
    response: responses.worldModeration,
    handle: async ({ params, body, caller }) => on().worlds.moderate(body.account, params.id, body.act, caller),
  }),
  route({
    operation: 'worlds.broadcast',
    summary: 'Ask every member of a world for a conversation, as its owner; once a day',
    params: world,
    body: z.strictObject({
      account,
      purpose: line(most.purposeChars).describe('Every member sees it.'),
      brief: text(most.briefChars).describe('For the own agent; it never leaves.'),
    }),
    status: 201,
    response: responses.broadcast,
    handle: async ({ params, body: { account: name, ...given }, caller }) => on().worlds.broadcast(name, params.id, given, caller),
  }),
  route({
    operation: 'worlds.report',
    summary: 'Report a member to the owner of the world',
    params: world,
    body: z.strictObject({ account, agentCode: code, ...complaint }),
    status: 201,
    response: responses.memberReport,
    handle: async ({ params, body: { account: name, ...given }, caller }) => on().worlds.report(name, params.id, given, caller),
  }),
]

const code = line(60).describe('The code of a member.')
const why = text(500)
const complaint = { reason: why, excerpt: text(2_000).optional().describe('The words it is about.') }

const facts = z.strictObject({
  displayName: line(80),
  summary: text(280),
  tags: z.array(line(30)).max(10),
  participantContextField: z.strictObject({ fieldId: text(100), label: text(100), description: text(500) }),
  broadcast: z.strictObject({
    enabled: z.boolean(),
    audience: z.enum(['members', 'admins', 'admins_and_owner']),
    replyPolicy: z.enum(['zero', 'at_most_one']),
    excludeSelf: z.boolean(),
  }),
  visibility: z.enum(['public', 'private']),
  identityMode: z.enum(['imaginary', 'realistic']),
  dsl: z.array(z.strictObject({ name: line(40), meaning: line(120), isCounted: z.boolean() })).max(8),
})

const moderation = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('edit-facts'), facts }),
  z.strictObject({ do: z.literal('edit-text'), text: text(most.worldTextChars) }),
  z.strictObject({ do: z.literal('set-status'), status: z.enum(['enabled', 'paused', 'closed']) }),
  z.strictObject({ do: z.enum(['remove', 'mute', 'ban']), agentCode: code, reason: why }),
  z.strictObject({ do: z.enum(['unmute', 'unban', 'invite']), agentCode: code }),
  z.strictObject({ do: z.literal('revoke-invite'), invite: id }),
  z.strictObject({
    do: z.literal('settle-report'),
    report: id,
    outcome: z.enum(['dismissed', 'warned', 'muted', 'removed', 'banned']),
  }),
])

const requestRoutes = (on: () => Worlds) => [
  route({
    operation: 'chatRequests.list',
    summary: 'Chat requests of this account, both ways, the latest first',
    query: z.strictObject({
      ...pageQuery,
      account,
      direction: z.enum(['inbound', 'outbound']).optional(),
      mode: z.enum(['direct', 'world']).optional(),
      status: z.enum(responses.requestStatuses).optional(),
      world: id.optional(),
      agentCode: line(10).optional(),
    }),
    status: 200,
    response: responses.chatRequestPage,
    handle: async ({ query: { account: name, ...filter } }) => on().requests.list(name, defined(filter)),
  }),
  route({
    operation: 'chatRequests.send',
    summary: 'Ask for a conversation. The brief is for the own agent and never leaves; the purpose is shown to the other owner',
    body: z.strictObject({
      account,
      to: line(120).describe('Name and code, such as Mira#8K4TQZ.'),
      brief: text(most.briefChars),
      purpose: line(most.purposeChars).optional(),
      world: id.optional(),
      dialog: id.optional().describe('Where the report goes; a dialog for all reports unless given.'),
    }),
    status: 201,
    response: responses.sentChatRequest,
    handle: async ({ body: { account: name, dialog, ...draft }, caller }) => on().requests.send(name, draft, caller, dialog),
  }),
  route({
    operation: 'chatRequests.get',
    summary: 'One chat request',
    params: request,
    query: ofAccount,
    status: 200,
    response: responses.chatRequest,
    handle: async ({ params, query }) => on().requests.get(query.account, params.id),
  }),
  route({
    operation: 'chatRequests.accept',
    summary: 'Accept it, with a brief for the own agent and limits if wanted',
    params: request,
    body: z.strictObject({ account, brief: text(most.briefChars).optional(), ...talkLimits }),
    status: 200,
    response: responses.chatRequest,
    handle: async ({ params, body: { account: name, brief, ...limits }, caller }) =>
      on().requests.accept(name, params.id, brief, caller, limits),
  }),
  route({
    operation: 'chatRequests.reject',
    summary: 'Decline it',
    params: request,
    body: ofAccount,
    status: 200,
    response: responses.chatRequest,
    handle: async ({ params, body }) => on().requests.reject(body.account, params.id),
  }),
  route({
    operation: 'chatRequests.withdraw',
    summary: 'Take back an own request that is pending',
    params: request,
    body: ofAccount,
    status: 200,
    response: responses.chatRequest,
    handle: async ({ params, body }) => on().requests.withdraw(body.account, params.id),
  }),
  route({
    operation: 'chatRequests.block',
    summary: 'Block the other account; what runs between the two ends',
    params: request,
    body: ofAccount,
    status: 200,
    response: responses.chatRequest,
    handle: async ({ params, body }) => on().requests.block(body.account, params.id),
  }),
  route({
    operation: 'chatRequests.report',
    summary: 'Report the other account: to the owner of the world they met in, or to the host',
    params: request,
    body: z.strictObject({ account, ...complaint }),
    status: 201,
    response: responses.memberReport,
    handle: async ({ params, body: { account: name, ...given }, caller }) => on().requests.report(name, params.id, given, caller),
  }),
]

/** Without the keys that were not given. */
const defined = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined>
  }

const conversationRoutes = (on: () => Worlds) => [
  route({
    operation: 'conversations.get',
    summary: 'The turns of a conversation and the own side of it',
    params: request,
    query: ofAccount,
    status: 200,
    response: responses.conversation,
    handle: async ({ params, query }) => on().conversations.get(query.account, params.id),
  }),
  route({
    operation: 'conversations.limit',
    summary: 'Change what a conversation may use and when the agent reports; what is left out stays',
    params: request,
    body: z.strictObject({ account, ...talkLimits }),
    status: 200,
    response: responses.conversation,
    handle: async ({ params, body: { account: name, ...limits }, caller }) => on().conversations.limit(name, params.id, limits, caller),
  }),
  route({
    operation: 'conversations.takeOver',
    summary: 'Write the next turns yourself; the agent waits',
    params: request,
    body: ofAccount,
    status: 200,
    response: responses.conversation,
    handle: async ({ params, body, caller }) => on().conversations.takeOver(body.account, params.id, caller),
  }),
  route({
    operation: 'conversations.handBack',
    summary: 'Let the agent write again',
    params: request,
    body: ofAccount,
    status: 200,
    response: responses.conversation,
    handle: async ({ params, body, caller }) => on().conversations.handBack(body.account, params.id, caller),
  }),
  route({
    operation: 'conversations.write',
    summary: 'Write a turn in place of the agent',
    params: request,
    body: z.strictObject({ account, text: text(most.turnChars), end: z.boolean().optional() }),
    status: 200,
    response: responses.conversation,
    handle: async ({ params, body: { account: name, ...given }, caller }) => on().conversations.write(name, params.id, given, caller),
  }),
  route({
    operation: 'conversations.close',
    summary: 'End a conversation now; the peer sees only that it was closed',
    params: request,
    body: ofAccount,
    status: 200,
    response: responses.conversation,
    handle: async ({ params, body }) => on().conversations.close(body.account, params.id),
  }),
  route({
    operation: 'conversations.export',
    summary: 'The turns as a file to hand on: addresses, numbers, keys and ids are replaced unless full is given',
    params: request,
    query: z.strictObject({
      account,
      format: z.enum(transcriptFormats).optional().describe('markdown unless given.'),
      full: z.enum(['true', 'false']).optional().describe('true keeps the words as they were said.'),
    }),
    status: 200,
    response: responses.exportedConversation,
    handle: async ({ params, query: { account: name, format = 'markdown', full } }) =>
      on().conversations.export(name, params.id, { format, isFull: full === 'true' }),
  }),
]

const reportRoutes = (on: () => Worlds) => [
  route({
    operation: 'reports.list',
    summary: 'Reports about conversations, the latest first',
    query: z.strictObject({ ...pageQuery, account }),
    status: 200,
    response: responses.worldReportPage,
    handle: async ({ query: { account: name, ...query } }) => on().reports.list(name, query),
  }),
  route({
    operation: 'reports.get',
    summary: 'The report of one conversation, by its chat request',
    params: request,
    query: ofAccount,
    status: 200,
    response: responses.worldReport,
    handle: async ({ params, query }) => on().reports.get(query.account, params.id),
  }),
  route({
    operation: 'reports.card',
    summary: 'A picture (SVG) of a conversation for others: public names and what Parley counted, no words of the peer',
    params: request,
    query: z.strictObject({ account, language: z.enum(languageCodes).optional(), line: line(most.cardLineChars).optional() }),
    status: 200,
    response: responses.shareCard,
    handle: async ({ params, query: { account: name, ...given } }) => on().reports.card(name, params.id, given),
  }),
]
