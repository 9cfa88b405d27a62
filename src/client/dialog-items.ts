import type { ErrorWords } from '../errors.ts'
import type { PromptReason } from '../dialog/events.ts'
import type { ReplyOutcome, TellaskMode } from '../dialog/tellask.ts'
import type { Answers, ApprovalView, Participant, Question, QuestionOutcome, QuestionView } from './wire.ts'

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

type Item<Kind extends string> = { kind: Kind; id: string; seq: number; at: number }

/** `isCut`: the turn was stopped while this was written. */
export type MessageItem = Item<'message'> & { by: Participant; text: string; turn: number | null; via: string | null; isCut: boolean }

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

export type QuestionEnd = { at: number; by: string | null; via: string | null; answers: Answers | null; reason: string | null }

export type ToolItem = Item<'tool'> & { name: string; input: unknown; state: 'called' | 'done' | 'failed'; output: unknown }

/** The turn ended because of this; the words say what to do. */
export type FailureItem = Item<'failure'> & { words: ErrorWords }

/** Somebody stopped the agent before it had written anything. */
export type StopItem = Item<'stopped'>

/** It asks another dialog. Its id is that of the request, in both dialogs. */
export type TellaskItem = Item<'tellask'> & {
  mode: TellaskMode
  to: string
  agent: string
  session: string | null
  content: string
  /** How it ended, and which item says so. */
  reply: { outcome: ReplyOutcome; item: string } | null
}

/** What it got back. `ask` is null when the request is older than what is shown. */
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

/** What it said just before went to the one who asked. */
export type GivenReplyItem = Item<'given'> & { tellask: string; assignment: Pick<AssignmentItem, 'from' | 'by' | 'mode'> | null }

/** Its mind was cleared here. */
export type CourseItem = Item<'course'> & { course: number; why: 'asked' | 'forced' }

/** The runtime said this to the agent. */
export type PromptItem = Item<'prompt'> & { why: PromptReason; text: string }

export type DeathItem = Item<'died'> & { by: Participant; note: string | null }
