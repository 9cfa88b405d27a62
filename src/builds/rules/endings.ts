import { buildTexts } from '../../words/index.ts'
import type { ErrorCode } from '../../errors.ts'
import type { StoredBuildEvent } from './build-events.ts'
import type { BuildState } from './build-state.ts'
import { failureWords } from './words/summaries.ts'

/**
 * The end the backend gives a build that cannot go on: one summary, the status, the last event (T6, T7). Whatever was
 * sent before, the log that results is a valid one.
 */
export function failing(state: BuildState, at: number, code: ErrorCode | 'cancelled'): StoredBuildEvent[] {
  const { status } = state.progress
  if (status === 'complete' || status === 'failed') return closing(state, at)
  const { summary, reason } = failureWords(code, state.locale)
  return [
    ...(status === 'none' ? [statusEvent(at, 'running')] : []),
    messageEvent(at, summary),
    statusEvent(at, 'failed'),
    { type: 'session.failed', at, data: { reason, source: 'agent' } },
  ]
}

/** Events after the last status: a summary if none was shown, and the final event. */
export function closing(state: BuildState, at: number): StoredBuildEvent[] {
  const status = state.progress.status === 'complete' ? 'complete' : 'failed'
  return [
    ...summaryIfMissing(state, at, status),
    { type: status === 'complete' ? 'session.completed' : 'session.failed', at, data: { source: 'agent' } },
  ]
}

export const summaryIfMissing = (state: BuildState, at: number, status: 'complete' | 'failed'): StoredBuildEvent[] =>
  state.progress.isSummarised ? [] : [messageEvent(at, buildTexts[state.locale].summaries[status])]

const messageEvent = (at: number, text: string): StoredBuildEvent => ({
  type: 'assistant.message.created',
  at,
  data: { text, source: 'agent' },
})

const statusEvent = (at: number, status: 'running' | 'failed'): StoredBuildEvent => ({
  type: 'status.changed',
  at,
  data: { status, source: 'agent' },
})
