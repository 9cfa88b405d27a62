import type { Chats, Person } from './chats.ts'
import type { Files } from './files.ts'
import type { BrokenRule } from './own-limits.ts'
import type { Params, Upload } from './request-body.ts'
import type { UpdateQueue } from './updates.ts'

/** A toast shown after a tap. */
export type ToastAnswer = { query: string; text: string; alert: boolean }

export type CallbackQuery = { id: string; from: number; chat: number; message: number; data: string; isOld: boolean }

/** All that the methods of the emulated platform work on. */
export type Desk = {
  me: Person
  chats: Chats
  files: Files
  updates: UpdateQueue
  queries: Map<string, CallbackQuery>
  toasts: ToastAnswer[]
  commands: unknown[]
  drafts: { chat: number; text: string }[]
  /** Records what was broken; throws what Telegram would answer to it. */
  refuse(broken: BrokenRule[]): void
  now(): number
}

export type Call = { desk: Desk; method: string; params: Params; uploads: Map<string, Upload>; closed: AbortSignal }
export type Method = (call: Call) => unknown
