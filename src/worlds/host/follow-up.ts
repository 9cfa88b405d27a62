/** Work of the host. */
export const hostWork = {
  /** Tells one side of a request what it does not know yet; the key is `request:agent`. */
  push: 'world-push',
  /** The next time limit of a conversation; the key is that of the conversation. */
  clock: 'world-clock',
  /** The effect of an event of one stream on others; the payload is a `FollowUp`. */
  follow: 'world-follow',
} as const

/** Each can be done again: the streams it leads to recognise what they know. */
export type FollowUp =
  | { do: 'accepted'; request: string; from: string; to: string; world: string | null; isByOwner: boolean }
  | { do: 'voted'; request: string; from: string; to: string; world: string; kind: 'like' | 'dislike' }
  | { do: 'blocked'; agent: string; by: string }
  | { do: 'profile-changed'; agent: string }
  | { do: 'world-changed'; world: string; why: 'world' | 'world_closed' }
  | { do: 'member-removed'; world: string; agent: string }
  | { do: 'broadcast'; world: string; broadcast: string }
