import { dialogTexts, promptTexts } from '../../words/index.ts'
import type { Language } from '../../shapes/language.ts'

/**
 * A request from one dialog to an agent.
 * `back`: to the tellasker · `session`: to a side dialog with a name · `fresh`: to a new one ·
 * `reasoning`: several fresh ones of the same agent, without tools, that only think.
 */
export type TellaskMode = 'back' | 'session' | 'fresh' | 'reasoning'

/** A request this dialog has made and not yet got a reply to. */
export type PendingTellask = {
  tellask: string
  call: string
  mode: TellaskMode
  to: string
  agent: string
  session: string | null
  content: string
  course: number
  at: number
  /** Number of the event that made it. */
  seq: number
}

/** A request this dialog has got and not yet replied to. */
export type OpenAssignment = {
  tellask: string
  mode: TellaskMode
  /** The dialog that asked, and its agent. */
  from: string
  by: string
  session: string | null
  content: string
  at: number
  seq: number
  /** Its turn has come: the agent sees it. The others wait in the order they came. */
  isActive: boolean
}

/** Outcome of a request. */
export type ReplyOutcome = 'replied' | 'dead' | 'failed'

/** The names and arguments are part of the protocol and must not change. */
export const tellaskTools = {
  back: 'tellaskBack',
  session: 'tellask',
  fresh: 'tellaskSessionless',
  reasoning: 'freshBootsReasoning',
} as const satisfies Record<TellaskMode, string>

const toolNames = new Set<string>(Object.values(tellaskTools))

export const isTellaskTool = (name: string): boolean => toolNames.has(name)

export const tellaskLimits = {
  contentChars: 100_000,
  pending: 100,
  waiting: 100,
  reasoningEffort: 100,
  slugChars: 80,
} as const

/** Limits of a tree of dialogs; `depth`, `sideDialogs` and `requestsInARow` can be set in parley.yaml under `limits`. */
export const treeLimits = {
  depth: 8,
  sideDialogs: 500,
  /** Requests of one dialog without a word from a person; then the owner is asked whether it continues. */
  requestsInARow: 100,
  /** Parents read to find a latch or a depth. Only trees of 0.1 come near it. */
  ancestorsRead: 1_000,
  deathsPerCommit: 500,
} as const

export type TreeBounds = { depth: number; sideDialogs: number; requestsInARow: number }

const slug = /^[a-zA-Z][a-zA-Z0-9_-]*(\.[a-zA-Z0-9_-]+)*$/

export const isSlug = (text: string): boolean => text.length <= tellaskLimits.slugChars && slug.test(text)

export const sessionKey = (agent: string, session: string): string => `${agent}!${session}`

/** First words of a reply, which name its kind. Exact strings of the protocol. */
export const markers = {
  back: '【tellaskBack】',
  done: '【最终完成】',
  reasoned: '【FBR-直接回复】',
  reasonedOnly: '【FBR-仅推理】',
} as const

/** Puts the right marker on the first line. A wrong one is replaced, a missing one added, a right one left alone. */
export function withMarker(text: string, right: readonly string[]): string {
  const body = text.trimStart()
  const openingMarker = Object.values(markers).find((marker) => body.startsWith(marker))
  if (openingMarker !== undefined && right.includes(openingMarker)) return body
  const rest = openingMarker === undefined ? body : body.slice(openingMarker.length).trimStart()
  return `${right[0] ?? ''}\n${rest}`
}

/** The first line of a reply tells its agent what it is; people see that by its place. */
export const withoutMarker = (text: string): string => text.replace(/^【[^】\n]{1,20}】\s*/, '')

/** The line every side dialog's course begins with. Exact strings of the protocol; `tellasker` is the current caller. */
export function headerFor(language: Language, mode: TellaskMode, tellasker: string): string {
  const { header, reasoningHeader } = dialogTexts[language]
  return mode === 'reasoning' ? reasoningHeader(tellasker) : header(tellasker)
}

export const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')

/** Prompt of the tellaskee: the header, then the quoted request. A new course starts with it again. */
export function assignmentPrompt(language: Language, assignment: Pick<OpenAssignment, 'mode' | 'by' | 'session' | 'content'>): string {
  const { mode, by, session, content } = assignment
  const texts = dialogTexts[language]
  const { reasonAlone, deliverWithReply } = promptTexts[language]
  const rules = mode === 'reasoning' ? reasonAlone : deliverWithReply
  return `${headerFor(language, mode, by)}\n\n${texts.now(session)}\n${quoted(content)}\n\n${rules}`
}

/** Prompt of a tellasker when its tellaskee asks back. */
export function backPrompt(language: Language, asked: Pick<OpenAssignment, 'by' | 'content'>, original: string | null): string {
  const texts = dialogTexts[language]
  const about = original === null ? '' : `${texts.originalRequest}\n${quoted(original)}\n\n`
  return texts.backPrompt(asked.by, about, quoted(asked.content))
}

/** A reply that arrives after the mind was cleared brings along what it answers. */
export function carriedOver(language: Language, pending: PendingTellask, text: string): string {
  const where = pending.session === null ? `@${pending.agent}` : `@${pending.agent} (${pending.session})`
  return dialogTexts[language].carriedOver(where, quoted(pending.content), quoted(text))
}
