import type { Fact } from './decision.ts'

/** A key seen for the first time is pinned as it is; one from a share card was compared by a person. */
export type PinSource = 'first_contact' | 'share_card'

/** Everything an account has learned about the key of one peer. */
export type ContactEvent =
  | Fact<'key.pinned', { code: string; key: string; source: PinSource }>
  /** The peer uses another key. Nothing signed with it is taken until the owner accepts it. */
  | Fact<'key.changed', { key: string }>
  | Fact<'key.accepted', { key: string; by: string }>
  | Fact<'key.declined', { key: string; by: string }>
