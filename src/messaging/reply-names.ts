/** Somewhere on a connected account. */
export type Place = { channel: string; address: string }

/** The same for every try to show one reply at one place, so that it is one message. */
export const replyName = (dialog: string, turn: number, { channel, address }: Place): string =>
  `reply:${dialog}:${turn}:${channel}:${address}`

/** The name of what can be read of a reply before it is finished. */
export const previewName = (dialog: string, turn: number, { channel, address }: Place): string =>
  `preview:${dialog}:${turn}:${channel}:${address}`

/** What a delivered reply is about, so that it is known again when it has arrived. */
export const replyAbout = (dialog: string, turn: number): string => `reply:${dialog}:${turn}`

export function readReplyAbout(about: string | null): { dialog: string; turn: number } | null {
  const [, dialog, turn] = /^reply:(.+):(\d+)$/.exec(about ?? '') ?? []
  return dialog === undefined ? null : { dialog, turn: Number(turn) }
}
