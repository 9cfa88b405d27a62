import assert from 'node:assert/strict'
import { checkEndState } from './end-state.ts'
import type { Played } from './play.ts'
import { rootChecks } from './root-checks.ts'
import { type SentenceCheck, sideChecks } from './side-checks.ts'

export const sentenceChecks: Record<string, readonly SentenceCheck[]> = { ...sideChecks, ...rootChecks }

/** Parts of sentences that their checks leave out. */
export const leftOut: Record<string, string> = {
  'words-between-calls-as-thinking': 'what the page shows',
  'same-id-different-arguments': 'ids in later requests: the replay of the runtime',
  'chat-refuses-tools-with-reasoning': 'the Problem',
  'max-tokens-refused': 'that it is stored: the replay of the runtime',
  'refusal-stop-reason': 'the fallback model',
  'call-of-earlier-course-tool': 'the second course; the tool was never offered',
  'announces-then-stops-root': 'the default of 3 (one push is set); that the person is asked, which prompt.md takes back',
  'floods-reminders': 'the 31st distinct reminder',
  'stopped-then-asked': 'the buttons on the page',
  'clears-mind-at-once': 'the share of the context',
  'two-delegate-for-ever': '500 side dialogs, and a stop',
  'overflow-openai': 'reminders, waiting and trail of the course (docs/prompts/forced-course.md)',
  'overflow-silent-ollama': 'the Problem; 16384 stands for 4096, which system prompt and tools alone fill too far for a course',
  'overflow-lmstudio-string': 'the setting to raise, in words',
  'system-role-refused': 'that it is stored: the replay of the runtime',
  'user-after-tool-refused': 'that it is stored: the replay of the runtime',
}

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
