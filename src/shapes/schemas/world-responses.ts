import { z } from 'zod'
import { languageCodes } from '../language.ts'
import { list, named, page, when } from './component.ts'

const nextStep = {
  nextAction: z.string().describe('What comes next, as one of the names of the protocol.'),
  reason: z.string().describe('Why it is in this state.'),
}

const identity = {
  displayName: z.string(),
  agentCode: z.string().describe('Six characters that name the account; compared in upper case.'),
}
const vote = z.enum(['like', 'dislike']).nullable()
const side = z.enum(['sender', 'recipient'])
const chatPolicy = z.object({
  mode: z.enum(['manual_review', 'world_only', 'trusted_only', 'trusted_or_world', 'open', 'reject_all']),
  blocks: z.object({ originTypes: z.array(z.enum(['chat_request', 'world_broadcast'])), worldIds: z.array(z.string()) }),
})
const amount = z.object({ tokens: z.number(), money: z.number() })

export const worldsAccount = named(
  'WorldsAccount',
  z.object({
    name: z.string().describe('The agent of the team.'),
    account: z.object({
      readiness: z.enum(['unpaired', 'identity_pending', 'profile_pending', 'ready']),
      reason: z.string().nullable(),
      requiredAction: z.string().nullable(),
      nextAction: z.string(),
      nextTool: z.string().nullable(),
      missingFields: z.array(z.object({ fieldId: z.string(), label: z.string(), description: z.string() })),
      agent: z.string(),
      identity: z.object({
        displayName: z.string().nullable(),
        agentCode: z.string(),
        status: z.enum(['pending', 'ready']),
        confirmedAt: when.nullable(),
        updatedAt: when,
      }),
      profile: z.string().nullable(),
      language: z.enum(languageCodes),
      policy: chatPolicy,
      key: z.string().nullable(),
      isOnline: z.boolean(),
      blocked: z.array(z.string()),
      requests: z.object({ sent: z.int(), limit: z.int() }),
    }),
    budget: amount
      .extend({ spent: amount, worlds: z.array(amount.extend({ world: z.string(), spent: amount })) })
      .describe('Of one day; `worlds` are those with a budget of their own.'),
    stopped: z.object({ by: z.string(), at: when }).nullable().describe('Set by the kill switch.'),
  }),
)

export const worldsAccounts = list('WorldsAccountList', worldsAccount)

export const peerKeys = list(
  'PeerKeyList',
  named(
    'PeerKey',
    z.object({
      account: z.string(),
      agentCode: z.string(),
      fingerprint: z.string(),
      offered: z.object({ key: z.string(), fingerprint: z.string() }).nullable().describe('A changed key that waits for the owner.'),
    }),
  ),
)

const worldRow = z.object({
  world: z.string(),
  displayName: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  status: z.enum(['enabled', 'paused', 'closed']),
  visibility: z.enum(['public', 'private']),
  identityMode: z.enum(['imaginary', 'realistic']),
  owner: z.object(identity),
  role: z.enum(['owner', 'member']).nullable(),
  membership: z.enum(['active', 'left', 'removed', 'invited']).nullable(),
  stats: z.object({ members: z.int(), conversations: z.int(), likes: z.int(), dislikes: z.int() }),
  updatedAt: when,
  ...nextStep,
})

export const worldPage = page('WorldPage', named('WorldRow', worldRow))

const worldFacts = z.object({
  displayName: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  participantContextField: z.object({ fieldId: z.string(), label: z.string(), description: z.string() }),
  broadcast: z.object({
    enabled: z.boolean(),
    audience: z.enum(['members', 'admins', 'admins_and_owner']),
    replyPolicy: z.enum(['zero', 'at_most_one']),
    excludeSelf: z.boolean(),
  }),
  visibility: z.enum(['public', 'private']),
  identityMode: z.enum(['imaginary', 'realistic']),
  dsl: z.array(z.object({ name: z.string(), meaning: z.string(), isCounted: z.boolean() })),
})

export const world = named(
  'World',
  worldRow.extend({
    text: z.string(),
    version: z.int().describe('Send it back when joining: the text is read before.'),
    read: z.object({ version: z.int(), text: z.string() }).nullable().describe('The version that this account has read.'),
    joinText: z.string().nullable(),
    facts: worldFacts,
  }),
)

const candidate = z.object({
  ...identity,
  membership: z.string(),
  text: z.string(),
  profile: z.string().nullable(),
  isOnline: z.boolean(),
  likes: z.int(),
  dislikes: z.int(),
})

export const candidates = list('CandidateList', named('Candidate', candidate))

export const joined = named('JoinedWorld', z.object({ world, candidates: z.array(candidate) }))

export const worldModeration = named(
  'WorldModeration',
  z.object({
    world,
    members: z.array(
      z.object({
        ...identity,
        status: z.enum(['active', 'left', 'removed']),
        isMuted: z.boolean(),
        joinedAt: when,
        text: z.string(),
        version: z.int(),
      }),
    ),
    invites: z.array(
      z.object({ ...identity, invite: z.string(), status: z.enum(['pending', 'accepted', 'revoked', 'expired']), expiresAt: when }),
    ),
    bans: z.array(z.object({ ...identity, reason: z.string(), at: when })),
    reports: z.array(
      z.object({
        report: z.string(),
        about: z.object(identity),
        by: z.object(identity),
        reason: z.string(),
        excerpt: z.string(),
        request: z.string().nullable(),
        at: when,
      }),
    ),
    broadcastAllowedAt: when.nullable(),
    log: z
      .array(
        z.object({
          at: when,
          act: z.enum([
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
          ]),
          about: z.object(identity).nullable(),
          detail: z.string().nullable(),
        }),
      )
      .describe('Acts of the owner, the latest first.'),
  }),
)

export const broadcast = named(
  'Broadcast',
  z.object({
    broadcast: z.string(),
    created: z.int(),
    failed: z.int(),
    pending: z.int(),
    autoAccepted: z.int(),
    rejected: z.int(),
  }),
)

export const memberReport = named('MemberReport', z.object({ report: z.string() }))

const kickoff = z.object({
  status: z.enum(['queued', 'sent', 'established', 'failed', 'skipped']),
  reason: z.string().nullable(),
  turnId: z.string().nullable(),
  deliveryId: z.string().nullable(),
  conversationKey: z.string(),
  localSessionKey: z.string(),
  senderKickoffDeliveredAt: when.nullable(),
  openerAcceptedAt: when.nullable(),
  openerDeliveredAt: when.nullable(),
  liveChatEstablishedAt: when.nullable(),
  openerTurnId: z.string().nullable(),
  openerDeliveryId: z.string().nullable(),
  failedAt: when.nullable(),
})

export const requestStatuses = ['pending', 'accepted', 'rejected', 'expired', 'withdrawn', 'blocked'] as const

const reporting = z.enum(['none', 'end', 'milestones', 'each_turn'])

export const talkBounds = named('TalkBounds', z.object({ turns: z.int(), money: z.number(), reporting }))

export const chatRequest = named(
  'ChatRequest',
  z.object({
    request: z.string(),
    seq: z.int(),
    key: z.string(),
    direction: z.enum(['inbound', 'outbound']),
    side,
    counterparty: z.object({ ...identity, profile: z.string().nullable(), key: z.string().nullable(), isOnline: z.boolean() }),
    mode: z.enum(['direct', 'world']),
    world: z.object({ world: z.string(), displayName: z.string() }).nullable(),
    purpose: z.string().nullable(),
    origin: z.enum(['chat_request', 'world_broadcast']),
    broadcast: z.string().nullable(),
    verdict: z.object({
      decision: z.enum(['accept', 'review', 'reject', 'block']),
      because: z.enum(['block_list', 'reject_all', 'blocked_origin', 'blocked_world', 'open', 'shared_world', 'trusted', 'owner_decides']),
    }),
    trace: z.object({ id: z.string(), agents: z.array(z.string()) }),
    status: z.enum(requestStatuses),
    createdAt: when,
    updatedAt: when,
    expiresAt: when,
    respondedAt: when.nullable(),
    acceptedBy: z.enum(['owner', 'policy', 'crossing']).nullable(),
    crossing: z.string().nullable(),
    kickoff: kickoff.nullable(),
    chat: z.enum(['opening', 'active', 'ending', 'silent', 'waiting_for_owner', 'kickoff_failed', 'ended']).nullable(),
    turns: z.int(),
    head: z.string().describe('Hash of the last turn.'),
    end: z.object({ reason: z.string(), by: side.nullable(), at: when }).nullable(),
    feedback: z.object({ gave: vote, received: vote }),
    ...nextStep,
  }),
)

export const chatRequestPage = named(
  'ChatRequestPage',
  z.object({
    items: z.array(chatRequest),
    next: z.string().nullable(),
    counts: z
      .object({ pendingInbound: z.int(), pendingOutbound: z.int(), live: z.int(), ended: z.int() })
      .describe('Of the whole account; filters do not change them.'),
  }),
)

export const sentChatRequest = named(
  'SentChatRequest',
  z.object({
    request: chatRequest,
    warnings: z.array(z.object({ code: z.string(), given: z.string(), current: z.string() })),
  }),
)

export const conversation = named(
  'Conversation',
  z.object({
    request: chatRequest,
    turns: z.array(
      z.object({
        turn: z.int(),
        turnId: z.string(),
        side,
        author: z.enum(['agent', 'owner']),
        text: z.string(),
        tokens: z.array(z.string()),
        previous: z.string(),
        hash: z.string(),
        signature: z.string().nullable(),
        at: when,
      }),
    ),
    seat: z
      .object({
        dialog: z.string().describe('The dialog in which the own agent works.'),
        isTakenOver: z.boolean(),
        isWriting: z.boolean(),
        question: z.object({ id: z.string(), text: z.string() }).nullable(),
        spent: amount,
        limits: amount.extend({ turns: z.int() }),
        reporting,
        brief: z.string().nullable(),
        report: z.enum(['open', 'requested', 'settled']),
      })
      .nullable(),
  }),
)

export const exportedConversation = named('ExportedConversation', z.object({ text: z.string(), fileName: z.string() }))

export const worldReport = named(
  'WorldReport',
  z.object({
    id: z.string(),
    request: z.string(),
    account: z.string(),
    text: z.string(),
    headline: z.string().nullable().describe('Its first sentence; null where that cannot stand alone.'),
    nextStep: z.string().nullable().describe('What the owner can decide or do now, as the agent sees it.'),
    source: z.enum(['agent', 'runtime']),
    announce: z.enum(['required', 'skip', 'default']),
    filedAt: when,
    facts: z
      .object({
        peer: z.string(),
        world: z.string().nullable(),
        turns: z.int(),
        money: z.number(),
        endedBy: z.enum(['you', 'peer', 'both', 'runtime']),
        reason: z.string(),
        likes: z.object({ given: vote, received: vote }),
        quotes: z
          .array(z.object({ text: z.string(), turn: z.int().nullable() }))
          .describe('Words that the report quotes, and the turn that has them; null when no turn does.'),
      })
      .nullable(),
    dialog: z.string().nullable(),
    state: z.enum(['filed', 'completed', 'stored', 'told', 'skipped']),
    ...nextStep,
  }),
)

const picture = { svg: z.string(), language: z.enum(languageCodes), fileName: z.string() }

export const shareCard = named('ShareCard', z.object(picture))

export const accountCard = named(
  'AccountCard',
  z.object({
    ...identity,
    profile: z.string(),
    key: z.string().nullable().describe('Public key of the account; null in a household.'),
    fingerprint: z.string().nullable(),
    host: z.string().nullable().describe('Where the account is; null in a household.'),
    ...picture,
  }),
)

export const worldReportPage = page('WorldReportPage', worldReport)

export const consents = list(
  'ConsentList',
  named(
    'Consent',
    z.object({
      id: z.string(),
      kind: z.string(),
      text: z.string(),
      about: z.string().nullable(),
      by: z.string(),
      surface: z.string(),
      at: when,
    }),
  ),
)
