import type { Language } from '../../shapes/language.ts'
import { dialogTexts, promptTexts } from '../../words/index.ts'
import { type Approval, applyEdits } from '../rules/approval.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { AskedQuestion } from '../rules/decide-question.ts'
import { askHuman } from '../rules/question.ts'
import type { ClosedQuestion, DialogState, OpenCall } from '../rules/dialog-state.ts'
import { describeBytes, fileLimits, type MessageFile } from '../rules/message-file.ts'
import { isTreeTool } from '../rules/tree-tools.ts'
import type { Agent, ToolContext } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import { OutputWithFiles } from '../../ports/tool-output.ts'
import { orAbandon } from '../../streams/abandon.ts'
import { failureText } from './failure-text.ts'

export const toolLimits = { outputChars: 60_000, timeoutMs: 10 * 60_000 } as const

type Result = Extract<DialogCommand, { type: 'return-tool' }>

/** Actions for calls without an outcome. */
export type CallPlan = {
  run: OpenCall[]
  /** It is unknown whether these ran, and running them twice may do harm. */
  ask: { call: OpenCall; asked: AskedQuestion }[]
  /** Approved by a person, and not yet run: checked once more, then started. */
  approved: { call: OpenCall; approval: Approval }[]
  /** Approved by a person and started; it is unknown whether they ran. */
  interrupted: OpenCall[]
  /** To be run if the gate allows it now: interrupted and safe to repeat, or covered by a rule or grant made later. */
  again: OpenCall[]
  /** Settled without running. */
  settled: { call: string; ok: boolean; output: unknown }[]
}

export const hasCallsToSettle = (plan: CallPlan): boolean => Object.values(plan).some((calls) => calls.length > 0)

/** `fresh` are the calls this very process has just written to the log, so it is certain that they did not run. */
export function planCalls(state: DialogState, agent: Agent, fresh: ReadonlySet<string>, ids: Ids): CallPlan {
  const plan: CallPlan = { run: [], ask: [], approved: [], interrupted: [], again: [], settled: [] }
  for (const call of Object.values(state.calls)) {
    if (isTreeTool(call.name) && call.name !== askHuman) continue
    if (call.name === askHuman) {
      if (call.question === null) plan.settled.push({ call: call.call, ok: false, output: notAsked(agent, call) })
      continue
    }
    if (call.question !== null && state.questions[call.question]) continue
    const closed = call.question === null ? undefined : state.closed[call.question]
    if (closed?.asked.approval) {
      planApproved(state, call, closed.asked.approval, closed.end, plan)
      continue
    }
    if (fresh.has(call.call)) {
      plan.run.push(call)
      continue
    }
    if (call.policy === 'repeat') {
      plan.again.push(call)
      continue
    }
    const end = closed?.end
    if (call.question === null || call.isStarted) plan.ask.push({ call, asked: askAboutRepeat(state, call, ids) })
    else if (end) decided(call, end.outcome === 'answered' ? end.answers?.['decision'] : 'skip', plan)
  }
  return plan
}

/** A call whose approval is closed. Started without a result: it is unknown whether it ran. */
function planApproved(state: DialogState, call: OpenCall, approval: Approval, end: ClosedQuestion, plan: CallPlan): void {
  const settle = (output: string): void => void plan.settled.push({ call: call.call, ok: false, output })
  const isCovered = end.outcome === 'cancelled' && end.why === 'covered'
  if (call.isStarted) plan[call.policy === 'repeat' ? 'again' : 'interrupted'].push(call)
  else if (isCovered) plan.again.push(call)
  else if (end.outcome !== 'answered' || end.decision === undefined) settle(dialogTexts[state.language].withdrawn)
  else if (end.decision !== 'deny') plan.approved.push({ call, approval })
  else settle(approval.isInterrupted ? notRepeated : dialogTexts[state.language].denied(end.by ?? '', end.note))
}

function notAsked(agent: Agent, call: OpenCall): string {
  const checked = agent.tools.find(({ name }) => name === askHuman)?.check(call.input)
  const why = checked && 'fault' in checked ? checked.fault : 'it is not well formed'
  return `Not asked: ${why}. Ask again with text, and items that have an id, a text and a kind; a choice needs at least two options.`
}

function decided(call: OpenCall, decision: string | undefined, plan: CallPlan): void {
  if (decision === 'again') plan.again.push(call)
  else if (decision === 'done')
    plan.settled.push({ call: call.call, ok: true, output: 'It had already been done before the interruption; its output was lost.' })
  else plan.settled.push({ call: call.call, ok: false, output: notRepeated })
}

const notRepeated = 'It was interrupted, and the human chose not to run it again.'

function askAboutRepeat(state: DialogState, call: OpenCall, ids: Ids): AskedQuestion {
  const { choose, repeatCall } = dialogTexts[state.language]
  return {
    question: ids.next('q'),
    call: call.call,
    to: 'owner',
    expiresAt: null,
    ask: {
      text: repeatCall.text(call.name),
      items: [
        {
          id: 'decision',
          text: choose,
          kind: 'choice',
          options: [
            { value: 'again', label: repeatCall.again },
            { value: 'done', label: repeatCall.done },
            { value: 'skip', label: repeatCall.skip },
          ],
        },
      ],
    },
  }
}

type CallParts = {
  clock: Clock
  log: Log
  language: Language
  abandonAfterMs(): number
  offered?: readonly string[]
  keepFile(name: string, bytes: Uint8Array): Promise<MessageFile>
}

/** Lists the tools that were really offered, and the one that was probably meant. */
export function unknownTool(tool: string, offered: readonly string[], language: Language, suggestion: string | null = null): string {
  const texts = promptTexts[language]
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const plainName = plain(tool)
  const near = offered.find(
    (name) => plain(name) === plainName || (plainName.length > 3 && (plain(name).includes(plainName) || plainName.includes(plain(name)))),
  )
  return texts.unknownTool(tool.slice(0, 64), suggestion ?? near ?? null, offered.join(', ') || texts.none)
}

/**
 * Runs one call. Whatever happens becomes a result the agent can read; only an abort is thrown. A tool that ignores its
 * abort signal is abandoned: its late result is logged and ignored.
 */
export async function runCall(
  agent: Agent,
  where: Pick<ToolContext, 'dialog' | 'taskdoc' | 'isSide' | 'language' | 'cause' | 'approvedFiles' | 'judgedPath'>,
  call: OpenCall,
  { clock, log, language, abandonAfterMs, offered, keepFile }: CallParts,
  signal: AbortSignal,
): Promise<Result> {
  const result = (ok: boolean, output: unknown): Result => ({ type: 'return-tool', at: clock.now(), call: call.call, ok, output })
  const tool = agent.tools.find(({ name }) => name === call.name)
  if (!tool) {
    const isGone = agent.prompt !== undefined
    const toolNames = offered ?? agent.tools.map(({ name }) => name)
    return result(false, isGone ? promptTexts[language].toolNotThere(call.name) : unknownTool(call.name, toolNames, language))
  }
  const checked = tool.check(applyEdits(call).input)
  if ('fault' in checked) return result(false, dialogTexts[language].badArguments(checked.fault.replace(/\.$/, '')))
  const timeout = new AbortController()
  const cancelTimer = clock.after(toolLimits.timeoutMs, () => timeout.abort())
  const either = AbortSignal.any([signal, timeout.signal])
  const about = { tool: call.name, call: call.call, dialog: where.dialog }
  try {
    const output = await orAbandon(
      tool.run(checked.input, { ...where, ...(call.edits && { edits: call.edits }), agent: agent.name, call: call.call, signal: either }),
      {
        signal: either,
        clock,
        afterMs: abandonAfterMs,
        onAbandoned: () => log('warn', 'a tool ignored its abort signal and was abandoned', about),
        onLate: () => log('warn', 'an abandoned tool returned late; its result is ignored', about),
      },
    )
    if (!(output instanceof OutputWithFiles)) return result(true, bounded(output))
    const { text, files } = await keepFiles(output, keepFile)
    return { ...result(true, bounded(text)), files }
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.signal.aborted) return result(false, dialogTexts[language].timedOut(toolLimits.timeoutMs / 60_000))
    log('warn', 'a tool failed', { tool: call.name, dialog: where.dialog, error })
    return result(false, failureText(error))
  } finally {
    cancelTimer()
  }
}

/** A file that is not stored is named in the text. */
async function keepFiles({ text, files }: OutputWithFiles, keep: CallParts['keepFile']): Promise<{ text: string; files: MessageFile[] }> {
  const storedFiles: MessageFile[] = []
  const lines: string[] = []
  for (const [at, { name, bytes }] of files.entries()) {
    if (at < fileLimits.filesPerResult && bytes.length > 0 && bytes.length <= fileLimits.imageBytes)
      storedFiles.push(await keep(name, bytes))
    else lines.push(`[file ${name}, ${describeBytes(bytes.length)}: not kept]`)
  }
  return { text: [text, ...lines].filter((part) => part !== '').join('\n'), files: storedFiles }
}

/** Text beyond the limit is replaced by a note, never cut silently. */
function bounded(output: unknown): unknown {
  if (output === undefined) return null
  const text = typeof output === 'string' ? output.toWellFormed() : JSON.stringify(output)
  if (text === undefined) return null
  if (text.length <= toolLimits.outputChars) return typeof output === 'string' ? text : (JSON.parse(text) as unknown)
  return `${text.slice(0, toolLimits.outputChars).toWellFormed()}\n[${text.length - toolLimits.outputChars} more characters were omitted]`
}
