import type { MessageFile } from '../message-file.ts'
import type { BlockName } from './fences.ts'

/** `offset` is that of the owner's time zone in minutes when it happened, so that its text never changes. */
type Timed = { at: number; offset: number }

/** The status of a reply, as the agent claims it or as the runtime knows it. */
export const replyStatuses = ['done', 'partial', 'could_not', 'unstated', 'failed'] as const
export type ReplyStatus = (typeof replyStatuses)[number]

export type AnswerOutcome = 'answered' | 'declined' | 'cancelled' | 'expired'

/** An image or document that a person or a tool gave. `data` is base64, read from the file for a model that takes it. */
export type PromptFile = Omit<MessageFile, 'sha256'> & { data?: string }

/** Something that reached the agent. Texts are as they were written; they are escaped when they are rendered. */
export type Arrival = Timed &
  (
    | { kind: 'message'; from: string; text: string; files?: readonly PromptFile[] }
    | { kind: 'request'; handle: string; from: string; session: string | null; text: string; isReasoning: boolean }
    | { kind: 'ask-back'; handle: string; from: string; about: string | null; request: string | null; text: string }
    | {
        kind: 'reply'
        to: string
        from: string
        session: string | null
        status: ReplyStatus | null
        text: string
        passedMs: number
        /** The request, when this course has never shown it. */
        request: string | null
      }
    | { kind: 'answer'; to: string; by: string; outcome: AnswerOutcome; text: string; passedMs: number }
    | {
        kind: 'outcome'
        of: string
        tool: string
        ok: boolean
        text: string
        passedMs: number
        files?: readonly PromptFile[]
        /** In place of a text, so that it is written in the language of the dialog. */
        stopped?: { by: string; hasStarted: boolean }
      }
    /** Data that others changed, and texts of plugins and of the owner's diligence file. */
    | { kind: 'data'; block: Extract<BlockName, 'reminders' | 'task-document' | 'plugin' | 'diligence'>; name: string | null; text: string }
  )

/** Sentences of the runtime, one kind each. The values are numbers, handles and names; never words of others. */
export type Note =
  | { kind: 'time'; at: number; offset: number; passedMs: number }
  | { kind: 'stopped'; by: string }
  | { kind: 'continued'; by: string; passedMs: number }
  | { kind: 'ask-back'; handles: readonly string[] }
  | { kind: 'reply-nudge'; handle: string }
  | { kind: 'caution'; used: number; window: number }
  | { kind: 'critical'; steps: number }
  | { kind: 'budget'; percent: number }
  | { kind: 'diligence' }
  | { kind: 'team'; change: 'joined'; agent: string; about: string }
  | { kind: 'team'; change: 'left'; agent: string }
  | { kind: 'tool-gone'; tool: string }
  | { kind: 'new-course'; course: number; isFull: boolean }
  | { kind: 'compacted' }

/** A call waits for another dialog, a person's answer or a person's approval. */
export type Waiting = { for: 'request'; agent: string } | { for: 'question' } | { for: 'approval' }

export type OutputPart =
  /** As the provider sent it. It goes back only to the model that made it. */
  | { type: 'reasoning'; maker: string; data: unknown }
  | { type: 'words'; text: string; phase?: string }
  | { type: 'call'; call: string; name: string; input: object }

export type ResultText =
  | { is: 'outcome'; ok: boolean; text: string; files?: readonly PromptFile[] }
  | { is: 'waiting'; handle: string; waiting: Waiting }
  | { is: 'stopped'; by: string; hasStarted: boolean }
  /** Its process ended before the result was known. */
  | { is: 'interrupted' }
  /** Cut by a compaction. */
  | { is: 'shortened'; tool: string; chars: number; ok: boolean; handle: string }

/** The list a model reads, oldest first. Items are only appended; nothing an item says depends on a later one. */
export type PromptItem =
  | { kind: 'course'; blocks: readonly CourseBlock[] }
  | { kind: 'result'; call: string; tool: string; handle: string; result: ResultText }
  | { kind: 'arrival'; arrival: Arrival }
  | { kind: 'note'; note: Note }
  | { kind: 'output'; parts: readonly OutputPart[] }

/** A block of the snapshot that a course begins with, or a message or request that is shown again. */
export type CourseBlock =
  | { block: 'memories' | 'task-document' | 'trail'; text: string }
  | { block: 'reminders'; reminders: readonly string[] }
  | { block: 'waiting'; waiting: readonly WaitingLine[] }
  | { block: 'pinned'; arrival: Arrival }

export type WaitingLine = { handle: string; waiting: Waiting; tool: string; session: string | null; passedMs: number; text: string }
