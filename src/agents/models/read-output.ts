import { isOverflowStop } from './overflow.ts'
import { type CallFacts, type RawCall, type ReadCall, readCalls } from './read-calls.ts'
import { readTextCalls } from './text-calls.ts'

/** One output as the wire gave it. */
export type RawOutput = {
  words: string
  /** OpenAI's field of this name. */
  refusal: string
  calls: readonly RawCall[]
  /** In the words of the provider; null when the stream ended without one. */
  endReason: string | null
}

export type OutputFacts = CallFacts & {
  textCalls: boolean
  /** Earlier outputs of the same step. */
  wasRetried: boolean
  wasNudged: boolean
  wasDoubled: boolean
  outputTokens: number
  /** null: the provider names none. */
  maxOutputTokens: number | null
}

export type OutputVerdict =
  /** `isCut`: the output bound ended it; the words stay, calls are dropped. */
  | { kind: 'whole'; words: string; calls: ReadCall[]; isCut: boolean }
  /** Sends the same bytes again. */
  | { kind: 'retry'; why: 'empty' | 'stream-cut' }
  /** Reasoning used up the output bound. */
  | { kind: 'retry-larger'; outputTokens: number }
  | { kind: 'nudge' }
  | { kind: 'overflow' }
  /** Not retried. Only after `declined` is another model worth a try. */
  | { kind: 'failed'; why: 'declined' | 'output-bound' | 'empty'; words: string }

export type OutputEnd = 'normal' | 'length' | 'declined' | 'overflow' | 'stream-cut'

const ends: readonly (readonly [OutputEnd, ReadonlySet<string>])[] = [
  ['length', new Set(['length', 'max_tokens', 'max_output_tokens', 'model_length'])],
  ['declined', new Set(['refusal', 'content_filter', 'content-filter', 'safety', 'prohibited_content', 'blocklist', 'spii', 'recitation'])],
  // The provider gave up in the middle: the same as a lost connection.
  ['stream-cut', new Set(['error', 'insufficient_system_resource', 'failed', 'aborted', 'network_error'])],
]

/** The meaning of an end reason in any wire. Reasons that are not known are normal. */
export function readEnd(reason: string | null): OutputEnd {
  if (reason === null) return 'stream-cut'
  if (isOverflowStop(reason)) return 'overflow'
  const plain = reason.trim().toLowerCase()
  return ends.find(([, reasons]) => reasons.has(plain))?.[0] ?? 'normal'
}

/** Decides about an output; every case is a value. */
export function readOutput(output: RawOutput, facts: OutputFacts): OutputVerdict {
  const words = joinWords(output)
  const hasWords = words.trim() !== ''
  switch (readEnd(output.endReason)) {
    case 'stream-cut':
      return { kind: 'retry', why: 'stream-cut' }
    case 'overflow':
      return { kind: 'overflow' }
    case 'declined':
      return { kind: 'failed', why: 'declined', words }
    case 'length':
      return hasWords ? { kind: 'whole', words, calls: [], isCut: true } : enlarge(facts)
    case 'normal': {
      const written = facts.textCalls && output.calls.length === 0 ? readTextCalls(words, facts.tools) : null
      if (written) return { kind: 'whole', words: '', calls: readCalls(written.map(withoutId), facts), isCut: false }
      if (hasWords || output.calls.length > 0) return { kind: 'whole', words, calls: readCalls(output.calls, facts), isCut: false }
      return handleEmpty(facts)
    }
  }
}

const withoutId = (call: { name: string; input: unknown }): RawCall => ({ ...call, id: '' })

/** A refusal in its own field counts as words. */
const joinWords = ({ words, refusal }: RawOutput): string => [words, refusal].filter((text) => text.trim() !== '').join('\n\n')

/** The bound ended the output before a word: reasoning used it up, shown or hidden, or a call has no end. */
function enlarge(facts: OutputFacts): OutputVerdict {
  const outputTokens = Math.min(facts.outputTokens * 2, facts.maxOutputTokens ?? Infinity)
  if (facts.wasDoubled || outputTokens <= facts.outputTokens) return { kind: 'failed', why: 'output-bound', words: '' }
  return { kind: 'retry-larger', outputTokens }
}

function handleEmpty({ wasRetried, wasNudged }: OutputFacts): OutputVerdict {
  if (!wasRetried) return { kind: 'retry', why: 'empty' }
  return wasNudged ? { kind: 'failed', why: 'empty', words: '' } : { kind: 'nudge' }
}
