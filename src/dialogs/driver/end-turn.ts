import { ParleyError, errorMessage } from '../../errors.ts'
import type { Settle } from '../../ports/store.ts'
import type { TurnRun } from './turn-run.ts'
import { backOffMs } from '../../shapes/back-off.ts'

export const turnLimits = {
  modelRetries: 5,
  firstRetryMs: 1_000,
  longestRetryMs: 30_000,
  longestRetryAfterMs: 10 * 60_000,
} as const

/** The reason of an abort: set by the pump, or by a person's stop. */
type AbortReason = 'stop' | 'shutdown' | 'lost'

/** Errors of agents and tools end the turn, and null is returned. Errors of the store are thrown outside of `act` and reach the pump. */
export async function endOnError<Result>(run: TurnRun, act: () => Promise<Result>): Promise<Result | null> {
  try {
    return await act()
  } catch (error) {
    const reason = run.cut.aborted ? (run.cut.reason as AbortReason) : null
    await (reason === null ? endFailed(run, error) : endAborted(run, reason, error))
    return null
  }
}

async function endAborted(run: TurnRun, reason: AbortReason, error: unknown): Promise<void> {
  switch (reason) {
    case 'lost':
      return run.endIfDead()
    case 'shutdown': {
      const cost = run.cost.read(error)
      const settle: Settle = { retryAt: run.now(), forgive: true }
      await (cost.spent ? run.cutOff('shutdown', cost, { lease: run.lease, settle }) : run.write([], settle))
      return
    }
    case 'stop':
      run.parts.metrics.count('turns_total', 1, { outcome: 'stopped' })
      return run.gate.cut(run.partialText.toWellFormed())
  }
}

async function endFailed(run: TurnRun, error: unknown): Promise<void> {
  const { dialog, parts } = run
  if (!(error instanceof ParleyError)) {
    parts.log('error', 'an agent has a fault', { dialog, agent: run.state.agent, error })
    return run.fail('agent_failed', { why: errorMessage(error) }, error, true)
  }
  const { code, details } = error
  // The prompt is made anew before the next try.
  const isOverflow = code === 'context_overflow' && run.state.prompt !== null && run.state.prompt.epoch !== null
  const retryable = error.retryable || isOverflow
  const failures = (await parts.dialogs.load(dialog)).turn?.failures ?? 0
  const waitMs = error.retryAfterMs ?? (isOverflow ? 0 : backOffMs(turnLimits, failures))
  parts.log('warn', 'a generation failed', { dialog, code, failures: failures + 1, retryable, error })
  if (!retryable || failures >= turnLimits.modelRetries || waitMs > turnLimits.longestRetryAfterMs)
    return run.fail(code, details, error, !retryable)
  parts.metrics.count('generation_retries_total', 1, { code })
  const retryAt = run.now() + waitMs
  const command = { type: 'fail-generation' as const, at: run.now(), code, details, retryAt, ...run.cost.read(error) }
  await run.write([command], { retryAt, forgive: true })
}
