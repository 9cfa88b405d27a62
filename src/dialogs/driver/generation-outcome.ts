import type { Agent } from '../../ports/agent-runtime.ts'
import type { Settle, Store } from '../../ports/store.ts'
import { dialogTexts, promptTexts } from '../../words/index.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { AskedQuestion } from '../rules/decide-question.ts'
import type { ToolCall } from '../rules/decide-turn.ts'
import type { DialogEvent, Hold, Spent } from '../rules/dialog-events.ts'
import { type DialogState, findFocus, isUnblocked } from '../rules/dialog-state.ts'
import { askHuman } from '../rules/question.ts'
import { isTreeTool } from '../rules/tree-tools.ts'
import { foldCommands } from './fold-commands.ts'
import { type Generated, generationLimits } from './generation.ts'
import { rateHealth, pushFor } from './mind.ts'
import { deliver, planEndWithoutReply } from './reply-calls.ts'
import { judgeCalls } from './recheck-calls.ts'
import { type Order, type TreeCalls, treeCalls } from './tree-calls.ts'
import { unknownTool } from './tool-calls.ts'
import type { TurnRun } from './turn-run.ts'

type Load = (stream: string) => Promise<DialogState>

/** `seen` is the number of the last event the generation knew of. */
type FinishedGeneration = { made: Generated; by: Agent; seen: number; spent: Spent }

type Outcome = { orders: Order[]; settle?: Settle | undefined }

/**
 * Everything that follows from a generation, here and in other dialogs, as one commit:
 *
 * | concern | commands                                                                    | done by      |
 * |---------|-----------------------------------------------------------------------------|--------------|
 * | talk    | the finished generation: its message, calls and questions; denied calls     | `recordTalk` |
 * | tree    | requests to other dialogs, and what the agent does to its own mind          | `treeCalls`  |
 * | turn    | a stop, another generation, or the end of the turn with the reply it gives  | `planEnd`    |
 */
export async function planOutcome(run: TurnRun, load: Load, finished: FinishedGeneration): Promise<Outcome> {
  const { dialog, parts } = run
  const { made, by, seen } = finished
  const latest = await load(dialog)
  const at = run.now()
  const { own, asked, denied } = await recordTalk(run, latest, at, finished)
  const hold = (state: DialogState): Promise<Hold | null> => parts.holdOn(dialog, state, load)
  const allowed = made.calls.filter(({ call }) => !denied.has(call))
  const { team, ids } = parts
  const callsInStep = made.calls.map(({ name }) => name)
  const readOutput = (seq: number): Promise<string | null> => readToolOutput(parts.store, dialog, seq)
  const scene = { dialog, state: foldCommands(latest, own), agent: by, team, ids, at, load, hold, readOutput, callsInStep, ...parts.tree }
  const tree = await treeCalls(allowed, asked, scene)
  own.push(...tree.own)
  const orders: Order[] = [{ stream: dialog, commands: own }, ...tree.others]
  const after = foldCommands(scene.state, tree.own)
  // A stop that came during the last words still counts; the words stay.
  if (after.stopRequested) {
    const held = await hold(after)
    const unstarted = made.calls.map(({ call }) => call)
    own.push({ type: 'stop-turn', at, text: null, seen, unstarted, ...(held ? { held } : {}) })
    return { orders, settle: held?.dialog === null ? { retryAt: at, forgive: true } : 'done' }
  }
  // A reply ends the turn; other results are read first.
  if (tree.isDelivered) {
    own.push({ type: 'finish-turn', at, seen })
    return { orders, settle: 'done' }
  }
  // The agent need not read that its presentation is shown.
  const hasResults = tree.own.filter(({ type }) => type === 'return-tool').length > tree.shown
  const needsResult = (call: ToolCall): boolean => isUnanswered(call, made, asked, denied)
  if (made.wantsMore || hasResults || made.calls.some(needsResult)) return { orders }
  return planEnd(run, load, finished, { latest, after, at, orders, own })
}

/** The finished generation itself, and the results of calls that do not run. */
async function recordTalk(
  run: TurnRun,
  latest: DialogState,
  at: number,
  { made, by, seen, spent }: FinishedGeneration,
): Promise<{ own: DialogCommand[]; asked: AskedQuestion[]; denied: ReadonlySet<string> }> {
  const { dialog, parts } = run
  const { text, shown, calls, questions, together, title, model, usage } = made
  const own: DialogCommand[] = latest.turn === null ? [run.gate.start()] : []
  const refused = refuseCalls(latest, by, made)
  const { epoch, list } = latest.prompt ?? {}
  if (made.layout && epoch && list)
    own.push({
      type: 'start-epoch',
      at,
      epoch: { why: made.layout, ...epoch, maker: by.prompt?.maker ?? epoch.maker, resultChars: list.resultChars, offset: list.factOffset },
    })
  const judged = await judgeCalls(parts.gatekeeper, by, calls, { dialog, state: foldCommands(latest, own), now: at }, refused)
  for (const [call, path] of judged.paths) run.judgedPaths.set(call, path)
  const denied = new Set(judged.denied.map(({ call }) => call))
  const asked = questions.filter(({ call }) => call === null || !denied.has(call))
  own.push({
    type: 'finish-generation',
    at,
    model,
    usage,
    seen,
    health: rateHealth(made.promptTokens ?? usage.inputTokens, by.prompt),
    spent,
    message: text.trim() === '' ? null : { id: parts.ids.next('msg'), text, ...(shown && { shown }) },
    calls: judged.calls,
    questions: [...asked, ...judged.approvals],
    ...(title === undefined ? {} : { title }),
    ...(by.prompt && { output: made.output }),
    ...(made.promptTokens !== undefined && { promptTokens: made.promptTokens }),
  })
  for (const { call, text: output } of judged.denied) own.push({ type: 'return-tool', at, call, ok: false, output })
  const first = asked.find(({ call }) => call !== null)?.call ?? null
  const handle = first === null ? '' : findHandle(foldCommands(latest, own), first)
  const output = promptTexts[latest.language].askedTogether(handle)
  for (const call of together) if (!denied.has(call)) own.push({ type: 'return-tool', at, call, ok: true, output })
  return { own, asked, denied }
}

const findHandle = ({ prompt }: DialogState, call: string): string =>
  [...(prompt?.list.lastCalls ?? []), ...(prompt?.list.olderCalls ?? [])].find((open) => open.call === call)?.handle ?? ''

/** Calls that are not even judged: too many at once, or of tools that this request did not have. */
function refuseCalls(state: DialogState, by: Agent, { calls, faults }: Generated): Map<string, string> {
  const texts = promptTexts[state.language]
  const refused = new Map<string, string>()
  const declared = by.prompt ? (state.prompt?.epoch?.tools.map(({ name }) => name) ?? []) : null
  for (const [index, { call, name }] of calls.entries()) {
    const fault = faults[call]
    if (fault?.kind === 'bad-arguments') refused.set(call, dialogTexts[state.language].badArguments(fault.why))
    else if (fault?.kind === 'too-many' || index >= generationLimits.callsRun)
      refused.set(call, texts.tooManyCalls(generationLimits.callsRun))
    else if (declared && !declared.includes(name))
      refused.set(call, unknownTool(name, declared, state.language, fault?.kind === 'unknown-tool' ? fault.suggestion : null))
  }
  return refused
}

async function readToolOutput(store: Store, dialog: string, seq: number): Promise<string | null> {
  const [event] = (await store.read(dialog, seq - 1, 1)) as unknown as DialogEvent[]
  if (event?.type !== 'tool.returned') return null
  const { output } = event.data
  return typeof output === 'string' ? output : JSON.stringify(output, null, 1)
}

/** The agent has to see the result of this call before it rests. */
const isUnanswered = ({ call, name }: ToolCall, { together }: Generated, asked: readonly AskedQuestion[], denied: ReadonlySet<string>) =>
  denied.has(call) ||
  !isTreeTool(name) ||
  (name === askHuman && !together.includes(call) && !asked.some((question) => question.call === call))

/** The turn ends, with a reply if one is due, unless the agent is told to look once more. */
async function planEnd(
  run: TurnRun,
  load: Load,
  { made, by, seen }: FinishedGeneration,
  { latest, after, at, orders, own }: { latest: DialogState; after: DialogState; at: number; orders: Order[]; own: DialogCommand[] },
): Promise<Outcome> {
  // The agent has not read what came during the generation: its words are no reply to that, and not its last ones.
  const hasNews = latest.inputSeq > seen || latest.settledSeq > seen
  const focus = findFocus(after)
  // An answer to a person while the work is stopped is no reply to a request: the request stays open.
  if (!after.turn?.alone && isUnblocked(after) && (focus?.mode === 'back' ? focus.seq <= seen : !hasNews)) {
    const isToPerson = after.reply.toldSeq !== latest.reply.toldSeq
    const end = planEndWithoutReply(after, { said: made.text, isToPerson, isModel: by.prompt !== undefined, at })
    if (end.is === 'nudge') {
      own.push(...end.commands)
      return { orders }
    }
    if (end.is === 'reply') {
      const replies: TreeCalls = { own, others: [] }
      for (const request of end.requests) if (request.seq <= seen) await deliver(after, request, end, { made: replies, at, load })
      orders.push(...replies.others)
    } else if (run.notes.followUps !== 'suppressed') {
      const push = pushFor(after, by, made.text)
      if (push) {
        own.push({ ...push, at })
        return { orders }
      }
    }
  }
  own.push({ type: 'finish-turn', at, seen })
  return { orders, settle: 'done' }
}
