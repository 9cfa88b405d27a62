import type { ChatAddress } from '../bindings/chat-address.ts'

/** The once-only key of a reply at one address. A draft and its finished text share it, so they are one message. */
export const replyName = (dialog: string, turn: number, { channel, address }: ChatAddress): string =>
  `reply:${dialog}:${turn}:${channel}:${address}`

/** Subject of a reply with presentations: the dialog, and its messages whose controls can be tapped. */
export const aboutShown = (dialog: string, messages: readonly string[]): string => `shown:${dialog}:${messages.join(',')}`

export function readAboutShown(about: string | null): { dialog: string; messages: string[] } | null {
  const [, dialog = '', messages = ''] = /^shown:([^:]+):(.+)$/.exec(about ?? '') ?? []
  return dialog === '' ? null : { dialog, messages: messages.split(',') }
}
