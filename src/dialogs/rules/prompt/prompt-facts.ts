import type { AnswerOutcome, Arrival, Note, OutputPart, PromptFile, ReplyStatus, Waiting } from './prompt-items.ts'

type Without<Type, Keys extends string> = Type extends unknown ? Omit<Type, Keys> : never

/** Messages, requests and data; handles are given by the list. Replies, answers and outcomes come as `settled`. */
export type Incoming =
  | Without<Extract<Arrival, { kind: 'message' | 'data' }>, 'at' | 'offset'>
  | { kind: 'request'; id: string; from: string; session: string | null; text: string; isReasoning: boolean }
  /** `call` is the call of this agent that the other one works on. */
  | { kind: 'ask-back'; id: string; from: string; call: string | null; request: string | null; text: string }

/** The end of a call. */
export type Settlement =
  | { is: 'result'; ok: boolean; text: string; files?: readonly PromptFile[] }
  | { is: 'reply'; from: string; session: string | null; status: ReplyStatus | null; text: string; request: string }
  | { is: 'answer'; by: string; outcome: AnswerOutcome; text: string }
  | { is: 'stopped'; by: string; hasStarted: boolean }

export type CourseReason = 'first' | 'asked' | 'forced' | 'upgrade'

/** A course and a compaction start an epoch too; their own events say so. */
export type EpochReason = 'course' | 'persona' | 'team' | 'model' | 'tools' | 'reasoning-refused'

/** Texts that were read from files for a course; stored, because the files change. */
export type Snapshot = {
  memories: string | null
  taskdoc: string | null
  reminders: readonly string[]
  /** A longer request is shown shortened. */
  requestChars?: number
  /** A longer output of a tool that no request has shown yet is shown shortened. */
  newsChars?: number
  /** A person wanted the course; nothing was full. */
  byPerson?: true
  /** Hashes of the sections of the task document, so that a later change by others is noticed. */
  sections?: Readonly<Record<string, string>>
}

/** Everything that changes what a model reads. `offset` is that of the owner's zone in minutes. */
export type PromptFact = { seq: number; at: number; offset: number } & (
  | { type: 'arrived'; arrival: Incoming }
  /** The call of the last output does not end with its generation. */
  | { type: 'waits'; call: string; waiting: Waiting; session: string | null; text: string }
  | { type: 'settled'; call: string; end: Settlement }
  | { type: 'noted'; note: Note }
  /** The request or ask-back has its reply. */
  | { type: 'replied'; id: string }
  /** A call of an agent that is no model: only its end is of interest, should a model take the dialog over. */
  | { type: 'called'; call: string; tool: string }
  /** A generation of such an agent ended: it has read everything up to `seen`. */
  | { type: 'passed'; seen: number }
  /** A generation ended. `seen` is the number of the last fact it knew of. Stopped and failed ones have words at most. */
  | { type: 'generated'; seen: number; parts: readonly OutputPart[] }
  /** A try failed and is repeated with the same bytes: facts after `seen` wait. */
  | { type: 'tried'; seen: number }
  /** `resultChars`: longer results are shown shortened from here on. */
  | { type: 'epoch'; why: EpochReason; resultChars: number }
  /** `most`: at most this number of results is cut, oldest first. */
  | { type: 'compacted'; keepOutputs: number; longestChars: number; most?: number }
  | { type: 'course'; course: number; why: CourseReason; snapshot: Snapshot }
)
