import type { Work } from '../../streams/pump.ts'
import type { ConversationCommand } from '../rules/decide-conversation.ts'
import { accountStream, conversationStream, worldStream } from '../rules/streams.ts'
import type { FollowUp } from './follow-up.ts'
import { findRefusal, type HostParts, loadAccount, loadWorld } from './host-parts.ts'
import { hostViews } from './host-rows.ts'
import { placeRequest } from './request-operations.ts'

/** Does what an event of one stream means for others. Everything in it can be done again. */
export async function runFollowUp(parts: HostParts, { lease }: Work): Promise<void> {
  await doFollowUp(parts, lease.payload as FollowUp)
  await parts.committer.commit({ lease, settle: 'done' })
}

async function doFollowUp(parts: HostParts, followUp: FollowUp): Promise<void> {
  const { accounts, worlds, clock } = parts
  const at = clock.now()
  const once = (key: string) => ({ once: { key: `world-follow:${key}`, value: () => null } })
  switch (followUp.do) {
    case 'accepted': {
      const { request, from, to, world, isByOwner } = followUp
      findRefusal(await accounts.handle(accountStream(from), [{ type: 'count-acceptance', at, request }], once(`${request}:accepted`)))
      if (isByOwner) findRefusal(await accounts.handle(accountStream(to), [{ type: 'trust-agent', at, agent: from, request }]))
      if (world === null) return
      const count = { type: 'count-in-world' as const, at, what: 'conversation' as const, request, from, to }
      findRefusal(await worlds.handle(worldStream(world), [count], once(`${request}:counted`)))
      return
    }
    case 'voted': {
      const { request, from, to, world, kind } = followUp
      const count = { type: 'count-in-world' as const, at, what: kind, request, from, to }
      findRefusal(await worlds.handle(worldStream(world), [count], once(`${request}:${from}`)))
      return
    }
    case 'blocked':
      return changeOpen(parts, followUp.by, ({ agents, request }) =>
        agents.includes(followUp.agent) ? { type: 'block-conversation', request, by: followUp.by } : null,
      )
    case 'profile-changed':
      return changeOpen(parts, followUp.agent, ({ request }) => ({ type: 'note-change', request, why: 'profile' }))
    case 'world-changed':
      return changeOpen(parts, null, ({ request }) => ({ type: 'note-change', request, why: followUp.why }), followUp.world)
    case 'member-removed':
      return changeOpen(
        parts,
        followUp.agent,
        ({ request, isLive }) =>
          isLive
            ? { type: 'close-conversation', request, by: null, reason: 'removed_from_world' }
            : { type: 'block-conversation', request, by: followUp.agent },
        followUp.world,
      )
    case 'broadcast':
      return sendBroadcast(parts, followUp.world, followUp.broadcast)
  }
}

type OpenEpisode = { request: string; agents: string[]; isLive: boolean }

/** Gives a command to each open conversation, of one agent or of one world. A refusal means that it is over by now. */
async function changeOpen(
  parts: HostParts,
  agent: string | null,
  command: (episode: OpenEpisode) => ConversationCommand | null,
  world?: string,
): Promise<void> {
  for (let before: { sort: number; key: string } | undefined; ;) {
    const group = world === undefined ? {} : { group: world }
    const rows = await parts.store.rows({ view: hostViews.open, limit: 500, ...group, ...(before ? { before } : {}) })
    for (const { key } of rows) {
      if (agent !== null && !key.includes(agent)) continue
      const { episode } = await parts.conversations.load(conversationStream(key))
      if (!episode) continue
      const agents = [episode.sender.agent, episode.recipient.agent]
      if (agent !== null && !agents.includes(agent)) continue
      const given = command({ request: episode.request, agents, isLive: episode.status === 'accepted' })
      if (given) findRefusal(await parts.conversations.handle(conversationStream(key), [{ ...given, at: parts.clock.now() }]))
    }
    const last = rows.at(-1)
    if (!last || rows.length < 500) return
    before = { sort: last.sort, key: last.key }
  }
}

/** One request for each member it names; their ids follow from the broadcast, so that a second run finds the first ones. */
async function sendBroadcast(parts: HostParts, world: string, broadcast: string): Promise<void> {
  const state = await loadWorld(parts, world)
  const facts = await findBroadcast(parts, world, broadcast)
  if (!facts) return
  for (const [index, to] of facts.to.entries()) {
    const peer = await loadAccount(parts, to)
    await placeRequest(parts, facts.by, peer, state, {
      request: broadcastRequest(broadcast, index),
      purpose: facts.purpose,
      hasBrief: true,
      trace: null,
      origin: 'world_broadcast',
      broadcast,
      replyPolicy: state.facts.broadcast.replyPolicy,
    })
  }
}

export const broadcastRequest = (broadcast: string, index: number): string => `${broadcast.replace(/^brc_/, 'crq_')}_${index + 1}`

type BroadcastFacts = { broadcast: string; by: string; purpose: string; to: string[] }

export async function findBroadcast({ store }: HostParts, world: string, broadcast: string): Promise<BroadcastFacts | null> {
  for (let after = 0; ;) {
    const events = await store.read(worldStream(world), after, 500)
    const event = events.find(({ type, data }) => type === 'broadcast.made' && (data as BroadcastFacts).broadcast === broadcast)
    if (event) return event.data as BroadcastFacts
    const last = events.at(-1)
    if (!last) return null
    after = last.seq
  }
}
