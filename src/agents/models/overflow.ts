import { joinFaultText, type ProviderFault } from './provider-fault.ts'

export const overflowLimits = {
  /** Left free when the output bound is lowered: providers count tokens in slightly different ways. */
  marginTokens: 256,
  /** A smaller output bound is of no use. */
  leastOutputTokens: 1_024,
  leastWindowTokens: 256,
  mostWindowTokens: 100_000_000,
  /** An error without words counts as overflow above this part of the window, in percent. */
  suspectPercent: 80,
} as const

export type RequestSize = { estimateTokens: number; windowTokens: number }

/** `lower-output`: the same list fits with a smaller output bound. */
export type OverflowVerdict =
  | { kind: 'overflow'; windowTokens: number | null }
  | { kind: 'lower-output'; outputTokens: number; windowTokens: number }
  | { kind: 'rate-limit' }

/** `window` finds the size of the window in the same text, where the provider names it. */
type Sign = { providers: string; sign: RegExp; window?: RegExp }

const signs: readonly Sign[] = [
  {
    providers: 'OpenAI, Azure, Groq, DeepSeek, vLLM, OpenRouter',
    sign: /maximum context length/i,
    window: /maximum context length (?:is|of) (\d{1,9})/i,
  },
  { providers: 'OpenAI, Azure, Groq', sign: /context_length_exceeded|reduce the length of the messages/i },
  { providers: 'OpenAI Responses', sign: /exceeds the context window/i },
  { providers: 'vLLM', sign: /max_tokens must be at least 1, got -/i },
  { providers: 'Anthropic', sign: /prompt is too long/i, window: /prompt is too long: \d{1,9} tokens > (\d{1,9})/i },
  { providers: 'Anthropic', sign: /exceed context limit/i, window: /exceed context limit: \d{1,9} \+ \d{1,9} > (\d{1,9})/i },
  { providers: 'Anthropic', sign: /request_too_large|model_context_window_exceeded/i },
  {
    providers: 'Gemini',
    sign: /input token count[^\n]{0,40} exceeds the maximum number of tokens/i,
    window: /exceeds the maximum number of tokens allowed \(?(\d{1,9})/i,
  },
  { providers: 'llama.cpp', sign: /exceed_context_size_error/i, window: /n_ctx["\s:=(]{1,6}(\d{1,9})/i },
  {
    providers: 'llama.cpp',
    sign: /exceeds the available context size/i,
    window: /exceeds the available context size \((\d{1,9})/i,
  },
  { providers: 'LM Studio', sign: /greater than the context length/i, window: /n_ctx["\s:=(]{1,6}(\d{1,9})/i },
  {
    providers: 'LM Studio',
    sign: /trying to keep the first \d{1,9} tokens/i,
    window: /loaded with context length of only (\d{1,9})/i,
  },
  { providers: 'LM Studio', sign: /cannot truncate prompt with n_keep/i, window: /n_ctx["\s:=(]{1,6}(\d{1,9})/i },
  { providers: 'Ollama', sign: /prompt too long; exceeded|input length exceeds the context length/i },
  {
    providers: 'Mistral',
    sign: /too large for model with \d{1,9} maximum context length/i,
    window: /too large for model with (\d{1,9}) maximum/i,
  },
  { providers: 'Bedrock', sign: /input is too long for requested model/i },
  { providers: 'xAI', sign: /maximum prompt length is/i, window: /maximum prompt length is (\d{1,9})/i },
  { providers: 'Kimi', sign: /exceeded model token limit/i, window: /exceeded model token limit: (\d{1,9})/i },
  { providers: 'MiniMax', sign: /context window exceeds limit/i },
  {
    providers: 'Qwen',
    sign: /range of input length should be/i,
    window: /range of input length should be \[\d{1,9}, ?(\d{1,9})\]/i,
  },
  {
    providers: 'hosted open models',
    sign: /longer than the model's context length/i,
    window: /longer than the model's context length \(?(\d{1,9})/i,
  },
  { providers: 'llama-cpp-python', sign: /exceed context window of/i, window: /exceed context window of (\d{1,9})/i },
]

/** Stop reasons that say the same as an overflow error. */
export const isOverflowStop = (reason: string | null | undefined): boolean => reason?.toLowerCase() === 'model_context_window_exceeded'

/** Recognises context overflow in an error; null for any other error that is no rate limit. */
export function readOverflow(fault: ProviderFault, size: RequestSize): OverflowVerdict | null {
  if (fault.status !== null && fault.status > 299 && fault.status < 400) return null
  const text = joinFaultText(fault)
  if (isRateLimit(fault, text)) return readTooLargeForLimit(text)
  const matches = signs.filter(({ sign }) => sign.test(text))
  if (matches.length > 0) {
    const counted = readOutputCount(text)
    return (counted && fitOutput(counted)) ?? { kind: 'overflow', windowTokens: counted?.window ?? readWindow(text, matches) }
  }
  const isSilent = (fault.status === 400 || fault.status === 413) && isBlank(fault)
  const isNearlyFull = size.estimateTokens * 100 > size.windowTokens * overflowLimits.suspectPercent
  return isSilent && isNearlyFull ? { kind: 'overflow', windowTokens: null } : null
}

const isRateLimit = ({ status }: ProviderFault, text: string): boolean => status === 429 || /rate[ _-]?limit|tokens per min/i.test(text)

/** A request that is larger than the limit itself is refused however long one waits. */
function readTooLargeForLimit(text: string): OverflowVerdict {
  const limit = toNumber(/\blimit:? (\d{1,9})/i.exec(text)?.[1])
  const requested = toNumber(/\brequested:? (\d{1,9})/i.exec(text)?.[1])
  const isAboutTokens = /token|\bTP[MD]\b/i.test(text)
  if (!isAboutTokens || limit === null || requested === null || requested <= limit) return { kind: 'rate-limit' }
  return { kind: 'overflow', windowTokens: checkWindow(limit) }
}

function readWindow(text: string, matches: readonly Sign[]): number | null {
  for (const { window } of matches) {
    const tokens = window && checkWindow(toNumber(window.exec(text)?.[1]))
    if (typeof tokens === 'number') return tokens
  }
  return null
}

type OutputCount = { input: number; output: number; window: number }

/** Texts in which the provider adds the output bound to the prompt. */
function readOutputCount(text: string): OutputCount | null {
  const sum = /(?<!\d)(\d{1,9}) \+ (\d{1,9}) > (\d{1,9})/.exec(text)
  if (sum) return toCount(sum[1], sum[2], sum[3])
  const window = /maximum context length is (\d{1,9})/i.exec(text)?.[1]
  const requestedOutput = /max_(?:completion_)?tokens'? is too large: (\d{1,9})/i.exec(text)?.[1]
  const prompt = /your request has (\d{1,9}) input tokens/i.exec(text)?.[1]
  if (requestedOutput !== undefined && prompt !== undefined) return toCount(prompt, requestedOutput, window)
  const total = toNumber(/you requested (?:about )?(\d{1,9}) tokens/i.exec(text)?.[1])
  const output = toNumber(/(?<!\d)(\d{1,9}) in the (?:completion|output)/i.exec(text)?.[1])
  return total === null || output === null || output > total ? null : toCount(String(total - output), String(output), window)
}

function toCount(input: string | undefined, output: string | undefined, window: string | undefined): OutputCount | null {
  const counts = { input: toNumber(input), output: toNumber(output), window: checkWindow(toNumber(window)) }
  return counts.input === null || counts.output === null || counts.window === null ? null : (counts as OutputCount)
}

function fitOutput({ input, output, window }: OutputCount): OverflowVerdict | null {
  const room = window - input - overflowLimits.marginTokens
  // A bound that is not smaller than the refused one would be refused again.
  if (room < overflowLimits.leastOutputTokens || room >= output) return null
  return { kind: 'lower-output', outputTokens: room, windowTokens: window }
}

/** SDKs write `400 status code (no body)` where there was none. */
const isBlank = ({ code, type, message, body }: ProviderFault): boolean =>
  code === '' && type === '' && [message, body].every((text) => /^(?:\{\}|null|\[\]|""|\d{3} status code \(no body\))?$/.test(text.trim()))

const toNumber = (digits: string | undefined): number | null => (digits === undefined ? null : Number(digits))

const checkWindow = (tokens: number | null): number | null =>
  tokens !== null && tokens >= overflowLimits.leastWindowTokens && tokens <= overflowLimits.mostWindowTokens ? tokens : null
