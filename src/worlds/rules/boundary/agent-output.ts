import { isOperationalNotice } from './operational-notices.ts'

export const noReply = 'NO_REPLY'

/** Why a delivery ended without a text for the peer. Values of the wire. */
export const silenceReasons = [
  'no_reply_token',
  'operational_notice_only',
  'no_renderable_reply',
  'runtime_failed_before_reply',
  /** The delivery was for information: its side must not answer it. */
  'reply_not_allowed',
  /** The leak filter withheld the text and its second version. */
  'reply_withheld',
  'waiting_for_owner',
  'budget_spent',
] as const

export type SilenceReason = (typeof silenceReasons)[number]

/** `isMisuse`: the token stood beside other text, which breaks the contract of Policy. It is logged. */
export type AgentOutput = { kind: 'reply'; text: string; isMisuse: boolean } | { kind: 'silence'; reason: SilenceReason; isMisuse: boolean }

const wrappers = '"\'`*_~“”‘’「」『』《》〈〉()（）[]【】<>.。!！…:：-—'

/** Without quotes, brackets, emphasis and full stops around it. Linear: each end is walked once. */
function unwrap(text: string): string {
  let from = 0
  let to = text.length
  const isWrapper = (char: string | undefined): boolean => char !== undefined && (wrappers.includes(char) || /\s/.test(char))
  while (from < to && isWrapper(text[from])) from += 1
  while (to > from && isWrapper(text[to - 1])) to -= 1
  return text.slice(from, to)
}

const isToken = (line: string): boolean => unwrap(line).toUpperCase() === noReply

/** A line of a code fence. */
const isFence = (line: string): boolean => /^\s*(?:```|~~~)\w*\s*$/.test(line)

/**
 * Meaning of the output of a channel agent for the peer.
 *
 * | output                                            | result                        |
 * |---------------------------------------------------|-------------------------------|
 * | exactly `NO_REPLY`                                | silence                       |
 * | `NO_REPLY` in quotes, a fence, with a full stop   | silence, misuse               |
 * | text, and `NO_REPLY` alone on the first or last line | the text, misuse           |
 * | `NO_REPLY` inside prose                           | the text; the leak filter holds it |
 * | notices of the host or model server only          | silence                       |
 * | text, and notices before or after it              | the text                      |
 * | nothing to show                                   | silence                       |
 */
export function readAgentOutput(output: string): AgentOutput {
  const trimmed = output.trim()
  if (trimmed === noReply) return { kind: 'silence', reason: 'no_reply_token', isMisuse: false }
  const lines = trimmed.split('\n')
  const filledLines = lines.filter((line) => line.trim() !== '')
  if (filledLines.length > 0 && filledLines.every((line) => isToken(line) || isFence(line)) && filledLines.some(isToken))
    return { kind: 'silence', reason: 'no_reply_token', isMisuse: true }
  const spoken = withoutEnds(lines, isOperationalNotice)
  const hasNotices = spoken.length < filledLines.length && spoken.every((line) => line.trim() === '')
  const rest = withoutEnds(spoken, isToken)
  const text = withoutEnds(rest, isOperationalNotice).join('\n').trim()
  const isMisuse = rest.some((line) => line.trim() !== '') && rest.length < spoken.length
  if (text !== '') return { kind: 'reply', text, isMisuse }
  if (spoken.some(isToken)) return { kind: 'silence', reason: 'no_reply_token', isMisuse: true }
  return { kind: 'silence', reason: hasNotices ? 'operational_notice_only' : 'no_renderable_reply', isMisuse: false }
}

/** The lines without those at both ends that match, and without the empty lines beside them. */
function withoutEnds(lines: readonly string[], matches: (line: string) => boolean): string[] {
  let from = 0
  let to = lines.length
  const isDropped = (line: string | undefined): boolean => line !== undefined && (line.trim() === '' || matches(line))
  while (from < to && isDropped(lines[from])) from += 1
  while (to > from && isDropped(lines[to - 1])) to -= 1
  return lines.slice(from, to)
}
