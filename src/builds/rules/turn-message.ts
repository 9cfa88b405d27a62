import { buildLimits } from './build-limits.ts'
import type { BuildState } from './build-state.ts'
import { headerOfInput, turnNotes, writeAnswers, writeTurnMessage } from './header.ts'
import { joinLines } from './join-lines.ts'
import { stepIds } from './steps.ts'
import type { TurnInput } from './turn-input.ts'

/** The whole message of the open turn as the agent gets it, header block first; null when no turn is open. */
export function turnMessage(state: BuildState): string | null {
  const { turn, build, session } = state
  return turn && writeTurnMessage(headerOfInput({ build, session }, turn.input), getBody(turn.input), getNotes(state))
}

/** The same without the header, for a runtime that speaks to a model; null when no turn is open. */
export const turnText = (state: BuildState): string | null => state.turn && [...getNotes(state), getWords(state.turn.input)].join('\n')

/** Lines of their own above the body, so that an answer in JSON stays what it is. */
function getNotes(state: BuildState): string[] {
  const { turn } = state
  if (!turn) return []
  const standing = whereItStands(state)
  const isFirstOfRound = state.progress.round > 1 && state.ended === null
  return [
    ...(isFirstOfRound
      ? [
          `${turnNotes.round}${roundNote(state)} Begin with status.changed "running" and the first step; what you ask again is answered as before.`,
        ]
      : []),
    ...(turn.resumes ? [`${turnNotes.interrupted}${standing} Go on from there and repeat nothing.`] : []),
    ...(turn.hint === null ? [] : [`${turnNotes.repair}${turn.hint} ${standing} Fix it. ${faultRule}`]),
    ...turn.wishes.map((addition) => `${turnNotes.addition}${joinLines(addition)}`),
  ]
}

/** Stateless programs are told what came before; a model remembers it, and may have forgotten it. */
function roundNote({ change, prompt, instructions }: BuildState): string {
  if (change === null) return 'The one before ended early.'
  const earlier = [prompt, ...instructions.filter((each) => !change.includes(each))].map((each) => `“${each.slice(0, 300).toWellFormed()}”`)
  return `The one before was completed, and the person asks for a change. They asked before for ${joinLines(earlier.join(', '))}.`
}

/** A model knows no ids of options: it reads each question with its answer. */
function getWords(input: TurnInput): string {
  if (input.type === 'BUILD_REQUEST' || !input.words) return getBody(input)
  return input.words.map(({ question, answer }) => `${joinLines(question)} → ${answer}`).join('\n')
}

function getBody(input: TurnInput): string {
  if (input.type === 'USER_ANSWER') return input.answer
  return input.type === 'USER_ANSWERS' ? writeAnswers(input.answers) : input.text
}

export const faultRule = `${['No', 'One', 'Two', 'Three'][buildLimits.faultsInRow] ?? buildLimits.faultsInRow} faults in a row end the build.`

export function whereItStands({ progress }: Pick<BuildState, 'progress'>): string {
  if (progress.status === 'none') return 'Nothing of the build is done yet.'
  const next = stepIds[progress.done.length]
  const done = progress.done.length === 0 ? 'No step is done' : `Done: ${progress.done.join(', ')}`
  const now = progress.open ? `open: ${progress.open}` : next === undefined ? 'every step is done' : `next: ${next}`
  return `${done}; ${now}; status: ${progress.status}.`
}
