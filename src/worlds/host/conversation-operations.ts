import type { HostInput, HostOutput, HostResult, RequestView, TurnLink } from '../../ports/worlds.ts'
import type { ConversationCommand } from '../rules/decide-conversation.ts'
import { conversationStream } from '../rules/streams.ts'
import { turnHash } from '../rules/turn-chain.ts'
import { done, findRefusal, type HostParts, loadAccount, refused, sha256 } from './host-parts.ts'
import { hostViews, readTurns, requestKey, type RequestRecord } from './host-rows.ts'
import { getRequest } from './request-operations.ts'

/** A command to the conversation of a request of this agent. */
export async function changeConversation(
  parts: HostParts,
  agent: string,
  request: string,
  command: (at: number) => ConversationCommand,
): Promise<HostResult<RequestView>> {
  const row = await parts.store.row(hostViews.request, requestKey(request, agent))
  if (!row) return refused('chat_request_not_found', { request })
  const at = parts.clock.now()
  const handled = await parts.conversations.handle(conversationStream((row.body as RequestRecord).key), [{ ...command(at), at }])
  return findRefusal(handled) ?? getRequest(parts, agent, request)
}

/** Null for a link whose hash is that of exactly this turn of this writer. */
async function refuseLink(parts: HostParts, agent: string, request: string, text: string, link: TurnLink) {
  const row = await parts.store.row(hostViews.request, requestKey(request, agent))
  if (!row) return refused('chat_request_not_found', { request })
  const { from, to } = row.body as RequestRecord
  const [writer, reader] = await Promise.all([loadAccount(parts, agent), loadAccount(parts, agent === from ? to : from)])
  const { turn, previous } = link
  const hash = turnHash({ from: writer.code, to: reader.code, intent: request, turn, previous, text }, sha256)
  return hash === link.hash ? null : refused('bad_request', { field: 'link.hash', why: 'it is not the hash of this turn' })
}

const toLink = ({ turn, previous, hash, signature }: TurnLink) => ({ turn, previous, hash, ...(signature === null ? {} : { signature }) })

export async function replyDelivery(
  parts: HostParts,
  agent: string,
  { request, delivery, text, author, asksOwner, asksEnd, link }: HostInput<'deliveries.reply'>,
): Promise<HostResult<HostOutput<'deliveries.reply'>>> {
  const refusal = await refuseLink(parts, agent, request, text, link)
  if (refusal) return refusal
  const changed = await changeConversation(parts, agent, request, () => ({
    type: 'reply-delivery',
    request,
    by: agent,
    delivery,
    author,
    text,
    asksOwner,
    asksEnd,
    ...toLink(link),
  }))
  return changed.ok ? done({ turn: link.turn }) : changed
}

export async function writeTurn(
  parts: HostParts,
  agent: string,
  { request, text, link }: HostInput<'conversations.write'>,
): Promise<HostResult<HostOutput<'conversations.write'>>> {
  const refusal = await refuseLink(parts, agent, request, text, link)
  if (refusal) return refusal
  const existingTurn = (await readTurns(parts.store, request)).find(({ turn }) => turn === link.turn)
  if (existingTurn?.hash === link.hash) return done({ turn: link.turn })
  const changed = await changeConversation(parts, agent, request, () => ({ type: 'write-turn', request, by: agent, text, ...toLink(link) }))
  return changed.ok ? done({ turn: link.turn }) : changed
}

export async function listTurns(parts: HostParts, agent: string, request: string): Promise<HostResult<HostOutput<'conversations.turns'>>> {
  const view = await getRequest(parts, agent, request)
  if (!view.ok) return view
  const turns = (await readTurns(parts.store, request)).map(
    ({ turn, turnId, side, author, text, tokens, previous, hash, signature, at }) => ({
      turn,
      turnId,
      side,
      author,
      text,
      tokens,
      previous,
      hash,
      signature: signature ?? null,
      at,
    }),
  )
  return done({ turns, head: view.value.head })
}
