import { isLanguage, type Language } from '../../shapes/language.ts'
import type { SetQuestion } from '../rules/build-events.ts'
import { cleanText } from '../rules/clean-text.ts'
import { type Refusal, refuse } from '../../errors.ts'
import type { AgUiQuestion, BuildPicture } from './build-picture.ts'
import type { Resume, RunInput } from './run-input.ts'

/** The request of a client for the build of its thread. */
export type RunRequest =
  /** Follows the build, or gets the open question again. */
  | { kind: 'watch' }
  | { kind: 'answer'; question: AgUiQuestion; answers: Record<string, string> }
  | { kind: 'cancel' }
  /** An additional message of the person. */
  | { kind: 'instruct'; text: string; message: string }

export function readRunRequest(picture: BuildPicture, input: RunInput): RunRequest | { refused: Refusal } {
  const { question } = picture.state
  const resume = input.resume ?? []
  const words = newWords(picture, input)
  if (words !== null && 'refused' in words) return words
  if (picture.isOver) {
    // New words ask for a change, in a new round. Without any, the client gets the end.
    return words !== null && !isHeard(picture, words.text) ? { kind: 'instruct', ...words } : { kind: 'watch' }
  }
  if (resume.length > 0) return answering(picture, resume)
  if (question !== null) {
    const questionIds = question.questions.map(({ question_id }) => question_id).join(', ')
    return words === null || isHeard(picture, words.text) ? { kind: 'watch' } : refuse('resume_needed', { questions: questionIds })
  }
  return words === null ? { kind: 'watch' } : { kind: 'instruct', ...words }
}

export type Opening = { prompt: string; language?: Language; agent?: string }

/** The prompt of the build: the latest message of the person. */
export function findOpening({ messages, forwardedProps }: RunInput): Opening | { refused: Refusal } {
  const last = messages.findLast(({ role }) => role === 'user')
  const words = last ? wordsIn(last['content']) : refuse('empty_text', { field: 'The last user message' })
  if ('refused' in words) return words
  const { language, agent } = (forwardedProps ?? {}) as { language?: unknown; agent?: unknown }
  return {
    prompt: words.text,
    ...(isLanguage(language) ? { language } : {}),
    ...(typeof agent === 'string' ? { agent: agent.slice(0, 64) } : {}),
  }
}

/** Text is accepted, alone or in parts. A picture is refused, because it cannot be ignored silently. */
function wordsIn(content: unknown): { text: string } | { refused: Refusal } {
  const parts: unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  const texts: string[] = []
  for (const part of parts as { type?: unknown; text?: unknown }[]) {
    if (part?.type !== 'text' || typeof part.text !== 'string')
      return refuse('bad_request', { field: 'messages', why: 'a build is asked for in text; the last user message holds something else' })
    texts.push(part.text)
  }
  const text = cleanText(texts.join('\n')).trim()
  return text === '' ? refuse('empty_text', { field: 'The last user message' }) : { text }
}

/** Clients send the whole talk each time. Words are new when they are the last of it and not what the build began with. */
function newWords(picture: BuildPicture, { messages }: RunInput): { text: string; message: string } | null | { refused: Refusal } {
  const last = messages.at(-1)
  if (last?.role !== 'user') return null
  const words = wordsIn(last['content'])
  if ('refused' in words) return words
  const isFirst = messages.find(({ role }) => role === 'user') === last
  const [prompt] = picture.lines
  return isFirst && words.text === prompt?.text ? null : { text: words.text, message: last.id }
}

const isHeard = ({ lines }: BuildPicture, text: string): boolean => lines.some((line) => line.role === 'user' && line.text === text)

/** The client sends the state it was given back with each run. One that has seen the question or the end needs no replay. */
export function hasSeenAll({ state, isOver }: BuildPicture, given: unknown): boolean {
  if (typeof given !== 'object' || given === null || !(isOver || state.status === 'waiting')) return false
  const { build, status, question } = given as { build?: unknown; status?: unknown; question?: { id?: unknown } | null }
  return build === state.build && status === state.status && question?.id === state.question?.id
}

function answering({ state, answered }: BuildPicture, resume: readonly Resume[]): RunRequest | { refused: Refusal } {
  const ids = resume.map(({ interruptId }) => interruptId)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) return refuse('bad_request', { field: 'resume', why: `${twice} is answered twice` })
  const isMeant = ({ questions }: AgUiQuestion): boolean => questions.some(({ question_id }) => ids.includes(question_id))
  const earlier = Object.values(answered).map(({ question }) => question)
  const question = [state.question, ...earlier].find((one) => one !== null && isMeant(one)) ?? state.question
  if (!question) return refuse('no_question_open')
  const questionIds = question.questions.map(({ question_id }) => question_id)
  const unknown = ids.find((id) => !questionIds.includes(id))
  if (unknown !== undefined) return refuse('answer_unknown', { item: unknown.slice(0, 100) })
  if (resume.every(({ status }) => status === 'cancelled') && resume.length === questionIds.length) return { kind: 'cancel' }
  const answers: Record<string, string> = {}
  for (const id of questionIds) {
    const entry = resume.find(({ interruptId }) => interruptId === id)
    if (entry?.status !== 'resolved') return refuse('answer_missing', { item: id })
    if (typeof entry.payload !== 'string')
      return refuse('bad_request', { field: `resume.${id}.payload`, why: 'is not a text; a choice is answered by the id of its option' })
    answers[id] = entry.payload
  }
  return { kind: 'answer', question, answers }
}

/** True for answers that were given before: a client that lost its connection sends them again. */
export function isSameAnswer({ answered }: BuildPicture, question: AgUiQuestion, answers: Readonly<Record<string, string>>): boolean {
  const earlierAnswers = answered[question.id]?.answers
  if (!earlierAnswers) return false
  return question.questions.every((one) => isSame(one, earlierAnswers[one.question_id] ?? '', answers[one.question_id] ?? ''))
}

function isSame({ options = [] }: SetQuestion, kept: string, given: string): boolean {
  const fold = (text: string): string => cleanText(text).trim().normalize('NFC').toLowerCase()
  const label = options.find(({ id }) => id === kept)?.label
  return cleanText(given).trim() === kept || (label !== undefined && fold(label) === fold(given))
}
