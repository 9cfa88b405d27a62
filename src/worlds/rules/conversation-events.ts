import type { SilenceReason } from './boundary/agent-output.ts'
import type { WorldToken } from './boundary/conversation-tokens.ts'
import type { OriginType, PolicyVerdict } from './chat-policy.ts'
import type { Fact } from './decision.ts'
import type { KickoffReason, KickoffStatus } from './kickoff.ts'
import type { LoopCause } from './loop-stop.ts'

/** The sender asked for the conversation and opens it. */
export type Side = 'sender' | 'recipient'

export const sides = ['sender', 'recipient'] as const satisfies readonly Side[]

export const otherSide = (side: Side): Side => (side === 'sender' ? 'recipient' : 'sender')

export type RequestStatus = 'pending' | 'accepted' | 'rejected' | 'expired' | 'withdrawn' | 'blocked'

/** Follows a chat that was started out of another one: the same id on every hop, and who took part so far. */
export type Trace = { id: string; agents: string[] }

/** Number of answers the recipient may give; anything but `any` comes from a broadcast. */
export type ReplyPolicy = 'any' | 'at_most_one' | 'zero'

export type WrapUpCause = 'turns' | 'tokens' | 'money' | 'world_closed' | LoopCause

export type EndReason =
  | 'both_agreed'
  | 'asked_to_end'
  | 'both_silent'
  | 'silence'
  | 'no_progress'
  | 'member_offline'
  | 'owner_unanswered'
  | 'owner_closed'
  | 'owner_stopped_all'
  | 'blocked'
  | 'removed_from_world'
  | 'turns_spent'
  | 'pair_day_spent'
  | 'budget_spent'
  | 'replies_spent'
  | 'loop'
  | 'kickoff_failed'

/** Everything that can have happened between one pair in one scope. `request` is the chat request, which is also the intent. */
export type ConversationEvent =
  | Fact<
      'request.submitted',
      {
        request: string
        from: string
        to: string
        key: string
        world: string | null
        /** One line for the recipient that the sender's owner approved. The brief itself is in no stream of the host. */
        purpose: string | null
        hasBrief: boolean
        origin: OriginType
        broadcast: string | null
        replyPolicy: ReplyPolicy
        dsl: WorldToken[]
        trace: Trace
        verdict: PolicyVerdict
        expiresAt: number
        /** Start of the hash chain. */
        head: string
      }
    >
  /** `crossing` is the request of the other side that met this one; it counts as an acceptance by its owner. */
  | Fact<
      'request.accepted',
      { request: string; by: 'owner' | 'policy' | 'crossing'; agent: string; crossing: string | null; online: Side[] }
    >
  | Fact<'request.rejected', { request: string; by: 'owner' | 'policy' }>
  | Fact<'request.withdrawn', { request: string }>
  | Fact<'request.blocked', { request: string; by: string }>
  | Fact<'request.expired', { request: string }>
  | Fact<'kickoff.moved', { request: string; status: KickoffStatus; reason: KickoffReason | null }>
  /** `turns` are the turns it brings, oldest first; none when its side is asked to go on or to open. */
  | Fact<
      'delivery.made',
      { request: string; delivery: string; side: Side; kind: 'kickoff' | 'turn'; turns: number[]; allowReply: boolean; refresh: boolean }
    >
  | Fact<'delivery.accepted', { request: string; delivery: string; side: Side }>
  | Fact<'delivery.silent', { request: string; delivery: string; side: Side; reason: SilenceReason }>
  | Fact<
      'turn.added',
      {
        request: string
        turn: number
        turnId: string
        side: Side
        author: 'agent' | 'owner'
        delivery: string | null
        text: string
        tokens: string[]
        previous: string
        hash: string
        /** Detached, over the bytes that were hashed. Without one in a household. */
        signature?: string
      }
    >
  | Fact<'feedback.given', { request: string; from: string; to: string; kind: 'like' | 'dislike' }>
  | Fact<'side.asked-to-end', { request: string; side: Side }>
  /** A side asked its owner something; the question itself stays with that side. */
  | Fact<'side.rested', { request: string; side: Side }>
  | Fact<'side.resumed', { request: string; side: Side }>
  | Fact<'side.connected', { request: string; side: Side }>
  | Fact<'side.disconnected', { request: string; side: Side }>
  | Fact<'wrap-up.noticed', { request: string; why: WrapUpCause }>
  /** Facts of the context changed: both sides get a full baseline again. */
  | Fact<'context.changed', { request: string; why: 'world' | 'profile' }>
  | Fact<'conversation.ended', { request: string; reason: EndReason; by: Side | null }>
