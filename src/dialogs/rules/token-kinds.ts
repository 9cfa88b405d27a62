import type { Usage } from './dialog-events.ts'

/** Tokens by what a provider charges them as. No token is in two kinds. */
export type TokenKinds = {
  /** Neither read from a cache nor written to one. */
  input: number
  cachedRead: number
  cacheWrite: number
  /** Without reasoning. */
  output: number
  reasoning: number
}

export const noTokens: TokenKinds = { input: 0, cachedRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }

export function toTokenKinds(usage: Usage): TokenKinds {
  const all = usage.inputTokens ?? 0
  const cachedRead = Math.min(usage.cachedTokens ?? 0, all)
  const cacheWrite = Math.min(usage.cacheWriteTokens ?? 0, all - cachedRead)
  const outputTokens = usage.outputTokens ?? 0
  const reasoning = Math.min(usage.reasoningTokens ?? 0, outputTokens)
  return { input: all - cachedRead - cacheWrite, cachedRead, cacheWrite, output: outputTokens - reasoning, reasoning }
}

export const addTokens = (one: TokenKinds, two: TokenKinds): TokenKinds => ({
  input: one.input + two.input,
  cachedRead: one.cachedRead + two.cachedRead,
  cacheWrite: one.cacheWrite + two.cacheWrite,
  output: one.output + two.output,
  reasoning: one.reasoning + two.reasoning,
})
