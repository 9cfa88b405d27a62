import type { DialogCommand } from '../dialog/decide.ts'
import { dialogLimits, type DialogState, needsTurn } from '../dialog/state.ts'
import { type Details, type ErrorCode, ParleyError } from '../errors.ts'
import type { Agent, Team } from '../ports/agent-runtime.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Settle } from '../ports/store.ts'
import type { StreamHandler } from '../streams/stream-handler.ts'
import type { Drafts } from './drafts.ts'
import { generate, type Generated, isToolRun } from './generation.ts'
import type { Work } from './pump.ts'
import { planCalls, runCall } from './tool-calls.ts'

/**
 * One turn: from admission to rest.
 *
 * | the dialog                         | what happens                                        | the work is             |
 * |------------------------------------|-----------------------------------------------------|-------------------------|
 * | has nothing to do                  | nothing                                             | done                    |
 * | was asked to stop                  | turn.stopped with the words so far                  | done                    |
 * | crashed the process too often      | turn.failed                                         | done                    |
 * | has calls without an outcome       | run, or a human is asked whether to repeat          | kept                    |
 * | is due                             | one generation; tools run; again until none         | kept                    |
 * | its agent asked or came to an end  | turn.finished                                       | done, or again if woken |
 * | its model failed and may recover   | generation.failed with the time of the next try     | given back until then   |
 * | its agent failed for good          | turn.failed; a person may continue                  | done                    |
 * | the server stops                   | nothing is written                                  | given back at once      |
 *
 * The start of a turn is written with its first result: a turn that was cut before that leaves no trace and is
 * simply run again, and a plain question and answer costs two fsyncs, not three.
 */
export type TurnParts = {
  dialogs: StreamHandler<DialogState, DialogCommand>
  team: Team
  drafts: Drafts
  clock: Clock
  ids: Ids
  log: Log
  metrics: Metrics
}

export const turnLimits = {
  crashes: 5,
  modelRetries: 5,
  firstRetryMs: 1_000,
  longestRetryMs: 30_000,
  longestRetryAfterMs: 10 * 60_000,
} as const

/** Why running work is cut: what the pump says, or a person's stop. */
type CutReason = 'stop' | 'shutdown' | 'lost'

export async function runTurn(parts: TurnParts, { lease, signal }: Work, stop: AbortSignal): Promise<void> {
  const { dialogs, team, clock, ids, log, metrics } = parts
  const dialog = lease.key
  const cut = AbortSignal.any([signal, stop])
  const now = clock.now.bind(clock)
  const fresh = new Set<string>()
  let partial = ''

  const write = (
    commands: DialogCommand[] | ((state: DialogState) => DialogCommand[]),
    settle?: Settle,
  ): ReturnType<typeof dialogs.handle> =>
    dialogs.handle(
      dialog,
      (state) => {
        const wanted = typeof commands === 'function' ? commands(state) : commands
        return wanted.length > 0 && state.turn === null ? [{ type: 'start-turn', at: startedAt }, ...wanted] : wanted
      },
      settle ? { lease, settle } : { lease },
    )
  const fail = (code: ErrorCode, details: Details): ReturnType<typeof write> => {
    metrics.count('turns_total', 1, { outcome: 'failed' })
    return write([{ type: 'fail-turn', at: now(), code, details }], 'done')
  }
  const startedAt = now()
  const startedNs = performance.now()

  let state = await dialogs.load(dialog)
  if (!needsTurn(state)) return void (await write([], 'done'))
  if (state.stopRequested) return void (await write([{ type: 'stop-turn', at: now(), text: null }], 'done'))
  if (lease.attempts > turnLimits.crashes) return void (await fail('turn_crashed', { attempts: lease.attempts - 1 }))
  const agent = team.agent(state.agent)
  if (!agent) return void (await fail('agent_not_found', { agent: state.agent }))

  for (;;) {
    const plan = planCalls(state, agent, fresh, ids)
    if (plan.run.length + plan.settled.length > 0) {
      const settled = plan.settled.map(({ call, ok, output }): DialogCommand => ({ type: 'return-tool', at: now(), call, ok, output }))
      const results = await outside(() => Promise.all(plan.run.map((call) => runCall(agent, dialog, call, now, log, cut))))
      if (results === null) return
      const written = await write([...settled, ...results])
      if (!written.ok) return
      state = written.state
    }
    if (plan.ask.length > 0) {
      const { seq } = state
      const asks = plan.ask.map(({ asked }): DialogCommand => ({ type: 'ask-question', at: now(), asked }))
      return void (await write([...asks, { type: 'finish-turn', at: now(), seen: seq }], 'done'))
    }
    if (waitsForHuman(state)) return void (await write([{ type: 'finish-turn', at: now(), seen: state.seq }], 'done'))
    if ((state.turn?.generations ?? 0) >= dialogLimits.generationsPerTurn) {
      return void (await fail('too_many_generations', { limit: dialogLimits.generationsPerTurn }))
    }

    const from = state
    const made = await outside(() => think(agent, from))
    if (made === null) return
    const isEnd = comesToAnEnd(made)
    const written = await write((latest) => outcome(latest, made, isEnd ? from.seq : null), isEnd ? 'done' : undefined)
    partial = ''
    if (!written.ok) return
    if (isEnd) return finished()
    state = written.state
    if (state.stopRequested) return void (await write([{ type: 'stop-turn', at: now(), text: null }], 'done'))
    for (const call of made.calls) fresh.add(call.call)
  }

  /** What agents and tools throw ends the turn; what the store throws is not theirs and goes on to the pump. */
  async function outside<Result>(act: () => Promise<Result>): Promise<Result | null> {
    try {
      return await act()
    } catch (error) {
      await endBadly(error)
      return null
    }
  }

  async function think(by: Agent, from: DialogState): Promise<Generated> {
    const turn = from.turn?.turn ?? from.turns + 1
    const generation = (from.turn?.generations ?? 0) + 1
    const draft = parts.drafts.begin(dialog, turn, `${turn}.${generation}.${lease.epoch}`)
    const { agent: name, language, context, contextDropped } = from
    try {
      return await generate(
        by,
        { dialog, agent: name, language, turn, generation, context, contextDropped, tools: by.tools },
        draft,
        { ids, now },
        cut,
      )
    } finally {
      partial = draft.text
      draft.end()
    }
  }

  function outcome(latest: DialogState, made: Generated, seen: number | null): DialogCommand[] {
    const { text, calls, questions, title, model, usage } = made
    const message = text.trim() === '' ? null : { id: ids.next('msg'), text }
    const commands: DialogCommand[] = [
      { type: 'finish-generation', at: now(), model, usage, message, calls, questions, ...(title === undefined ? {} : { title }) },
    ]
    // A stop that came while the last words were written still counts; the words stay.
    if (seen !== null)
      commands.push(latest.stopRequested ? { type: 'stop-turn', at: now(), text: null } : { type: 'finish-turn', at: now(), seen })
    return commands
  }

  function finished(): void {
    metrics.count('turns_total', 1, { outcome: 'finished' })
    metrics.observe('turn_seconds', (performance.now() - startedNs) / 1000)
  }

  async function endBadly(error: unknown): Promise<void> {
    const why = cut.aborted ? (cut.reason as CutReason) : null
    if (why === 'lost') return
    if (why === 'shutdown') return void (await write([], { retryAt: now(), forgive: true }))
    if (why === 'stop') {
      metrics.count('turns_total', 1, { outcome: 'stopped' })
      const text = partial.toWellFormed()
      return void (await write([{ type: 'stop-turn', at: now(), text }], 'done'))
    }
    if (!(error instanceof ParleyError)) {
      log('error', 'an agent has a fault', { dialog, agent: state.agent, error })
      return void (await fail('agent_failed', { why: error instanceof Error ? error.message : String(error) }))
    }
    const failures = (await dialogs.load(dialog)).turn?.failures ?? 0
    const waitMs = error.retryAfterMs ?? Math.min(turnLimits.firstRetryMs * 2 ** failures, turnLimits.longestRetryMs)
    log('warn', 'a generation failed', { dialog, code: error.code, failures: failures + 1, retryable: error.retryable, error })
    if (!error.retryable || failures >= turnLimits.modelRetries || waitMs > turnLimits.longestRetryAfterMs)
      return void (await fail(error.code, error.details))
    metrics.count('generation_retries_total', 1, { code: error.code })
    const retryAt = now() + waitMs
    await write([{ type: 'fail-generation', at: now(), code: error.code, details: error.details, retryAt }], { retryAt, forgive: true })
  }
}

/** Nothing more to run in this turn: no tool was called, or only questions that are now with a person. */
function comesToAnEnd({ calls, questions, wantsMore }: Generated): boolean {
  if (wantsMore) return false
  return calls.every((call) => !isToolRun(call) && questions.some((asked) => asked.call === call.call))
}

/** A question of the agent itself is open and nothing newer was said: it rests until the answer comes. */
const waitsForHuman = (state: DialogState): boolean => {
  const last = state.context.at(-1)
  const isOpen = (call: { question: string | null }): boolean => call.question !== null && state.questions[call.question] !== undefined
  return Object.values(state.calls).some(isOpen) && last?.kind !== 'human'
}
