import type { Language } from '../../shapes/language.ts'
import type { ApprovalDecision, QuestionAudience } from '../../authority/audience.ts'
import type { Cause } from '../../authority/cause.ts'
import type { Author, Role } from '../../authority/roles.ts'
import type { Details, ErrorCode } from '../../errors.ts'
import type { Approval, ApprovalEdits, CancelCause, GateRecord, GrantFacts } from './approval.ts'
import type { Answers, Question } from './question.ts'
import type { HealthLevel } from './dialog-state.ts'
import type { LimitFacts } from './limit-facts.ts'
import type { ShownMessage } from '../../chats/message/shown-message.ts'
import type { MessageFile } from './message-file.ts'
import type { CourseReason, EpochReason, Snapshot } from './prompt/prompt-facts.ts'
import type { Arrival, Note, ReplyStatus } from './prompt/prompt-items.ts'
import type { PromptEpoch, StoredPart } from './prompt/prompt-state.ts'
import type { ReplyOutcome, TellaskMode } from './tellask.ts'

/** `id` and `role` are set for people since 0.2: who they are, proven by the surface, and the role they had at that moment. */
export type Participant = { kind: 'human' | 'agent'; name: string; id?: string; role?: Role }

/** Through which door a person spoke, such as `web`, `cli`, `api`. */
export type Via = string

/** `via` of what a build writes into its agent's dialog in a person's name: it waits while the dialog is stopped. */
export const buildVia = 'build'

/**
 * The rule for running a tool call a second time after a crash:
 * `repeat` is safe to repeat, `ask` lets a human decide.
 */
export type RepeatPolicy = 'repeat' | 'ask'

/** `money` is in the currency the prices are given in. */
export type Spent = { tokens: number; money: number }

/** `inputTokens` includes cached and newly cached tokens, `outputTokens` includes reasoning. */
export type Usage = {
  inputTokens: number | null
  outputTokens: number | null
  cachedTokens?: number | null
  cacheWriteTokens?: number | null
  reasoningTokens?: number | null
}

/** `crash`: found by the process that took the turn over. `shutdown`: the server stopped in order. `death`: the dialog died. */
export type TurnCutReason = 'crash' | 'shutdown' | 'death'

type Fact<Type extends string, Data extends object> = { type: Type; at: number; data: Data }

/**
 * Events for people to read. Folds skip them unless one is named; page and terminal show its text of
 * `src/words/…/dialog-notes.ts`.
 */
const noteTypes = [
  'dialog.titled',
  'dialog.pinned',
  'dialog.archived',
  'dialog.trusted',
  'pushes.changed',
  'taskdoc.changed',
  'model.chosen',
  'dialog.retired',
  'dialog.restored',
  'dialog.deleted',
] as const satisfies readonly DialogEvent['type'][]

export type NoteEvent = Extract<DialogEvent, { type: (typeof noteTypes)[number] }>

export const isNote = <Event extends DialogEvent>(event: Event): event is Event & NoteEvent =>
  (noteTypes as readonly string[]).includes(event.type)

/** Everything that can have happened in a dialog. Facts only: `noun.past`. */
export type DialogEvent =
  /** A dialog without `origin` is a root. */
  | Fact<'dialog.opened', { agent: string; by: Participant; language: Language; origin?: Origin; taskdoc?: string }>
  /** Its first words are those of another chat, up to one of its messages. `floor` and `writers` are those of that chat. */
  | Fact<
      'dialog.branched',
      {
        from: string
        message: string
        messages: readonly BranchedMessage[]
        floor: Role
        writers: readonly Author[]
        by: Participant
        via: Via | null
      }
    >
  | Fact<'dialog.titled', { title: string; by: 'first-words' | 'human' | 'agent' }>
  /** In people's lists it stands first. */
  | Fact<'dialog.pinned', { isPinned: boolean; by: Participant; via: Via | null }>
  /** People's lists hide it. Nothing else changes, and a person who writes there brings it back. */
  | Fact<'dialog.archived', { isArchived: boolean; by: Participant; via: Via | null }>
  /** A finished message. `turn` is set for an agent's. */
  /** `authors` is set where the text was written by several people, as in a build. */
  | Fact<
      'message.said',
      {
        message: string
        by: Participant
        text: string
        turn: number | null
        via: Via | null
        authors?: readonly Author[]
        files?: readonly MessageFile[]
        /** Of an agent, since 0.3: `text` is the plain reading of this. */
        shown?: ShownMessage
        /** Of a person who tapped a control of such a message. `isReusable`: the control stays. */
        tap?: { message: string; value: string; isReusable?: true }
      }
    >
  /** `alone`: the work of its tree is stopped, and this turn only answers a person. It starts no other dialog and gives no reply. */
  | Fact<'turn.started', { turn: number; alone?: Hold; cause?: Cause }>
  /** Of a model: its request is fixed. A further try, also after a crash, sends the same bytes. */
  /** `seen`: the request ended there. Without it the request ended with this event. */
  | Fact<'generation.started', { turn: number; generation: number; seen?: number }>
  /** `seen` is the number of the last event it knew of. `output` is set for models. */
  | Fact<
      'generation.finished',
      {
        turn: number
        generation: number
        model: string | null
        usage: Usage
        seen?: number
        health?: HealthLevel
        spent?: Spent
        output?: readonly StoredPart[]
        /** Size of the prompt, where it is not the input that was paid for. */
        promptTokens?: number
      }
    >
  /** `retryAt` is null without an automatic retry. `spent` is the cost of the failed generation; logs of 0.1 lack it. */
  | Fact<'generation.failed', { turn: number; code: ErrorCode; details: Details; retryAt: number | null; spent?: Spent }>
  | Fact<
      'tool.called',
      { call: string; turn: number; name: string; input: unknown; policy: RepeatPolicy; cause?: Cause; gate?: GateRecord }
    >
  /** Committed before an approved call runs that must not run twice. */
  | Fact<'tool.started', { call: string }>
  | Fact<'tool.returned', { call: string; ok: boolean; output: unknown; files?: readonly MessageFile[] }>
  | Fact<
      'question.asked',
      {
        question: string
        turn: number | null
        call: string | null
        by: Participant
        ask: Question
        expiresAt: number | null
        purpose?: QuestionPurpose
        cause?: Cause
        /** Logs of 0.1 lack it; see src/store/upcasts.ts. */
        audience: QuestionAudience
        approval?: Approval
        limit?: LimitFacts
      }
    >
  | Fact<
      'question.answered',
      {
        question: string
        answers: Answers
        by: Participant
        via: Via | null
        decision?: ApprovalDecision
        scope?: string
        note?: string
        /** The call runs with these words. */
        edits?: ApprovalEdits
        /** Until then the person may withdraw it, and the agent does not read it: `answer.taken` closes the question. */
        undoUntil?: number
      }
    >
  /** The person who gave the answer took it back in time: the question is open again. */
  | Fact<'answer.withdrawn', { question: string; by: Participant; via: Via | null }>
  /** The time to withdraw the answer is over. */
  | Fact<'answer.taken', { question: string }>
  /** One of several people who have to approve did so. */
  | Fact<'approval.key-given', { question: string; by: Participant; via: Via | null }>
  | Fact<'grant.made', { grant: GrantFacts; question: string; by: Participant; via: Via | null }>
  | Fact<'grant.ended', { grant: string; by: Participant; via: Via | null; why: 'revoked' | 'changed' | 'dialog-ended' }>
  | Fact<'question.declined', { question: string; reason: string | null; by: Participant; via: Via | null }>
  | Fact<'question.cancelled', { question: string; reason: string | null; why: CancelCause | null; by: Participant }>
  | Fact<'question.expired', { question: string }>
  /** A person tried to answer who may not; recorded once per person and question. */
  | Fact<'answer.refused', { question: string; by: Participant; via: Via | null }>
  /** `seen` is the number of the last event the turn knew of; what came later starts the next one. */
  | Fact<'turn.finished', { turn: number; seen: number }>
  /**
   * `seen` is as in `turn.finished`; without it (0.1) the turn counts as having seen everything. `spent` is the cost of the
   * generation that the failure ended, if one was running.
   */
  | Fact<
      'turn.failed',
      {
        turn: number
        code: ErrorCode
        details: Details
        seen?: number
        spent?: Spent
        /** Another try would fail as well. */
        isFinal?: true
        /** The agents that wait for this dialog are told at this time, unless it works again before. */
        replyDueAt?: number
      }
    >
  /** A person gave up on the failure, or the agents that asked were told of it. */
  | Fact<'failure.settled', { why: 'given-up' | 'final' | 'timeout'; by?: Participant; via?: Via | null }>
  /** `text` is what had been written when it was stopped; it stays on the page. `held`: it continues when this stop is lifted. */
  | Fact<'turn.stopped', { turn: number; text: string | null; seen?: number; held?: Hold; spent?: Spent }>
  /** The process ended while the turn ran; the turn runs again. `spent` is the cost of the generation that was lost. */
  | Fact<'turn.cut', { turn: number; why: TurnCutReason; spent?: Spent }>
  /** Ends the running turn and nothing else. */
  | Fact<'stop.requested', { by: Participant; via: Via | null }>
  /** No turn starts in this dialog or below it until the latch is lifted. */
  | Fact<'latch.set', { by: Participant; via: Via | null }>
  | Fact<'latch.lifted', { by: Participant; via: Via | null }>
  /** A turn was due and did not start, because a stop holds it back. */
  | Fact<'dialog.held', Hold>
  | Fact<'dialog.continued', { by: Participant; via: Via | null }>
  /** In the dialog that asks. `to` is the dialog that was asked. */
  | Fact<
      'tellask.made',
      {
        tellask: string
        call: string
        mode: TellaskMode
        to: string
        agent: string
        session: string | null
        content: string
        cause?: Cause
      }
    >
  /** In the dialog that is asked. */
  | Fact<
      'tellask.received',
      {
        tellask: string
        mode: TellaskMode
        from: string
        by: string
        session: string | null
        content: string
        about: string | null
        /** The asker's cause: the receiver takes the lower of both floors. */
        cause?: Cause
      }
    >
  /** In the dialog that was asked: closes one request. */
  | Fact<'reply.given', { tellask: string; text: string; status?: ReplyStatus }>
  /** In the dialog that asked. `text` is what its agent reads. */
  | Fact<'reply.received', { tellask: string; outcome: ReplyOutcome; text: string; status?: ReplyStatus; cause?: Cause }>
  /** In the root: which side dialog is kept under which name. */
  | Fact<'session.registered', { agent: string; session: string; dialog: string }>
  | Fact<'session.dropped', { agent: string; session: string }>
  /**
   * A new stretch of context begins. Models read the snapshot, others the prompt. `offset` is that of the owner's zone in
   * minutes.
   */
  | Fact<'course.started', { course: number; why: CourseReason; prompt: string; snapshot?: Snapshot; offset?: number }>
  /** A person wants the agent to begin a course before its next request. */
  | Fact<'course.requested', { by: Participant; via: Via | null }>
  /** System prompt and tools of the requests that follow. */
  | Fact<'epoch.started', PromptEpoch & { why: EpochReason; resultChars: number; offset: number }>
  /** Old results of tools are shown as one line each from here on. */
  | Fact<'prompt.compacted', { keepOutputs: number; longestChars: number; most: number }>
  /** Sentences of the runtime for a model. */
  | Fact<'prompt.noted', { notes: readonly Note[] }>
  /** Data that changed outside of the dialog, for a model. `hash` is that of a section of the task document. */
  | Fact<'prompt.told', { block: Extract<Arrival, { kind: 'data' }>['block']; name: string | null; text: string; hash?: string }>
  /** Something the runtime says to the agent, kept in the log like a message. */
  | Fact<'prompt.added', { why: PromptReason; text: string }>
  /** The agent is told how much of a budget is spent. `limit` is the one that this was measured by. */
  | Fact<'budget.noticed', { key: string; limit: number; percent: number }>
  | Fact<'reminder.added', { reminder: string; text: string; position: number }>
  | Fact<'reminder.updated', { reminder: string; text: string }>
  | Fact<'reminder.deleted', { reminder: string }>
  | Fact<'dialog.died', { by: Participant; note: string | null }>
  /** From the next turn on; null: the usual model of the agent. */
  | Fact<'model.chosen', { model: string | null; by: Participant; via: Via | null }>
  /** A person replaced a section of the task document; other dialogs may read it as well. */
  | Fact<'taskdoc.changed', { section: string; by: Participant; via: Via | null }>
  /** An owner vouches for the text in this dialog: its floor is that of an owner again. */
  /** The agent reads text of this role in the task document of its tree. `change` names the change that brought it in. */
  | Fact<'taskdoc.read', { role: Role; change: string; writers?: readonly Author[] }>
  | Fact<'dialog.trusted', { by: Participant; via: Via | null; upTo?: number }>
  /**
   * The events before this one were moved to a file and removed in the same unit, so this carries what lists show. `file` is
   * the name of the file, which has the whole tree of `root`.
   */
  | Fact<'dialog.retired', RetiredFacts>
  /** They are back. */
  | Fact<'dialog.restored', { file: string }>
  /** All events before this one were removed in the same unit, with the rows; `files` are removed after it. It has no words of theirs. */
  | Fact<'dialog.deleted', { root: string; events: number; files: readonly string[]; by: Participant; via: Via | null }>
  | Fact<'pushes.changed', { change: PushChange; by: Participant; via: Via | null }>

/** A message of another chat, with the time and the id it has there. */
export type BranchedMessage = { message: string; by: Participant; text: string; at: number; files?: readonly MessageFile[] }

/** `events` is the number of events that were moved. */
export type RetiredFacts = {
  file: string
  root: string
  events: number
  agent: string
  title: string
  language: Language
  openedAt: number
  updatedAt: number
  origin: Origin | null
  spent: Spent
  isDead: boolean
  isArchived: boolean
}

/** Where a side dialog comes from. `depth` is 1 below the root; dialogs of 0.1 have none. */
export type Origin = { root: string; parent: string; mode: TellaskMode; session: string | null; depth?: number }

/** A stop in force: who pressed it, and the dialog whose latch it is; null for the emergency stop. */
export type Hold = { by: string; dialog: string | null }

/** Diligence pushes of one dialog are switched, or counted from zero again. */
export type PushChange = 'on' | 'off' | 'refill'

/** `reply`: the open request once more, for an agent that is no model. `health` is in logs of versions before 0.3 alone. */
export type PromptReason = 'diligence' | 'health' | 'reply'

/**
 * Set where the runtime asks and not the agent. `diligence`: it was told to look once more as often as it may be, and a
 * person says whether it continues. Nothing waits for the answer. `approval`: a call waits for a decision. `limit`: the dialog
 * waits at a limit. `notice`: a budget is nearly spent; nothing waits for the answer. `peer`: the agent of a conversation with a
 * peer asks its owner; the conversation waits, its dialog does not.
 */
export type QuestionPurpose = 'diligence' | 'approval' | 'limit' | 'notice' | 'peer'
