import type { Language } from './events.ts'

/**
 * A request from one dialog to an agent.
 * `back`: to whoever asked me · `session`: to a side dialog that is kept under a name · `fresh`: to a new one ·
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

/** How a request ended without an answer. */
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
  asksInARow: 100,
  pending: 100,
  waiting: 100,
  reasoningEffort: 100,
  slugChars: 80,
} as const

/** How large a tree of dialogs may grow; `depth` and `sideDialogs` can be set in parley.yaml under `limits`. */
export const treeLimits = {
  depth: 8,
  sideDialogs: 500,
  /** Parents read to find a latch or a depth. Only trees of 0.1 come near it. */
  ancestorsRead: 1_000,
  deathsPerCommit: 500,
} as const

export type TreeBounds = { depth: number; sideDialogs: number }

const slug = /^[a-zA-Z][a-zA-Z0-9_-]*(\.[a-zA-Z0-9_-]+)*$/

export const isSlug = (text: string): boolean => text.length <= tellaskLimits.slugChars && slug.test(text)

export const sessionKey = (agent: string, session: string): string => `${agent}!${session}`

/** What is said at the start of a reply, so that its reader knows what it is. Exact strings of the protocol. */
export const markers = {
  back: '【tellaskBack】',
  done: '【最终完成】',
  reasoned: '【FBR-直接回复】',
  reasonedOnly: '【FBR-仅推理】',
} as const

/** Puts the right marker on the first line. A wrong one is replaced, a missing one added, a right one left alone. */
export function withMarker(text: string, right: readonly string[]): string {
  const body = text.trimStart()
  const known = Object.values(markers).find((marker) => body.startsWith(marker))
  if (known !== undefined && right.includes(known)) return body
  const rest = known === undefined ? body : body.slice(known.length).trimStart()
  return `${right[0] ?? ''}\n${rest}`
}

/** The first line of a reply tells its agent what it is; people see that by its place. */
export const withoutMarker = (text: string): string => text.replace(/^【[^】\n]{1,20}】\s*/, '')

/** The line every side dialog's course begins with. Exact strings of the protocol; `tellasker` is the current caller. */
export function headerFor(language: Language, mode: TellaskMode, tellasker: string): string {
  if (mode === 'reasoning') {
    return language === 'zh'
      ? `这是一次 FBR 支线对话;诉请者对话为 @${tellasker}(可能与当前对话同一 agent)。`
      : `This is an FBR sideline dialog; the tellasker dialog is @${tellasker} (may be the same agent).`
  }
  return language === 'zh'
    ? `你是当前被诉请者对话(tellaskee dialog)的主理人;诉请者对话(tellasker dialog)为 @${tellasker}(当前发起本次诉请)。`
    : `You are the responder (tellaskee dialog) for this dialog; the tellasker dialog is @${tellasker} (the current caller).`
}

const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')

/** What the tellaskee reads: the header, then the request in quotes. A fresh course begins with it again. */
export function assignmentPrompt(language: Language, assignment: Pick<OpenAssignment, 'mode' | 'by' | 'session' | 'content'>): string {
  const { mode, by, session, content } = assignment
  const zh = language === 'zh'
  const now = session === null ? (zh ? '现在：' : 'Now:') : zh ? `现在（${session}）：` : `Now (${session}):`
  const rules =
    mode === 'reasoning'
      ? zh
        ? `请只根据上文推理并直接回复，首行写 ${markers.reasoned} 或 ${markers.reasonedOnly}；缺少的信息请列出。`
        : `Reason from the text above alone and reply; first line ${markers.reasoned} or ${markers.reasonedOnly}. List what is missing.`
      : zh
        ? `全部目标完成后直接回复，首行写 ${markers.done}；若缺少信息，请先用 tellaskBack 询问诉请者。`
        : `Reply directly only when all goals are done, first line ${markers.done}; if something is missing, ask the tellasker with tellaskBack first.`
  return `${headerFor(language, mode, by)}\n\n${now}\n${quoted(content)}\n\n${rules}`
}

/** What a tellasker reads when the one it asked asks back. */
export function backPrompt(language: Language, asked: Pick<OpenAssignment, 'by' | 'content'>, original: string | null): string {
  const zh = language === 'zh'
  const about = original === null ? '' : `${zh ? '你原来的诉请：' : 'Your request was:'}\n${quoted(original)}\n\n`
  return zh
    ? `@${asked.by} 在继续之前向你回问。\n\n${about}回问：\n${quoted(asked.content)}\n\n你接下来的回复会作为答复交给 @${asked.by}。`
    : `@${asked.by} asks you back before going on.\n\n${about}The question:\n${quoted(asked.content)}\n\nWhat you say next is given to @${asked.by} as the answer.`
}

/** A reply that arrives after the mind was cleared brings along what it answers. */
export function carriedOver(language: Language, pending: PendingTellask, text: string): string {
  const where = pending.session === null ? `@${pending.agent}` : `@${pending.agent} (${pending.session})`
  return language === 'zh'
    ? `对你先前一次诉请的回复（当时的上下文已清空）。\n诉请 ${where}：\n${quoted(pending.content)}\n\n回复：\n${quoted(text)}`
    : `A reply to a request you made before your mind was cleared.\nRequest to ${where}:\n${quoted(pending.content)}\n\nReply:\n${quoted(text)}`
}
