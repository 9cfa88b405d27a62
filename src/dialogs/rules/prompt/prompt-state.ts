import type { OutputPart } from './prompt-items.ts'
import type { PromptList } from './prompt-list.ts'
import type { Declaration } from './tool-declarations.ts'

/** A part of an output in the log. Words and calls are in the events that follow in the same commit, and are not stored twice. */
export type StoredPart =
  | Extract<OutputPart, { type: 'reasoning' }>
  | { type: 'words'; chars: number; phase?: string }
  | { type: 'call'; call: string }

/** Frozen from one epoch to the next: what stands before the list in every request. */
export type PromptEpoch = {
  system: string
  tools: readonly Declaration[]
  team: readonly { name: string; about: string }[]
  /** The model. */
  maker: string
}

export type PromptState = {
  list: PromptList
  /** Null while the agent is no model, and in dialogs of versions before 0.3. */
  epoch: PromptEpoch | null
  /** An output whose words and calls have not all been read from the log yet. */
  output: PendingOutput | null
  /** The provider's count of the last prompt, and the number of items it had. */
  counted: { tokens: number; items: number } | null
  /** Finished generations of this course. */
  generations: number
  /** The course was forced, and no turn has failed since: what the person then changed gets a try. */
  isForced: boolean
  compactions: number
  /** Value of `generations` when the agent was last told that its context is long. */
  cautionAt: number | null
  /** Steps left as the agent was last told; null below the critical level. */
  criticalLeft: number | null
  /** A course has to begin before the next request. */
  courseDue: 'person' | 'overflow' | null
  /** Tools and teammates of the epoch that the agent was told are gone. */
  gone: readonly string[]
  /** Hashes of the sections of the task document as the agent knows them. */
  sections: Readonly<Record<string, string>>
  /** When the agent was stopped or failed, for the note that lets it continue. */
  haltedAt: number | null
}

export type PendingOutput = {
  seen: number
  at: number
  seq: number
  parts: readonly StoredPart[]
  text: string
  calls: Readonly<Record<string, { name: string; input: unknown }>>
}
