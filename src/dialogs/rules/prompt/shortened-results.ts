import { type ContextRoom, estimateTokens } from './context-levels.ts'

export const resultLimits = {
  /** A shorter output is never cut on arrival, whatever the window. */
  wholeChars: 8_000,
  wholePercent: 4,
  /** Compaction leaves shorter results, and those of the last outputs. */
  compactChars: 400,
  recentOutputs: 10,
  /** A forced course shows outputs that no request has shown yet with at most so many characters, if whole ones do not fit. */
  courseChars: [2_000, 400],
} as const

export type ListedResult = {
  tool: string
  text: string
  isFailed: boolean
  handle: string
  /** Outputs after it in the list. */
  outputsAfter: number
  /** Replies, answers and results of the open tool loop are never shortened. */
  isProtected: boolean
}

/** The line that replaces a compacted result. */
export const describeCompacted = ({ tool, text, isFailed, handle }: ListedResult): string =>
  `[${tool}: ${text.length} characters, ${isFailed ? 'failed' : 'ok'}; recall_output ${handle}]`

/** Indexes of the results to replace, oldest first, until the prompt is at half of the usable size. */
export function planCompaction(
  results: readonly ListedResult[],
  promptTokens: number,
  room: ContextRoom,
): { chosen: number[]; tokensLeft: number } {
  const chosen: number[] = []
  let tokensLeft = promptTokens
  for (const [index, result] of results.entries()) {
    if (tokensLeft <= room.compactedTokens) break
    if (result.isProtected || result.outputsAfter < resultLimits.recentOutputs || result.text.length <= resultLimits.compactChars) continue
    const savedBytes = Buffer.byteLength(result.text) - Buffer.byteLength(describeCompacted(result))
    if (savedBytes <= 0) continue
    chosen.push(index)
    tokensLeft -= estimateTokens(savedBytes)
  }
  return { chosen, tokensLeft }
}
