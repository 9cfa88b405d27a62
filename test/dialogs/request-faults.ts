import type { DialogEvent } from '../../src/dialogs/rules/dialog-events.ts'
import { type DialogState, initialDialog } from '../../src/dialogs/rules/dialog-state.ts'
import { evolveDialog } from '../../src/dialogs/rules/evolve-dialog.ts'
import { measureRoom } from '../../src/dialogs/rules/prompt/context-levels.ts'
import { toPlainText } from '../../src/dialogs/rules/prompt/fences.ts'
import type { Arrival, PromptItem } from '../../src/dialogs/rules/prompt/prompt-items.ts'
import { measureItems } from '../../src/dialogs/rules/prompt/prompt-size.ts'
import type { Request } from './model-scene.ts'

/** The traces of a run: the requests in the order they were sent, and the log of each dialog. */
export type Played = { requests: readonly Request[]; logs: ReadonlyMap<string, readonly DialogEvent[]>; window: number }

/** The first rule among P9 to P15 that a run breaks, by the log of its dialogs; null for none. */
export function findRequestFault({ requests, logs, window }: Played): string | null {
  for (const [dialog, log] of logs) {
    const own = requests.filter((request) => request.dialog === dialog)
    const fault = replyFault(dialog, log, logs) ?? overflowFault(log) ?? sizeFault(log, own, window)
    if (fault !== null) return `${dialog}: ${fault}`
    const states = readStates(log)
    for (const [at, request] of own.entries()) {
      // An earlier try may have been sent before a course that the log has now.
      const isLast = !own.some((later, index) => index > at && later.turn === request.turn && later.generation === request.generation)
      const state = isLast ? states.get(`${request.turn} ${request.generation}`) : undefined
      const match =
        unknownToolFault(request, own[at - 1]) ??
        refusalFault(request, log) ??
        (state === undefined ? null : (pinnedFault(request, state) ?? unsettledFault(request, state)))
      if (match !== null) return `${dialog}, request ${at}: ${match}`
    }
  }
  return null
}

type Known = { state: DialogState; log: readonly DialogEvent[] }

/** The dialog as each finished generation knew it: everything up to the number that its request was fixed at. */
function readStates(log: readonly DialogEvent[]): Map<string, Known> {
  const states = new Map<string, Known>()
  let fixed: number | null = null
  const folds = [initialDialog]
  for (const event of log) folds.push(evolveDialog(folds.at(-1) ?? initialDialog, event))
  for (const [index, event] of log.entries()) {
    if (event.type === 'generation.started') fixed = event.data.seen ?? index + 1
    if (event.type === 'generation.finished') {
      const seen = fixed ?? event.data.seen ?? index
      states.set(`${event.data.turn} ${event.data.generation}`, { state: folds[seen] ?? initialDialog, log: log.slice(0, seen) })
    }
    if (['generation.finished', 'course.started', 'turn.stopped', 'turn.failed'].includes(event.type)) fixed = null
  }
  return states
}

const listArrivals = (items: readonly PromptItem[]): Arrival[] =>
  items.flatMap((item) => {
    if (item.kind === 'arrival') return [item.arrival]
    return item.kind === 'course' ? item.blocks.flatMap((block) => (block.block === 'pinned' ? [block.arrival] : [])) : []
  })

/** P9: the open requests of a side, or the first and the last three messages of a root, and the reminders. */
function pinnedFault({ prompt: { items, tools }, wires }: Request, { state, log }: Known): string | null {
  if (tools.length === 0) return null
  const arrivals = listArrivals(items)
  const missing = state.assignments.find(
    ({ isActive, content }) =>
      isActive &&
      !arrivals.some(
        ({ kind, ...rest }) => (kind === 'request' || kind === 'ask-back') && 'text' in rest && content.includes(rest.text.slice(0, 40)),
      ),
  )
  if (missing) return `the open request ${missing.tellask} is not there`
  const said = log.flatMap((event) => (event.type === 'message.said' && event.data.by.kind === 'human' ? [event.data.text] : []))
  const pinned = state.origin === null ? [...said.slice(0, 1), ...said.slice(-3)] : []
  const unread = pinned.find((text) => !arrivals.some((arrival) => arrival.kind === 'message' && arrival.text === text.slice(0, 8_000)))
  if (unread !== undefined) return `the message ${unread.slice(0, 40)} is not there`
  const forgotten = state.reminders.find(({ text }) => !wires.chat.includes(JSON.stringify(toPlainText(text)).slice(1, -1)))
  return forgotten ? `the reminder ${forgotten.text} is not there` : null
}

/** P9, P13: a call without an end is shown as one that waits, and as nothing else. */
function unsettledFault({ prompt: { items } }: Request, { state, log }: Known): string | null {
  const shown = new Map(items.flatMap((item) => (item.kind === 'result' ? [[item.call, item] as const] : [])))
  const handles = new Map(items.flatMap((item) => (item.kind === 'result' ? [[item.handle, item.call] as const] : [])))
  const waiting = new Set(
    items
      .flatMap((item) => (item.kind === 'course' ? item.blocks.flatMap((block) => (block.block === 'waiting' ? block.waiting : [])) : []))
      .map(({ handle }) => handle),
  )
  const open = [
    ...Object.values(state.pending).map(({ call }) => call),
    ...Object.values(state.questions).flatMap(({ call }) => (call === null ? [] : [call])),
  ]
  for (const call of open) {
    const result = shown.get(call)?.result.is
    if (result === 'outcome' || result === 'stopped' || result === 'shortened') return `${call} is open and shown as ${result}`
  }
  const hidden = open.filter((call) => !shown.has(call))
  if (hidden.length > waiting.size) return `${hidden.join()} is open and not shown`
  const late = listArrivals(items).flatMap((arrival) => {
    const handle = arrival.kind === 'reply' || arrival.kind === 'answer' ? arrival.to : arrival.kind === 'outcome' ? arrival.of : ''
    return handles.get(handle) ?? []
  })
  const early = late.find((call) => open.includes(call))
  if (early !== undefined) return `${early} is open and its end is shown`
  const made = log.flatMap((event) => (event.type === 'tool.called' ? [event.data.call] : []))
  const unknown = [...shown.keys()].find((call) => !made.includes(call))
  return unknown === undefined ? null : `${unknown} was never called`
}

type Block = { type?: string; tool_use_id?: string; content?: unknown; is_error?: boolean }

const claimsSuccess = /^(?:Delivered to|已交付|Reminder \d+ (?:of \d+ kept|changed)|A new course starts|新一程开始|ok$)/

/** P12: a call that failed is an error in the wire that knows errors, and its text claims no success. */
function refusalFault({ wires }: Request, log: readonly DialogEvent[]): string | null {
  const failed = new Set(log.flatMap((event) => (event.type === 'tool.returned' && !event.data.ok ? [event.data.call] : [])))
  const [, , ...messages] = JSON.parse(`${wires.anthropic}]`) as { content: Block[] }[]
  for (const block of messages.flatMap(({ content }) => content)) {
    if (block.type !== 'tool_result' || !failed.has(block.tool_use_id ?? '')) continue
    const text = typeof block.content === 'string' ? block.content : JSON.stringify(block.content ?? '')
    if (text.trim() === '') return `${block.tool_use_id} was refused without a word`
    if (claimsSuccess.test(text)) return `${block.tool_use_id} was refused and says ${text.slice(0, 60)}`
    const isWaiting = / is with | waits for |已交给|已向人提出|正在等人批准/.test(text)
    if (!isWaiting && block.is_error !== true && !text.startsWith('[')) return `${block.tool_use_id} was refused and is no error`
  }
  return null
}

/** P15: the tools named are those of the request that made the call. */
function unknownToolFault({ prompt: { items } }: Request, before: Request | undefined): string | null {
  const loop = items.slice(items.findLastIndex(({ kind }) => kind === 'output') + 1)
  for (const item of loop) {
    if (item.kind !== 'result' || item.result.is !== 'outcome') continue
    const names = /^(?:There is no tool .* Tools: (.*)\.|没有工具.*现有工具：(.*)。)$/s.exec(item.result.text)
    const listed = names?.[1] ?? names?.[2]
    if (listed === undefined || before === undefined) continue
    const offered = before.prompt.tools.map(({ name }) => name).toSorted()
    if (listed.split(/, |、/).toSorted().join() !== offered.join()) return `the tools are ${offered.join()}, named are ${listed}`
  }
  return null
}

/** P10: one reply closes one request, and completion is claimed by the agent itself. P11: no words to a person are in it. */
function replyFault(dialog: string, log: readonly DialogEvent[], logs: Played['logs']): string | null {
  const received = new Map<string, string>()
  for (const event of log) {
    if (event.type !== 'reply.received') continue
    const { tellask, text } = event.data
    if (received.has(tellask)) return `${tellask} has two replies`
    received.set(tellask, text)
    if (text.includes(toPerson)) return `the reply to ${tellask} has words to a person: ${text.slice(0, 80)}`
    if (!text.startsWith('【最终完成】')) continue
    const made = log.find((one) => one.type === 'tellask.made' && one.data.tellask === tellask)
    const callee = made?.type === 'tellask.made' ? (logs.get(made.data.to) ?? []) : []
    const isClaimed = callee.some((one) => {
      if (one.type !== 'tool.called' || one.data.name !== 'reply') return false
      const { status, text: words } = one.data.input as { status?: string; text?: string }
      return status === 'done' && text.slice('【最终完成】'.length).trim() === (words ?? '').trim()
    })
    if (!isClaimed) return `the reply to ${tellask} says complete, and no agent did: ${text.slice(0, 80)}`
  }
  const given = log.flatMap((event) => (event.type === 'reply.given' ? [event.data.tellask] : []))
  return new Set(given).size === given.length ? null : `${dialog} has replied twice to a request`
}

/** Stands in all words that scripted agents say to a person in a side dialog. */
export const toPerson = 'Dear person,'

/** P14: after an overflow error that is tried again, a course begins before anything else is asked of the model. */
function overflowFault(log: readonly DialogEvent[]): string | null {
  let isDue = false
  for (const event of log) {
    if (event.type === 'course.started' || event.type === 'turn.failed' || event.type === 'turn.stopped') isDue = false
    if (event.type === 'generation.finished' && isDue) return 'an overflow error led to no course'
    if (event.type === 'generation.failed' && event.data.code === 'context_overflow' && event.data.retryAt !== null) isDue = true
  }
  const end = log.findLast(({ type }) => ['turn.started', 'turn.finished', 'turn.failed'].includes(type))
  if (end?.type !== 'turn.failed') return null
  return ['context_overflow', 'context_full'].includes(end.data.code) ? `it failed for good with ${end.data.code}` : null
}

/** P14: what the provider counted for the last request, and a third of the bytes since, is at most what the window leaves for it. */
function sizeFault(log: readonly DialogEvent[], requests: readonly Request[], window: number): string | null {
  const { usableTokens } = measureRoom({ windowTokens: window, inputLimitTokens: window, maxOutputTokens: null })
  const counts = new Map(
    log.flatMap((event) =>
      event.type === 'generation.finished' ? [[`${event.data.turn} ${event.data.generation}`, event.data.usage.inputTokens] as const] : [],
    ),
  )
  for (const [at, request] of requests.entries()) {
    const isTry = ({ turn, generation }: Request): boolean => turn === request.turn && generation === request.generation
    const before = requests.findLast((one, index) => index < at && !isTry(one) && counts.has(`${one.turn} ${one.generation}`))
    const counted = before && before.prompt.epoch === request.prompt.epoch ? counts.get(`${before.turn} ${before.generation}`) : null
    if (!before || counted === null || counted === undefined) continue
    const tokens = counted + Math.ceil(measureItems(request.prompt.items.slice(before.prompt.items.length), request.language) / 3)
    if (tokens > usableTokens) return `request ${at} has ${tokens} of ${usableTokens} tokens`
  }
  return null
}
