import { mergeUsage, readUsage } from '../models/usage.ts'
import { isRecord, readField } from '../../shapes/record.ts'
import { toErrorResponse } from './model-error-response.ts'
import { ReplyFrame } from './reply-frame.ts'
import type { ModelPart } from './wire.ts'

/** Reads one reply of OpenAI Responses: streamed, or as one document. Items are given when they are whole, words as they come. */
export class ResponsesReply extends ReplyFrame {
  /** Items whose words were streamed, by output index. */
  #streamed = new Set<unknown>()
  #items = 0

  protected override read(value: unknown, piece: string, parts: ModelPart[]): boolean {
    const type = readField(value, 'type')
    if (type === 'error' || type === 'response.failed' || isRecord(readField(value, 'error'))) throw toErrorResponse(value, piece)
    if (readField(value, 'object') === 'response') return this.#finish(value, parts)
    if (typeof type !== 'string') throw new SyntaxError('no event of this protocol')
    const index = readField(value, 'output_index')
    switch (type) {
      case 'response.output_text.delta':
        return this.#say(index, 'text', readField(value, 'delta'), parts)
      case 'response.refusal.delta':
        return this.#say(index, 'refusal', readField(value, 'delta'), parts)
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.#say(index, 'reasoning', readField(value, 'delta'), parts)
      case 'response.output_item.done':
        this.#give(readField(value, 'item'), index, parts)
        return true
      case 'response.completed':
      case 'response.incomplete':
        return this.#finish(readField(value, 'response'), parts)
      default:
        this.isRead ||= type.startsWith('response.')
        return type.startsWith('response.')
    }
  }

  #say(index: unknown, type: 'text' | 'refusal' | 'reasoning', text: unknown, parts: ModelPart[]): boolean {
    this.isRead = true
    this.#streamed.add(index)
    if (typeof text === 'string' && text !== '') parts.push({ type, text })
    return true
  }

  /** A whole output item. */
  #give(item: unknown, index: unknown, parts: ModelPart[]): void {
    if (!isRecord(item)) return
    this.isRead = true
    this.#items += 1
    const { type, name, arguments: written, call_id: id, phase, content } = item
    if (type === 'reasoning') parts.push({ type: 'kept', data: item })
    else if (type === 'function_call') {
      if (typeof name !== 'string' || name === '') throw new Error('it calls a tool without saying which')
      parts.push({ type: 'call', id: typeof id === 'string' ? id : '', name, input: written ?? {} })
    } else if (type === 'message') {
      if (!this.#streamed.has(index)) parts.push(...listWords(content))
      parts.push({ type: 'said', phase: typeof phase === 'string' ? phase : null })
    }
  }

  /** The response as a whole repeats its items; a server that does not stream has them only here. */
  #finish(response: unknown, parts: ModelPart[]): boolean {
    this.isRead = true
    const output = readField(response, 'output')
    if (this.#items === 0 && Array.isArray(output)) for (const [index, item] of output.entries()) this.#give(item, index, parts)
    const usage = readField(response, 'usage')
    if (isRecord(usage)) this.usage = mergeUsage(this.usage, readUsage({ input_tokens_details: {}, ...usage }))
    const error = readField(response, 'error')
    if (isRecord(error)) throw toErrorResponse(response, JSON.stringify(response))
    const reason = readField(readField(response, 'incomplete_details'), 'reason')
    const status = readField(response, 'status')
    this.reason = typeof reason === 'string' && reason !== '' ? reason : typeof status === 'string' ? status : 'completed'
    this.isComplete = true
    return true
  }
}

function listWords(content: unknown): ModelPart[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((part: unknown): ModelPart[] => {
    const [text, refusal] = [readField(part, 'text'), readField(part, 'refusal')]
    if (typeof text === 'string' && text !== '') return [{ type: 'text', text }]
    return typeof refusal === 'string' && refusal !== '' ? [{ type: 'refusal', text: refusal }] : []
  })
}
