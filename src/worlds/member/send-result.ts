import type { RequestView, TurnLink } from '../../ports/worlds.ts'
import { ParleyError, type Refusal } from '../../errors.ts'
import { otherSide } from '../rules/conversation-events.ts'
import type { SeatResult } from '../rules/seat-events.ts'
import type { SeatState } from '../rules/seat-state.ts'
import { seatStream } from '../rules/streams.ts'
import { turnBytes, turnHash } from '../rules/turn-chain.ts'
import { type MemberParts, orRefuse, type OwnAccount, orThrow, sha256 } from './member-parts.ts'

export const sendLimits = { links: 5 } as const

/** Refusals that mean: there is nothing left to send this to. */
const over: ReadonlySet<string> = new Set(['conversation_over', 'chat_request_not_found', 'request_not_accepted'])

/**
 * Brings the result of a delivery to the host and notes that it is there. After a crash in between the host says that the delivery
 * has its result: the seat makes one result for each delivery, so that one is ours.
 */
export async function sendResult(parts: MemberParts, account: OwnAccount, state: SeatState): Promise<void> {
  const { outgoing, request, agent } = state
  if (!outgoing) return
  const turn = outgoing.reply ? await sendTurn(parts, account, state, outgoing, outgoing.reply) : await keepSilent(parts, state, outgoing)
  orRefuse(
    await parts.seats.handle(seatStream(request, agent), [
      { type: 'confirm-result', at: parts.clock.now(), delivery: outgoing.delivery, turn },
    ]),
  )
}

async function keepSilent(
  parts: MemberParts,
  { request, agent }: SeatState,
  { delivery, silence, asksOwner, asksEnd }: SeatResult,
): Promise<null> {
  if (delivery === null) return null
  const reason = silence ?? 'no_renderable_reply'
  const result = await parts.host.call(agent, 'deliveries.keep-silent', { request, delivery, reason, asksOwner, asksEnd })
  if (!result.ok && result.refusal.code !== 'delivery_settled' && !over.has(result.refusal.code)) throw toError(result.refusal)
  return null
}

const toError = ({ code, details }: Refusal): ParleyError => new ParleyError(code, details)

async function sendTurn(
  parts: MemberParts,
  account: OwnAccount,
  state: SeatState,
  outgoing: SeatResult,
  reply: NonNullable<SeatResult['reply']>,
): Promise<number | null> {
  const { request, agent } = state
  const { delivery, asksOwner, asksEnd } = outgoing
  const { text, author } = reply
  for (let tries = 0; tries < sendLimits.links; tries += 1) {
    const got = await parts.host.call(agent, 'requests.get', { request })
    if (!got.ok) return null
    if (delivery === null && (await isWritten(parts, got.value, agent, text))) return got.value.turns
    const link = await makeLink(parts, account, got.value, text)
    const result =
      delivery === null
        ? await parts.host.call(agent, 'conversations.write', { request, text, link })
        : await parts.host.call(agent, 'deliveries.reply', { request, delivery, text, author, asksOwner, asksEnd, link })
    if (result.ok) return result.value.turn
    const { code } = result.refusal
    if (code === 'delivery_settled' || code === 'conversation_over') return findOwnTurn(parts, got.value, agent, text)
    if (over.has(code)) return null
    if (code === 'reply_not_allowed') return keepSilent(parts, state, { ...outgoing, silence: 'reply_not_allowed' })
    if (code !== 'chain_moved') throw toError(result.refusal)
  }
  throw new ParleyError('busy', {}, { retryable: true })
}

async function makeLink(parts: MemberParts, account: OwnAccount, view: RequestView, text: string): Promise<TurnLink> {
  const turn = view.turns + 1
  const previous = view.head
  const chained = { from: account.code, to: view.counterparty.agentCode, intent: view.request, turn, previous, text }
  return { turn, previous, hash: turnHash(chained, sha256), signature: (await parts.sign?.(account.agent, turnBytes(chained))) ?? null }
}

/** An owner's turn answers no delivery, so only the transcript tells whether it arrived before a crash. */
async function isWritten(parts: MemberParts, view: RequestView, agent: string, text: string): Promise<boolean> {
  const { turns } = orThrow(await parts.host.call(agent, 'conversations.turns', { request: view.request }))
  const last = turns.at(-1)
  return last?.side === view.side && last.author === 'owner' && last.text === text
}

async function findOwnTurn(parts: MemberParts, view: RequestView, agent: string, text: string): Promise<number | null> {
  const { turns } = orThrow(await parts.host.call(agent, 'conversations.turns', { request: view.request }))
  return turns.findLast((turn) => turn.side !== otherSide(view.side) && turn.text === text)?.turn ?? null
}
