import assert from 'node:assert/strict'
import { checkEndState } from './end-state.ts'
import type { Played } from './play.ts'
import { rootChecks } from './root-checks.ts'
import { type SentenceCheck, sideChecks } from './side-checks.ts'

export const sentenceChecks: Record<string, readonly SentenceCheck[]> = { ...sideChecks, ...rootChecks }

/** Throws at the first rule or sentence that does not hold. */
export function checkLine(played: Played): void {
  checkEndState(played)
  for (const [at, check] of (sentenceChecks[played.line.id] ?? []).entries()) {
    if (typeof check !== 'function') continue
    try {
      check(played)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      assert.fail(`"${played.line.expect[at]}" does not hold: ${why}`)
    }
  }
}
