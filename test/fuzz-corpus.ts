import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestContext } from 'node:test'

/** Marks a diagnostic for the reporter: scripts/test-reporter.mjs adds up the cases of all corpora and keeps the longest delay. */
const toLine = (cases: number, delayMs: number): string => `fuzz corpus: ${cases} cases, longest event-loop delay ${delayMs} ms`

const resolutionMs = 2

/**
 * Runs a corpus of inputs and reports for how long one of them kept the event loop from its other work, at most. `run` returns
 * how many cases it examined; none is a failure.
 */
export async function fuzzCorpus(t: Pick<TestContext, 'diagnostic'>, run: () => Promise<number>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  let cases: number
  try {
    cases = await run()
    // A delay is recorded when the timer that it held up fires.
    await pause(resolutionMs * 5)
  } finally {
    delay.disable()
  }
  assert.ok(cases > 0, 'the fuzz corpus examined nothing')
  assert.ok(delay.count > 0, 'the event loop was not measured')
  t.diagnostic(toLine(cases, Math.max(0, Math.round(delay.max / 1e6) - resolutionMs)))
}
