import type { Language } from '../../shapes/language.ts'
import { dialogTexts } from '../../words/index.ts'
import { canonicalJson } from '../../authority/tool-hash.ts'
import { type Approval, applyEdits, type GateRecord, type ShownCall } from '../rules/approval.ts'
import type { AskedQuestion } from '../rules/decide-question.ts'
import type { ToolCall } from '../rules/decide-turn.ts'
import type { DialogState, OpenCall } from '../rules/dialog-state.ts'
import { isTreeTool } from '../rules/tree-tools.ts'
import type { Agent } from '../../ports/agent-runtime.ts'
import type { Gatekeeper, Judged } from './gatekeeper.ts'
import type { CallPlan } from './tool-calls.ts'

export type Rechecked = {
  run: OpenCall[]
  /** Calls of `run` that must not run twice by one approval: their start is committed before they run. */
  start: string[]
  ask: AskedQuestion[]
  settled: CallPlan['settled']
  paths: JudgedPaths
}

/** The real paths that were judged, by call. */
export type JudgedPaths = Map<string, string>

/**
 * The second look before a call runs that was not decided a moment ago.
 *
 * | call                                          | what happens                             |
 * |-----------------------------------------------|------------------------------------------|
 * | approved; nothing the approver saw has changed | starts, unless a rule denies it by now  |
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
  const result: Rechecked = { run: [], start: [], ask: [], settled: [], paths: new Map() }
  const take = (call: OpenCall, judged: Judged | null): void => {
    result.run.push(call)
    keepPath(result.paths, call.call, judged)
    if (call.question !== null) result.start.push(call.call)
  }
  const settle = (call: OpenCall, judged: Judged | null): void => {
    if (judged === null || judged.decision === 'allow') take(call, judged)
    else if (judged.decision === 'deny') result.settled.push({ call: call.call, ok: false, output: judged.text })
    else result.ask.push(judged.asked)
  }
  for (const { call, approval } of approved) {
    const judged = await gatekeeper.judge(agent, call, { ...scene, waiting: 0, again: 'approved' })
    if (
      judged?.decision === 'ask' &&
      isSameApproval(approval, judged.asked.approval) &&
      (await gatekeeper.stillHolds(agent, call, approval))
    ) {
      // Rules hold for the words of the person as well.
      const edited = call.edits ? await gatekeeper.judge(agent, applyEdits(call), { ...scene, waiting: 0, again: 'approved' }) : judged
      if (edited?.decision === 'deny') settle(call, edited)
      else take(call, judged)
    } else settle(call, judged)
  }
  for (const call of interrupted)
    settle(call, await gatekeeper.judge(agent, applyEdits(call), { ...scene, waiting: 0, again: 'interrupted' }))
  for (const call of again) settle(call, await gatekeeper.judge(agent, applyEdits(call), { ...scene, waiting: result.ask.length }))
  return result
}

/**
 * Links on the disk, the sandbox and the policy are no part of the input: an approval holds only while the approver would
 * see the same call, on the same terms. A subject that a rule allows by now needs no approval any more.
 */
function isSameApproval(approved: Approval, now: Approval | undefined): boolean {
  if (!now) return false
  // The texts a person may change are part of the input, whose hash is compared.
  const { text, isCut: _, facts, texts: _texts, ...rest } = now.shown
  const { text: seen, isCut, facts: seenFacts, texts: _seenTexts, ...before } = approved.shown
  // The names of facts are for readers of another language; approvals of earlier versions have none.
  const read = (shown: ShownCall['facts']): string => canonicalJson(shown.map(({ label, value }) => ({ label, value })))
  const subjects = new Set(approved.subjects.map(canonicalJson))
  return (
    (isCut ? text.startsWith(seen) : text === seen) &&
    canonicalJson(rest) === canonicalJson(before) &&
    read(facts) === read(seenFacts) &&
    now.subjects.every((subject) => subjects.has(canonicalJson(subject))) &&
    now.keys === approved.keys &&
    now.irreversible === approved.irreversible &&
    canonicalJson(now.approvers) === canonicalJson(approved.approvers)
  )
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
  /** Texts for calls that are not made in any case. */
  refused: ReadonlyMap<string, string>,
): Promise<JudgedCalls> {
  const result: JudgedCalls = { calls: [], approvals: [], denied: [], paths: new Map() }
  for (const call of calls) {
    const text = refused.get(call.call)
    if (text !== undefined) {
      result.calls.push(call)
      result.denied.push({ call: call.call, text })
      continue
    }
    const verdict = await gatekeeper.judge(agent, call, { ...scene, waiting: result.approvals.length })
    const judged = verdict?.decision === 'ask' && isTreeTool(call.name) ? withoutAsking(verdict.record, scene.state.language) : verdict
    result.calls.push(judged ? { ...call, gate: judged.record } : call)
    if (judged?.decision === 'allow') keepPath(result.paths, call.call, judged)
    if (judged?.decision === 'ask') result.approvals.push(judged.asked)
    if (judged?.decision === 'deny') result.denied.push({ call: call.call, text: judged.text })
  }
  return result
}

type JudgedCalls = { calls: ToolCall[]; approvals: AskedQuestion[]; denied: { call: string; text: string }[]; paths: JudgedPaths }

function keepPath(paths: JudgedPaths, call: string, judged: Judged | null): void {
  if (judged && 'real' in judged && judged.real !== undefined) paths.set(call, judged.real)
}

const withoutAsking = (record: GateRecord, language: Language): Judged => ({
  decision: 'deny',
  record: { ...record, decision: 'deny' },
  text: dialogTexts[language].deniedByRule(record.because.replace(/[.。]$/, '')),
})
