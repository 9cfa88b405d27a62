import type { Agent } from '../../ports/agent-runtime.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { OpenCall } from '../rules/dialog-state.ts'
import { getCause } from '../rules/turn-cause.ts'
import { endOnError } from './end-turn.ts'
import { declaredTools } from './offered-tools.ts'
import { recheckCalls } from './recheck-calls.ts'
import { hasCallsToSettle, planCalls, runCall } from './tool-calls.ts'
import type { TurnRun } from './turn-run.ts'

export const hasOpenCalls = (run: TurnRun, agent: Agent): boolean =>
  hasCallsToSettle(planCalls(run.state, agent, run.freshCalls, run.parts.ids))

/** Runs or settles the calls without a result, and asks a person about the others. False when the turn is over. */
export async function settleOpenCalls(run: TurnRun, agent: Agent): Promise<boolean> {
  const { dialog, parts } = run
  const plan = planCalls(run.state, agent, run.freshCalls, parts.ids)
  const checked = await recheckCalls(plan, parts.gatekeeper, agent, { dialog, state: run.state, now: run.now() })
  for (const [call, path] of checked.paths) run.judgedPaths.set(call, path)
  const calls = [...plan.run, ...checked.run]
  const settled = [...plan.settled, ...checked.settled]
  if (calls.length + settled.length > 0) {
    if (calls.length > 0 && (await run.gate.mayRun()) === null) return false
    if (!(await startCalls(run, checked.start))) return false
    const returns = settled.map(({ call, ok, output }): DialogCommand => ({ type: 'return-tool', at: run.now(), call, ok, output }))
    if (!(await runCalls(run, agent, calls, returns))) return false
  }
  const asking = [...plan.ask.map(({ asked }) => asked), ...checked.ask]
  if (asking.length === 0) return true
  const asks = asking.map((asked): DialogCommand => ({ type: 'ask-question', at: run.now(), asked }))
  await run.write([...asks, { type: 'finish-turn', at: run.now(), seen: run.state.turn?.seen ?? run.state.seenSeq }], 'done')
  return false
}

async function startCalls(run: TurnRun, calls: readonly string[]): Promise<boolean> {
  if (calls.length === 0) return true
  const written = await run.write(calls.map((call): DialogCommand => ({ type: 'start-tool', at: run.now(), call })))
  return takeState(run, written)
}

async function runCalls(run: TurnRun, agent: Agent, calls: readonly OpenCall[], returns: readonly DialogCommand[]): Promise<boolean> {
  for (const { call } of calls) run.startedCalls.add(call)
  if (calls.length > 0 && !(await run.mark(null))) return false
  const results = await endOnError(run, () => Promise.all(calls.map((call) => runOne(run, agent, call))))
  if (results === null) return false
  return takeState(run, await run.write([...returns, ...results]))
}

function runOne(run: TurnRun, agent: Agent, call: OpenCall): ReturnType<typeof runCall> {
  const { dialog, state, parts } = run
  const { taskdoc, language } = state
  const approval = call.question === null ? undefined : state.closed[call.question]?.asked.approval
  const judgedPath = run.judgedPaths.get(call.call)
  const where = {
    dialog,
    taskdoc,
    isSide: state.origin !== null,
    language,
    cause: call.cause ?? getCause(state),
    ...(judgedPath !== undefined && { judgedPath }),
  }
  const { clock, log, abandonAfterMs } = parts
  const teammates = parts.team.list().filter(({ name }) => name !== agent.name).length
  const offered = (state.prompt?.epoch?.tools ?? declaredTools(state, agent, teammates)).map(({ name }) => name)
  return runCall(
    agent,
    approval ? { ...where, approvedFiles: approval.bound } : where,
    call,
    { clock, log, language, abandonAfterMs, offered, keepFile: parts.files.keep },
    run.cut,
  )
}

async function takeState(run: TurnRun, written: Awaited<ReturnType<TurnRun['write']>>): Promise<boolean> {
  if (written.ok) run.state = written.state
  else await run.endIfDead()
  return written.ok
}
