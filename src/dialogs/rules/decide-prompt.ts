import { type Decision, type Deciders } from './dialog-decision.ts'
import type { DialogEvent, Participant, Via } from './dialog-events.ts'
import type { DialogState } from './dialog-state.ts'
import type { CourseReason, Snapshot } from './prompt/prompt-facts.ts'
import type { Note } from './prompt/prompt-items.ts'

type Data<Type extends DialogEvent['type']> = Extract<DialogEvent, { type: Type }>['data']

/** Changes to what a model reads. All but the first are the driver's, before it sends a request. */
export type PromptCommand =
  /** A person's "Fresh start". */
  | { type: 'request-course'; by: Participant; via?: Via }
  | { type: 'start-course'; why: CourseReason; snapshot: Snapshot; offset: number }
  | { type: 'start-epoch'; epoch: Data<'epoch.started'> }
  | { type: 'compact-prompt'; cut: Data<'prompt.compacted'> }
  | { type: 'note-prompt'; notes: readonly Note[] }
  | { type: 'tell-prompt'; told: Data<'prompt.told'> }
  /** `seen`: the request was sent before this was written, and had read so far. */
  | { type: 'start-generation'; seen?: number }

export const promptDeciders: Deciders<PromptCommand> = {
  'request-course': (state, { at, by, via = null }) => ({
    events: state.prompt?.courseDue === 'person' ? [] : [{ type: 'course.requested', at, data: { by, via } }],
  }),
  'start-course': (state, { at, why, snapshot, offset }) => startCourse(state, at, { why, snapshot, offset }),
  'start-epoch': (_state, { at, epoch: data }) => ({ events: [{ type: 'epoch.started', at, data }] }),
  'compact-prompt': (_state, { at, cut: data }) => ({ events: [{ type: 'prompt.compacted', at, data }] }),
  'note-prompt': (_state, { at, notes }) => ({ events: notes.length === 0 ? [] : [{ type: 'prompt.noted', at, data: { notes } }] }),
  'tell-prompt': (_state, { at, told: data }) => ({ events: [{ type: 'prompt.told', at, data }] }),
  'start-generation': ({ turn, turns }, { at, seen }) => {
    const data = { turn: turn?.turn ?? turns, generation: (turn?.generations ?? 0) + 1, ...(seen !== undefined && { seen }) }
    return { events: [{ type: 'generation.started', at, data }] }
  },
}

function startCourse(
  state: DialogState,
  at: number,
  { why, snapshot, offset }: { why: CourseReason; snapshot: Snapshot; offset: number },
): Decision {
  const course = why === 'first' ? state.course : state.course + 1
  return { events: [{ type: 'course.started', at, data: { course, why, prompt: '', snapshot, offset } }] }
}
