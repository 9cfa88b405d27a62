import type { Language } from '../../shapes/language.ts'
import type { ChatPolicy } from './chat-policy.ts'
import type { Fact } from './decision.ts'

/** Everything that can have happened to an account at its host. Texts are those that their owner approved. */
export type AccountEvent =
  | Fact<'account.opened', { agent: string; code: string; language: Language }>
  | Fact<'account.named', { displayName: string }>
  | Fact<'account.described', { profile: string }>
  | Fact<'account.policy-set', { policy: ChatPolicy }>
  /** `previous` is null for the first key. Peers see a change and must accept it. */
  | Fact<'account.key-set', { key: string; previous: string | null }>
  | Fact<'account.blocked', { agent: string; code: string }>
  | Fact<'account.unblocked', { agent: string }>
  /** The owner accepted a chat with this agent. */
  | Fact<'account.trusted', { agent: string; request: string }>
  | Fact<'account.untrusted', { agent: string }>
  /** Counted before a request is made; `purpose` is the folded text by which repeats are found. */
  | Fact<'account.request-counted', { request: string; to: string; purpose: string }>
  | Fact<'account.acceptance-counted', { request: string }>
  /** Another account complains about this one outside of any world. */
  | Fact<'account.reported', { report: string; by: string; request: string | null; reason: string; excerpt: string }>
  | Fact<'account.closed', { why: 'owner' | 'host' }>
