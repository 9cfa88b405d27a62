import type { ReplyPayload } from '../../src/chats/message/reply-payload.ts'
import { controls } from './messages-controls.ts'
import { edges } from './messages-edges.ts'
import { media } from './messages-media.ts'
import { scripts } from './messages-scripts.ts'
import { shapes } from './messages-shapes.ts'

export type Case = { name: string; message: ReplyPayload }

/** Messages rendered for every channel. The golden files have the same names. */
export const cases: readonly Case[] = Object.entries({ ...shapes, ...controls, ...edges, ...scripts, ...media }).map(([name, message]) => ({
  name,
  message,
}))
