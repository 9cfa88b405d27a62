import { answerWords, checkAnswers, idOfQuestion, listQuestions } from './answers.ts'
import type { AgentItem, BuildEvent, BuildEventOf, Option, StoredBuildEvent } from './build-events.ts'
import { buildLimits, silenceMs } from './build-limits.ts'
import type { BuildState } from './build-state.ts'
import { failing, summaryIfMissing } from './endings.ts'
import type { Fault } from './fault.ts'
import { getFault, type OpenQuestion } from './rules.ts'
import { isStepWording, stepIds, stepOf } from './steps.ts'
import { bareWords, guardPrompt, guardResult, type Guarded, guardWords } from './words/guard.ts'
import type { WordsFinding } from './words/finding.ts'
import { withoutSecrets } from './words/shapes.ts'

/** Events for one output of the agent: accepted, accepted with better wording, or dropped. */
export function takeItem(state: BuildState, item: AgentItem, at: number): StoredBuildEvent[] {
  if ('fault' in item) return droppedFault(state, at, item.fault)
  const { event } = item
  // An agent that runs again, after a crash or for a repair, may repeat its output from the start.
  if (state.turn && (state.turn.resumes || state.turn.hint !== null) && isRepeat(state, event)) return []
  if (state.isRunningSaid && event.type === 'status.changed' && event.payload.status === 'running' && isRepeat(state, event)) return []
  const recalled = recalledAnswer(state, event, at)
  if (recalled) return [recalled]
  const doubt = event.type === 'assistant.message.created' ? findDoubt(state, event.payload.text, at) : null
  const fault = boundFault(state, event) ?? getFault(state.progress, event)
  if (fault?.rule === 'T7' && state.isSummaryHeld) {
    // It did say how it ended, in words that could not be shown.
    const status = event.type === 'session.completed' ? 'complete' : 'failed'
    return [...summaryIfMissing(state, at, status), ...taken(state, event, at)]
  }
  if (fault) return droppedFault(state, at, fault, event.type)
  if (doubt !== null && event.type === 'assistant.message.created') return heldBack(state, event.payload.text, doubt, at)
  return [...releaseHeld(state, event, at), ...taken(state, event, at)]
}

/** Why a message waits or is dropped although its words may be fine; null when it is shown now. */
function findDoubt(state: BuildState, text: string, at: number): WordsFinding | null {
  const { progress, faultsInRow, saidInStep } = state
  // The summary is never dropped: after the last step, and after the status, every message may be it.
  const isEnding = progress.status === 'complete' || progress.status === 'failed'
  if (isEnding || !progress.isStarted) return null
  if (faultsInRow > 0) return { why: 'after-fault', what: 'it follows an output that was dropped' }
  if (progress.done.length === stepIds.length && !progress.isSummarised) return null
  if (saidInStep.some(({ words }) => words === bareWords(text))) return { why: 'frequency', what: 'it was said before in this step' }
  const most = buildLimits.messagesPerStep
  const recent = saidInStep.filter((earlier) => at - earlier.at <= silenceMs)
  return recent.length < most ? null : { why: 'frequency', what: `more than ${most} messages in one step within ${silenceMs / 1000} s` }
}

function heldBack(state: BuildState, said: string, finding: WordsFinding, at: number): StoredBuildEvent[] {
  // A program that chatters does not fill the log.
  if ((state.turn?.said.length ?? 0) >= buildLimits.messagesPerTurn) return []
  return recordGuarded('message', said, { text: null, findings: [finding] }, at)
}

/**
 * A message that waited is shown when the next event proves it right: the end of the build makes it the summary, and
 * what followed a dropped event is fine unless that event was the end itself.
 */
function releaseHeld(state: BuildState, event: BuildEvent, at: number): StoredBuildEvent[] {
  if (event.type === 'assistant.message.created') return []
  const isEnd = event.type === 'status.changed' && event.payload.status !== 'running'
  return releaseJudged(state, at, isEnd)
}

/** Messages that waited for a verdict on the output before them, when that verdict is a good one. */
export const releaseJudged = (state: BuildState, at: number, isSummaryWanted = false): StoredBuildEvent[] =>
  state.held
    .filter(({ why }, index) => (why === 'after-fault' ? !state.isEndDropped : isSummaryWanted && index === state.held.length - 1))
    .flatMap(({ text }) => sayGuarded(state, text, at))

/** A question the person answered in an earlier round is not asked again: the agent is given the answer it fits. */
function recalledAnswer({ answered, progress, turns }: BuildState, event: BuildEvent, at: number): StoredBuildEvent | null {
  if (progress.round === 1 || getFault(progress, event) !== null) return null
  const open = askedIn(event)
  if (open === null) return null
  const question = idOfQuestion(open)
  const parts = listQuestions(open).map(
    ({ question_id: id }) => [id, Object.hasOwn(answered, id) ? answered[id]?.answer : undefined] as const,
  )
  const rawAnswers = Object.fromEntries(parts.filter((part): part is readonly [string, string] => part[1] !== undefined))
  if (Object.keys(rawAnswers).length < parts.length) return null
  const checked = checkAnswers(open, rawAnswers)
  if ('refused' in checked) return null
  const { answers } = checked
  const words = answerWords(open, answers)
  return { type: 'build.recalled', at, data: { turn: turns, question, kind: open.kind, answers, words } }
}

function askedIn(event: BuildEvent): OpenQuestion | null {
  if (event.type === 'question.requested') return { kind: 'one', ask: event.payload }
  return event.type === 'questions.requested' ? { kind: 'set', ask: event.payload } : null
}

/**
 * A fault is dropped and told to the agent. Several in a row end the build; what it does wrong before it could read of the
 * first one follows from that one and is only noted.
 */
export function droppedFault(state: BuildState, at: number, fault: Fault, of?: BuildEvent['type']): StoredBuildEvent[] {
  const { repair, progress, faults, faultsInRow } = state
  const isPending = repair?.isGiven === false
  const isFatal = !isPending && !progress.isOver && faultsInRow + 1 >= buildLimits.faultsInRow
  if (!isFatal && (isPending || progress.isOver) && faults >= buildLimits.keptFaults) return []
  const dropped: StoredBuildEvent = {
    type: 'build.faulted',
    at,
    data: { turn: state.turns, rule: fault.rule, words: fault.words, ...(of === undefined ? {} : { of }) },
  }
  if (!isFatal) return [dropped]
  const details = { rule: fault.rule, why: fault.words }
  return [dropped, { type: 'build.failed', at, data: { code: 'build_rules_broken', details } }, ...failing(state, at, 'build_rules_broken')]
}

function boundFault(state: BuildState, event: BuildEvent): Fault | null {
  if (event.type === 'session.started')
    return { rule: 'T1', words: 'session.started is sent by the backend alone. Begin with status.changed "running".' }
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
    case 'assistant.message.created':
      return sayGuarded(state, event.payload.text, at)
    case 'progress.step.started':
      return stepStarted(state, event, at)
    case 'status.changed': {
      const { status, output } = event.payload
      if (output === undefined) return [{ type: event.type, at, data: { status, source: 'agent' } }]
      const guarded = status === 'complete' ? guardResult(output, state) : guardPrompt(output, wordsAround(state))
      const data = { status, ...(guarded.text === null ? {} : { output: guarded.text }), source: 'agent' as const }
      return [...recordGuarded('output', output, guarded, at), { type: event.type, at, data }]
    }
    case 'question.requested':
    case 'questions.requested':
      return asked(state, event, at)
    case 'session.failed': {
      const { reason } = event.payload
      if (reason === undefined) return [{ type: event.type, at, data: { source: 'agent' } }]
      const guarded = guardWords(reason, wordsAround(state))
      const data = { ...(guarded.text === null ? {} : { reason: guarded.text }), source: 'agent' as const }
      return [...recordGuarded('reason', reason, guarded, at), { type: event.type, at, data }]
    }
    case 'session.started':
    case 'progress.step.completed':
    case 'session.completed':
      return [{ type: event.type, at, data: event.payload } as StoredBuildEvent]
  }
}

function sayGuarded(state: BuildState, text: string, at: number): StoredBuildEvent[] {
  const guarded = guardWords(text, { ...wordsAround(state), step: state.step, at })
  const shown: StoredBuildEvent[] =
    guarded.text === null ? [] : [{ type: 'assistant.message.created', at, data: { text: guarded.text, source: 'agent' } }]
  return [...recordGuarded('message', text, guarded, at), ...shown]
}

const wordsAround = ({ ownWords, build, session, progress }: BuildState): { own: string; ids: string[] } => ({
  own: ownWords,
  ids: [build, session, ...progress.asked],
})

/** The timeline shows the words of the dictionary, in the language of the build, whatever the agent wrote. */
function stepStarted(state: BuildState, event: BuildEventOf<'progress.step.started'>, at: number): StoredBuildEvent[] {
  const { step_id, title, description, index, total } = event.payload
  const step = stepOf(step_id, state.locale)
  const data = { step_id, title: step.title, description: step.description, index: step.index, total: step.total, source: 'agent' as const }
  const findings: WordsFinding[] = []
  if (!isStepWording(step_id, title, description)) findings.push({ why: 'step-wording', what: `other words for ${step_id}` })
  if (index !== step.index || total !== step.total)
    findings.push({ why: 'step-wording', what: `${step_id} is ${step.index} of ${step.total}, not ${index} of ${total}` })
  return [...recordGuarded('step', `${title} – ${description}`, { text: step.title, findings }, at), { type: event.type, at, data }]
}

function asked(
  state: BuildState,
  event: BuildEventOf<'question.requested'> | BuildEventOf<'questions.requested'>,
  at: number,
): StoredBuildEvent[] {
  const notes: StoredBuildEvent[] = []
  let isEmpty = false
  const look = (said: string): string => {
    const guarded = guardPrompt(said, { own: state.ownWords })
    notes.push(...recordGuarded('question', said, guarded, at))
    isEmpty ||= guarded.text === null
    return guarded.text ?? ''
  }
  const lookAt = (options: Option[] | undefined): { options?: Option[] } =>
    options === undefined
      ? {}
      : {
          options: options.map(({ id, label, description }) => ({
            id,
            label: look(label),
            ...(description === undefined ? {} : { description: look(description) }),
          })),
        }
  const prompt = look(event.payload.prompt)
  const fact: StoredBuildEvent =
    event.type === 'question.requested'
      ? { type: event.type, at, data: { ...event.payload, prompt, ...lookAt(event.payload.options) } }
      : {
          type: event.type,
          at,
          data: {
            ...event.payload,
            prompt,
            questions: event.payload.questions.map((one) => ({ ...one, prompt: look(one.prompt), ...lookAt(one.options) })),
          },
        }
  if (isEmpty)
    return droppedFault(
      state,
      at,
      { rule: 'T13', words: `${event.type}: a text in it has nothing a person may read; ask in plain words.` },
      event.type,
    )
  return [...notes, fact]
}

/** As much of an agent's words as the log keeps where they were not shown. */
const keptWords = (said: string): string => withoutSecrets(said.slice(0, 1_000).toWellFormed())

const recordGuarded = (where: string, said: string, { text, findings }: Guarded, at: number): StoredBuildEvent[] =>
  findings.length === 0 ? [] : [{ type: 'build.words.guarded', at, data: { where, said: keptWords(said), shown: text, findings } }]
