/**
 * The kinds of streams of worlds, who decides on them and what is private to whom.
 *
 * | kind         | stream                        | decided at | holds |
 * |--------------|-------------------------------|------------|-------|
 * | account      | `account:<agent>`             | host       | code, display name, profile, key, chat policy, blocks, trusted agents, throttle |
 * | world        | `world:<world>`               | host       | facts, versioned text, members, invites, bans, broadcasts, reports of members |
 * | conversation | `conversation:<key>`          | host       | the requests and episodes of one pair in one scope: policy verdict, kickoff, deliveries, turns, end |
 * | ledger       | `ledger:<agent>`              | member     | consent entries, "approve by yourself", standing brief, day budget, kill switch |
 * | seat         | `seat:<chat request>:<agent>` | member     | one side of one chat request: brief, context snapshot, model runs, leak holds, owner's question |
 * | report       | `report:<chat request>:<agent>` | member   | the one report of an intent to one owner, and how it reached them |
 * | contact      | `contact:<agent>:<code>`      | member     | the pinned key of one peer, and a changed one that waits for the owner |
 * | transcript   | `transcript:<chat request>:<agent>` | member | the signed turns as this side saw them, and the signed heads of both |
 *
 * Host and member are two roles, not two programs: in a household both run in one process on one store. Each decision uses
 * one stream alone, so the same rules hold when the two are joined by a wire. Host and member tell each other facts
 * (a request was accepted, a delivery waits, a result came in), and every such message can be repeated safely.
 *
 * One conversation has at most one open episode: a request that is pending, or the intent it became. A chat request and its
 * intent have the same id. Briefs, questions to an owner and reports are never in a stream of the host.
 */

export const accountStream = (agent: string): string => `account:${agent}`
export const worldStream = (world: string): string => `world:${world}`
export const conversationStream = (key: string): string => `conversation:${key}`
export const ledgerStream = (agent: string): string => `ledger:${agent}`
export const seatStream = (request: string, agent: string): string => `seat:${request}:${agent}`
export const reportStream = (request: string, agent: string): string => `report:${request}:${agent}`

export const contactStream = (agent: string, code: string): string => `contact:${agent}:${code}`
export const transcriptStream = (request: string, agent: string): string => `transcript:${request}:${agent}`

/** The pair is sorted, so both sides name the same conversation. */
export function conversationKey(one: string, other: string, world: string | null): string {
  const [first, second] = one < other ? [one, other] : [other, one]
  return `pair:${first}::${second}:${world === null ? 'direct' : `world:${world}`}`
}

/** The key by which the own runtime is addressed; text sent to it never reaches the peer. */
export const localSessionKey = (key: string): string => `conversation:${key}`
