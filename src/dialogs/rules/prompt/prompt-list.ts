import type { CourseReason, Incoming, PromptFact, Settlement, Snapshot } from './prompt-facts.ts'
import { replyText } from './blocks.ts'
import type { Arrival, CourseBlock, Note, OutputPart, PromptItem, ResultText, Waiting, WaitingLine } from './prompt-items.ts'
import { shortened } from './shorten.ts'
import { resultLimits } from './shortened-results.ts'
import { trailText } from './trail.ts'

type Numbered = { seq: number }

/** A call whose end the agent does not know yet. */
export type OpenPromptCall = {
  call: string
  tool: string
  handle: string
  madeAt: number
  /** `seq` is that of the fact that said so. */
  waiting: (Numbered & { on: Waiting }) | null
  session: string | null
  text: string
  /** The course that showed it, so that a reply in a later one brings its request along. */
  course: number
  end: (Numbered & { at: number; offset: number; settlement: Settlement }) | null
}

/** A request or ask-back that waits for a reply of this agent. */
type OpenRequest = { id: string; arrival: Extract<Arrival, { kind: 'request' | 'ask-back' }> }

/**
 * The list a model reads, folded from facts.
 *
 * | fact | effect |
 * |---|---|
 * | arrived, noted | waits for the next batch |
 * | waits, settled of the last output | decides the text of its result in the next batch |
 * | settled of an older call | waits for the next batch as reply, answer or outcome |
 * | generated | appends one batch (results in call order, arrivals, notes) and the output |
 * | tried | fixes the batch: what comes later waits until the try has ended |
 * | epoch | reasoning of earlier outputs goes, except in the open tool loop |
 * | compacted | old long results become a line with a handle |
 * | course | the list begins anew with a snapshot, what waits, and the pinned messages or requests |
 */
export type PromptList = {
  items: readonly PromptItem[]
  /** Calls of the last output, in call order. */
  lastCalls: readonly OpenPromptCall[]
  /** Calls of earlier outputs without an end. */
  olderCalls: readonly OpenPromptCall[]
  arrivals: readonly (Numbered & { arrival: Arrival })[]
  notes: readonly (Numbered & { at: number; offset: number; note: Note })[]
  counts: Readonly<Record<'t' | 'q' | 'o' | 'r' | 'b', number>>
  /** The time of the last output, and of the last fact. */
  outputAt: number | null
  factAt: number
  factOffset: number
  fixedSeen: number | null
  course: number
  epoch: number
  resultChars: number
  isSide: boolean
  openRequests: readonly OpenRequest[]
  /** Calls whose output was cut, so that `recall_output` finds it: handle to the number of the event that has it. */
  cutOutputs: Readonly<Record<string, number>>
  /** Items of the last request of this epoch; 0 before the first. */
  sentItems: number
  /** Of a root: the first and the last three messages of people. */
  firstMessage: Arrival | null
  lastMessages: readonly Arrival[]
}

export const promptLimits = { pinnedMessages: 3, pinnedChars: 8_000, quietMs: 30 * 60_000, cutOutputs: 500 } as const

export const initialPromptList = (isSide: boolean): PromptList => ({
  items: [],
  lastCalls: [],
  olderCalls: [],
  arrivals: [],
  notes: [],
  counts: { t: 0, q: 0, o: 0, r: 0, b: 0 },
  outputAt: null,
  factAt: 0,
  factOffset: 0,
  fixedSeen: null,
  course: 1,
  epoch: 1,
  resultChars: 8_000,
  isSide,
  openRequests: [],
  cutOutputs: {},
  sentItems: 0,
  firstMessage: null,
  lastMessages: [],
})

/** The content of the next request: the list and the batch that is due. */
export function itemsToSend(list: PromptList): readonly PromptItem[] {
  return [...list.items, ...dueBatch(list)]
}

/** The items of the next request from this one on. */
export function itemsToSendFrom(list: PromptList, from: number): readonly PromptItem[] {
  const due = dueBatch(list)
  return from >= list.items.length ? due.slice(from - list.items.length) : [...list.items.slice(from), ...due]
}

const dueBatch = (list: PromptList): PromptItem[] => batch(list, list.fixedSeen ?? Infinity)

export function evolvePrompt(before: PromptList, fact: PromptFact): PromptList {
  const list = { ...before, factAt: fact.at, factOffset: fact.offset }
  switch (fact.type) {
    case 'arrived':
      return arrive(list, fact, fact.arrival)
    case 'waits': {
      const { call, waiting, session, text } = fact
      return changeCall(list, call, (open) => ({ ...open, waiting: { seq: fact.seq, on: waiting }, session, text }))
    }
    case 'settled':
      return settle(list, fact, fact.call, fact.end)
    case 'noted':
      return { ...list, notes: [...list.notes, { seq: fact.seq, at: fact.at, offset: fact.offset, note: fact.note }] }
    case 'replied':
      return { ...list, openRequests: list.openRequests.filter(({ id }) => id !== fact.id) }
    case 'called':
      return passed(openCall(list, fact.call, fact.tool, fact.at), 0)
    case 'passed':
      return passed(list, fact.seen)
    case 'generated':
      return generated(list, fact.seen, fact.parts, fact.at)
    case 'tried':
      return { ...list, fixedSeen: fact.seen }
    case 'epoch':
      return {
        ...withOffset(list, fact.offset),
        ...newEpoch(list),
        resultChars: fact.resultChars,
        items: withoutReasoning(list.items, fact.why === 'reasoning-refused'),
      }
    case 'compacted':
      return { ...list, ...newEpoch(list), items: compacted(withoutReasoning(list.items), fact) }
    case 'course':
      return startCourse(withOffset(list, fact.offset), fact.course, fact.why, fact.snapshot)
  }
}

const newEpoch = ({ epoch }: PromptList): Pick<PromptList, 'epoch' | 'sentItems'> => ({ epoch: epoch + 1, sentItems: 0 })

/** The zone is known from the first epoch on. What has not been shown yet gets its times by it. */
function withOffset(list: PromptList, offset: number): PromptList {
  const shift = <Timed extends { offset: number }>(timed: Timed): Timed => ({ ...timed, offset })
  return {
    ...list,
    arrivals: list.arrivals.map(({ seq, arrival }) => ({ seq, arrival: shift(arrival) })),
    notes: list.notes.map(shift),
    openRequests: list.openRequests.map(({ id, arrival }) => ({ id, arrival: shift(arrival) })),
    firstMessage: list.firstMessage && shift(list.firstMessage),
    lastMessages: list.lastMessages.map(shift),
  }
}

/** Without a model there is no list: only what is open and what was not read yet is kept. */
function passed(list: PromptList, seen: number): PromptList {
  return {
    ...list,
    items: [],
    olderCalls: [...list.olderCalls, ...list.lastCalls],
    lastCalls: [],
    arrivals: list.arrivals.filter(({ seq }) => seq > seen),
    notes: list.notes.filter(({ seq }) => seq > seen),
    fixedSeen: null,
    sentItems: 0,
  }
}

type Counter = keyof PromptList['counts']

function nextHandle(list: PromptList, counter: Counter): { handle: string; counts: PromptList['counts'] } {
  const count = list.counts[counter] + 1
  return { handle: `${counter}${count}`, counts: { ...list.counts, [counter]: count } }
}

function arrive(list: PromptList, { seq, at, offset }: PromptFact, incoming: Incoming): PromptList {
  const add = (next: PromptList, arrival: Arrival): PromptList => ({ ...next, arrivals: [...next.arrivals, { seq, arrival }] })
  switch (incoming.kind) {
    case 'message': {
      const arrival: Arrival = { ...incoming, at, offset }
      const pinned: Arrival = { ...arrival, text: shortened(incoming.text, promptLimits.pinnedChars, null) }
      const lastMessages = [...list.lastMessages, pinned].slice(-promptLimits.pinnedMessages)
      return add({ ...list, firstMessage: list.firstMessage ?? pinned, lastMessages }, arrival)
    }
    case 'data':
      return add(list, { ...incoming, at, offset })
    case 'request': {
      const { handle, counts } = nextHandle(list, 'r')
      const { id, ...rest } = incoming
      const arrival = { ...rest, handle, at, offset }
      return add({ ...list, counts, openRequests: [...list.openRequests, { id, arrival }] }, arrival)
    }
    case 'ask-back': {
      const { handle, counts } = nextHandle(list, 'b')
      const { id, call, ...rest } = incoming
      const about = findCall(list, call)?.handle ?? null
      const arrival = { ...rest, about, handle, at, offset }
      return add({ ...list, counts, openRequests: [...list.openRequests, { id, arrival }] }, arrival)
    }
  }
}

const findCall = ({ lastCalls, olderCalls }: PromptList, call: string | null): OpenPromptCall | undefined =>
  [...lastCalls, ...olderCalls].find((open) => open.call === call)

function changeCall(list: PromptList, call: string, change: (open: OpenPromptCall) => OpenPromptCall): PromptList {
  const changed = (open: OpenPromptCall): OpenPromptCall => (open.call === call ? change(open) : open)
  return { ...list, lastCalls: list.lastCalls.map(changed), olderCalls: list.olderCalls.map(changed) }
}

/** The end of a call of the last output waits for its batch; the end of an older one is an arrival. */
function settle(list: PromptList, { seq, at, offset }: PromptFact, call: string, settlement: Settlement): PromptList {
  const open = findCall(list, call)
  if (!open || open.end) return list
  const next = settlement.is === 'result' ? withCutOutput(list, open.handle, seq, settlement.text) : list
  return settleOpen(next, open, { seq, at, offset, settlement })
}

type End = NonNullable<OpenPromptCall['end']>

function settleOpen(list: PromptList, open: OpenPromptCall, end: End): PromptList {
  const { seq, at, offset, settlement } = end
  if (list.lastCalls.includes(open)) return changeCall(list, open.call, (one) => ({ ...one, end }))
  const arrival = lateArrival(open, settlement, { at, offset }, list)
  return {
    ...list,
    olderCalls: list.olderCalls.filter((one) => one !== open),
    arrivals: [...list.arrivals, { seq, arrival }],
  }
}

/** Any output that can be cut, at once or by a later compaction, can be read again. */
function withCutOutput(list: PromptList, handle: string, seq: number, text: string): PromptList {
  if (text.length <= resultLimits.compactChars) return list
  const all = Object.entries({ ...list.cutOutputs, [handle]: seq })
  return { ...list, cutOutputs: Object.fromEntries(all.slice(-promptLimits.cutOutputs)) }
}

function lateArrival(
  { handle, madeAt, tool, course }: OpenPromptCall,
  settlement: Settlement,
  { at, offset }: { at: number; offset: number },
  list: PromptList,
): Arrival {
  // Not the end itself: it has the text before it was shortened.
  const time = { at, offset }
  const passedMs = at - madeAt
  switch (settlement.is) {
    case 'reply': {
      const { from, session, status, text, request } = settlement
      return { ...time, kind: 'reply', to: handle, from, session, status, text, passedMs, request: course === list.course ? null : request }
    }
    case 'answer': {
      const { by, outcome, text } = settlement
      return { ...time, kind: 'answer', to: handle, by, outcome, text, passedMs }
    }
    case 'result':
      return {
        ...time,
        kind: 'outcome',
        of: handle,
        tool,
        ok: settlement.ok,
        text: shortened(settlement.text, list.resultChars, handle),
        passedMs,
        ...(settlement.files && { files: settlement.files }),
      }
    case 'stopped': {
      const { by, hasStarted } = settlement
      return { ...time, kind: 'outcome', of: handle, tool, ok: false, text: '', passedMs, stopped: { by, hasStarted } }
    }
  }
}

/** Everything up to `seen` that was not shown yet: results in call order, arrivals in the order they came, notes. */
function batch(list: PromptList, seen: number): PromptItem[] {
  const results = list.lastCalls.map((open): PromptItem => {
    const { call, tool, handle } = open
    return { kind: 'result', call, tool, handle, result: toResult(open, seen, list) }
  })
  const arrivals = list.arrivals.filter(({ seq }) => seq <= seen).map(({ arrival }): PromptItem => ({ kind: 'arrival', arrival }))
  return [...results, ...arrivals, ...dueNotes(list, seen).map((note): PromptItem => ({ kind: 'note', note }))]
}

function toResult({ end, waiting, handle }: OpenPromptCall, seen: number, { resultChars }: PromptList): ResultText {
  if (end && end.seq <= seen) {
    const { settlement } = end
    switch (settlement.is) {
      case 'result':
        return {
          is: 'outcome',
          ok: settlement.ok,
          text: shortened(settlement.text, resultChars, handle),
          ...(settlement.files && { files: settlement.files }),
        }
      case 'reply':
        return { is: 'outcome', ok: settlement.status !== 'failed', text: replyText(settlement) }
      case 'answer':
        return { is: 'outcome', ok: true, text: settlement.text }
      case 'stopped':
        return { is: 'stopped', by: settlement.by, hasStarted: settlement.hasStarted }
    }
  }
  return waiting && waiting.seq <= seen ? { is: 'waiting', handle, waiting: waiting.on } : { is: 'interrupted' }
}

/** Several teammates or tools may change at once; of every other kind there is one note. */
function noteSubject(note: Note): string {
  if (note.kind === 'team') return `@${note.agent}`
  return note.kind === 'tool-gone' ? `tool ${note.tool}` : note.kind
}

/** At most one note about a subject, the latest; and the time, when nothing else says that a while has passed. */
function dueNotes(list: PromptList, seen: number): Note[] {
  // The usual case: something arrived, and nothing of the runtime is to be said about it.
  if (list.notes.length === 0 && list.arrivals.some(({ seq }) => seq <= seen) && !hasAskBack(list)) return []
  const due = list.notes.filter(({ seq }) => seq <= seen)
  const latest = new Map<string, Note>()
  for (const { note } of due) {
    latest.delete(noteSubject(note))
    latest.set(noteSubject(note), note)
  }
  const backs = list.arrivals.flatMap(({ seq, arrival }) => (seq <= seen && arrival.kind === 'ask-back' ? [arrival.handle] : []))
  const pinned = latest.get('ask-back')
  const handles = [...(pinned?.kind === 'ask-back' ? pinned.handles : []), ...backs]
  if (handles.length > 0) latest.set('ask-back', { kind: 'ask-back', handles })
  const hasArrival = list.arrivals.some(({ seq }) => seq <= seen)
  const { at, offset } = lastTime(list, seen)
  const passedMs = list.outputAt === null ? 0 : at - list.outputAt
  const tellsTime = !hasArrival && !latest.has('continued') && passedMs >= promptLimits.quietMs
  return [...(tellsTime ? [{ kind: 'time' as const, at, offset, passedMs }] : []), ...latest.values()]
}

const hasAskBack = ({ arrivals }: PromptList): boolean => arrivals.some(({ arrival }) => arrival.kind === 'ask-back')

/** The time of the last thing in the batch that has one. */
function lastTime({ lastCalls, notes, outputAt }: PromptList, seen: number): { at: number; offset: number } {
  const ends = lastCalls.flatMap(({ end }) => (end && end.seq <= seen ? [end] : []))
  const seenNotes = notes.filter(({ seq }) => seq <= seen)
  return [...ends, ...seenNotes].reduce((last, one) => (one.at >= last.at ? one : last), { at: outputAt ?? 0, offset: 0 })
}

function generated(list: PromptList, seen: number, parts: readonly OutputPart[], at: number): PromptList {
  const shownSeq = list.fixedSeen ?? seen
  const items = [...list.items, ...batch(list, shownSeq), { kind: 'output' as const, parts }]
  const stillOpen = [...list.olderCalls, ...list.lastCalls.filter(({ end }) => end === null || end.seq > shownSeq)]
  let next: PromptList = {
    ...list,
    items,
    olderCalls: stillOpen.filter(({ end }) => end === null),
    lastCalls: [],
    arrivals: list.arrivals.filter(({ seq }) => seq > shownSeq),
    notes: list.notes.filter(({ seq }) => seq > shownSeq),
    outputAt: at,
    fixedSeen: null,
    sentItems: items.length - 1,
  }
  // Ends that came while the generation ran are news now.
  for (const open of stillOpen.filter(({ end }) => end !== null))
    if (open.end) {
      const { seq, settlement } = open.end
      const arrival = lateArrival(open, settlement, open.end, next)
      next = { ...next, arrivals: [...next.arrivals, { seq, arrival }].toSorted((one, two) => one.seq - two.seq) }
    }
  for (const part of parts) if (part.type === 'call') next = openCall(next, part.call, part.name, at)
  return next
}

const counterFor = (tool: string): Counter => (/^(?:tellask|freshBoots)/.test(tool) ? 't' : tool === 'askHuman' ? 'q' : 'o')

function openCall(list: PromptList, call: string, tool: string, at: number): PromptList {
  const { handle, counts } = nextHandle(list, counterFor(tool))
  const open: OpenPromptCall = { call, tool, handle, madeAt: at, waiting: null, session: null, text: '', course: list.course, end: null }
  return { ...list, counts, lastCalls: [...list.lastCalls, open] }
}

/** Outputs and results from here on belong to the open tool loop: nothing has arrived since. */
export const findLoopStart = (items: readonly PromptItem[]): number =>
  items.findLastIndex(({ kind }) => kind === 'arrival' || kind === 'course') + 1

/** Outputs of the open tool loop keep their reasoning. */
function withoutReasoning(items: readonly PromptItem[], isAll = false): PromptItem[] {
  const end = isAll ? items.length : findLoopStart(items)
  return items.map((item, at) =>
    item.kind === 'output' && at < end ? { ...item, parts: item.parts.filter(({ type }) => type !== 'reasoning') } : item,
  )
}

/** Results of requests and questions are replies and answers, which are never cut. */
const isProtected = (tool: string): boolean => counterFor(tool) !== 'o'

/** Results that a compaction may cut, as indexes of `items`, oldest first. */
export function listCuttable(items: readonly PromptItem[], keepOutputs: number, longestChars: number): number[] {
  const outputs = items.flatMap(({ kind }, at) => (kind === 'output' ? [at] : []))
  const from = outputs.at(-keepOutputs) ?? 0
  return items.flatMap((item, at) =>
    item.kind === 'result' && at < from && !isProtected(item.tool) && item.result.is === 'outcome' && item.result.text.length > longestChars
      ? [at]
      : [],
  )
}

function compacted(items: readonly PromptItem[], { keepOutputs, longestChars, most }: Extract<PromptFact, { type: 'compacted' }>) {
  const cut = new Set(listCuttable(items, keepOutputs, longestChars).slice(0, most))
  return items.map((item, at): PromptItem => {
    if (item.kind !== 'result' || item.result.is !== 'outcome' || !cut.has(at)) return item
    const { ok, text } = item.result
    return { ...item, result: { is: 'shortened', tool: item.tool, chars: text.length, ok, handle: item.handle } }
  })
}

function startCourse(list: PromptList, course: number, why: CourseReason, snapshot: Snapshot): PromptList {
  const unseen = new Set(list.arrivals.map(({ arrival }) => arrival))
  const isNew = (arrival: Arrival): boolean => ![...unseen].some((other) => isSame(other, arrival))
  const { requestChars = Infinity, newsChars = Infinity } = snapshot
  const fit = (arrival: Arrival): Arrival => shortOutput(shortRequest(arrival, requestChars), newsChars)
  const pinned = list.isSide
    ? list.openRequests.map(({ arrival }) => fit(arrival))
    : [
        ...(list.firstMessage && !list.lastMessages.some((one) => isSame(one, list.firstMessage)) ? [list.firstMessage] : []),
        ...list.lastMessages,
        // Of a root these are ask-backs. Its next words would answer the newest one, so it must see them.
        ...list.openRequests.map(({ arrival }) => arrival),
      ]
  // Messages from before a branch are in the list already, and stay.
  const branched = why === 'first' ? list.items : []
  const shownAgain = branched.length > 0 ? [] : pinned.filter(isNew)
  const unended = [...list.olderCalls, ...list.lastCalls].filter(({ end }) => end === null)
  const waits = unended.filter(({ waiting }) => waiting !== null)
  const blocks: CourseBlock[] = [
    ...(snapshot.memories === null ? [] : [{ block: 'memories' as const, text: snapshot.memories }]),
    ...(snapshot.taskdoc === null ? [] : [{ block: 'task-document' as const, text: snapshot.taskdoc }]),
    ...(snapshot.reminders.length === 0 ? [] : [{ block: 'reminders' as const, reminders: snapshot.reminders }]),
    ...(waits.length === 0 ? [] : [{ block: 'waiting' as const, waiting: waits.map((open) => toWaitingLine(open, list.factAt)) }]),
    ...(why === 'forced' ? trail(list) : []),
    ...shownAgain.map((arrival) => ({ block: 'pinned' as const, arrival })),
  ]
  // An agent that clears its own mind has done with the results of its tools.
  const ended = list.lastCalls.flatMap((open) =>
    open.end && (why !== 'asked' || open.end.settlement.is !== 'result')
      ? [{ seq: open.end.seq, arrival: fit(lateArrival(open, open.end.settlement, open.end, { ...list, course })) }]
      : [],
  )
  const handles = shownAgain.flatMap((arrival) => (arrival.kind === 'ask-back' ? [arrival.handle] : []))
  const added: Note[] = [
    { kind: 'new-course', course, isFull: why === 'forced' && !snapshot.byPerson },
    ...(handles.length === 0 ? [] : [{ kind: 'ask-back' as const, handles }]),
  ]
  const notes =
    why === 'first' ? list.notes : [...list.notes, ...added.map((note) => ({ seq: 0, at: list.factAt, offset: list.factOffset, note }))]
  return {
    ...list,
    items: [...(blocks.length === 0 ? [] : [{ kind: 'course' as const, blocks }]), ...branched],
    lastCalls: [],
    olderCalls: unended,
    arrivals: [...list.arrivals.map(({ seq, arrival }) => ({ seq, arrival: fit(arrival) })), ...ended].toSorted(
      (one, two) => one.seq - two.seq,
    ),
    notes,
    fixedSeen: null,
    course,
    ...newEpoch(list),
  }
}

/** A request that takes too much of the window keeps its beginning and end; `recall_output` reads all of it while it is open. */
const shortRequest = (arrival: Arrival, longest: number): Arrival =>
  arrival.kind === 'request' || arrival.kind === 'ask-back'
    ? { ...arrival, text: shortened(arrival.text, longest, arrival.handle) }
    : arrival

const shortOutput = (arrival: Arrival, longest: number): Arrival =>
  arrival.kind === 'outcome' ? { ...arrival, text: shortened(arrival.text, longest, arrival.of) } : arrival

/** The whole text of an open request or ask-back, by the handle that the agent knows. */
export const findRequestText = ({ openRequests }: PromptList, handle: string): string | null =>
  openRequests.find(({ arrival }) => arrival.handle === handle)?.arrival.text ?? null

const isSame = (one: Arrival | null, two: Arrival | null): boolean =>
  one !== null && two !== null && one.kind === two.kind && one.at === two.at && handleOrText(one) === handleOrText(two)

const handleOrText = (arrival: Arrival): string => ('handle' in arrival ? arrival.handle : arrival.text)

const trail = ({ items, arrivals }: PromptList): CourseBlock[] => {
  const unseen = arrivals.map(({ arrival }): PromptItem => ({ kind: 'arrival', arrival }))
  const text = trailText([...items, ...unseen])
  return text === '' ? [] : [{ block: 'trail', text }]
}

const toWaitingLine = ({ handle, waiting, tool, session, madeAt, text }: OpenPromptCall, now: number): WaitingLine => ({
  handle,
  waiting: waiting?.on ?? { for: 'approval' },
  tool,
  session,
  passedMs: now - madeAt,
  text,
})
