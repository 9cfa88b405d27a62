import type { Refusal } from '../errors.ts'
import type { NoteEvent, PromptReason } from '../dialogs/rules/dialog-events.ts'
import type { ShownMessage } from '../chats/message/shown-message.ts'
import type { MessageFile } from '../dialogs/rules/message-file.ts'
import type { ClosedQuestion } from '../dialogs/rules/dialog-state.ts'
import type { ReplyOutcome, TellaskMode } from '../dialogs/rules/tellask.ts'
import type { ApprovalView, Participant, Question, QuestionOutcome, QuestionView } from '../shapes/wire.ts'

/** One thing in the log of a dialog, as a page or a terminal shows it. */
export type DialogItem =
  | MessageItem
  | QuestionItemView
  | ToolItem
  | FailureItem
  | StopItem
  | TellaskItem
  | ReplyItem
  | AssignmentItem
  | GivenReplyItem
  | CourseItem
  | PromptItem
  | DeathItem
  | NoteItem
  | BranchItem

type Item<Kind extends string> = { kind: Kind; id: string; seq: number; at: number }

/** `isCut`: the turn was stopped while this was written. */
export type MessageItem = Item<'message'> & {
  by: Participant
  text: string
  turn: number | null
  via: string | null
  isCut: boolean
  files?: readonly MessageFile[]
  /** Drawn in place of `text`, which is its plain reading. */
  shown?: ShownMessage
  /** The control that was tapped last; with `isOver` the others cannot be tapped any more. */
  tapped?: { value: string; by: string; isOver: boolean }
}

export type QuestionItemView = Item<'question'> & {
  by: Participant
  ask: Question
  expiresAt: number | null
  /** A tool call waits for the decision. `approval` is missing for readers who may not see the call. */
  isApproval: boolean
  approval?: ApprovalView
  /** The call it decides about. Its own line follows when it may run. */
  call?: Pick<ToolItem, 'id' | 'name' | 'input'>
  audience?: QuestionView['audience']
  state: 'open' | QuestionOutcome
  closed: QuestionEnd | null
}

export type OpenQuestionItem = QuestionItemView

/** `undoUntil`: until then its author may withdraw the answer. */
export type QuestionEnd = Omit<ClosedQuestion, 'outcome' | 'decision' | 'note'> & { undoUntil?: number }

export type ToolItem = Item<'tool'> & {
  name: string
  input: unknown
  state: 'called' | 'done' | 'failed'
  output: unknown
  files?: readonly MessageFile[]
  /** When it began to run, after any approval. */
  startedAt?: number
  endedAt?: number
}

/** The turn ended because of this error. `describeError` has its sentences. */
export type FailureItem = Item<'failure'> & { error: Refusal }

/** The agent was stopped before it had written anything. */
export type StopItem = Item<'stopped'>

/** It asks another dialog. Its id is that of the request, in both dialogs. */
export type TellaskItem = Item<'tellask'> & {
  mode: TellaskMode
  to: string
  agent: string
  session: string | null
  content: string
  /** The outcome, and the item that shows it. */
  reply: { outcome: ReplyOutcome; item: string } | null
}

/** The reply. `ask` is null when the request is older than the loaded items. */
export type ReplyItem = Item<'reply'> & {
  tellask: string
  outcome: ReplyOutcome
  text: string
  ask: Pick<TellaskItem, 'to' | 'agent' | 'session' | 'mode'> | null
}

/** Another dialog asks it: the work of a side dialog, or a question asked back. */
export type AssignmentItem = Item<'assignment'> & {
  mode: TellaskMode
  from: string
  by: string
  session: string | null
  content: string
  isDone: boolean
}

/** The message before this item was the reply to the request. */
export type GivenReplyItem = Item<'given'> & { tellask: string; assignment: Pick<AssignmentItem, 'from' | 'by' | 'mode'> | null }

/** Its mind was cleared here. */
export type CourseItem = Item<'course'> & { course: number; why: 'asked' | 'forced' | 'upgrade' }

/** The runtime said this to the agent. */
export type PromptItem = Item<'prompt'> & { why: PromptReason; text: string }

export type DeathItem = Item<'died'> & { by: Participant; note: string | null }

/** The messages before this item were said in another chat, up to this message. */
export type BranchItem = Item<'branch'> & { from: string; message: string }

/** A line for people: something was done with the dialog itself. */
export type NoteItem = Item<'note'> & { event: NoteEvent }
