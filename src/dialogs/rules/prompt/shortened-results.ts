import { contextLimits, type ContextRoom, estimateTokens } from './context-levels.ts'

export const resultLimits = {
  /** A shorter output is never cut on arrival, whatever the window. */
  wholeChars: 8_000,
  wholePercent: 4,
  headPercent: 60,
  /** Compaction leaves shorter results, and those of the last outputs. */
  compactChars: 400,
  recentOutputs: 10,
} as const

/** A tool output as it enters the list: the first 60 % and the last 40 % of its bound, with a handle for the rest. */
export function shortenOutput(text: string, handle: string, room: ContextRoom): string {
  const bytes = Buffer.byteLength(text)
  const mostTokens = (room.usableTokens * resultLimits.wholePercent) / 100
  // A character takes one to three bytes, so the bound in characters depends on the text.
  const fittingChars = Math.floor((mostTokens * contextLimits.bytesPerToken * text.length) / Math.max(1, bytes))
  const mostChars = Math.max(resultLimits.wholeChars, fittingChars)
  if (text.length <= mostChars) return text
  const kept = mostChars - leftOut(text.length, handle).length
  const headEnd = alignCut(text, Math.floor((kept * resultLimits.headPercent) / 100))
  const tailStart = alignCut(text, text.length - (kept - headEnd))
  const lines = countLines(text, headEnd, tailStart)
  return `${text.slice(0, headEnd)}${leftOut(lines, handle)}${text.slice(tailStart)}`
}

const leftOut = (lines: number, handle: string): string => `\n[… ${lines} lines left out; recall_output ${handle}]\n`

/** A cut never divides a surrogate pair. */
const alignCut = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at + 1 : at)

function countLines(text: string, start: number, end: number): number {
  let lines = 1
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

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
export function planCompaction(results: readonly ListedResult[], promptTokens: number, room: ContextRoom): number[] {
  const chosen: number[] = []
  let tokens = promptTokens
  for (const [index, result] of results.entries()) {
    if (tokens <= room.compactedTokens) break
    if (result.isProtected || result.outputsAfter < resultLimits.recentOutputs || result.text.length <= resultLimits.compactChars) continue
    const savedBytes = Buffer.byteLength(result.text) - Buffer.byteLength(describeCompacted(result))
    if (savedBytes <= 0) continue
    chosen.push(index)
    tokens -= estimateTokens(savedBytes)
  }
  return chosen
}
