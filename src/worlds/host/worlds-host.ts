import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { HostInput, HostOperation, HostOperations, HostOutput, HostResult, WorldsHost } from '../../ports/worlds.ts'
import type { Committer } from '../../streams/committer.ts'
import { pump, type Work } from '../../streams/pump.ts'
import { streamHandler } from '../../streams/stream-handler.ts'
import { nextDeadline } from '../rules/conversation-clock.ts'
import { conversationStream } from '../rules/streams.ts'
import { accountKind } from './account-kind.ts'
import { blockPeer, changeAccount, findAccount, openAccount, reportPeer, unblockPeer, viewAccount } from './account-operations.ts'
import { makeBroadcast } from './broadcast-operation.ts'
import { conversationKind } from './conversation-kind.ts'
import { changeConversation, listTurns, replyDelivery, writeTurn } from './conversation-operations.ts'
import { runFollowUp } from './follow.ts'
import { hostWork } from './follow-up.ts'
import type { HostParts } from './host-parts.ts'
import { moderate, readModeration } from './moderation-operations.ts'
import { presence, presenceLimits } from './presence.ts'
import { decideRequest, getRequest, listRequests, submitRequest } from './request-operations.ts'
import { findWaitingDelivery } from './waiting-delivery.ts'
import { worldKind } from './world-kind.ts'
import { changeWorld, createWorld, getWorld, joinWorld, listCandidates, listWorlds, reportMember } from './world-operations.ts'

export const hostLimits = { concurrentTimers: 16, concurrentFollowUps: 16 } as const

export type RunningHost = WorldsHost & { start(): void; stop(graceMs: number): Promise<void> }

type Parts = {
  store: Store
  committer: Committer
  clock: Clock
  log: Log
  ids: Ids
  metrics: Metrics
  /** Members are connected to another process on the same store: this one only answers, and takes them for online. */
  isElsewhere?: boolean
}

type Operations = {
  [Name in HostOperation]: (agent: string, input: HostOperations[Name]['input']) => Promise<HostResult<HostOutput<Name>>>
}

/** The host of worlds over a store: accounts, worlds, conversations, their time limits and what members are told. */
export function worldsHost({ store, committer, clock, log, ids, metrics, isElsewhere = false }: Parts): RunningHost {
  const streams = {
    store,
    committer,
    clock,
    log,
    ids,
    accounts: streamHandler(accountKind, store, committer),
    worlds: streamHandler(worldKind, store, committer),
    conversations: streamHandler(conversationKind, store, committer),
  }
  const online = presence({ ...streams, metrics }, () => parts)
  const parts: HostParts = { ...streams, isOnline: (agent) => isElsewhere || online.isOnline(agent) }
  const operations = hostOperationsOver(parts)
  const work = { store, clock, log, metrics }
  const clocks = pump({ ...work, kind: hostWork.clock, slots: hostLimits.concurrentTimers, handle: (taken) => passTime(parts, taken) })
  const follow = pump({
    ...work,
    kind: hostWork.follow,
    slots: hostLimits.concurrentFollowUps,
    handle: (taken) => runFollowUp(parts, taken),
  })
  let cancelSweep = (): void => {}

  return {
    async call<Name extends HostOperation>(agent: string, name: Name, input: HostInput<Name>): Promise<HostResult<HostOutput<Name>>> {
      return operations[name](agent, input)
    },
    connect: online.connect,
    start() {
      online.pushes.start()
      clocks.start()
      follow.start()
      cancelSweep = clock.after(presenceLimits.reconnectMs, () => {
        online.sweep().catch((error: unknown) => log('warn', 'could not look for members who are gone', { error }))
      })
    },
    async stop(graceMs) {
      cancelSweep()
      await Promise.all([online.pushes.stop(graceMs), clocks.stop(graceMs), follow.stop(graceMs)])
    },
  }
}

/** Ends what ran out. The commit moves the timer to the next limit itself. */
async function passTime({ conversations, committer, clock }: HostParts, { lease }: Work): Promise<void> {
  const stream = conversationStream(lease.key)
  const state = await conversations.load(stream)
  const due = nextDeadline(state)
  const now = clock.now()
  if (due !== null && due > now) return void (await committer.commit({ lease, settle: { retryAt: due, forgive: true } }))
  if (due !== null && state.episode) await conversations.handle(stream, [{ type: 'pass-time', at: now, request: state.episode.request }])
  await committer.commit({ lease, settle: 'done' })
}

function hostOperationsOver(parts: HostParts): Operations {
  return {
    'account.open': (_, input) => openAccount(parts, input),
    'account.view': (agent) => viewAccount(parts, agent),
    'account.name': (agent, { displayName }) => changeAccount(parts, agent, { type: 'name-account', displayName }),
    'account.describe': (agent, { profile }) => changeAccount(parts, agent, { type: 'describe-account', profile }),
    'account.set-policy': (agent, { policy }) => changeAccount(parts, agent, { type: 'set-policy', policy }),
    'account.set-key': (agent, { key, previous }) => changeAccount(parts, agent, { type: 'set-key', key, previous }),
    'account.block': (agent, { agentCode }) => blockPeer(parts, agent, agentCode),
    'account.unblock': (agent, { agentCode }) => unblockPeer(parts, agent, agentCode),
    'account.report': (agent, input) => reportPeer(parts, agent, input),
    'account.close': (agent) => changeAccount(parts, agent, { type: 'close-account', why: 'owner' }),
    'account.find': (_, { agentCode }) => findAccount(parts, agentCode),
    'worlds.list': (agent, input) => listWorlds(parts, agent, input),
    'worlds.get': (agent, { world }) => getWorld(parts, agent, world),
    'worlds.create': (agent, input) => createWorld(parts, agent, input),
    'worlds.join': (agent, input) => joinWorld(parts, agent, input),
    'worlds.leave': (agent, { world }) => changeWorld(parts, agent, world, { type: 'leave-world', agent }),
    'worlds.edit-membership': (agent, { world, text }) => changeWorld(parts, agent, world, { type: 'edit-membership', agent, text }),
    'worlds.candidates': (agent, input) => listCandidates(parts, agent, input),
    'worlds.report-member': (agent, input) => reportMember(parts, agent, input),
    'worlds.moderate': (agent, input) => moderate(parts, agent, input),
    'worlds.moderation': (agent, { world }) => readModeration(parts, agent, world),
    'worlds.broadcast': (agent, input) => makeBroadcast(parts, agent, input),
    'requests.submit': (agent, input) => submitRequest(parts, agent, input),
    'requests.accept': (agent, { request }) => decideRequest(parts, agent, request, 'accept-request'),
    'requests.reject': (agent, { request }) => decideRequest(parts, agent, request, 'reject-request'),
    'requests.withdraw': (agent, { request }) => decideRequest(parts, agent, request, 'withdraw-request'),
    'requests.get': (agent, { request }) => getRequest(parts, agent, request),
    'requests.list': (agent, input) => listRequests(parts, agent, input),
    'deliveries.get': (agent, { request }) => findWaitingDelivery(parts, agent, request),
    'deliveries.accept': (agent, { request, delivery }) =>
      changeConversation(parts, agent, request, () => ({ type: 'accept-delivery', request, by: agent, delivery })),
    'deliveries.reply': (agent, input) => replyDelivery(parts, agent, input),
    'deliveries.keep-silent': (agent, { request, ...result }) =>
      changeConversation(parts, agent, request, () => ({ type: 'silence-delivery', request, by: agent, ...result })),
    'conversations.write': (agent, input) => writeTurn(parts, agent, input),
    'conversations.resume': (agent, { request }) =>
      changeConversation(parts, agent, request, () => ({ type: 'resume-side', request, by: agent })),
    'conversations.close': (agent, { request, reason }) =>
      changeConversation(parts, agent, request, () => ({ type: 'close-conversation', request, by: agent, reason })),
    'conversations.notice-budget': (agent, { request, why }) =>
      changeConversation(parts, agent, request, () => ({ type: 'notice-budget', request, why })),
    'conversations.turns': (agent, { request }) => listTurns(parts, agent, request),
  }
}
