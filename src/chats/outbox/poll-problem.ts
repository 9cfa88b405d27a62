import type { PollSheet } from '../../ports/channel.ts'
import type { Poll } from '../message/poll.ts'

const hours = (ms: number): string => (ms < 3_600_000 ? `${ms / 1_000} seconds` : `${Math.floor(ms / 3_600_000)} hours`)

/** Why a platform does not take this poll, in words for people; null if it does. Nothing of a poll is cut: its votes would count for another text. */
export function findPollProblem(poll: Poll, sheet: PollSheet): string | null {
  const { question, options, isAnonymous, openForMs } = poll
  if (question.length > sheet.maxQuestionLength) return `the question may have ${sheet.maxQuestionLength} characters`
  if (options.length > sheet.maxOptions) return `it takes ${sheet.maxOptions} options`
  const long = options.find((option) => option.length > sheet.maxOptionLength)
  if (long !== undefined) return `an option may have ${sheet.maxOptionLength} characters, "${long.slice(0, 40)}…" has ${long.length}`
  if (new Set(options).size < options.length) return 'two options are the same'
  if (isAnonymous === true && sheet.voters === 'shown') return 'it always shows who voted for what'
  const [shortest, longest] = sheet.openMs
  if (openForMs !== undefined && (openForMs < shortest || openForMs > longest))
    return `it can be open for ${hours(shortest)} to ${hours(longest)}`
  return null
}
