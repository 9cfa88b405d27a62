import type { Language } from '../../shapes/language.ts'
import type { Author } from '../../authority/roles.ts'
import type { Details, ErrorCode } from '../../errors.ts'
import type { Fault, RuleId } from './fault.ts'
import type { StepId } from './steps.ts'
import type { AnswerWords, TurnInput } from './turn-input.ts'
import type { WordsFinding } from './words/finding.ts'

export type Option = { id: string; label: string; description?: string }

export type AnswerKind = 'single_choice' | 'text'

export type SetQuestion = { question_id: string; prompt: string; input: AnswerKind; options?: Option[] }

type Wire<Type extends string, Payload extends object> = { type: Type; payload: Payload }

type FromAgent = { source: 'agent' }

/**
 * The form on the wire: `{type, payload}`. Everything but `session.started` speaks in the agent's name, also where
 * the backend had to say it for an agent that no longer can.
 */
export type BuildEvent =
  /** `round` is 2 after the first retry, and so on; the first round has none. */
  | Wire<'session.started', { build_id: string; session_id: string; round?: number; source: 'backend' }>
  /** `kind` marks the one short line after a long silence; a page draws it lighter than a message. */
  | Wire<'assistant.message.created', { text: string; kind?: 'reassurance' } & FromAgent>
  | Wire<'progress.step.started', { step_id: StepId; title: string; description: string; index: number; total: number } & FromAgent>
  | Wire<'progress.step.completed', { step_id: StepId } & FromAgent>
  | Wire<'status.changed', { status: BuildStatus; output?: string } & FromAgent>
  | Wire<'question.requested', { question_id: string; prompt: string; input: AnswerKind; required: true; options: Option[] } & FromAgent>
  | Wire<'questions.requested', { question_set_id: string; prompt: string; required_all: true; questions: SetQuestion[] } & FromAgent>
  | Wire<'session.completed', FromAgent>
  | Wire<'session.failed', { reason?: string } & FromAgent>

export type BuildStatus = 'running' | 'complete' | 'failed'

export type BuildEventType = BuildEvent['type']

export type BuildEventOf<Type extends BuildEventType> = Extract<BuildEvent, { type: Type }>

export const publicTypes = [
  'session.started',
  'assistant.message.created',
  'progress.step.started',
  'progress.step.completed',
  'status.changed',
  'question.requested',
  'questions.requested',
  'session.completed',
  'session.failed',
] as const satisfies readonly BuildEventType[]

export const isPublicType = (type: string): type is BuildEventType => (publicTypes as readonly string[]).includes(type)

type Fact<Type extends string, Data extends object> = { type: Type; at: number; data: Data }

/** A public event as it is stored: its payload is the data, its number that of the stream. */
export type PublicFact = { [E in BuildEvent as E['type']]: Fact<E['type'], E['payload']> }[BuildEventType]

/** Everything that can have happened in a build. What begins with `build.` never leaves for the wire. */
export type StoredBuildEvent =
  | PublicFact
  | Fact<
      'build.opened',
      { build: string; session: string; prompt: string; agent: string; locale: Language; by: string; via: string | null; author?: Author }
    >
  /** An additional message of the person; the message of the next turn contains it. */
  | Fact<'build.instructed', { text: string; by: string; via: string | null; author?: Author }>
  /** Closes the open question. `answers` by question id; a choice is always the id of its option. */
  | Fact<
      'build.answered',
      { question: string; kind: 'one' | 'set'; answers: Record<string, string>; by: string; via: string | null; author?: Author }
    >
  | Fact<'build.cancelled', { by: string; via: string | null }>
  /** A person continues a build that ended: a new round begins in the same session. `change`: what a finished one is to change. */
  | Fact<'build.retried', { round: number; by: string; via: string | null; change?: string }>
  /** The agent asked again what a person answered in an earlier round; it is given that answer. */
  | Fact<'build.recalled', { turn: number; question: string; kind: 'one' | 'set'; answers: Record<string, string>; words?: AnswerWords[] }>
  /** A process ended while the agent's turn ran; found by the process that took the turn over. */
  | Fact<'build.turn.cut', { turn: number; why?: 'outage' }>
  /**
   * `resumes`: the turn before was cut by a crash, and this one uses its input again. `wishes`: messages the person added
   * meanwhile, told beside the input; logs from before it was so have none.
   */
  | Fact<'build.turn.started', { turn: number; input: TurnInput; wishes?: string[]; hint: string | null; resumes: boolean }>
  | Fact<'build.turn.ended', { turn: number }>
  /** An agent's output that was dropped. The agent is told the first one of a turn. */
  | Fact<'build.faulted', { turn: number; rule: RuleId; words: string; of?: BuildEventType }>
  /** The agent has been told inside a running turn, as an answer to its tool call. */
  | Fact<'build.hinted', { turn: number }>
  /** The agent has been told messages of the person inside a running turn, in the result of its tool call. */
  | Fact<'build.told', { turn: number; wishes: string[] }>
  /** Text that the language guard changed or withheld; `shown` is null when nothing was shown. */
  | Fact<'build.words.guarded', { where: string; said: string; shown: string | null; findings: WordsFinding[] }>
  /** Additional messages that arrived during the last turn: the build ended before its agent received them. */
  | Fact<'build.unheard', { wishes: string[] }>
  /** Why the backend ended it; the words for the person follow as public events. */
  | Fact<'build.failed', { code: ErrorCode; details: Details }>

export type AgentItem = { event: BuildEvent } | { fault: Fault }

export type NumberedBuildEvent = BuildEvent & { seq: number; at: number }

/** The public view of a stream. */
export function publicEvents(stored: readonly { seq: number; at: number; type: string; data: object }[]): NumberedBuildEvent[] {
  return stored
    .filter(({ type }) => isPublicType(type))
    .map(({ seq, at, type, data }) => ({ seq, at, type, payload: data }) as NumberedBuildEvent)
}
