import { promptTexts } from '../../words/index.ts'
import { type DialogEvent, isNote } from './dialog-events.ts'
import type { DialogState } from './dialog-state.ts'
import type { PromptFact, Settlement } from './prompt/prompt-facts.ts'
import type { OutputPart } from './prompt/prompt-items.ts'
import { evolvePrompt as evolveList, initialPromptList } from './prompt/prompt-list.ts'
import type { PendingOutput, PromptState } from './prompt/prompt-state.ts'
import { withoutMarkers } from './prompt/reply-rules.ts'
import { askHuman, describeAnswers } from './question.ts'
import type { OpenAssignment } from './tellask.ts'

type Body<Fact> = Fact extends unknown ? Omit<Fact, 'seq' | 'at' | 'offset'> : never
type FactBody = Body<PromptFact>

export const initialPrompt = (isSide: boolean): PromptState => ({
  list: initialPromptList(isSide),
  epoch: null,
  output: null,
  counted: null,
  generations: 0,
  isForced: false,
  compactions: 0,
  cautionAt: null,
  criticalLeft: null,
  courseDue: null,
  gone: [],
  sections: {},
  haltedAt: null,
})

/** Adds to `after` what a model will read because of this event. */
export function evolvePrompt(before: DialogState, after: DialogState, event: DialogEvent): DialogState {
  if (event.type === 'dialog.opened') return { ...after, prompt: initialPrompt(after.origin !== null) }
  const { prompt } = after
  if (prompt === null || isNote(event)) return after
  const offset = prompt.list.factOffset
  const apply = (state: PromptState, facts: readonly FactBody[], zone = offset): PromptState => ({
    ...state,
    list: facts.reduce((list, fact) => evolveList(list, { ...fact, seq: after.seq, at: event.at, offset: zone }), state.list),
  })
  const next = evolveCounters(before, after, event, prompt, apply)
  const facts = toFacts(before, after, event, next)
  if (facts.length === 0 && next === prompt) return after
  return { ...after, prompt: facts.length === 0 ? next : apply(next, facts) }
}

type Apply = (state: PromptState, facts: readonly FactBody[], offset?: number) => PromptState

/** Events that change more than the list. */
function evolveCounters(before: DialogState, after: DialogState, event: DialogEvent, prompt: PromptState, apply: Apply): PromptState {
  switch (event.type) {
    case 'epoch.started': {
      const { why, system, tools, team, maker, resultChars, offset } = event.data
      const begun: PromptState = { ...prompt, epoch: { system, tools, team, maker }, counted: null, gone: [] }
      // The epoch of a course began with it.
      return why === 'course'
        ? { ...begun, list: { ...begun.list, resultChars } }
        : apply(begun, [{ type: 'epoch', why, resultChars }], offset)
    }
    case 'generation.finished':
      return finishOutput(after, event, prompt, apply)
    case 'dialog.branched':
      return withBranched(after, event, prompt)
    case 'message.said':
      return event.data.by.kind === 'agent' && prompt.output
        ? completeOutput({ ...prompt, output: { ...prompt.output, text: event.data.text } }, apply)
        : prompt
    case 'tool.called': {
      const { call, name, input } = event.data
      if (!prompt.output) return apply(prompt, [{ type: 'called', call, tool: name }])
      return completeOutput({ ...prompt, output: { ...prompt.output, calls: { ...prompt.output.calls, [call]: { name, input } } } }, apply)
    }
    case 'generation.failed':
      return event.data.code === 'context_overflow' && event.data.retryAt !== null ? { ...prompt, courseDue: 'overflow' } : prompt
    case 'course.requested':
      return { ...prompt, courseDue: 'person' }
    case 'course.started':
      return startCourse(event, prompt, apply)
    case 'prompt.compacted':
      return { ...apply(prompt, [{ type: 'compacted', ...event.data }]), compactions: prompt.compactions + 1, counted: null }
    case 'prompt.noted':
      return withNotes(event.data.notes, prompt)
    case 'prompt.told':
      return event.data.hash === undefined
        ? prompt
        : { ...prompt, sections: { ...prompt.sections, [event.data.name ?? '']: event.data.hash } }
    case 'turn.stopped':
    case 'turn.failed':
      return { ...halted(before, event, prompt, apply), haltedAt: event.at, courseDue: null }
    case 'latch.lifted':
    case 'dialog.continued': {
      if (prompt.haltedAt === null) return prompt
      const note = { kind: 'continued' as const, by: event.data.by.name, passedMs: event.at - prompt.haltedAt }
      return { ...apply(prompt, [{ type: 'noted', note }]), haltedAt: null }
    }
    case 'answer.refused':
    case 'answer.taken':
    case 'answer.withdrawn':
    case 'approval.key-given':
    case 'dialog.died':
    case 'dialog.held':
    case 'dialog.opened':
    case 'dialog.archived':
    case 'dialog.pinned':
    case 'dialog.restored':
    case 'dialog.retired':
    case 'dialog.deleted':
    case 'dialog.titled':
    case 'dialog.trusted':
    case 'pushes.changed':
    case 'taskdoc.changed':
    case 'model.chosen':
    case 'generation.started':
    case 'grant.ended':
    case 'grant.made':
    case 'latch.set':
    case 'prompt.added':
    case 'question.answered':
    case 'question.asked':
    case 'question.cancelled':
    case 'question.declined':
    case 'question.expired':
    case 'reminder.added':
    case 'reminder.deleted':
    case 'reminder.updated':
    case 'reply.given':
    case 'reply.received':
    case 'session.dropped':
    case 'session.registered':
    case 'stop.requested':
    case 'budget.noticed':
    case 'failure.settled':
    case 'taskdoc.read':
    case 'tellask.made':
    case 'tellask.received':
    case 'tool.returned':
    case 'tool.started':
    case 'turn.cut':
    case 'turn.finished':
    case 'turn.started':
      return prompt
    default:
      event satisfies never
      return prompt
  }
}

/** A model reads what was said before the branch as if it had been said here. */
function withBranched(after: DialogState, { data }: Extract<DialogEvent, { type: 'dialog.branched' }>, prompt: PromptState): PromptState {
  const offset = prompt.list.factOffset
  const list = data.messages.reduce((before, { by, text, at, files }) => {
    const timed = { seq: after.seq, at, offset }
    return by.kind === 'agent'
      ? evolveList(before, { ...timed, type: 'generated', seen: after.seq, parts: [{ type: 'words', text }] })
      : evolveList(before, { ...timed, type: 'arrived', arrival: { kind: 'message', from: by.name, text, ...(files && { files }) } })
  }, prompt.list)
  return { ...prompt, list: { ...list, sentItems: 0 } }
}

/** A generation that was under way leaves an output too: its words so far, without calls and reasoning. */
function halted(
  before: DialogState,
  event: Extract<DialogEvent, { type: 'turn.stopped' | 'turn.failed' }>,
  prompt: PromptState,
  apply: Apply,
): PromptState {
  const { fixedSeen } = prompt.list
  const text = event.type === 'turn.stopped' ? event.data.text : null
  const parts: OutputPart[] = text === null ? [] : [{ type: 'words', text }]
  const cut: FactBody[] = fixedSeen === null ? [] : [{ type: 'generated', seen: fixedSeen, parts }]
  if (event.type === 'turn.failed') return apply({ ...prompt, isForced: false }, cut)
  const by = event.data.held?.by ?? before.latch?.by ?? ''
  return apply(prompt, [...cut, { type: 'noted', note: { kind: 'stopped', by: by === 'parley' ? '' : by } }])
}

function finishOutput(
  after: DialogState,
  event: Extract<DialogEvent, { type: 'generation.finished' }>,
  prompt: PromptState,
  apply: Apply,
): PromptState {
  const { output, seen = after.seq - 1, usage } = event.data
  // Not a model, or an older version: should a model take over, it begins with a course of its own.
  if (output === undefined)
    return apply({ ...prompt, epoch: null, haltedAt: null, generations: prompt.generations + 1 }, [{ type: 'passed', seen }])
  const pending: PendingOutput = { seen, at: event.at, seq: after.seq, parts: output, text: '', calls: {} }
  const tokens = event.data.promptTokens ?? usage.inputTokens
  const counted = tokens === null ? null : { tokens, items: -1 }
  return completeOutput({ ...prompt, output: pending, counted, haltedAt: null, generations: prompt.generations + 1 }, apply)
}

/** The output is added to the list as soon as the log has given all of it. */
function completeOutput(prompt: PromptState, apply: Apply): PromptState {
  const { output } = prompt
  if (!output) return prompt
  const chars = output.parts.reduce((sum, part) => sum + (part.type === 'words' ? part.chars : 0), 0)
  if (output.text.length < chars) return prompt
  if (output.parts.some((part) => part.type === 'call' && !output.calls[part.call])) return prompt
  let at = 0
  const parts = output.parts.map((part): OutputPart => {
    if (part.type === 'reasoning') return part
    if (part.type === 'call') {
      const { name = '', input } = output.calls[part.call] ?? {}
      return { type: 'call', call: part.call, name, input: toRecord(input) }
    }
    const text = output.text.slice(at, (at += part.chars))
    return { type: 'words', text, ...(part.phase !== undefined && { phase: part.phase }) }
  })
  const next = apply({ ...prompt, output: null }, [{ type: 'generated', seen: output.seen, parts }])
  return { ...next, counted: next.counted && { ...next.counted, items: next.list.sentItems } }
}

function startCourse(event: Extract<DialogEvent, { type: 'course.started' }>, prompt: PromptState, apply: Apply): PromptState {
  const { course, why, snapshot } = event.data
  const begun: PromptState = {
    ...prompt,
    isForced: why === 'forced',
    generations: 0,
    compactions: 0,
    cautionAt: null,
    criticalLeft: null,
    courseDue: null,
    counted: null,
    sections: snapshot?.sections ?? {},
  }
  // Without a snapshot there is no model; the list stays empty.
  return snapshot === undefined ? begun : apply(begun, [{ type: 'course', course, why, snapshot }], event.data.offset)
}

function withNotes(notes: Extract<DialogEvent, { type: 'prompt.noted' }>['data']['notes'], prompt: PromptState): PromptState {
  let next = prompt
  for (const note of notes) {
    if (note.kind === 'caution') next = { ...next, cautionAt: next.generations }
    if (note.kind === 'critical') next = { ...next, criticalLeft: note.steps }
    if (note.kind === 'tool-gone') next = { ...next, gone: [...next.gone, note.tool] }
    if (note.kind === 'team') {
      const others = next.gone.filter((name) => name !== `@${note.agent}`)
      next = { ...next, gone: note.change === 'left' ? [...others, `@${note.agent}`] : others }
    }
  }
  return next
}

/** Entries that this event adds to the list. */
function toFacts(before: DialogState, after: DialogState, event: DialogEvent, { list, epoch }: PromptState): FactBody[] {
  if (isNote(event)) return []
  switch (event.type) {
    case 'message.said': {
      const { by, text, files } = event.data
      return by.kind === 'agent' ? [] : [{ type: 'arrived', arrival: { kind: 'message', from: by.name, text, ...(files && { files }) } }]
    }
    case 'generation.started':
      return [{ type: 'tried', seen: event.data.seen ?? after.seq }]
    case 'prompt.noted':
      return event.data.notes.map((note) => ({ type: 'noted', note }))
    case 'budget.noticed':
      return [{ type: 'noted', note: { kind: 'budget', percent: event.data.percent } }]
    case 'prompt.told': {
      const { block, name, text } = event.data
      return [{ type: 'arrived', arrival: { kind: 'data', block, name, text } }]
    }
    case 'tool.returned': {
      const { call, ok, output, files } = event.data
      return [{ type: 'settled', call, end: { is: 'result', ok, text: toText(output), ...(files && { files }) } }]
    }
    case 'question.asked': {
      const { call, question, ask, approval, purpose } = event.data
      const waiting = { type: 'waits' as const, waiting: { for: 'question' as const }, session: null, text: ask.text }
      // A script asks without a call. A model that takes the dialog over has to know of the question.
      if (call === null)
        return epoch || purpose
          ? []
          : [
              { type: 'called', call: question, tool: askHuman },
              { ...waiting, call: question },
            ]
      if (approval) return [{ type: 'waits', call, waiting: { for: 'approval' }, session: null, text: ask.text }]
      // A question about a call that a crash interrupted is not the agent's own: its call stays interrupted.
      const isOwn = after.calls[call]?.name === askHuman
      return isOwn ? [{ ...waiting, call }] : []
    }
    case 'question.answered':
    case 'question.declined':
    case 'question.cancelled':
    case 'question.expired':
    case 'answer.taken':
      return toAnswer(before, after, event.data.question)
    case 'tellask.made': {
      const { call, agent, session, content } = event.data
      return [{ type: 'waits', call, waiting: { for: 'request', agent }, session, text: withoutMarkers(content) }]
    }
    case 'tellask.received': {
      const request = after.assignments.at(-1)
      return request?.isActive ? [arrivalFor(before, request, event.data.about)] : []
    }
    case 'reply.given': {
      const waiting = new Set(before.assignments.filter(({ isActive }) => !isActive).map(({ tellask }) => tellask))
      const nextRequests = after.assignments.filter(({ tellask, isActive }) => isActive && waiting.has(tellask))
      return [{ type: 'replied', id: event.data.tellask }, ...nextRequests.map((request) => arrivalFor(before, request, null))]
    }
    case 'dialog.died':
      return list.openRequests.map(({ id }): FactBody => ({ type: 'replied', id }))
    case 'reply.received':
      return toReplyFact(before, after, event.data)
    case 'answer.refused':
    case 'answer.withdrawn':
    case 'approval.key-given':
    case 'course.requested':
    case 'course.started':
    case 'dialog.branched':
    case 'dialog.continued':
    case 'dialog.held':
    case 'dialog.opened':
    case 'epoch.started':
    case 'generation.failed':
    case 'generation.finished':
    case 'grant.ended':
    case 'grant.made':
    case 'latch.lifted':
    case 'latch.set':
    case 'prompt.added':
    case 'prompt.compacted':
    case 'reminder.added':
    case 'reminder.deleted':
    case 'reminder.updated':
    case 'session.dropped':
    case 'session.registered':
    case 'stop.requested':
    case 'failure.settled':
    case 'taskdoc.read':
    case 'tool.called':
    case 'tool.started':
    case 'turn.cut':
    case 'turn.failed':
    case 'turn.finished':
    case 'turn.started':
    case 'turn.stopped':
      return []
    default:
      event satisfies never
      return []
  }
}

function arrivalFor(state: DialogState, request: OpenAssignment, about: string | null): FactBody {
  const { tellask: id, mode, from: dialog, by: from, session, content } = request
  const text = withoutMarkers(content)
  if (mode !== 'back') return { type: 'arrived', arrival: { kind: 'request', id, from, session, text, isReasoning: mode === 'reasoning' } }
  const pendingTellask = Object.values(state.pending).find((pending) => pending.to === dialog && pending.mode !== 'back')
  return { type: 'arrived', arrival: { kind: 'ask-back', id, from, call: pendingTellask?.call ?? null, request: about, text } }
}

function toAnswer(before: DialogState, after: DialogState, question: string): FactBody[] {
  const pendingQuestion = before.questions[question] ?? before.undoable[question]?.asked
  const end = after.closed[question]?.end
  // An approval decides about a call, whose result follows.
  if (
    !pendingQuestion ||
    !end ||
    pendingQuestion.approval ||
    (pendingQuestion.call !== null && before.calls[pendingQuestion.call]?.name !== askHuman)
  )
    return []
  const texts = promptTexts[after.language]
  const by = end.by ?? texts.aPerson
  const text = {
    answered: () => describeAnswers(pendingQuestion.ask, end.answers ?? {}),
    declined: () => texts.declined(by, end.reason),
    cancelled: () => texts.withdrawn,
    expired: () => texts.expired,
  }[end.outcome]()
  return [{ type: 'settled', call: pendingQuestion.call ?? question, end: { is: 'answer', by, outcome: end.outcome, text } }]
}

/** A call gets its end with the last of its replies. */
function toReplyFact(
  before: DialogState,
  after: DialogState,
  { tellask, outcome, text, status }: Extract<DialogEvent, { type: 'reply.received' }>['data'],
): FactBody[] {
  const pendingTellask = before.pending[tellask]
  if (!pendingTellask || Object.values(after.pending).some(({ call }) => call === pendingTellask.call)) return []
  const parts = [...(before.partReplies[pendingTellask.call] ?? []), { ok: outcome === 'replied', text }]
  const { agent: from, session, content, mode } = pendingTellask
  const end: Settlement =
    parts.length === 1 && mode !== 'reasoning'
      ? {
          is: 'reply',
          from,
          session,
          status: status ?? (outcome === 'replied' ? null : 'failed'),
          text: status === undefined && outcome === 'replied' ? text : withoutMarkers(text),
          request: withoutMarkers(content),
        }
      : { is: 'reply', from, session, status: null, text: joinReplies(parts), request: withoutMarkers(content) }
  return [{ type: 'settled', call: pendingTellask.call, end }]
}

/** Fresh minds are many replies to one call. */
export const joinReplies = (replies: readonly { text: string }[]): string =>
  replies.length === 1 ? (replies[0]?.text ?? '') : replies.map((reply, index) => `#${index + 1}\n${reply.text}`).join('\n\n')

/** Wires and chat templates take arguments that are an object, and nothing else. */
const toRecord = (input: unknown): object =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { unreadable: input ?? null }

const toText = (output: unknown): string => (typeof output === 'string' ? output : output === null ? '' : (JSON.stringify(output) ?? ''))
