import type { GateRecord } from '../dialog/approval.ts'
import type { AskedQuestion, ToolCall } from '../dialog/decide.ts'
import type { Language } from '../dialog/events.ts'
import { approvalTexts } from '../dialog/result-texts.ts'
import type { DialogState, OpenCall } from '../dialog/state.ts'
import { isTreeTool } from '../dialog/tree-tools.ts'
import type { Agent } from '../ports/agent-runtime.ts'
import type { Gatekeeper, Judged } from './gatekeeper.ts'
import type { CallPlan } from './tool-calls.ts'

export type Rechecked = {
  run: OpenCall[]
  /** Calls of `run` that must not run twice by one approval: their start is committed before they run. */
  start: string[]
  ask: AskedQuestion[]
  settled: CallPlan['settled']
}

/**
 * The second look before a call runs that was not decided a moment ago.
 *
 * | call                                          | what happens                             |
 * |-----------------------------------------------|------------------------------------------|
 * | approved; tool, input and files are the same  | starts, unless a rule denies it by now   |
 * | approved; something has changed               | decided anew: runs, is denied, or asked  |
 * | interrupted after an approval                 | denied by a rule, or asked               |
 * | interrupted and to be repeated, or covered by a later rule or grant | decided anew       |
 */
export async function recheckCalls(
  { approved, interrupted, again }: Pick<CallPlan, 'approved' | 'interrupted' | 'again'>,
  gatekeeper: Gatekeeper,
  agent: Agent,
  scene: { dialog: string; state: DialogState; now: number },
): Promise<Rechecked> {
  const done: Rechecked = { run: [], start: [], ask: [], settled: [] }
  const take = (call: OpenCall): void => {
    done.run.push(call)
    if (call.question !== null) done.start.push(call.call)
  }
  const settle = (call: OpenCall, judged: Judged | null): void => {
    if (judged === null || judged.decision === 'allow') take(call)
    else if (judged.decision === 'deny') done.settled.push({ call: call.call, ok: false, output: judged.text })
    else done.ask.push(judged.asked)
  }
  for (const { call, approval } of approved) {
    const judged = await gatekeeper.judge(agent, call, { ...scene, waiting: 0, again: 'approved' })
    if (judged?.decision === 'ask' && (await gatekeeper.stillHolds(agent, call, approval))) take(call)
    else settle(call, judged)
  }
  for (const call of interrupted) settle(call, await gatekeeper.judge(agent, call, { ...scene, waiting: 0, again: 'interrupted' }))
  for (const call of again) settle(call, await gatekeeper.judge(agent, call, { ...scene, waiting: done.ask.length }))
  return done
}

/**
 * Decides about the calls of one generation. Calls between dialogs happen in the same commit and cannot wait for a person: a
 * rule that asks about them denies them.
 */
export async function judgeCalls(
  gatekeeper: Gatekeeper,
  agent: Agent,
  calls: readonly ToolCall[],
  scene: { dialog: string; state: DialogState; now: number },
): Promise<{ calls: ToolCall[]; approvals: AskedQuestion[]; denied: { call: string; text: string }[] }> {
  const done = { calls: [] as ToolCall[], approvals: [] as AskedQuestion[], denied: [] as { call: string; text: string }[] }
  for (const call of calls) {
    const found = await gatekeeper.judge(agent, call, { ...scene, waiting: done.approvals.length })
    const judged = found?.decision === 'ask' && isTreeTool(call.name) ? withoutAsking(found.record, scene.state.language) : found
    done.calls.push(judged ? { ...call, gate: judged.record } : call)
    if (judged?.decision === 'ask') done.approvals.push(judged.asked)
    if (judged?.decision === 'deny') done.denied.push({ call: call.call, text: judged.text })
  }
  return done
}

const withoutAsking = (record: GateRecord, language: Language): Judged => ({
  decision: 'deny',
  record: { ...record, decision: 'deny' },
  text: approvalTexts.deniedByRule(language, record.because.replace(/[.。]$/, '')),
})
