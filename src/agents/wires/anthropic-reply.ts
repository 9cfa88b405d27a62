import { mergeUsage, readUsage } from '../models/usage.ts'
import { isRecord, readField } from '../../shapes/record.ts'
import { pieceBytes, tooLong } from './event-stream.ts'
import { toErrorResponse } from './model-error-response.ts'
import { ReplyFrame } from './reply-frame.ts'
import type { ModelPart } from './wire.ts'

/** A content block while it is received. `pieces` are the texts of its deltas. */
type Block = { type: string; start: Record<string, unknown>; pieces: string[]; signature: string[] }

/** Reads one reply of Anthropic Messages: streamed, or as one document. */
export class AnthropicReply extends ReplyFrame {
  #blocks = new Map<number, Block>()
  #chars = 0

  /** Some servers leave out the end of a block. */
  protected override addLast(parts: ModelPart[]): void {
    if (this.reason !== null) for (const index of this.#blocks.keys()) this.#close(index, parts)
  }

  /** False for events that say nothing. */
  protected override read(value: unknown, piece: string, parts: ModelPart[]): boolean {
    if (readField(value, 'type') === 'error' || isRecord(readField(value, 'error'))) throw toErrorResponse(value, piece)
    const index = Number(readField(value, 'index') ?? 0)
    switch (readField(value, 'type')) {
      case 'message_start':
        this.#count(readField(readField(value, 'message'), 'usage'))
        return true
      case 'content_block_start':
        return this.#open(index, readField(value, 'content_block'), parts)
      case 'content_block_delta':
        return this.#add(index, readField(value, 'delta'), parts)
      case 'content_block_stop':
        this.#close(index, parts)
        return true
      case 'message_delta': {
        const reason = readField(readField(value, 'delta'), 'stop_reason')
        if (typeof reason === 'string' && reason !== '') this.reason = reason
        this.#count(readField(value, 'usage'))
        return true
      }
      case 'message_stop':
        this.isComplete = true
        return true
      case 'message':
        return this.#readDocument(value, parts)
      case 'ping':
        return false
      default:
        if (typeof readField(value, 'type') !== 'string') throw new SyntaxError('no event of this protocol')
        return false
    }
  }

  #count(usage: unknown): void {
    this.isRead = true
    if (isRecord(usage)) this.usage = mergeUsage(this.usage, readUsage(this.#withKnown(usage)))
  }

  /** The counts of the start are parts of the whole prompt; later events name only some of them. */
  #withKnown(usage: Record<string, unknown>): Record<string, unknown> {
    if (typeof usage['input_tokens'] !== 'number')
      return { output_tokens: usage['output_tokens'], output_tokens_details: usage['output_tokens_details'] }
    return usage
  }

  #open(index: number, content: unknown, parts: ModelPart[]): boolean {
    if (!isRecord(content)) return false
    this.isRead = true
    const block: Block = { type: String(content['type']), start: content, pieces: [], signature: [] }
    this.#blocks.set(index, block)
    const { text, thinking } = content
    if (block.type === 'text') this.#say(block, text, 'text', parts)
    if (block.type === 'thinking') this.#say(block, thinking, 'reasoning', parts)
    return true
  }

  #say(block: Block, piece: unknown, type: 'text' | 'reasoning', parts: ModelPart[]): void {
    if (typeof piece !== 'string' || piece === '') return
    this.#keep(block.pieces, piece)
    parts.push({ type, text: piece })
  }

  #keep(pieces: string[], piece: unknown): void {
    if (typeof piece !== 'string') return
    this.#chars += piece.length
    if (this.#chars > 4 * pieceBytes) throw tooLong()
    pieces.push(piece)
  }

  #add(index: number, delta: unknown, parts: ModelPart[]): boolean {
    const block = this.#blocks.get(index)
    if (!block) return false
    const { type, text, thinking, signature, partial_json: json } = (delta ?? {}) as Record<string, unknown>
    if (type === 'text_delta') this.#say(block, text, 'text', parts)
    else if (type === 'thinking_delta') this.#say(block, thinking, 'reasoning', parts)
    else if (type === 'signature_delta') this.#keep(block.signature, signature)
    else if (type === 'input_json_delta') this.#keep(block.pieces, json)
    return true
  }

  #close(index: number, parts: ModelPart[]): void {
    const block = this.#blocks.get(index)
    this.#blocks.delete(index)
    if (block) parts.push(...toParts(block))
  }

  #readDocument(value: unknown, parts: ModelPart[]): boolean {
    const content = readField(value, 'content')
    for (const [index, block] of (Array.isArray(content) ? content : []).entries()) {
      this.#open(index, block, parts)
      this.#close(index, parts)
    }
    this.#count(readField(value, 'usage'))
    const reason = readField(value, 'stop_reason')
    if (typeof reason === 'string') this.reason = reason
    return true
  }
}

/** Reasoning and calls are given when they are whole; words were given as they came. */
function toParts({ type, start, pieces, signature }: Block): ModelPart[] {
  switch (type) {
    case 'thinking': {
      const signed = signature.length > 0 ? { signature: signature.join('') } : {}
      return [{ type: 'kept', data: { ...start, thinking: pieces.join(''), ...signed } }]
    }
    case 'redacted_thinking':
      return [{ type: 'kept', data: start }]
    case 'tool_use': {
      const { id, name, input } = start
      const written = pieces.join('')
      if (typeof name !== 'string' || name === '') throw new Error('it calls a tool without saying which')
      return [{ type: 'call', id: typeof id === 'string' ? id : '', name, input: written.trim() === '' ? (input ?? {}) : written }]
    }
    default:
      return []
  }
}
