import { mergeAuthors, roleOfVia } from '../../authority/cause.ts'
import { type Author, lowestRole } from '../../authority/roles.ts'
import { type BuildEvent, isPublicType, type PublicFact, type StoredBuildEvent } from './build-events.ts'
import { buildLimits } from './build-limits.ts'
import type { BuildState } from './build-state.ts'
import { answerWords } from './answers.ts'
import { advance } from './rules.ts'
import { wordsOfStep } from './steps.ts'
import { bareWords } from './words/guard.ts'
import type { AnswerWords, TurnInput } from './turn-input.ts'

/** Builds of 0.1 name a surface only: they could not be started from a chat. */
const withText = (state: BuildState, { data: { author, via } }: { data: { author?: Author; via: string | null } }): BuildState => ({
  ...state,
  authors: author ? mergeAuthors([...state.authors, author]) : state.authors,
  floor: lowestRole(state.floor, author?.role ?? roleOfVia(via)),
})

/** Applies one event to the state of a build. */
export function evolveBuild(before: BuildState, event: StoredBuildEvent): BuildState {
  const state: BuildState = { ...before, seq: before.seq + 1, updatedAt: event.at }
  if (isPublic(event)) return afterPublic(state, event)
  switch (event.type) {
    case 'build.opened': {
      const { build, session, prompt, agent, locale, by, author = null } = event.data
      const first: TurnInput = { type: 'BUILD_REQUEST', text: prompt }
      return withOwnWords(
        {
          ...withText(changed(state, event.at), event),
          build,
          session,
          prompt,
          agent,
          locale,
          by,
          author,
          openedAt: event.at,
          inputs: [first],
        },
        prompt,
      )
    }
    case 'build.instructed':
      // Their own words are no news to them: the silence goes on.
      return withOwnWords(
        {
          ...withText(state, event),
          inputs: [...state.inputs, { type: 'BUILD_REQUEST', text: event.data.text }],
          instructions: [...state.instructions, event.data.text].slice(-buildLimits.waitingInstructions),
        },
        event.data.text,
      )
    case 'build.answered': {
      const { question, answers, by } = event.data
      const open = state.progress.question
      const input = answerInput(event.data, open ? answerWords(open, answers) : undefined)
      const next: BuildState = {
        ...withText(changed(state, event.at), event),
        progress: { ...state.progress, question: null },
        // The answer the agent waits for comes before instructions that were added meanwhile.
        inputs: [input, ...state.inputs],
        answered: { ...state.answered, ...answeredNow(question, answers, by, event.at) },
      }
      return withOwnWords(next, Object.values(answers).join('\n'))
    }
    case 'build.cancelled':
      return { ...state, isCancelled: true }
    case 'build.turn.started': {
      const { turn, input, wishes, hint, resumes } = event.data
      return {
        ...state,
        turns: turn,
        turn: {
          turn,
          startedAt: event.at,
          input,
          wishes: wishes ?? [],
          hint,
          resumes,
          hasAsked: false,
          said: resumes ? (state.turn?.said ?? []) : hint === null ? [] : (state.ended?.said ?? []),
        },
        inputs: stillUntold(state.inputs, event.data),
        repair: state.repair && { ...state.repair, isGiven: state.repair.isGiven || hint !== null },
      }
    }
    case 'build.turn.ended':
      return { ...state, turn: null, ended: state.turn, crashes: [], outageSince: null, held: [] }
    case 'build.turn.cut':
      // No process ended: the agent cannot have caused it.
      if (event.data.why === 'outage') return { ...state, outageSince: state.outageSince ?? event.at }
      return { ...state, crashes: [...state.crashes, event.at].slice(-buildLimits.crashes) }
    case 'build.recalled':
      // Like a question and its answer in one: the agent's part is done, and the answer is its next message.
      return {
        ...state,
        progress: { ...state.progress, asked: [...state.progress.asked, ...listIds(event.data)] },
        inputs: [answerInput(event.data, event.data.words), ...state.inputs],
        turn: state.turn && { ...state.turn, hasAsked: true },
      }
    case 'build.retried':
      return nextRound(changed(state, event.at), event.data.change ?? null)
    case 'build.faulted': {
      const { rule, words, of } = event.data
      const isEndDropped = of === 'status.changed' || of === 'session.completed' || of === 'session.failed'
      const isPending = state.repair?.isGiven === false
      const repair = isPending ? state.repair : { rule, words, isGiven: false }
      const faultsInRow = state.faultsInRow + (isPending && state.faultsInRow > 0 ? 0 : 1)
      return { ...state, faults: state.faults + 1, faultsInRow, repair, isEndDropped }
    }
    case 'build.hinted':
      return { ...state, repair: state.repair && { ...state.repair, isGiven: true } }
    case 'build.words.guarded': {
      if (event.data.where !== 'message') return state
      const { said, shown, findings } = event.data
      const doubt = findings.find(({ why }) => why === 'frequency' || why === 'after-fault')?.why as 'frequency' | 'after-fault' | undefined
      const held = doubt === undefined ? state.held : [...state.held, { text: said, why: doubt }].slice(-buildLimits.messagesPerStep)
      return { ...withSaid(state, said), held, isSummaryHeld: state.isSummaryHeld || shown === null }
    }
    case 'build.told': {
      const { wishes } = event.data
      const inputs = state.inputs.filter(({ type }) => type !== 'BUILD_REQUEST')
      return { ...state, inputs, turn: state.turn && { ...state.turn, wishes: [...state.turn.wishes, ...wishes] } }
    }
    case 'build.unheard':
      return { ...state, unheard: event.data.wishes }
    case 'build.failed':
      return state
  }
}

/** Everything of the round that ended is dropped; what the person said and answered stays. */
const nextRound = (state: BuildState, change: string | null): BuildState => ({
  ...state,
  end: null,
  isCancelled: false,
  turn: null,
  ended: null,
  inputs: (change === null ? [state.prompt, ...state.instructions] : [change]).map((text) => ({ type: 'BUILD_REQUEST', text })),
  unheard: [],
  change,
  repair: null,
  faults: 0,
  faultsInRow: 0,
  step: null,
  isSummaryHeld: false,
  saidInStep: [],
  held: [],
  isEndDropped: false,
  isRunningSaid: false,
  crashes: [],
  outageSince: null,
})

const listIds = ({ question, answers }: GivenAnswers): string[] => [...new Set([question, ...Object.keys(answers)])]

/** A question whose earlier answer does not fit any more is open again. */
const asking = (state: BuildState, ids: readonly string[]): BuildState => ({
  ...state,
  turn: state.turn && { ...state.turn, hasAsked: true },
  answered: ids.some((id) => Object.hasOwn(state.answered, id))
    ? Object.fromEntries(Object.entries(state.answered).filter(([id]) => !ids.includes(id)))
    : state.answered,
})

type GivenAnswers = { question: string; kind: 'one' | 'set'; answers: Record<string, string> }

function answerInput({ question, kind, answers }: GivenAnswers, words: AnswerWords[] | undefined): TurnInput {
  const wordsField = words === undefined ? {} : { words }
  return kind === 'one'
    ? { type: 'USER_ANSWER', question, answer: answers[question] ?? '', ...wordsField }
    : { type: 'USER_ANSWERS', questions: Object.keys(answers), answers, ...wordsField }
}

/** The turn that starts receives all additional messages; in older logs each had a turn of its own. */
function stillUntold(inputs: TurnInput[], { wishes, resumes }: { wishes?: string[]; resumes: boolean }): TurnInput[] {
  const others = resumes ? inputs : inputs.slice(1)
  return wishes === undefined ? others : others.filter(({ type }) => type !== 'BUILD_REQUEST')
}

const isPublic = (event: StoredBuildEvent): event is PublicFact => isPublicType(event.type)

/** The event as it is on the wire. */
export const getWire = (fact: PublicFact): BuildEvent => ({ type: fact.type, payload: fact.data }) as BuildEvent

function afterPublic(before: BuildState, event: PublicFact): BuildState {
  const isReassurance = event.type === 'assistant.message.created' && event.data.kind === 'reassurance'
  const moved = { ...before, progress: advance(before.progress, getWire(event)) }
  if (isReassurance) {
    const { open, done } = moved.progress
    const silence = { ...moved.silence, isReassured: true, reassured: moved.silence.reassured + 1 }
    return { ...moved, silence, isRunningSaid: moved.isRunningSaid || (open === null && done.length === 0) }
  }
  const current = changed(moved, event.at)
  const state = event.type === 'assistant.message.created' ? current : accepted(current)
  switch (event.type) {
    case 'assistant.message.created':
      return withSaid(
        { ...state, saidInStep: [...state.saidInStep, { words: bareWords(event.data.text), at: event.at }].slice(-20) },
        event.data.text,
      )
    case 'progress.step.started':
      return { ...state, step: { words: wordsOfStep(event.data.step_id), at: event.at }, isSummaryHeld: false, saidInStep: [] }
    case 'progress.step.completed':
      return { ...state, isSummaryHeld: false, saidInStep: [] }
    case 'status.changed': {
      const { status, output } = event.data
      return status === 'running' ? state : { ...state, end: { how: status, at: event.at, reason: null, output: output ?? null } }
    }
    case 'session.completed':
    case 'session.failed': {
      const reason = event.type === 'session.failed' ? (event.data.reason ?? null) : null
      const how = event.type === 'session.completed' ? 'complete' : state.isCancelled ? 'cancelled' : 'failed'
      return { ...state, inputs: [], end: { how, at: event.at, reason, output: state.end?.output ?? null } }
    }
    case 'question.requested':
      return asking(state, [event.data.question_id])
    case 'questions.requested':
      return asking(state, [event.data.question_set_id, ...event.data.questions.map((one) => one.question_id)])
    case 'session.started':
      return state
  }
}

/** A fault that was told is repaired when an event is accepted after it. Talk repairs nothing. */
const accepted = (state: BuildState): BuildState => ({
  ...state,
  faultsInRow: 0,
  isEndDropped: false,
  held: [],
  repair: state.repair?.isGiven ? null : state.repair,
})

const changed = (state: BuildState, at: number): BuildState => ({
  ...state,
  silence: { ...state.silence, changedAt: at, isReassured: false },
})

/** A set is known by its own id and by those of its questions. */
const answeredNow = (question: string, answers: Record<string, string>, by: string, at: number): BuildState['answered'] => ({
  [question]: { by, at },
  ...Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, { by, at, answer }])),
})

const withSaid = (state: BuildState, text: string): BuildState =>
  state.turn ? { ...state, turn: { ...state.turn, said: [...state.turn.said, text] } } : state

const withOwnWords = (state: BuildState, words: string): BuildState => ({
  ...state,
  ownWords: `${state.ownWords}\n${words}`.slice(-buildLimits.ownWordsChars).toWellFormed(),
})
