import { readField } from '../../shapes/record.ts'

/** Token counts of one generation; null where the provider gave none. */
export type TokenUsage = {
  /** The whole prompt, with cached and newly cached tokens. */
  inputTokens: number | null
  /** Part of the input that came from the cache. */
  cachedTokens: number | null
  /** Part of the input that was written to the cache. */
  cacheWriteTokens: number | null
  /** With reasoning. */
  outputTokens: number | null
  reasoningTokens: number | null
}

export const noUsage: TokenUsage = {
  inputTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  outputTokens: null,
  reasoningTokens: null,
}

/** Reads the usage of Chat Completions, Responses and Anthropic Messages, in the forms that servers send. */
export function readUsage(usage: unknown): TokenUsage {
  const isChat = ['prompt_tokens', 'completion_tokens', 'prompt_cache_hit_tokens'].some((name) => readCount(usage, name) !== null)
  return settle(isChat ? readChat(usage) : readField(usage, 'input_tokens_details') ? readResponses(usage) : readAnthropic(usage))
}

/** Counts of one stream: a later piece replaces what it names. */
export function mergeUsage(before: TokenUsage, next: TokenUsage): TokenUsage {
  return {
    inputTokens: next.inputTokens ?? before.inputTokens,
    cachedTokens: next.cachedTokens ?? before.cachedTokens,
    cacheWriteTokens: next.cacheWriteTokens ?? before.cacheWriteTokens,
    outputTokens: next.outputTokens ?? before.outputTokens,
    reasoningTokens: next.reasoningTokens ?? before.reasoningTokens,
  }
}

function readChat(usage: unknown): TokenUsage {
  const details = readField(usage, 'prompt_tokens_details')
  const hits = readCount(usage, 'prompt_cache_hit_tokens')
  const misses = readCount(usage, 'prompt_cache_miss_tokens')
  const input = readCount(usage, 'prompt_tokens') ?? add(hits, misses)
  const output = readCount(usage, 'completion_tokens')
  const total = readCount(usage, 'total_tokens')
  // Gemini and Grok count reasoning in the total only.
  const hidden = input === null || output === null || total === null ? 0 : Math.max(0, total - input - output)
  return {
    inputTokens: input,
    cachedTokens: readCount(details, 'cached_tokens') ?? hits ?? readCount(usage, 'cached_tokens'),
    cacheWriteTokens: readCount(details, 'cache_write_tokens'),
    outputTokens: output === null ? null : output + hidden,
    reasoningTokens: readCount(readField(usage, 'completion_tokens_details'), 'reasoning_tokens') ?? (hidden > 0 ? hidden : null),
  }
}

function readResponses(usage: unknown): TokenUsage {
  const details = readField(usage, 'input_tokens_details')
  return {
    inputTokens: readCount(usage, 'input_tokens'),
    cachedTokens: readCount(details, 'cached_tokens'),
    cacheWriteTokens: readCount(details, 'cache_write_tokens'),
    outputTokens: readCount(usage, 'output_tokens'),
    reasoningTokens: readCount(readField(usage, 'output_tokens_details'), 'reasoning_tokens'),
  }
}

/** Anthropic counts cached tokens beside `input_tokens`, not in it. */
function readAnthropic(usage: unknown): TokenUsage {
  const cached = readCount(usage, 'cache_read_input_tokens')
  const written = readCount(usage, 'cache_creation_input_tokens')
  const fresh = readCount(usage, 'input_tokens')
  return {
    inputTokens: fresh === null ? null : fresh + (cached ?? 0) + (written ?? 0),
    cachedTokens: cached,
    cacheWriteTokens: written,
    outputTokens: readCount(usage, 'output_tokens'),
    reasoningTokens: readCount(readField(usage, 'output_tokens_details'), 'reasoning_tokens'),
  }
}

/** A part is never larger than the whole, whatever a server reports. */
function settle({ inputTokens, cachedTokens, cacheWriteTokens, outputTokens, reasoningTokens }: TokenUsage): TokenUsage {
  const cached = atMost(cachedTokens, inputTokens)
  return {
    inputTokens,
    cachedTokens: cached,
    cacheWriteTokens: atMost(cacheWriteTokens, inputTokens === null ? null : inputTokens - (cached ?? 0)),
    outputTokens,
    reasoningTokens: atMost(reasoningTokens, outputTokens),
  }
}

const atMost = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null ? part : Math.min(part, whole)

const add = (one: number | null, other: number | null): number | null => (one === null && other === null ? null : (one ?? 0) + (other ?? 0))

function readCount(source: unknown, name: string): number | null {
  const count = readField(source, name)
  return typeof count === 'number' && Number.isFinite(count) && count >= 0 && count <= Number.MAX_SAFE_INTEGER / 8
    ? Math.round(count)
    : null
}
