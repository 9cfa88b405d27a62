import { dialogTexts, promptTexts } from '../../words/index.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { ToolCall } from '../rules/decide-turn.ts'
import { type DialogState, findFocus } from '../rules/dialog-state.ts'
import { statusMarkers } from '../rules/prompt/blocks.ts'
import type { ReplyStatus } from '../rules/prompt/prompt-items.ts'
import { findRequestText, type PromptList } from '../rules/prompt/prompt-list.ts'
import { endWithoutReply, judgeReply, type OpenForReply, withoutMarkers } from '../rules/prompt/reply-rules.ts'
import { assignmentPrompt, backPrompt, markers, type OpenAssignment, withMarker } from '../rules/tellask.ts'
import { getCause } from '../rules/turn-cause.ts'
import type { TreeCalls } from './tree-calls.ts'

type Load = (stream: string) => Promise<DialogState>

/** Handles of calls whose end the agent has not read. */
const listOut = ({ lastCalls, olderCalls, arrivals }: PromptList): string[] => [
  ...[...olderCalls, ...lastCalls].flatMap(({ end, waiting, handle }) => (end === null && waiting !== null ? [handle] : [])),
  ...arrivals.flatMap(({ arrival }) =>
    arrival.kind === 'reply' || arrival.kind === 'answer' ? [arrival.to] : arrival.kind === 'outcome' ? [arrival.of] : [],
  ),
]

/**
 * Requests and ask-backs that the agent has read and not answered. One that came while it wrote, or that its first reply of
 * this step made active, would get words that were meant for another.
 */
function listOpenRequests({ openRequests, arrivals }: PromptList): (OpenForReply & { id: string })[] {
  const unread = new Set(arrivals.flatMap(({ arrival }) => ('handle' in arrival ? [arrival.handle] : [])))
  return openRequests.flatMap(({ id, arrival: { handle, kind, from } }) => (unread.has(handle) ? [] : [{ id, handle, kind, from }]))
}

/** Delivers a reply, or says why not. */
export async function giveReply(
  call: ToolCall,
  input: unknown,
  made: TreeCalls,
  { state, at, load, callsInStep }: { state: DialogState; at: number; load: Load; callsInStep: readonly string[] },
): Promise<string | null> {
  const texts = promptTexts[state.language]
  const list = state.prompt?.list
  if (!list) return texts.nothingOpen
  if (state.turn?.alone) return dialogTexts[state.language].workStopped(state.turn.alone.by)
  const open = listOpenRequests(list)
  const out = listOut(list)
  const verdict = judgeReply(input, {
    language: state.language,
    open,
    callsInStep,
    out,
    wasRefusedForText: state.reply.wasRefusedForText,
  })
  if ('refused' in verdict) return verdict.refused
  const { delivers, status, text } = verdict
  const request = state.assignments.find(({ tellask }) => open.some(({ id, handle }) => id === tellask && handle === delivers.handle))
  if (!request) return texts.nothingOpen
  made.own.push({ type: 'return-tool', at, call: call.call, ok: true, output: texts.delivered(delivers.from) })
  if (request.mode !== 'back' && status !== 'done') made.own.push(...withdrawQuestions(state, at))
  await deliver(state, request, { text, status }, { made, at, load })
  return null
}

/** Work that is given up needs no answers any more. */
const withdrawQuestions = (state: DialogState, at: number): DialogCommand[] =>
  Object.values(state.questions).flatMap(({ question, purpose }): DialogCommand[] =>
    purpose === undefined ? [{ type: 'cancel-question', at, question, by: { kind: 'agent', name: state.agent } }] : [],
  )

/** The reply as the caller gets it: the marker of its status, then the words. An answer to an ask-back has no marker. */
export async function deliver(
  state: DialogState,
  request: OpenAssignment,
  { text, status }: { text: string; status: ReplyStatus },
  { made, at, load }: { made: TreeCalls; at: number; load: Load },
): Promise<void> {
  const { tellask, from, mode } = request
  const isFailed = status === 'failed'
  const replyFields =
    mode === 'back' && !isFailed
      ? { text: withoutMarkers(text) }
      : mode === 'reasoning' && !isFailed
        ? { text: withMarker(text, [markers.reasoned, markers.reasonedOnly]) }
        : { text: `${statusMarkers[status]}\n${withoutMarkers(text)}`, status }
  made.own.push({ type: 'give-reply', at, tellask, ...replyFields })
  if ((await load(from)).isDead) return
  const outcome = isFailed ? ('failed' as const) : ('replied' as const)
  made.others.push({ stream: from, commands: [{ type: 'receive-reply', at, tellask, outcome, ...replyFields, cause: getCause(state) }] })
}

export function withdrawQuestion(
  call: ToolCall,
  input: Record<string, unknown>,
  made: TreeCalls,
  state: DialogState,
  at: number,
): string | null {
  const texts = promptTexts[state.language]
  const list = state.prompt?.list
  const wantedHandle = typeof input['question'] === 'string' ? input['question'].trim() : ''
  const questionCalls = [...(list?.olderCalls ?? []), ...(list?.lastCalls ?? [])].filter(({ handle }) => handle.startsWith('q'))
  const open = Object.values(state.questions).flatMap(({ question, call: by, purpose }) => {
    const handle = questionCalls.find((one) => one.call === (by ?? question))?.handle
    return purpose === undefined && handle !== undefined ? [{ question, handle }] : []
  })
  const succeed = (...commands: DialogCommand[]): null => {
    const output = texts.questionWithdrawn(wantedHandle)
    made.own.push(...commands, { type: 'return-tool', at, call: call.call, ok: true, output })
    return null
  }
  // A program reads the id of its question, not a handle.
  const openQuestion = open.find(({ handle, question }) => wantedHandle === handle || wantedHandle === question)
  if (!openQuestion) {
    if (list && wasWithdrawn(list, wantedHandle)) return succeed()
    const number = /^q(\d+)$/.exec(wantedHandle)?.[1]
    const wasAsked = number !== undefined && Number(number) >= 1 && Number(number) <= (list?.counts.q ?? 0)
    if (wasAsked) return texts.questionAnswered(wantedHandle)
    return texts.noSuchQuestion(wantedHandle.slice(0, 40), open.map(({ handle }) => handle).join(', ') || texts.none)
  }
  const reason =
    typeof input['reason'] === 'string' && input['reason'].trim() !== '' ? input['reason'].trim().slice(0, 2_000).toWellFormed() : null
  return succeed({
    type: 'cancel-question',
    at,
    question: openQuestion.question,
    by: { kind: 'agent', name: state.agent },
    ...(reason !== null && { reason }),
  })
}

/** A question that was taken back has no answer to point to. */
const wasWithdrawn = ({ items, arrivals }: PromptList, question: string): boolean =>
  [...items, ...arrivals].some(
    (item) => 'arrival' in item && item.arrival.kind === 'answer' && item.arrival.to === question && item.arrival.outcome === 'cancelled',
  )

export const recallLimits = { lines: 2_000, chars: 8_000 } as const

/** Lines of an output or an open request that was shown cut. */
export async function recallOutput(
  call: ToolCall,
  input: Record<string, unknown>,
  made: TreeCalls,
  { state, at, readOutput }: { state: DialogState; at: number; readOutput(seq: number): Promise<string | null> },
): Promise<string | null> {
  const { badArguments } = dialogTexts[state.language]
  const list = state.prompt?.list
  const handle = typeof input['handle'] === 'string' ? input['handle'].trim() : ''
  const seq = list?.cutOutputs[handle]
  const request = list ? findRequestText(list, handle) : null
  const whole = seq === undefined ? request : await readOutput(seq)
  if (whole === null) return badArguments(`there is no shortened output ${handle.slice(0, 40)}`)
  const { from = 1, lines = recallLimits.lines } = input
  if (typeof from !== 'number' || !Number.isInteger(from) || from < 1) return badArguments('from must be a number from 1')
  if (typeof lines !== 'number' || !Number.isInteger(lines) || lines < 1 || lines > recallLimits.lines)
    return badArguments(`lines must be a number from 1 to ${recallLimits.lines}`)
  const most = (list?.resultChars ?? recallLimits.chars) - 200
  const all = whole.split('\n').flatMap((line) => wrapLine(line, most))
  if (from > all.length) return badArguments(`it has ${all.length} lines`)
  const pageLines: string[] = []
  let chars = 0
  for (const line of all.slice(from - 1, from - 1 + lines)) {
    if (pageLines.length > 0 && chars + line.length > most) break
    pageLines.push(line)
    chars += line.length + 1
  }
  const last = from + pageLines.length - 1
  made.own.push({
    type: 'return-tool',
    at,
    call: call.call,
    ok: true,
    output: `[lines ${from} to ${last} of ${all.length}]\n${pageLines.join('\n')}`,
  })
  return null
}

/** A line that does not fit into one result counts as several, so that all of it can be read. */
const wrapLine = (line: string, most: number): string[] =>
  line.length <= most
    ? [line]
    : Array.from({ length: Math.ceil(line.length / most) }, (_, at) => line.slice(at * most, (at + 1) * most).toWellFormed())

/** The end of a turn in which the agent gave no reply, although one is due. */
export type EndOfTurn =
  | { is: 'over' }
  | { is: 'nudge'; commands: DialogCommand[] }
  | { is: 'reply'; requests: readonly OpenAssignment[]; text: string; status: ReplyStatus }

/**
 * | the agent owes | it said | what follows |
 * |---|---|---|
 * | an answer to ask-backs | words, one ask-back is open | they are the answer |
 * | an answer to ask-backs | nothing, words to a person, or several are open | it is asked once, then its words go to all |
 * | a reply to a request | anything | it is asked once, then all its work words are the reply, `unstated` |
 * | a reply, and it only reasons | words | they are the reply |
 *
 * An agent that is no model is asked only if it has said nothing but words to a person.
 */
export function planEndWithoutReply(
  state: DialogState,
  { said, isToPerson, isModel, at }: { said: string; isToPerson: boolean; isModel: boolean; at: number },
): EndOfTurn {
  const focus = findFocus(state)
  if (!focus) return { is: 'over' }
  const texts = promptTexts[state.language]
  // A question asked back after the message is what the words answer.
  const isForPerson = isToPerson && (focus.mode !== 'back' || state.reply.toldSeq > focus.seq)
  const words = isForPerson ? '' : withoutMarkers(said)
  const failed = { is: 'reply' as const, status: 'failed' as const, text: texts.saidNothing(state.agent) }
  if (focus.mode === 'reasoning')
    return said.trim() === '' ? { ...failed, requests: [focus] } : { is: 'reply', requests: [focus], text: said, status: 'unstated' }
  if (focus.mode === 'back') {
    const backs = state.assignments.filter(({ mode, isActive }) => mode === 'back' && isActive)
    const wasAsked = state.reply.nudgedBacks.includes(focus.tellask)
    const isUnclear = words === '' || (isModel && backs.length > 1)
    if (isUnclear && !wasAsked && (isModel || isForPerson)) return nudge(state, focus, isModel, at)
    const requests = isModel ? backs : [focus]
    if (words === '') return isModel ? { ...failed, requests } : { is: 'reply', requests, text: silent(state), status: 'unstated' }
    return { is: 'reply', requests, text: words, status: 'unstated' }
  }
  const { words: all, nudgedAt } = state.reply
  const beforeNudge = all.slice(0, nudgedAt ?? all.length)
  // An agent that is no model is taken as one that was asked.
  const afterNudge = nudgedAt === null ? (isModel ? null : []) : all.slice(nudgedAt)
  const end = endWithoutReply({ beforeNudge, afterNudge })
  if (end.is === 'nudge') return nudge(state, focus, isModel, at)
  if (end.is === 'reply') return { is: 'reply', requests: [focus], text: end.text, status: 'unstated' }
  if (isModel) return { ...failed, requests: [focus] }
  // Words to a person are no reply: the request is shown once more.
  if (all.length > 0 && nudgedAt === null) return nudge(state, focus, isModel, at)
  return { is: 'reply', requests: [focus], text: silent(state), status: 'unstated' }
}

const silent = ({ language }: DialogState): string => dialogTexts[language].silentReply

function nudge(state: DialogState, focus: OpenAssignment, isModel: boolean, at: number): EndOfTurn {
  const handle = state.prompt?.list.openRequests.find(({ id }) => id === focus.tellask)?.arrival.handle ?? ''
  const note: DialogCommand = { type: 'note-prompt', at, notes: [{ kind: 'reply-nudge', handle }] }
  const text = focus.mode === 'back' ? backPrompt(state.language, focus, null) : assignmentPrompt(state.language, focus)
  return { is: 'nudge', commands: isModel ? [note] : [note, { type: 'add-prompt', at, why: 'reply', text }] }
}
