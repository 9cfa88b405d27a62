import type { Language } from '../../../shapes/language.ts'
import type { OutputPart, PromptItem } from './prompt-items.ts'

/** Differences between the servers that speak one wire. */
export type Profile = {
  /** The model whose reasoning may go back to it. */
  maker: string
  language: Language
  systemRole: 'developer' | 'system'
  /** The role of the runtime's notes. */
  notesRole: 'developer' | 'user' | 'system'
  /** Joins neighbouring `user` messages. */
  alternate?: boolean
  /** A fixed `assistant` message between `tool` and `user`. */
  bridge?: boolean
  /** Every `assistant` message with calls has `reasoning_content`, if only an empty one. */
  reasoningContent?: boolean
  /** The model takes images, and documents where its wire has a form for them. */
  vision?: boolean
}

/** Items between two outputs: one batch. */
export type Batch = { kind: 'batch'; items: Exclude<PromptItem, { kind: 'output' }>[] }

export type Step = Batch | { kind: 'output'; parts: readonly OutputPart[] }

/** Batches and outputs in turn. */
export function toSteps(items: readonly PromptItem[]): Step[] {
  const steps: Step[] = []
  for (const item of items) {
    if (item.kind === 'output') {
      steps.push(item)
      continue
    }
    const last = steps.at(-1)
    if (last?.kind === 'batch') last.items.push(item)
    else steps.push({ kind: 'batch', items: [item] })
  }
  return steps
}

/** Words of an output; one that has neither words nor calls says so. */
export function outputWords(parts: readonly OutputPart[], noAnswer: string): string {
  const words = parts.flatMap((part) => (part.type === 'words' ? [part.text] : [])).join('')
  return words.trim() === '' && !parts.some(({ type }) => type === 'call') ? noAnswer : words
}
