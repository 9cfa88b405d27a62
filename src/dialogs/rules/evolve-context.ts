import { promptTexts } from '../../words/index.ts'
import { type DialogEvent, isNote } from './dialog-events.ts'
import { type ContextItem, type DialogState, dialogLimits, findFocus } from './dialog-state.ts'
import { readFileWords, type MessageFile } from './message-file.ts'
import type { CourseReason } from './prompt/prompt-facts.ts'
import { promptLimits } from './prompt/prompt-list.ts'
import { assignmentPrompt, backPrompt, carriedOver, isTellaskTool, type OpenAssignment, quoted } from './tellask.ts'

/** Adds to `after` what the agent will read because of this event. Other events leave its context as it is. */
export function evolveContext(before: DialogState, after: DialogState, event: DialogEvent): DialogState {
  if (isNote(event)) return after
  if (after.prompt?.epoch) return withoutContext(after, event)
  switch (event.type) {
    case 'message.said': {
      const { by, turn, files = [] } = event.data
      const text = withFileLines(event.data.text, files)
      const next = { ...after, preview: toPreview(text) }
      if (by.kind === 'agent') return rememberOwn(next, { kind: 'agent', text, turn: turn ?? 0 })
      return remember(next, { kind: 'human', text, by: by.name })
    }
    case 'dialog.branched':
      return event.data.messages.reduce((next, { by, text, files = [] }) => {
        const words = withFileLines(text, files)
        const item: ContextItem =
          by.kind === 'agent' ? { kind: 'agent', text: words, turn: 0 } : { kind: 'human', text: words, by: by.name }
        return remember({ ...next, preview: toPreview(words) }, item)
      }, after)
    case 'turn.stopped': {
      const { text, turn } = event.data
      return text === null ? after : remember({ ...after, preview: toPreview(text) }, { kind: 'agent', text, turn })
    }
    case 'tool.called': {
      const { call, name, input } = event.data
      return rememberOwn(after, { kind: 'call', call, name, input, result: null })
    }
    case 'tool.returned': {
      const { call, ok, output, files = [] } = event.data
      const all = files.length > 0 && typeof output === 'string' ? withFileLines(output, files) : output
      return withResult(after, call, { ok, output: all }) ?? after
    }
    case 'question.asked': {
      const { question, call, ask, approval, limit } = event.data
      // The agent is told of a limit in words of the runtime; the question is for the owner.
      if (limit) return after
      if (!approval) return rememberOwn(after, { kind: 'question', question, call, ask, outcome: null })
      const awaits = (item: ContextItem): ContextItem =>
        item.kind === 'call' && item.call === call ? { ...item, awaits: 'approval' } : item
      return { ...after, context: after.context.map(awaits) }
    }
    case 'question.answered':
    case 'question.declined':
    case 'question.cancelled':
    case 'question.expired':
    case 'answer.taken':
      return withAnswer(before, after, event.data.question)
    case 'tellask.received': {
      const request = after.assignments.at(-1)
      return request?.isActive ? remember(after, { kind: 'prompt', text: toPrompt(after, request, event.data.about) }) : after
    }
    case 'reply.given':
      return withNextRequest(before, after)
    case 'reply.received':
      return withReply(before, after, event.data)
    case 'course.started':
      return freshCourse(after, event.data)
    case 'prompt.added':
      return remember(after, { kind: 'prompt', text: event.data.text })
    case 'budget.noticed':
      return remember(after, { kind: 'prompt', text: promptTexts[after.language].notes.budget(event.data.percent) })
    case 'dialog.opened':
    case 'turn.started':
    case 'generation.finished':
    case 'generation.failed':
    case 'tool.started':
    case 'approval.key-given':
    case 'grant.made':
    case 'grant.ended':
    case 'answer.refused':
    case 'answer.withdrawn':
    case 'turn.finished':
    case 'turn.failed':
    case 'failure.settled':
    case 'turn.cut':
    case 'stop.requested':
    case 'latch.set':
    case 'latch.lifted':
    case 'dialog.held':
    case 'generation.started':
    case 'epoch.started':
    case 'prompt.compacted':
    case 'prompt.noted':
    case 'prompt.told':
    case 'course.requested':
    case 'dialog.continued':
    case 'tellask.made':
    case 'session.registered':
    case 'session.dropped':
    case 'reminder.added':
    case 'reminder.updated':
    case 'reminder.deleted':
    case 'dialog.died':
    case 'taskdoc.read':
      return after
    default:
      event satisfies never
      return after
  }
}

/** A model reads its list. An agent of another kind that takes the dialog over reads what comes from then on. */
function withoutContext(after: DialogState, event: DialogEvent): DialogState {
  const text =
    event.type === 'message.said'
      ? withFileLines(event.data.text, event.data.files ?? [])
      : event.type === 'turn.stopped'
        ? event.data.text
        : null
  const next = text === null ? after : { ...after, preview: toPreview(text) }
  return next.context.length === 0 ? next : { ...next, context: [], contextChars: 0, contextDropped: 0 }
}

/** Agents that are no models read of files in words. */
const withFileLines = (text: string, files: readonly MessageFile[]): string =>
  [...(text.trim() === '' ? [] : [text]), ...files.map(readFileWords)].join('\n')

const toPreview = (text: string): string => text.slice(0, 140).toWellFormed()

const toPrompt = ({ language }: DialogState, request: OpenAssignment, about: string | null): string =>
  request.mode === 'back' ? backPrompt(language, request, about) : assignmentPrompt(language, request)

function withAnswer(before: DialogState, after: DialogState, question: string): DialogState {
  const pendingQuestion = before.questions[question] ?? before.undoable[question]?.asked
  const outcome = after.closed[question]?.end
  if (!pendingQuestion || !outcome) return after
  const context = settled(after, (item) => {
    if (item.kind === 'question' && item.question === question) return { ...item, outcome }
    return item.kind === 'call' && item.call === pendingQuestion.call ? item : null
  })
  return { ...after, context }
}

/** Shows the request that became visible by a reply, or the open one again. */
function withNextRequest(before: DialogState, after: DialogState): DialogState {
  if (after.inputSeq !== after.seq) return after
  const waiting = new Set(before.assignments.filter(({ isActive }) => !isActive).map(({ tellask }) => tellask))
  const request = after.assignments.find(({ tellask, isActive }) => isActive && waiting.has(tellask)) ?? findFocus(after)
  return request ? remember(after, { kind: 'prompt', text: toPrompt(after, request, null) }) : after
}

function withReply(
  before: DialogState,
  after: DialogState,
  { tellask, outcome, text }: { tellask: string; outcome: string; text: string },
): DialogState {
  const pendingTellask = before.pending[tellask]
  if (!pendingTellask || after.settledSeq !== after.seq) return after
  const replies = [...(before.partReplies[pendingTellask.call] ?? []), { ok: outcome === 'replied', text }]
  const output = replies.length === 1 ? text : replies.map((reply, index) => `#${index + 1}\n${reply.text}`).join('\n\n')
  const result = { ok: replies.some((reply) => reply.ok), output }
  const carried = (): DialogState => remember(after, { kind: 'prompt', text: carriedOver(after.language, pendingTellask, output) })
  return withResult(after, pendingTellask.call, result) ?? carried()
}

/** Null when the call is not in the context any more. */
function withResult(state: DialogState, call: string, result: { ok: boolean; output: unknown }): DialogState | null {
  const isCall = (item: ContextItem): item is Extract<ContextItem, { kind: 'call' }> => item.kind === 'call' && item.call === call
  if (!state.context.some(isCall)) return null
  const context = settled(state, (item) => (isCall(item) ? { ...item, result } : null))
  return bounded({ ...state, context, contextChars: state.contextChars + measureSize(result.output) })
}

/** Clears the context, except for messages, answers and replies that the agent has not read: they start the new course. */
function freshCourse(state: DialogState, { why, prompt }: { why: CourseReason; prompt: string }): DialogState {
  const isNews = (item: ContextItem): boolean => {
    if ((item.seq ?? 0) <= state.knownSeq) return false
    // An agent that clears its mind itself no longer needs the results of its tools; one whose mind is cleared for it does.
    if (item.kind === 'call') return item.result !== null && (why === 'forced' || isTellaskTool(item.name))
    // The first prompt of the new course holds the request already.
    if (item.kind === 'prompt') return !prompt.startsWith(item.text)
    return item.kind === 'human' || (item.kind === 'question' && item.outcome !== null)
  }
  const news = state.context.filter(isNews)
  const start: ContextItem = { kind: 'prompt', text: prompt, seq: state.seq }
  const context = [start, ...news]
  const contextChars = context.reduce((sum, item) => sum + countChars(item), 0)
  return { ...state, context, contextChars, contextDropped: 0 }
}

/** An item with a new outcome moves to the end: the agent reacts to the last items. */
function settled(state: DialogState, change: (item: ContextItem) => ContextItem | null): ContextItem[] {
  const rest: ContextItem[] = []
  const moved: ContextItem[] = []
  for (const item of state.context) {
    const changed = change(item)
    if (changed) moved.push({ ...changed, seq: state.seq })
    else rest.push(item)
  }
  return [...rest, ...moved]
}

const measureSize = (value: unknown): number => (typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0))

function countChars(item: ContextItem): number {
  switch (item.kind) {
    case 'human':
    case 'agent':
    case 'prompt':
      return item.text.length
    case 'call':
      return measureSize(item.input) + measureSize(item.result?.output ?? '')
    case 'question':
      return measureSize(item.ask)
  }
}

/**
 * Output of the agent goes before input that came while it thought: the last items are what it has to react to,
 * and its own words are no answer to something it had not heard.
 */
function rememberOwn(state: DialogState, item: ContextItem): DialogState {
  const { seen, generatedSeq } = state.turn ?? { seen: null, generatedSeq: 0 }
  const cameMeanwhile = ({ seq = 0 }: ContextItem): boolean => seen !== null && seq > seen && seq < generatedSeq
  const index = state.context.findIndex(cameMeanwhile)
  if (index < 0) return remember(state, item)
  const context = state.context.toSpliced(index, 0, { ...item, seq: state.seq })
  return bounded({ ...state, context, contextChars: state.contextChars + countChars(item) })
}

const remember = (state: DialogState, item: ContextItem): DialogState =>
  bounded({ ...state, context: [...state.context, { ...item, seq: state.seq }], contextChars: state.contextChars + countChars(item) })

/**
 * Keeps what an agent reads within bounds, so that a turn costs the same on the first day and the thousandth.
 * A third goes at once: dropping one item each time would change the start of every prompt and defeat prompt caches.
 */
function bounded(state: DialogState): DialogState {
  const { contextItems, contextChars } = dialogLimits
  if (state.context.length <= contextItems && state.contextChars <= contextChars) return state
  const keepItems = Math.floor((contextItems * 2) / 3)
  const keepChars = Math.floor((contextChars * 2) / 3)
  const kept = findKept(state)
  let drop = 0
  let chars = state.contextChars
  const context = state.context.filter((item) => {
    if (kept.has(item) || (state.context.length - drop <= keepItems && chars <= keepChars)) return true
    chars -= countChars(item)
    drop += 1
    return false
  })
  return { ...state, context, contextChars: chars, contextDropped: state.contextDropped + drop }
}

/** The goal and what is open, as in the list of a model, and the newest item, however long it is. */
function findKept(state: DialogState): ReadonlySet<ContextItem | undefined> {
  const { context, assignments, origin, language } = state
  const isShort = (item: ContextItem): boolean => countChars(item) <= promptLimits.pinnedChars
  const messages = origin === null ? context.filter((item) => item.kind === 'human' && isShort(item)) : []
  const requests = assignments.flatMap((request) => {
    if (!request.isActive) return []
    // The subject of an ask-back stands between its header and its text.
    const isAbout = (text: string): boolean =>
      request.mode === 'back' ? text.includes(quoted(request.content)) : text.startsWith(assignmentPrompt(language, request))
    return context.findLast((item) => item.kind === 'prompt' && isAbout(item.text)) ?? []
  })
  const isOpen = (item: ContextItem): boolean =>
    (item.kind === 'call' && item.result === null) || (item.kind === 'question' && item.outcome === null)
  return new Set([
    messages[0],
    ...messages.slice(-promptLimits.pinnedMessages),
    ...requests,
    ...context.filter((item) => isOpen(item) && isShort(item)),
    context.at(-1),
  ])
}
