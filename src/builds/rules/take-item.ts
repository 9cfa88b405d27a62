import { checkAnswers, idOfQuestion, listQuestions } from './answers.ts'
import type { AgentItem, BuildEvent, BuildEventOf, StoredBuildEvent } from './build-events.ts'
import { buildLimits } from './build-limits.ts'
import type { BuildState } from './build-state.ts'
import { failing, summaryIfMissing } from './endings.ts'
import type { Fault } from './fault.ts'
import { getFault, type OpenQuestion } from './rules.ts'
import { isStepWording, stepOf } from './steps.ts'
import { guardPrompt, type Guarded, guardWords } from './words/guard.ts'

/** Events for one output of the agent: accepted, accepted with better wording, or dropped. */
export function takeItem(state: BuildState, item: AgentItem, at: number): StoredBuildEvent[] {
  if ('fault' in item) return droppedFault(state, at, item.fault)
  const { event } = item
  // An agent that runs again, after a crash or for a repair, may repeat its output from the start.
  if (state.turn && (state.turn.resumes || state.turn.hint !== null) && isRepeat(state, event)) return []
  const recalled = recalledAnswer(state, event, at)
  if (recalled) return [recalled]
  const fault = boundFault(state, event) ?? getFault(state.progress, event)
  if (fault?.rule === 'T7' && state.isSummaryHeld) {
    // It did say how it ended, in words that could not be shown.
    const status = event.type === 'session.completed' ? 'complete' : 'failed'
    return [...summaryIfMissing(state, at, status), ...taken(state, event, at)]
  }
  return fault ? droppedFault(state, at, fault) : taken(state, event, at)
}

/** A question the person answered in an earlier round is not asked again: the agent is given the answer it fits. */
function recalledAnswer({ answered, progress, turns }: BuildState, event: BuildEvent, at: number): StoredBuildEvent | null {
  if (progress.round === 1 || getFault(progress, event) !== null) return null
  const open = askedIn(event)
  if (open === null) return null
  const question = idOfQuestion(open)
  const parts = listQuestions(open).map(
    ({ question_id: id }) => [id, Object.hasOwn(answered, id) ? answered[id]?.answer : undefined] as const,
  )
  const given = Object.fromEntries(parts.filter((part): part is readonly [string, string] => part[1] !== undefined))
  if (Object.keys(given).length < parts.length) return null
  const checked = checkAnswers(open, given)
  if ('refused' in checked) return null
  return { type: 'build.recalled', at, data: { turn: turns, question, kind: open.kind, answers: checked.answers } }
}

function askedIn(event: BuildEvent): OpenQuestion | null {
  if (event.type === 'question.requested') return { kind: 'one', ask: event.payload }
  return event.type === 'questions.requested' ? { kind: 'set', ask: event.payload } : null
}

/** The first fault is told to the agent; one after it was told ends the build. Until then the others are only noted. */
export function droppedFault(state: BuildState, at: number, fault: Fault): StoredBuildEvent[] {
  const isFatal = state.repair?.isGiven === true && !state.progress.isOver
  if (state.faults >= buildLimits.keptFaults && !isFatal) return []
  const dropped: StoredBuildEvent = {
    type: 'build.faulted',
    at,
    data: { turn: state.turns, rule: fault.rule, words: fault.words },
  }
  if (!isFatal) return [dropped]
  const details = { rule: fault.rule, why: fault.words }
  return [dropped, { type: 'build.failed', at, data: { code: 'build_rules_broken', details } }, ...failing(state, at, 'build_rules_broken')]
}

function boundFault(state: BuildState, event: BuildEvent): Fault | null {
  if (event.type === 'session.started')
    return { rule: 'T1', words: 'session.started is sent by the backend alone. Begin with status.changed "running".' }
  if (event.type === 'assistant.message.created' && (state.turn?.said.length ?? 0) >= buildLimits.messagesPerTurn)
    return { rule: 'T13', words: `At most ${buildLimits.messagesPerTurn} messages in one turn.` }
  const isQuestion = event.type === 'question.requested' || event.type === 'questions.requested'
  if (isQuestion && state.progress.asked.length >= buildLimits.questions)
    return { rule: 'T9', words: `At most ${buildLimits.questions} questions in one build.` }
  return null
}

/** True for a message that repeats an earlier one in meaning. */
function isRepeat({ progress, turn }: BuildState, event: BuildEvent): boolean {
  switch (event.type) {
    case 'status.changed':
      return event.payload.status === progress.status
    case 'progress.step.started':
      return progress.open === event.payload.step_id || progress.done.includes(event.payload.step_id)
    case 'progress.step.completed':
      return progress.done.includes(event.payload.step_id)
    case 'question.requested':
      return progress.asked.includes(event.payload.question_id)
    case 'questions.requested':
      return progress.asked.includes(event.payload.question_set_id)
    case 'assistant.message.created':
      return turn?.said.includes(keptWords(event.payload.text)) === true
    case 'session.started':
    case 'session.completed':
    case 'session.failed':
      return false
  }
}

/** An allowed event as it is stored, its words looked over. */
function taken(state: BuildState, event: BuildEvent, at: number): StoredBuildEvent[] {
  switch (event.type) {
    case 'assistant.message.created': {
      const said = event.payload.text
      const guarded = guardWords(said, { own: state.ownWords, step: state.step, at })
      const shown: StoredBuildEvent[] =
        guarded.text === null ? [] : [{ type: event.type, at, data: { text: guarded.text, source: 'agent' } }]
      return [...noted('message', said, guarded, at), ...shown]
    }
    case 'progress.step.started':
      return stepStarted(state, event, at)
    case 'status.changed': {
      const { status, output } = event.payload
      if (output === undefined) return [{ type: event.type, at, data: { status, source: 'agent' } }]
      const guarded = guardPrompt(output, state.ownWords)
      const data = { status, ...(guarded.text === null ? {} : { output: guarded.text }), source: 'agent' as const }
      return [...noted('output', output, guarded, at), { type: event.type, at, data }]
    }
    case 'question.requested':
    case 'questions.requested':
      return asked(state, event, at)
    case 'session.failed': {
      const { reason } = event.payload
      if (reason === undefined) return [{ type: event.type, at, data: { source: 'agent' } }]
      const guarded = guardWords(reason, { own: state.ownWords })
      const data = { ...(guarded.text === null ? {} : { reason: guarded.text }), source: 'agent' as const }
      return [...noted('reason', reason, guarded, at), { type: event.type, at, data }]
    }
    case 'session.started':
    case 'progress.step.completed':
    case 'session.completed':
      return [{ type: event.type, at, data: event.payload } as StoredBuildEvent]
  }
}

/** The timeline shows the words of the dictionary, in the language of the build, whatever the agent wrote. */
function stepStarted(state: BuildState, event: BuildEventOf<'progress.step.started'>, at: number): StoredBuildEvent[] {
  const { step_id, title, description } = event.payload
  const step = stepOf(step_id, state.locale)
  const data = { step_id, title: step.title, description: step.description, index: step.index, total: step.total, source: 'agent' as const }
  const findings = isStepWording(step_id, title, description) ? [] : [{ why: 'step-wording' as const, what: `other words for ${step_id}` }]
  return [...noted('step', `${title} – ${description}`, { text: step.title, findings }, at), { type: event.type, at, data }]
}

function asked(
  state: BuildState,
  event: BuildEventOf<'question.requested'> | BuildEventOf<'questions.requested'>,
  at: number,
): StoredBuildEvent[] {
  const notes: StoredBuildEvent[] = []
  let isEmpty = false
  const look = (said: string): string => {
    const guarded = guardPrompt(said, state.ownWords)
    notes.push(...noted('question', said, guarded, at))
    isEmpty ||= guarded.text === null
    return guarded.text ?? ''
  }
  const prompt = look(event.payload.prompt)
  const fact: StoredBuildEvent =
    event.type === 'question.requested'
      ? { type: event.type, at, data: { ...event.payload, prompt } }
      : {
          type: event.type,
          at,
          data: { ...event.payload, prompt, questions: event.payload.questions.map((one) => ({ ...one, prompt: look(one.prompt) })) },
        }
  if (isEmpty) return droppedFault(state, at, { rule: 'T13', words: `${event.type}: the prompt repeats the header; ask in plain words.` })
  return [...notes, fact]
}

/** As much of an agent's words as the log keeps where they were not shown. */
const keptWords = (said: string): string => said.slice(0, 1_000).toWellFormed()

const noted = (where: string, said: string, { text, findings }: Guarded, at: number): StoredBuildEvent[] =>
  findings.length === 0 ? [] : [{ type: 'build.words.guarded', at, data: { where, said: keptWords(said), shown: text, findings } }]
