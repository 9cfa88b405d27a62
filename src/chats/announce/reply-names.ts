/** Somewhere on a connected account. */
export type Place = { channel: string; address: string }

/** The same for every try to show one reply at one place, also while it is written: so it is one message. */
export const replyName = (dialog: string, turn: number, { channel, address }: Place): string =>
  `reply:${dialog}:${turn}:${channel}:${address}`
