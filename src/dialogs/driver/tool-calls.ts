import { type Approval, coveredReason } from '../dialog/approval.ts'
import type { AskedQuestion, DialogCommand } from '../dialog/decide.ts'
import type { Language } from '../dialog/events.ts'
import { askHuman } from '../dialog/question.ts'
import { approvalTexts } from '../dialog/result-texts.ts'
import type { ClosedQuestion, DialogState, OpenCall } from '../dialog/state.ts'
import { isTreeTool } from '../dialog/tree-tools.ts'
import type { Agent, ToolContext } from '../ports/agent-runtime.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import { orAbandon } from '../streams/abandon.ts'
import { failureText } from './failure-text.ts'

export const toolLimits = { outputChars: 60_000, timeoutMs: 10 * 60_000 } as const

type Result = Extract<DialogCommand, { type: 'return-tool' }>

/** What to do with the calls that have no outcome yet. */
export type CallPlan = {
  run: OpenCall[]
  /** Nobody knows whether these ran, and running them twice may do harm. */
  ask: { call: OpenCall; asked: AskedQuestion }[]
  /** Approved by a person, and not yet run: checked once more, then started. */
  approved: { call: OpenCall; approval: Approval }[]
  /** Approved by a person and begun; nobody knows whether they ran. */
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

/** A call whose approval is closed. Started without a result: nobody knows whether it ran. */
function planApproved(state: DialogState, call: OpenCall, approval: Approval, end: ClosedQuestion, plan: CallPlan): void {
  const settle = (output: string): void => void plan.settled.push({ call: call.call, ok: false, output })
  const isCovered = end.outcome === 'cancelled' && end.reason === coveredReason
  if (call.isStarted) plan[call.policy === 'repeat' ? 'again' : 'interrupted'].push(call)
  else if (isCovered) plan.again.push(call)
  else if (end.outcome !== 'answered' || end.decision === undefined) settle(approvalTexts.withdrawn(state.language))
  else if (end.decision !== 'deny') plan.approved.push({ call, approval })
  else settle(approval.isInterrupted ? notRepeated : approvalTexts.denied(state.language, end.by ?? '', end.note))
}

function notAsked(agent: Agent, call: OpenCall): string {
  const checked = agent.tools.find(({ name }) => name === askHuman)?.check(call.input)
  const why = checked && 'fault' in checked ? checked.fault : 'it is not well formed'
  return `Nobody was asked: ${why}. Ask again with text, and items that have an id, a text and a kind; a choice needs at least two options.`
}

function decided(call: OpenCall, decision: string | undefined, plan: CallPlan): void {
  if (decision === 'again') plan.again.push(call)
  else if (decision === 'done')
    plan.settled.push({ call: call.call, ok: true, output: 'It had already been done before the interruption; its output was lost.' })
  else plan.settled.push({ call: call.call, ok: false, output: notRepeated })
}

const notRepeated = 'It was interrupted, and the human chose not to run it again.'

function askAboutRepeat(state: DialogState, call: OpenCall, ids: Ids): AskedQuestion {
  const zh = state.language === 'zh'
  return {
    question: ids.next('q'),
    call: call.call,
    to: 'owner',
    expiresAt: null,
    ask: {
      text: zh
        ? `上次运行在执行“${call.name}”时中断，不确定它是否已经完成。接下来怎么办？`
        : `Work was interrupted while "${call.name}" was running. It may or may not have happened. What should I do?`,
      items: [
        {
          id: 'decision',
          text: zh ? '选择' : 'Choose',
          kind: 'choice',
          options: zh
            ? [
                { value: 'again', label: '再执行一次' },
                { value: 'done', label: '它已经完成了' },
                { value: 'skip', label: '不要执行' },
              ]
            : [
                { value: 'again', label: 'Run it again' },
                { value: 'done', label: 'It was done, go on' },
                { value: 'skip', label: 'Do not run it' },
              ],
        },
      ],
    },
  }
}

type CallParts = { clock: Clock; log: Log; language: Language; abandonAfterMs(): number }

/**
 * Runs one call. Whatever happens becomes a result the agent can read; only an abort is thrown. A tool that ignores its
 * abort signal is abandoned: its late result is logged and ignored.
 */
export async function runCall(
  agent: Agent,
  where: Pick<ToolContext, 'dialog' | 'taskdoc' | 'isSide' | 'language' | 'cause' | 'approvedFiles'>,
  call: OpenCall,
  { clock, log, language, abandonAfterMs }: CallParts,
  signal: AbortSignal,
): Promise<Result> {
  const result = (ok: boolean, output: unknown): Result => ({ type: 'return-tool', at: clock.now(), call: call.call, ok, output })
  const tool = agent.tools.find(({ name }) => name === call.name)
  if (!tool)
    return result(
      false,
      `There is no tool called ${call.name}. The tools are: ${agent.tools.map(({ name }) => name).join(', ') || 'none'}.`,
    )
  const checked = tool.check(call.input)
  if ('fault' in checked) return result(false, `The input does not fit: ${checked.fault}`)
  const timeout = new AbortController()
  const cancelTimer = clock.after(toolLimits.timeoutMs, () => timeout.abort())
  const either = AbortSignal.any([signal, timeout.signal])
  const about = { tool: call.name, call: call.call, dialog: where.dialog }
  try {
    const output = await orAbandon(tool.run(checked.input, { ...where, agent: agent.name, call: call.call, signal: either }), {
      signal: either,
      clock,
      afterMs: abandonAfterMs,
      onAbandoned: () => log('warn', 'a tool ignored its abort signal and was abandoned', about),
      onLate: () => log('warn', 'an abandoned tool returned late; its result is ignored', about),
    })
    return result(true, bounded(output))
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.signal.aborted) return result(false, timedOut(language))
    log('warn', 'a tool failed', { tool: call.name, dialog: where.dialog, error })
    return result(false, failureText(error))
  } finally {
    cancelTimer()
  }
}

function timedOut(language: Language): string {
  const minutes = toolLimits.timeoutMs / 60_000
  return language === 'zh' ? `运行 ${minutes} 分钟后超时停止，可能已经生效。` : `Stopped after ${minutes} min. It may have taken effect.`
}

/** What does not fit is said to be left out, never cut in silence. */
function bounded(output: unknown): unknown {
  if (output === undefined) return null
  const text = typeof output === 'string' ? output.toWellFormed() : JSON.stringify(output)
  if (text === undefined) return null
  if (text.length <= toolLimits.outputChars) return typeof output === 'string' ? text : (JSON.parse(text) as unknown)
  return `${text.slice(0, toolLimits.outputChars).toWellFormed()}\n[${text.length - toolLimits.outputChars} more characters were left out]`
}
