import { mergeUsage, readUsage } from '../models/usage.ts'
import { isRecord } from '../../shapes/record.ts'
import { GatheredCalls } from './gathered-calls.ts'
import { KeptFields } from './kept-fields.ts'
import { findErrorResponse } from './model-error-response.ts'
import { RepeatedPiece } from './repeated-piece.ts'
import { ReplyFrame } from './reply-frame.ts'
import type { ModelPart } from './wire.ts'

/** A chunk or a whole completion, as far as it is read. Nothing is trusted to be there or to be of its type. */
type Completion = { choices?: unknown; usage?: unknown }
type Choice = { delta?: Said | null; message?: Said | null; finish_reason?: unknown }
type Said = {
  content?: unknown
  refusal?: unknown
  reasoning_content?: unknown
  reasoning?: unknown
  reasoning_details?: unknown
  tool_calls?: unknown
  function_call?: unknown
}

/** Reads one reply of a chat-completions server: streamed, or as one document where `stream` was not heeded. */
export class ChatReply extends ReplyFrame {
  #calls = new GatheredCalls()
  #kept = new KeptFields()
  #repeated = new RepeatedPiece()
  #hasWords = false

  protected override parse(piece: string): unknown {
    const cachedValue = this.#repeated.read(piece)
    if (cachedValue !== undefined) return cachedValue
    const value = super.parse(piece)
    this.#repeated.learn(piece, value)
    return value
  }

  /** The calls and reasoning to keep. */
  protected override addLast(parts: ModelPart[]): void {
    const keptData = this.#kept.whole()
    if (keptData !== null) parts.push({ type: 'kept', data: keptData })
    // Of a reply that broke off, a call may lack half of its input.
    if (this.reason !== null) parts.push(...this.#calls.whole())
  }

  /** True when it held any output. */
  protected override read(value: unknown, piece: string, parts: ModelPart[]): boolean {
    const errorResponse = findErrorResponse(value, { body: piece })
    if (errorResponse) throw errorResponse
    const { choices, usage } = (value ?? {}) as Completion
    const isCounted = isRecord(usage)
    if (!Array.isArray(choices) && !isCounted) throw new SyntaxError('neither choices nor an error')
    this.isRead = true
    if (isCounted) this.usage = mergeUsage(this.usage, readUsage(usage))
    const choice = (Array.isArray(choices) ? choices[0] : undefined) as Choice | null | undefined
    if (!choice) return isCounted
    const before = parts.length
    // A whole message after its pieces only repeats them.
    const message = choice.delta ?? (this.#hasWords ? null : choice.message)
    const isCalling = message ? this.#hear(message, parts) : false
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') this.reason = choice.finish_reason
    return parts.length > before || isCalling || this.reason !== null
  }

  /** True when it held a piece of a call. */
  #hear(said: Said, parts: ModelPart[]): boolean {
    const { content, refusal, reasoning_content, reasoning, tool_calls, function_call } = said
    const before = parts.length
    this.#kept.take(said)
    const thoughts = reasoning_content ?? reasoning
    if (typeof thoughts === 'string' && thoughts !== '') parts.push({ type: 'reasoning', text: thoughts })
    if (typeof content === 'string') {
      if (content !== '') parts.push({ type: 'text', text: content })
    } else if (Array.isArray(content)) for (const part of content) hearPart(part, parts)
    if (typeof refusal === 'string' && refusal !== '') parts.push({ type: 'refusal', text: refusal })
    const pieces: unknown[] = Array.isArray(tool_calls) ? tool_calls : []
    for (const piece of pieces) this.#calls.take(piece)
    // The older form of a call, from before there could be several.
    if (function_call) this.#calls.take({ function: function_call })
    const isCalling = pieces.length > 0 || Boolean(function_call)
    this.#hasWords ||= isCalling || parts.length > before
    return isCalling
  }
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
