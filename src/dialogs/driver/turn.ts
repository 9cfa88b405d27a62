import type { Agent } from '../../ports/agent-runtime.ts'
import type { Work } from '../../streams/pump.ts'
import { leftRunning } from '../../streams/running-mark.ts'
import { dialogLimits, type DialogState, isAside, isUnblocked, needsTurn, recentCrashes } from '../rules/dialog-state.ts'
import { admitGeneration, pauseAtLimit } from './admit-generation.ts'
import { endOnError } from './end-turn.ts'
import { hasOpenCalls, settleOpenCalls } from './open-calls.ts'
import { runGeneration } from './run-generation.ts'
import type { RunningTurn } from './stop-gate.ts'
import { type MarkNote, type TurnParts, TurnRun } from './turn-run.ts'

/**
 * One turn: from admission to rest.
 *
 * | the dialog                         | what happens                                         | the work is             |
 * |------------------------------------|------------------------------------------------------|-------------------------|
 * | has nothing to do                  | nothing                                              | done                    |
 * | is stopped, here or above          | see stop-gate.ts                                     | done, or still due      |
 * | was cut by a crash                 | turn.cut with the cost of the lost generation        | kept                    |
 * | crashed 3 times within 10 minutes  | turn.failed                                          | done                    |
 * | was declared dead                  | turn.cut with the cost of its last generation        | done                    |
 * | has calls without a result         | they run, or a human is asked whether to repeat      | kept                    |
 * | is due                             | one generation; tools run; again until none is called | kept                   |
 * | made a request to another agent    | tellask and side dialog in one commit; turn.finished | done, or again if woken |
 * | its agent came to an end           | turn.finished, and the reply to the asking dialog    | done, or again if woken |
 * | its model failed and may recover   | generation.failed with the time of the next try      | given back until then   |
 * | its agent failed for good          | turn.failed; a person may continue                   | done                    |
 * | the server stops                   | turn.cut, if a generation was cut                    | given back at once      |
 *
 * The start of a turn is written with its first result: a turn that was cut before that leaves no trace and is
 * simply run again, and a plain question and answer costs two fsyncs, not three.
 */
export async function runTurn(parts: TurnParts, work: Work, running: RunningTurn): Promise<void> {
  const run = new TurnRun(parts, work, running)
  const agent = await admitTurn(run)
  if (agent === null) return
  for (let isAdmitted = true; ; isAdmitted = false) {
    // The gate was asked for the admission, and nothing has run since.
    if (!isAdmitted || hasOpenCalls(run, agent)) {
      if (!(await settleOpenCalls(run, agent)) || !(await passGate(run))) return
      // Decided while the others ran: a generation would read the decision before the call has run.
      if (hasOpenCalls(run, agent)) continue
    }
    if (await endBeforeGeneration(run)) return
    const admitted = await endOnError(run, () => admitGeneration(run, agent))
    if (!admitted || !(await runGeneration(run, agent, admitted))) return
  }
}

/** The agent that runs the turn, or null when there is nothing to run. */
async function admitTurn(run: TurnRun): Promise<Agent | null> {
  const { parts } = run
  run.state = await parts.dialogs.load(run.dialog)
  if (!(await recordCrash(run))) return null
  if (!needsTurn(run.state)) {
    await run.write([], 'done')
    return null
  }
  if (!(await passGate(run))) return null
  const crashes = recentCrashes(run.state, run.now())
  if (crashes >= dialogLimits.crashes) {
    await run.fail('turn_crashed', { crashes, minutes: dialogLimits.crashWindowMs / 60_000 })
    return null
  }
  // Every turn that ran during a crash is a suspect. Suspects run one at a time, so that only the cause of the next crash is counted again.
  if (crashes >= dialogLimits.suspectCrashes) {
    if ((await endOnError(run, () => parts.alone.take(run.cut))) === null || !(await passGate(run))) return null
  }
  const agent = parts.team.agent(run.state.agent, run.state.model)
  if (agent) return agent
  const agentNames = parts.team.list().map(({ name }) => name)
  await run.fail('agent_not_found', { agent: run.state.agent, known: agentNames.join(', ') })
  return null
}

/** Takes the latest state. False when a stop has ended the turn. */
async function passGate(run: TurnRun): Promise<boolean> {
  const latest = await run.gate.mayRun()
  if (latest !== null) run.state = latest
  return latest !== null
}

/** A mark of an earlier claim means that its process crashed. False when this claim is lost too. */
async function recordCrash(run: TurnRun): Promise<boolean> {
  const mark = await leftRunning<MarkNote>(run.parts.store, run.lease)
  if (!mark) return true
  const { tokens, money, keys, seen } = mark.note ?? {}
  const spent = tokens === undefined || money === undefined ? null : { tokens, money }
  if (spent && keys) run.reservation = { ...spent, keys }
  run.sentSeen = seen ?? null
  if (spent) run.cost.addToMetrics(run.state.agent, spent)
  await run.gate.restore(run.state)
  const written = await run.cutOff(run.state.isDead ? 'death' : 'crash', spent ? { spent } : {}, { lease: run.lease })
  if (written.ok) run.state = written.state
  return written.ok
}

/** True when the turn is over: nothing to think about, too many generations, or a lost claim. */
async function endBeforeGeneration(run: TurnRun): Promise<boolean> {
  const { state } = run
  const seen = state.turn?.seen ?? state.seenSeq
  // The decided calls have run, and the rest is still awaited.
  if (isBlocked(state) && state.inputSeq <= seen && (isPaused(state) || !hasNewResults(state))) {
    await run.write([{ type: 'finish-turn', at: run.now(), seen }], 'done')
    return true
  }
  if ((state.turn?.generations ?? 0) >= run.parts.generationsPerTurn) {
    await pauseAtLimit(run, { kind: 'generations', limit: run.parts.generationsPerTurn })
    return true
  }
  return false
}

/** All calls of the last step of a model have ended: it reads their results, whatever older steps still wait for. */
const hasNewResults = ({ prompt }: DialogState): boolean =>
  prompt !== null && prompt.epoch !== null && prompt.list.lastCalls.length > 0 && prompt.list.lastCalls.every(({ end }) => end !== null)

/** The owner was asked whether requests continue. Refused calls alone would be made again, generation after generation. */
const isPaused = ({ questions, asksInARow }: DialogState): boolean =>
  Object.values(questions).some(({ purpose, limit }) => purpose === 'limit' && limit?.kind === 'requests' && asksInARow >= limit.limit)

/** An answer to a person while the work is stopped waits only for the questions that this turn has asked. */
const isBlocked = (state: DialogState): boolean =>
  state.turn?.alone
    ? Object.values(state.questions).some(({ askedAt, purpose }) => !isAside(purpose) && askedAt >= (state.turn?.startedAt ?? 0))
    : !isUnblocked(state)
