import { askHuman } from '../../dialogs/rules/question.ts'
import type { AgentOutput } from '../../ports/agent-runtime.ts'
import { readQuestion } from '../ask-human.ts'
import type { ReadCall } from '../models/read-calls.ts'
import type { OutputVerdict, RawOutput } from '../models/read-output.ts'
import { noUsage, type TokenUsage } from '../models/usage.ts'
import type { ModelPart } from '../wires/wire.ts'

/** Parts whose order among the calls counts. */
type Held = Extract<ModelPart, { type: 'text' | 'refusal' | 'kept' | 'said' }> | { type: 'call'; source: number }

/** A longer text is no written call. Its first characters decide whether it may be one. */
export const heldLimits = { chars: 64_000, startChars: 80 } as const

/**
 * One reply while it is received. Words go out at once. Reasoning to keep waits for words, because a reply that holds nothing else
 * is asked for again; calls, and what comes after them, wait for the end, because they are read together.
 */
export class ReplyOutputs {
  #maker: string
  #isHolding: boolean
  #words = ''
  #refusal = ''
  /** Words since the last message ended, and whether any message did. */
  #open = ''
  #hasSaid = false
  #held: string[] = []
  #heldChars = 0
  #heldStart = ''
  #kept: object[] = []
  #calls: Extract<ModelPart, { type: 'call' }>[] = []
  #later: Held[] = []
  #end: string | null = null
  #usage = noUsage

  /** `holdsCalls`: words that look like a written call are held back until the end. */
  constructor({ maker, holdsCalls }: { maker: string; holdsCalls: boolean }) {
    this.#maker = maker
    this.#isHolding = holdsCalls
  }

  get usage(): TokenUsage {
    // The output of a reply that broke off is not all counted yet.
    return this.#end === null ? { ...this.#usage, outputTokens: null } : this.#usage
  }

  get raw(): RawOutput {
    return { words: this.#words, refusal: this.#refusal, calls: this.#calls, endReason: this.#end }
  }

  *take(part: ModelPart): Generator<AgentOutput> {
    switch (part.type) {
      case 'reasoning':
        return yield { type: 'thinking', text: part.text }
      case 'call':
        this.#calls.push(part)
        this.#later.push({ type: 'call', source: this.#calls.length - 1 })
        return
      case 'finish':
        this.#end = part.end
        this.#usage = part.usage
        return
      case 'text':
        this.#words += part.text
        break
      case 'refusal':
        this.#refusal += part.text
        break
      case 'kept':
      case 'said':
    }
    if (this.#calls.length > 0) this.#later.push(part)
    else yield* this.#give(part)
  }

  /** Everything that waited, with the calls as they were read. */
  *finish({ calls, words, isCut }: Extract<OutputVerdict, { kind: 'whole' }>, cutNote: string): Generator<AgentOutput> {
    const isWritten = calls.length > 0 && this.#calls.length === 0
    this.#isHolding = false
    if (isWritten) yield* this.#giveKept()
    else yield* this.#give({ type: 'text', text: '' })
    if (isWritten) for (const call of calls) yield* giveCall(call)
    const bySource = Map.groupBy(calls, ({ source }) => source)
    for (const part of this.#later) {
      if (part.type !== 'call') yield* this.#give(part)
      else if (!isCut) yield* this.#giveCalls(part.source, bySource.get(part.source) ?? [])
    }
    yield* this.#giveKept()
    if (isCut && words !== '') yield* this.#close(`\n\n${cutNote}`)
    else if (this.#hasSaid && this.#open !== '') yield { type: 'text', text: this.#open }
  }

  *#give(part: Exclude<Held, { type: 'call' }>): Generator<AgentOutput> {
    switch (part.type) {
      case 'kept':
        this.#kept.push(part.data)
        return
      case 'said':
        if (this.#open !== '') yield { type: 'text', text: this.#open, ...(part.phase !== null && { phase: part.phase }) }
        this.#hasSaid = true
        this.#open = ''
        return
      case 'refusal':
      case 'text': {
        this.#held.push(part.text)
        this.#heldChars += part.text.length
        if (this.#heldStart.length < heldLimits.startChars)
          this.#heldStart = (this.#heldStart + part.text).trimStart().slice(0, heldLimits.startChars)
        if (this.#isHolding && this.#heldChars <= heldLimits.chars && mayBeCall(this.#heldStart)) return
        this.#isHolding = false
        const text = this.#held.join('')
        this.#held = []
        if (text === '') return
        if (text.trim() !== '') yield* this.#giveKept()
        this.#open += text
        yield { type: 'delta', text }
      }
    }
  }

  *#giveKept(): Generator<AgentOutput> {
    const kept = this.#kept
    this.#kept = []
    for (const data of kept) yield { type: 'reasoning', maker: this.#maker, data }
  }

  *#giveCalls(source: number, calls: readonly ReadCall[]): Generator<AgentOutput> {
    yield* this.#giveKept()
    const extra = this.#calls[source]?.extra
    for (const [at, call] of calls.entries()) {
      // Provider fields belong to the first of several calls that came as one.
      if (extra && at === 0) yield { type: 'reasoning', maker: this.#maker, data: { onCall: extra } }
      yield* giveCall(call)
    }
  }

  *#close(note: string): Generator<AgentOutput> {
    yield { type: 'delta', text: note }
    if (this.#hasSaid) yield { type: 'text', text: this.#open === '' ? note.trim() : `${this.#open}${note}` }
  }
}

function* giveCall({ id, name, input, fault }: ReadCall): Generator<AgentOutput> {
  yield { type: 'call', call: id, name, input, ...(fault && { fault }) }
  const read = name === askHuman && fault === null ? readQuestion(input) : null
  if (read && 'ask' in read) yield { type: 'question', ...read, call: id }
}

/** True while a text that begins like this can become a written call: a fenced object, or a tag of calls. */
function mayBeCall(start: string): boolean {
  if ('```'.startsWith(start)) return true
  const isFenced = start.startsWith('```')
  const inside = isFenced
    ? start
        .slice(3)
        .replace(/^[\w-]{0,20}/, '')
        .trimStart()
    : start
  if (inside === '' || (isFenced && inside.startsWith('{'))) return true
  return ['<tool', '<function'].some((tag) => (inside.length < tag.length ? tag.startsWith(inside) : inside.startsWith(tag)))
}
