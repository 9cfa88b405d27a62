import type { ChatAddress } from '../bindings/chat-address.ts'

/** The once-only key of a reply at one address. A draft and its finished text share it, so they are one message. */
export const replyName = (dialog: string, turn: number, { channel, address }: ChatAddress): string =>
  `reply:${dialog}:${turn}:${channel}:${address}`
