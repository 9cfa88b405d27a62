import { isDeepStrictEqual } from 'node:util'
import type { DialogEvent } from '../../src/dialogs/rules/dialog-events.ts'
import { evolveDialog } from '../../src/dialogs/rules/evolve-dialog.ts'
import { type DialogState, initialDialog, getStatus } from '../../src/dialogs/rules/dialog-state.ts'
import type { Store, StoredEvent } from '../../src/ports/store.ts'
import { foldViews } from '../../src/app/stream-kinds.ts'
import type { World } from './random-team.ts'

type Seen = { acknowledged: readonly { dialog: string; seq: number; text: string }[]; world: World }

/** Rules that hold at the end of every run. Each sentence names the rule it belongs to. */
export async function violations(store: Store, { acknowledged, world }: Seen): Promise<string[]> {
  const matches: string[] = []
  const ofDialogs = (await store.readAll(0, 1_000_000)).filter(({ stream }) => stream.startsWith('dlg_'))
  const streams = Map.groupBy(ofDialogs, ({ stream }) => stream)
  const states = new Map<string, DialogState>()
  for (const [stream, own] of streams) states.set(stream, (own as unknown as DialogEvent[]).reduce(evolveDialog, initialDialog))

  for (const [stream, events] of streams) {
    if (events.some(({ seq }, index) => seq !== index + 1)) matches.push(`lost: the numbers of ${stream} have gaps`)
    matches.push(...turnsOverlap(stream, events), ...questionsOnce(stream, events))
  }
  for (const { dialog, seq, text } of acknowledged) {
    const event = streams.get(dialog)?.[seq - 1]
    if (event === undefined || getData(event)['text'] !== text)
      matches.push(`lost: what was said to ${dialog} as number ${seq} is not there`)
    if (states.get(dialog)?.isDead === false && !world.read.has(`${dialog} ${text}`))
      matches.push(`unheard: no generation has read "${text}" in ${dialog}`)
  }
  for (const place of world.overlaps) matches.push(`overlap: two generations at once in ${place}`)
  matches.push(...repliesOnce(streams, states))
  for (const [stream, state] of states) {
    if (!['ready', 'dead'].includes(getStatus(state))) matches.push(`waits: ${stream} is ${getStatus(state)} although nothing is in flight`)
    const openCalls = state.isDead ? [] : Object.keys(state.calls)
    if (openCalls.length > 0) matches.push(`waits: ${openCalls.join(', ')} of ${stream} never got a result`)
  }
  for (const [key, row] of await foldViews(store)) {
    if (!isDeepStrictEqual(await store.row(row.view, row.key), row)) matches.push(`views: the row ${key} is not what the log says`)
  }
  for (const [dialog, tokens] of world.metered) {
    const counted = (streams.get(dialog) ?? []).reduce((sum, event) => sum + spentIn(event), 0)
    if (counted < tokens) matches.push(`metered: the model used ${tokens} tokens for ${dialog}, of which the log counts ${counted}`)
  }
  for (const [call, times] of world.effects) {
    if (times > 1 && makePolicy(call, streams) === 'ask' && !isSanctioned(call, streams))
      matches.push(`twice: ${call} took effect ${times} times without a question`)
  }
  matches.push(...runsUnasked(streams, world.effects), ...decidedByOthers(streams))
  return matches
}

const spentIn = (event: StoredEvent): number => (event.data as { spent?: { tokens: number } }).spent?.tokens ?? 0

const getData = (event: StoredEvent): Record<string, unknown> => event.data as Record<string, unknown>

function turnsOverlap(stream: string, events: readonly StoredEvent[]): string[] {
  let running: unknown = null
  const faults: string[] = []
  for (const event of events) {
    if (event.type === 'turn.started') {
      if (running !== null) faults.push(`overlap: a turn of ${stream} starts inside another`)
      running = getData(event)['turn']
    } else if (['turn.finished', 'turn.failed', 'turn.stopped', 'dialog.died'].includes(event.type)) running = null
  }
  return faults
}

function questionsOnce(stream: string, events: readonly StoredEvent[]): string[] {
  const ends = new Map<unknown, number>()
  for (const event of events) {
    if (event.type === 'question.asked') ends.set(getData(event)['question'], 0)
    else if (event.type.startsWith('question.')) ends.set(getData(event)['question'], (ends.get(getData(event)['question']) ?? 9) + 1)
  }
  return [...ends]
    .filter(([, count]) => count !== 1)
    .map(([question, count]) => `questions: ${String(question)} of ${stream} ended ${count} times`)
}

/** Each request has one reply where it was made; the one who was asked has given one, or is dead. */
function repliesOnce(streams: ReadonlyMap<string, StoredEvent[]>, states: ReadonlyMap<string, DialogState>): string[] {
  const problems: string[] = []
  const all = [...streams.values()].flat()
  const count = (type: string): Map<unknown, number> => {
    const counts = new Map<unknown, number>()
    for (const event of all)
      if (event.type === type) counts.set(getData(event)['tellask'], (counts.get(getData(event)['tellask']) ?? 0) + 1)
    return counts
  }
  const [received, given, got] = [count('tellask.received'), count('reply.given'), count('reply.received')]
  for (const event of all) {
    if (event.type !== 'tellask.made') continue
    const { tellask, to } = getData(event) as { tellask: string; to: string }
    const isCallerDead = states.get(event.stream)?.isDead === true
    if (received.get(tellask) !== 1) problems.push(`replies: ${tellask} reached ${to} ${received.get(tellask) ?? 0} times`)
    const replies = got.get(tellask) ?? 0
    if (replies > 1 || (replies === 0 && !isCallerDead)) problems.push(`replies: ${tellask} of ${event.stream} got ${replies} replies`)
    if ((given.get(tellask) ?? 0) > 1) problems.push(`replies: ${to} replied to ${tellask} more than once`)
  }
  return problems
}

const makePolicy = (call: string, streams: ReadonlyMap<string, StoredEvent[]>): unknown =>
  [...streams.values()].flat().find((event) => event.type === 'tool.called' && getData(event)['call'] === call)?.data['policy' as never]

/** A person said "run it again" in a question about this very call. */
const isSanctioned = (call: string, streams: ReadonlyMap<string, StoredEvent[]>): boolean =>
  [...streams.values()].flat().some((event) => event.type === 'question.asked' && getData(event)['call'] === call)

/** A call that needed approval takes effect at most once for each approval; a denied one never does; each has a decision. */
function runsUnasked(streams: ReadonlyMap<string, StoredEvent[]>, effects: ReadonlyMap<string, number>): string[] {
  const all = [...streams.values()].flat()
  const called = new Map(all.filter(({ type }) => type === 'tool.called').map((event) => [getData(event)['call'], event]))
  const askedEvents = new Map(all.filter(({ type }) => type === 'question.asked').map((event) => [getData(event)['question'], event]))
  const granted = new Set(
    all.filter(({ type }) => type === 'grant.made').map((event) => (getData(event)['grant'] as { tool: string; agent: string }).tool),
  )
  const approvals = new Map<unknown, number>()
  for (const event of all) {
    if (event.type !== 'question.answered' || !['once', 'chat', 'always'].includes(String(getData(event)['decision']))) continue
    const question = askedEvents.get(getData(event)['question'])
    const call = question && getData(question)['call']
    approvals.set(call, (approvals.get(call) ?? 0) + 1)
  }
  const problems: string[] = []
  for (const [call, times] of effects) {
    const event = called.get(call)
    const gate = event && (getData(event)['gate'] as { decision: string } | undefined)
    if (!gate) problems.push(`unasked: ${call} ran without a decision of the gate`)
    else if (gate.decision === 'deny') problems.push(`unasked: ${call} ran although it was denied`)
    // A grant that was made later may have let it run as well.
    else if (gate.decision === 'ask' && !granted.has(String(getData(event)['name'])) && times > (approvals.get(call) ?? 0))
      problems.push(`unasked: ${call} took effect ${times} times and was approved ${approvals.get(call) ?? 0} times`)
  }
  return problems
}

/** Only an owner approves calls they caused, and only operators and owners approve at all. */
function decidedByOthers(streams: ReadonlyMap<string, StoredEvent[]>): string[] {
  const all = [...streams.values()].flat()
  const causes = new Map(
    all
      .filter(({ type, data }) => type === 'question.asked' && 'approval' in data)
      .map((event) => [getData(event)['question'], getData(event)['cause'] as { by: { id: string }[] }]),
  )
  return all.flatMap((event) => {
    if (event.type !== 'question.answered') return []
    const { question, by } = getData(event) as { question: string; by: { id?: string; role?: string } }
    const cause = causes.get(question)
    if (!cause || by.role === 'owner') return []
    const isTheirs = cause.by.some(({ id }) => id === by.id)
    return by.role === 'operator' && !isTheirs
      ? []
      : [`decider: ${question} was decided by ${by.id ?? 'a stranger'} (${by.role ?? 'no role'})`]
  })
}

/** No tree has spent more than it may. Looked at before the end, when the bound is lifted so that all can come to rest. */
export async function overspent(store: Store, { budget, dayBudget, metered }: World): Promise<string[]> {
  const raised = async (key: string): Promise<number> => {
    const body: { raisedTokens?: number } | undefined = (await store.row('budget', key))?.body
    return body?.raisedTokens ?? 0
  }
  const over: string[] = []
  if (dayBudget !== null) {
    const days = await store.rows({ view: 'budget', group: 'day', limit: 10 })
    const limit = dayBudget + (await raised(days[0]?.key ?? ''))
    const used = [...metered.values()].reduce((sum, tokens) => sum + tokens, 0)
    // Two days only after the clock was set across midnight: each has a budget of its own.
    if (days.length <= 1 && used > limit) over.push(`day: the model used ${used} of ${limit} tokens`)
  }
  if (budget === null) return over
  const roots = new Map<string, string>()
  const spent = new Map<string, number>()
  for (const event of await store.readAll(0, 1_000_000)) {
    const data = getData(event) as { origin?: { root: string }; spent?: { tokens: number } }
    if (event.type === 'dialog.opened') roots.set(event.stream, data.origin?.root ?? event.stream)
    const root = roots.get(event.stream) ?? event.stream
    spent.set(root, (spent.get(root) ?? 0) + (data.spent?.tokens ?? 0))
  }
  for (const [root, tokens] of spent) {
    const limit = budget + (await raised(`dialog ${root}`))
    if (tokens > limit) over.push(`budget: ${root} spent ${tokens} of ${limit} tokens`)
  }
  return over
}
