import { EventStream, pieceBytes, tooLong } from './event-stream.ts'
import { GatheredCalls } from './gathered-calls.ts'
import type { FinishReason, ModelPart } from './language-model.ts'
import { findErrorResponse } from './model-error-response.ts'

/** A chunk or a whole completion, as far as it is read. Nothing is trusted to be there or to be of its type. */
type Completion = { choices?: unknown; usage?: unknown }
type Choice = { delta?: Said | null; message?: Said | null; finish_reason?: unknown }
type Said = {
  content?: unknown
  refusal?: unknown
  reasoning_content?: unknown
  reasoning?: unknown
  tool_calls?: unknown
  function_call?: unknown
}

/** Reads one reply of a chat-completions server: streamed, or as one document where `stream` was not heeded. */
export class ChatReply {
  #kind: 'unknown' | 'events' | 'document' = 'unknown'
  #events = new EventStream()
  #document: Buffer[] = []
  #documentBytes = 0
  #calls = new GatheredCalls()
  #isDone = false
  #isRead = false
  #hasWords = false
  #reason: FinishReason = null
  #inputTokens: number | null = null
  #outputTokens: number | null = null
  #thinkingTokens: number | null = null

  /** The server said that nothing more comes; not all of them do. */
  get isDone(): boolean {
    return this.#isDone
  }

  /** Parts in these bytes; null for comments and empty pieces, which only keep the connection open. */
  take(chunk: Buffer): ModelPart[] | null {
    if (this.#kind === 'unknown') this.#kind = detectKind(chunk)
    if (this.#kind !== 'document') return this.#readAll(this.#events.take(chunk))
    this.#documentBytes += chunk.length
    if (this.#documentBytes > pieceBytes) throw tooLong()
    this.#document.push(chunk)
    return null
  }

  /** Parts that are complete only at the end: the calls and the finish reason. */
  end(): ModelPart[] {
    const rest = this.#kind === 'document' ? [joinDocument(this.#document)] : this.#events.end()
    const parts = this.#readAll(rest) ?? []
    if (!this.#isRead) throw new Error('it sent nothing')
    // Of a reply that broke off, a call may lack half of its input.
    if (this.#reason !== null) parts.push(...this.#calls.whole())
    const thinking = this.#thinkingTokens === null ? {} : { thinkingTokens: this.#thinkingTokens }
    parts.push({ type: 'finish', reason: this.#reason, inputTokens: this.#inputTokens, outputTokens: this.#outputTokens, ...thinking })
    return parts
  }

  #readAll(pieces: readonly string[]): ModelPart[] | null {
    const parts: ModelPart[] = []
    let isHeard = false
    for (const piece of pieces) {
      if (this.#isDone || piece === '') continue
      if (piece.startsWith('[DONE]')) this.#isDone = true
      else if (this.#read(JSON.parse(piece) as unknown, parts)) isHeard = true
    }
    return isHeard ? parts : null
  }

  /** True when it held any output. */
  #read(value: unknown, parts: ModelPart[]): boolean {
    const errorResponse = findErrorResponse(value)
    if (errorResponse) throw errorResponse
    const { choices, usage } = (value ?? {}) as Completion
    const isCounted = typeof usage === 'object' && usage !== null
    if (!Array.isArray(choices) && !isCounted) throw new SyntaxError('neither choices nor an error')
    this.#isRead = true
    if (isCounted) {
      const counts = usage as { prompt_tokens?: unknown; completion_tokens?: unknown; completion_tokens_details?: unknown }
      const { prompt_tokens: input, completion_tokens: output, completion_tokens_details: details } = counts
      this.#thinkingTokens =
        tokens((details as { reasoning_tokens?: unknown } | null | undefined)?.reasoning_tokens) ?? this.#thinkingTokens
      this.#inputTokens = tokens(input) ?? this.#inputTokens
      this.#outputTokens = tokens(output) ?? this.#outputTokens
    }
    const choice = (Array.isArray(choices) ? choices[0] : undefined) as Choice | null | undefined
    if (!choice) return isCounted
    const before = parts.length
    // A whole message after its pieces only repeats them.
    const message = choice.delta ?? (this.#hasWords ? null : choice.message)
    const isCalling = message ? this.#hear(message, parts) : false
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') this.#reason = toFinishReason(choice.finish_reason)
    return parts.length > before || isCalling || this.#reason !== null
  }

  /** True when it held a piece of a call. */
  #hear({ content, refusal, reasoning_content, reasoning, tool_calls, function_call }: Said, parts: ModelPart[]): boolean {
    const before = parts.length
    const thoughts = reasoning_content ?? reasoning
    if (typeof thoughts === 'string' && thoughts !== '') parts.push({ type: 'reasoning', text: thoughts })
    if (typeof content === 'string') {
      if (content !== '') parts.push({ type: 'text', text: content })
    } else if (Array.isArray(content)) for (const part of content) hearPart(part, parts)
    // A model that declines says so in a field of its own; for the reader these are its words.
    if (typeof refusal === 'string' && refusal !== '') parts.push({ type: 'text', text: refusal })
    const pieces: unknown[] = Array.isArray(tool_calls) ? tool_calls : []
    for (const piece of pieces) this.#calls.take(piece)
    // The older form of a call, from before there could be several.
    if (function_call) this.#calls.take({ function: function_call })
    const isCalling = pieces.length > 0 || Boolean(function_call)
    this.#hasWords ||= isCalling || parts.length > before
    return isCalling
  }
}

/** The first byte tells: an event stream cannot begin with a brace. White space and a byte order mark tell nothing. */
function detectKind(chunk: Buffer): 'unknown' | 'events' | 'document' {
  for (const byte of chunk) {
    if (byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf) continue
    return byte === 0x7b || byte === 0x5b ? 'document' : 'events'
  }
  return 'unknown'
}

/** From its first brace on: what is left of a byte order mark is no JSON. */
function joinDocument(chunks: readonly Buffer[]): string {
  const text = Buffer.concat(chunks).toString('utf8')
  return text.slice(text.search(/[{[]/))
}

/** Content as a list: text, and thoughts that are a list themselves. */
function hearPart(part: unknown, parts: ModelPart[]): void {
  const { type, text, thinking } = (part ?? {}) as { type?: unknown; text?: unknown; thinking?: unknown }
  if (type === 'thinking' && Array.isArray(thinking)) {
    const thoughts = thinking.map((thought: unknown) => (thought as { text?: unknown } | null)?.text)
    const whole = thoughts.filter((thought) => typeof thought === 'string').join('')
    if (whole !== '') parts.push({ type: 'reasoning', text: whole })
  } else if (type === 'text' && typeof text === 'string' && text !== '') parts.push({ type: 'text', text })
}

const tokens = (count: unknown): number | null =>
  typeof count === 'number' && Number.isFinite(count) && count >= 0 ? Math.round(count) : null

function toFinishReason(raw: string): FinishReason {
  if (raw === 'length' || raw === 'max_tokens') return 'length'
  return raw === 'content_filter' ? 'filter' : 'other'
}
