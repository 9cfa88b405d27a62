/**
 * Ollama cuts a long prompt without an error. Within an epoch the list only grows, so the prompt count has to grow too.
 * A count that stays exactly equal is the window; one that shrinks has to do so twice, because caches may explain it once.
 */
export type PromptGrowth = { tokens: number; listBytes: number; peakTokens: number; shrinks: number }

/** Growth of the list in percent from which the count must follow. */
const growthPercent = 5

/** No tokenizer puts more into a token: a server that tells less does not count. */
const mostBytesPerToken = 20

/** Adds the prompt count of a generation. `windowTokens` is set when the server has cut the prompt. A new epoch starts with null. */
export function observePrompt(
  before: PromptGrowth | null,
  { tokens, listBytes }: { tokens: number | null; listBytes: number },
): { growth: PromptGrowth | null; windowTokens: number | null } {
  if (tokens === null || tokens * mostBytesPerToken < listBytes) return { growth: before, windowTokens: null }
  const fresh: PromptGrowth = { tokens, listBytes, peakTokens: tokens, shrinks: 0 }
  if (before === null || tokens > before.tokens) return { growth: fresh, windowTokens: null }
  if (listBytes * 100 < before.listBytes * (100 + growthPercent)) return { growth: before, windowTokens: null }
  if (tokens === before.tokens) return { growth: fresh, windowTokens: Math.max(before.peakTokens, tokens) }
  const growth: PromptGrowth = { tokens, listBytes, peakTokens: before.peakTokens, shrinks: before.shrinks + 1 }
  return { growth, windowTokens: growth.shrinks >= 2 ? growth.peakTokens : null }
}
