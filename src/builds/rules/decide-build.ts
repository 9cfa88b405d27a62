import type { Language } from '../../shapes/language.ts'
import type { Author } from '../../authority/roles.ts'
import { type Details, type ErrorCode, type Refusal, refuse } from '../../errors.ts'
import { type Answers, checkAnswers, idOfQuestion } from './answers.ts'
import type { AgentItem, StoredBuildEvent } from './build-events.ts'
import { buildLimits } from './build-limits.ts'
import { type BuildState, needsTurn, silenceDueAt, getStanding } from './build-state.ts'
import { cleanText } from './clean-text.ts'
import { closing, failing } from './endings.ts'
import { evolveBuild } from './evolve-build.ts'
import { droppedFault, releaseJudged, takeItem } from './take-item.ts'
import { type TurnInput, readAdditions } from './turn-input.ts'
import { reassurance } from './words/reassurance.ts'

/** A command with the time it was made and the ids it needs, so that deciding needs no clock and no randomness. */
export type BuildCommand = { at: number } & (
  | {
      type: 'open-build'
      build: string
      session: string
      prompt: string
      agent: string
      locale: Language
      by: string
      via?: string
      author?: Author
    }
  | { type: 'instruct'; text: string; by: string; via?: string; author?: Author }
  | { type: 'answer-one'; question: string; answer: string; by: string; via?: string; author?: Author }
  /** `set` may be left out: the ids of the answers say which one is meant. */
  | { type: 'answer-set'; set?: string; answers: Answers; by: string; via?: string; author?: Author }
  | { type: 'cancel-build'; by: string; via?: string; author?: Author }
  /** A new round of the same session: for a build that failed or was cancelled, or with messages that came too late. */
  | { type: 'retry-build'; by: string; via?: string; author?: Author }
  /** The timer of a long silence. Says nothing when the silence was broken meanwhile. */
  | { type: 'reassure' }
  // Commands of the runner, under the lease of the build's turn.
  /** Without a `build.turn.started` in return there is nothing to run: a cut turn had done its part. */
  | { type: 'start-turn' }
  /** The process that ran the open turn ended, said by the one that took it over; or the store was away, said by the one that ran it. */
  | { type: 'cut-turn'; why?: 'outage' }
  /** Outputs of the agent in this turn, in order. */
  | { type: 'take-items'; turn: number; items: readonly AgentItem[] }
  /** The agent received a correction during its turn. */
  | { type: 'give-hint'; turn: number }
  /** The agent received the waiting messages of the person during its turn. */
  | { type: 'tell-additions'; turn: number }
  | { type: 'end-turn'; turn: number }
  /** The agent died, hangs, floods, cannot be started … */
  | { type: 'fail-turn'; turn?: number; code: ErrorCode; details: Details }
)

export type Decision = { events: StoredBuildEvent[] } | { refused: Refusal }

/** The events that follow from a command, or a refusal. */
export function decideBuild(state: BuildState, command: BuildCommand): Decision {
  const decision = follow(state, command)
  return 'refused' in decision || command.type === 'cancel-build' ? decision : { events: withUnheard(state, decision.events) }
}

/** A message that no turn received before the end is noted; the person is told and can continue with it. */
function withUnheard(state: BuildState, events: StoredBuildEvent[]): StoredBuildEvent[] {
  const end = events.findIndex(({ type }) => type === 'session.completed' || type === 'session.failed')
  // The request a round begins with is no additional message.
  const wishes = readAdditions(state.inputs).slice(state.turn === null && state.ended === null ? 1 : 0)
  if (end === -1 || wishes.length === 0) return events
  const at = events[end]?.at ?? state.updatedAt
  return [...events.slice(0, end), { type: 'build.unheard', at, data: { wishes } }, ...events.slice(end)]
}

function follow(state: BuildState, command: BuildCommand): Decision {
  const { at } = command
  if (command.type === 'open-build') return open(state, command)
  if (state.seq === 0) return refuse('build_not_found', {})
  switch (command.type) {
    case 'instruct': {
      const fault = faultOfText('text', command.text, buildLimits.promptChars)
      if (fault) return fault
      const waiting = readAdditions(state.inputs).length
      if (waiting >= buildLimits.waitingInstructions) return refuse('too_many_waiting', { count: waiting })
      const text = cleanText(command.text).trim()
      const instruction: StoredBuildEvent = {
        type: 'build.instructed',
        at,
        data: { text, by: command.by, via: command.via ?? null, ...withAuthor(command) },
      }
      if (!state.progress.isOver) return { events: [instruction] }
      // After a result it is a change; after an early end it is one more thing to know for the next try.
      const next = newRound(state, command, state.end?.how === 'complete' ? [...state.unheard, text].join('\n') : undefined)
      return 'refused' in next ? next : { events: [instruction, ...next.events] }
    }
    case 'answer-one':
      return answer(state, command, 'one', { [command.question]: command.answer })
    case 'answer-set':
      return answer(state, command, 'set', command.answers)
    case 'cancel-build':
      if (state.progress.isOver) return state.isCancelled ? { events: [] } : refuse('build_over', {})
      return {
        events: [{ type: 'build.cancelled', at, data: { by: command.by, via: command.via ?? null } }, ...failing(state, at, 'cancelled')],
      }
    case 'reassure': {
      const dueAt = silenceDueAt(state)
      if (dueAt === null || at < dueAt) return { events: [] }
      const text = reassurance(state.locale, state.silence.reassured)
      const message: StoredBuildEvent = { type: 'assistant.message.created', at, data: { text, kind: 'reassurance', source: 'agent' } }
      // A build that still waits for its agent runs for the person: the first event is said for the agent.
      const begin: StoredBuildEvent[] =
        state.progress.status === 'none' ? [{ type: 'status.changed', at, data: { status: 'running', source: 'agent' } }] : []
      return { events: [...begin, message] }
    }
    case 'retry-build':
      return retry(state, command)
    case 'cut-turn':
      return {
        events: state.turn
          ? [{ type: 'build.turn.cut', at, data: { turn: state.turn.turn, ...(command.why === undefined ? {} : { why: command.why }) } }]
          : [],
      }
    case 'start-turn':
      return startTurn(state, at)
    case 'take-items':
      return takeItems(state, command)
    case 'give-hint':
      if (state.turn?.turn !== command.turn) return refuse('turn_over')
      return { events: state.repair && !state.repair.isGiven ? [{ type: 'build.hinted', at, data: { turn: command.turn } }] : [] }
    case 'tell-additions': {
      if (state.turn?.turn !== command.turn) return refuse('turn_over')
      const wishes = readAdditions(state.inputs)
      return { events: wishes.length === 0 ? [] : [{ type: 'build.told', at, data: { turn: command.turn, wishes } }] }
    }
    case 'end-turn':
      return endTurn(state, command)
    case 'fail-turn': {
      if (command.turn !== undefined && state.turn?.turn !== command.turn) return refuse('turn_over')
      if (state.progress.isOver) return state.turn ? { events: [ended(state.turn.turn, at)] } : refuse('turn_over')
      const { code, details } = command
      const end: StoredBuildEvent[] = state.turn ? [ended(state.turn.turn, at)] : []
      return { events: [...end, { type: 'build.failed', at, data: { code, details } }, ...failing(state, at, code)] }
    }
  }
}

const withAuthor = ({ author }: { author?: Author }): { author?: Author } => (author === undefined ? {} : { author })

function open(state: BuildState, command: Extract<BuildCommand, { type: 'open-build' }>): Decision {
  const { at, build, session, agent, locale, by, via = null } = command
  if (state.seq > 0) return refuse('build_exists', { build })
  const fault = faultOfText('prompt', command.prompt, buildLimits.promptChars)
  if (fault) return fault
  const prompt = cleanText(command.prompt).trim()
  return {
    events: [
      { type: 'build.opened', at, data: { build, session, prompt, agent, locale, by, via, ...withAuthor(command) } },
      { type: 'session.started', at, data: { build_id: build, session_id: session, source: 'backend' } },
    ],
  }
}

function retry(state: BuildState, command: Extract<BuildCommand, { type: 'retry-build' }>): Decision {
  const { progress, unheard } = state
  const status = getStanding(state)
  const isComplete = status === 'complete'
  if (!progress.isOver || (isComplete && unheard.length === 0)) return refuse('build_not_retriable', { status })
  return newRound(state, command, isComplete ? unheard.join('\n') : undefined)
}

/** `change` is the message of its first turn; without one the request and everything the person added are told again. */
function newRound({ build, session, progress }: BuildState, { at, by, via }: RoundCaller, change: string | undefined): Decision {
  const round = progress.round + 1
  if (round > buildLimits.rounds) return refuse('build_rounds_spent', { limit: buildLimits.rounds })
  return {
    events: [
      { type: 'build.retried', at, data: { round, by, via: via ?? null, ...(change === undefined ? {} : { change }) } },
      { type: 'session.started', at, data: { build_id: build, session_id: session, round, source: 'backend' } },
    ],
  }
}

type RoundCaller = { at: number; by: string; via?: string }

function answer(state: BuildState, command: Extract<BuildCommand, { by: string }>, kind: 'one' | 'set', given: Answers): Decision {
  const { question: asked } = state.progress
  const named = 'question' in command ? command.question : 'set' in command ? command.set : undefined
  const late = [...(named === undefined ? [] : [named]), ...Object.keys(given)].find((id) => Object.hasOwn(state.answered, id))
  if (late !== undefined) {
    const { by, at } = state.answered[late] ?? { by: '', at: 0 }
    return refuse('already_answered', { question: late, by, at: new Date(at).toISOString() })
  }
  if (state.progress.isOver) return refuse('build_over', {})
  if (!asked) return refuse('no_question_open', {})
  if (asked.kind !== kind) {
    const [one, set] = ['one question', 'a set of questions']
    return refuse('wrong_answer_kind', { asked: asked.kind === 'one' ? one : set, given: kind === 'one' ? one : set })
  }
  const question = idOfQuestion(asked)
  if (named !== undefined && named !== question) return refuse('question_not_found', { question: named.slice(0, 100) })
  const checked = checkAnswers(asked, given)
  if ('refused' in checked) return checked
  return {
    events: [
      {
        type: 'build.answered',
        at: command.at,
        data: { question, kind, answers: checked.answers, by: command.by, via: command.via ?? null, ...withAuthor(command) },
      },
    ],
  }
}

function startTurn(state: BuildState, at: number): Decision {
  if (!needsTurn(state)) return refuse('turn_over')
  const { progress } = state
  if (state.turn && (state.turn.hasAsked || progress.status === 'complete' || progress.status === 'failed')) {
    // It was cut after it had done its part: nothing of it is run again.
    const events = [ended(state.turn.turn, at), ...(state.turn.hasAsked ? [] : closing(state, at))]
    const after = events.reduce(evolveBuild, state)
    const next = needsTurn(after) ? startTurn(after, at) : { events: [] }
    return 'refused' in next ? next : { events: [...events, ...next.events] }
  }
  const turn = state.turns + 1
  const hint = state.repair && !state.repair.isGiven ? state.repair.words : (state.turn?.hint ?? null)
  const { input, wishes } = aboutNext(state, hint !== null)
  return { events: [{ type: 'build.turn.started', at, data: { turn, input, wishes, hint, resumes: state.turn !== null } }] }
}

/** A repair turn has the input of the faulty turn, unless a question of that turn was answered meanwhile. */
function aboutNext({ turn, ended: last, inputs, prompt }: BuildState, isRepair: boolean): { input: TurnInput; wishes: string[] } {
  const [next] = inputs
  const again = turn ?? (isRepair && (next === undefined || next.type === 'BUILD_REQUEST') ? last : null)
  if (again) return { input: again.input, wishes: [...again.wishes, ...readAdditions(inputs)] }
  return { input: next ?? { type: 'BUILD_REQUEST', text: prompt }, wishes: readAdditions(inputs.slice(1)) }
}

function takeItems(state: BuildState, command: Extract<BuildCommand, { type: 'take-items' }>): Decision {
  if (state.turn?.turn !== command.turn) return refuse('turn_over')
  const events: StoredBuildEvent[] = []
  let current = state
  for (const item of command.items) {
    // Output after the end of the build would only be noise in the log.
    const next: StoredBuildEvent[] = takeItem(current, item, command.at)
    events.push(...next)
    current = next.reduce(evolveBuild, current)
    if (current.progress.isOver && !state.progress.isOver && next.some(({ type }) => type === 'build.failed')) break
  }
  return { events }
}

function endTurn(state: BuildState, { at, turn }: Extract<BuildCommand, { type: 'end-turn' }>): Decision {
  if (state.turn?.turn !== turn) return refuse('turn_over')
  const events: StoredBuildEvent[] = [ended(turn, at)]
  const { progress } = state
  if (progress.isOver) return { events }
  const judged = judgeTurn(state, at, events)
  // Nothing is said about the work in the moment it fails.
  return { events: judged.some(({ type }) => type === 'build.failed') ? judged : [...releaseJudged(state, at), ...judged] }
}

function judgeTurn(state: BuildState, at: number, events: StoredBuildEvent[]): StoredBuildEvent[] {
  const { progress, inputs, repair } = state
  // The last event follows from the status: an agent that forgot it has still finished.
  if (progress.status === 'complete' || progress.status === 'failed') return [...events, ...closing(state, at)]
  if (progress.question || inputs.length > 0 || (repair && !repair.isGiven)) return events
  const words = `Your turn ended while the build still runs${progress.open ? ` (${progress.open} is open)` : ''}. Go on with the steps, ask a question, or finish with a summary, the status and the last event.`
  return [...events, ...droppedFault(state, at, { rule: 'T6', words })]
}

const ended = (turn: number, at: number): StoredBuildEvent => ({ type: 'build.turn.ended', at, data: { turn } })

function faultOfText(field: string, text: string, limit: number): { refused: Refusal } | null {
  if (cleanText(text).trim() === '') return refuse('empty_text', { field })
  return text.length > limit ? refuse('text_too_long', { field, length: text.length, limit }) : null
}
