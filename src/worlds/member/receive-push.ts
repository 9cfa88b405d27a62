import { randomBytes } from 'node:crypto'
import type { HostDelivery, HostPush, RequestView } from '../../ports/worlds.ts'
import { available, type ContextSnapshot, type Field } from '../rules/context/snapshot.ts'
import type { SeatCommand } from '../rules/decide-seat.ts'
import type { Timed } from '../rules/decision.ts'
import { findConsent, findStandingBrief } from '../rules/ledger-state.ts'
import { isContextDue } from '../rules/seat-needs.ts'
import { evolveSeat, currentBrief, type SeatState } from '../rules/seat-state.ts'
import { ledgerStream, seatStream } from '../rules/streams.ts'
import { decideSeat } from '../rules/decide-seat.ts'
import { worldLimits } from '../rules/world-limits.ts'
import { type ApprovedBrief, findBroadcastBrief } from './broadcast-brief.ts'
import { dialogFor, type MemberParts, orRefuse, type OwnAccount, readTold } from './member-parts.ts'
import { toldRow, waitingRow } from './member-rows.ts'

/** Stores what the host tells. When it resolves the push need not be repeated. */
export async function receivePush(parts: MemberParts, account: OwnAccount, push: HostPush): Promise<void> {
  if (push.type === 'delivery') await applyView(parts, account, push.delivery.request, push.delivery)
  if (push.type === 'request.updated') await applyView(parts, account, push.request, null)
}

/** Brings the seat of this account up to what the host says about the request. Older views change nothing. */
export async function applyView(parts: MemberParts, account: OwnAccount, view: RequestView, delivery: HostDelivery | null): Promise<void> {
  const previous = await readTold(parts, view.request, account.agent)
  const isOld = previous !== null && previous.seq > view.seq
  if (isOld && !delivery) return
  const canary = randomBytes(15).toString('hex')
  const standing = await findStanding(parts, account, view)
  const isLaterIntent =
    (await parts.dialogs.known(dialogFor(account.agent, view.counterparty.agentCode, view.world?.world ?? null))).seq > 0
  const at = parts.clock.now()
  const commands = (state: SeatState): Timed<SeatCommand>[] => {
    const list = listCommands(state, { account, view, canary, standing, at })
    if (!delivery) return list
    const { delivery: id, kind, turns, allowReply, refresh } = delivery
    const texts = turns.map(({ turn, text }) => ({ turn, text }))
    list.splice(view.end ? -1 : list.length, 0, { type: 'receive-delivery', at, delivery: id, kind, turns: texts, allowReply, refresh })
    const after = fold(state, list)
    if (!isContextDue(after)) return list
    return [
      ...list,
      { type: 'write-context', at, snapshot: toSnapshot(after, view, delivery, isLaterIntent), isRefresh: after.context !== null },
    ]
  }
  const rows = isOld ? [] : [toldRow(account.agent, view), waitingRow(account.agent, view)]
  orRefuse(await parts.seats.handle(seatStream(view.request, account.agent), commands, rows.length > 0 ? { rows } : {}))
}

async function findStanding(parts: MemberParts, account: OwnAccount, view: RequestView): Promise<ApprovedBrief | null> {
  if (view.side !== 'recipient') return findBroadcastBrief(parts, account.agent, view)
  const ledger = await parts.ledgers.known(ledgerStream(account.agent))
  const text = findStandingBrief(ledger, view.world?.world ?? null)
  const consent = text === null ? null : findConsent(ledger, 'standing_brief', text)
  return text === null || !consent ? null : { text, consent: consent.consent }
}

type Scene = { account: OwnAccount; view: RequestView; canary: string; standing: ApprovedBrief | null; at: number }

function listCommands(state: SeatState, { account, view, canary, standing, at }: Scene): Timed<SeatCommand>[] {
  const { request, side, key, counterparty, status, end } = view
  const list: Timed<SeatCommand>[] = []
  if (state.seq === 0)
    list.push({
      type: 'open-seat',
      at,
      request,
      agent: account.agent,
      side,
      key,
      world: view.world?.world ?? null,
      language: account.language,
      peer: { displayName: counterparty.displayName, agentCode: counterparty.agentCode },
      limits: account.limits,
      reporting: account.reporting,
      canary,
    })
  const isUndecided = state.status === 'pending'
  const brief = standing && state.briefs.length === 0 ? [{ type: 'write-brief' as const, at, ...standing }] : []
  // The brief of a sender is fixed with the acceptance; that of a recipient comes with it.
  if (isUndecided && side === 'sender') list.push(...brief)
  if (isUndecided && status !== 'pending') list.push({ type: 'settle-request', at, status })
  if (isUndecided && status === 'accepted' && side === 'recipient') list.push(...brief)
  if (end && status === 'accepted' && !state.end) list.push({ type: 'end-seat', at, reason: end.reason, by: end.by, turns: view.turns })
  return list
}

function fold(state: SeatState, commands: readonly Timed<SeatCommand>[]): SeatState {
  return commands.reduce((now, command) => {
    const decision = decideSeat(now, command)
    return 'refused' in decision ? now : decision.events.reduce(evolveSeat, now)
  }, state)
}

const field = (text: string | null): Field<string> => (text === null || text === '' ? { is: 'not_set' } : available(text))

function toSnapshot(state: SeatState, view: RequestView, { context }: HostDelivery, isLaterIntent: boolean): ContextSnapshot {
  const { you, peer, world, replyPolicy, wrapUp, turnsLeft } = context
  const membership = (text: string | null): Field<string> => (world ? field(text) : { is: 'not_applicable' })
  const minutes = Math.round(worldLimits.noProgressMs / 60_000)
  return {
    version: 1,
    intent: state.request,
    side: state.side,
    language: state.language,
    facts: {
      mode: view.mode,
      origin: view.origin,
      replyPolicy,
      purpose: view.purpose === null ? { is: 'not_set' } : available(view.purpose),
    },
    brief: field(currentBrief(state)),
    additional: { is: 'not_set' },
    world: world ? available(world) : { is: 'not_applicable' },
    you: { displayName: you.displayName, agentCode: you.agentCode, profile: field(you.profile), membership: membership(you.membership) },
    peer: {
      displayName: peer.displayName,
      agentCode: peer.agentCode,
      profile: field(peer.profile),
      membership: membership(peer.membership),
    },
    policy: {
      reporting: state.reporting,
      isLaterIntent,
      budget:
        wrapUp === null
          ? { is: 'not_applicable' }
          : available({ turns: Math.max(0, Math.min(turnsLeft, state.limits.turns - state.turns)), minutes }),
      wrapUp: wrapUp === null ? { is: 'not_applicable' } : available(wrapUp),
    },
    canary: state.canary,
  }
}
