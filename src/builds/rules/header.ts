import { type Refusal, refuse } from '../../errors.ts'
import type { Fault, RuleId } from './fault.ts'
import { joinLines } from './join-lines.ts'
import { isUsableId } from './read-build-event.ts'
import type { TurnInput, TurnInputType } from './turn-input.ts'

export type BuildIds = { build: string; session: string }

export type BuildHeader = BuildIds &
  ({ type: 'BUILD_REQUEST' } | { type: 'USER_ANSWER'; question: string } | { type: 'USER_ANSWERS'; questions: string[] })

export const headerNote = 'System note: headers above are transport metadata from Tidy. Do not repeat them in user-facing replies.'

const types: readonly TurnInputType[] = ['BUILD_REQUEST', 'USER_ANSWER', 'USER_ANSWERS']

/** Prefixes of the one-line notes between header and body. */
export const turnNotes = {
  interrupted: 'System note: you were interrupted. ',
  round: 'System note: this is a new round of the same session. ',
  repair: 'System note: something you sent was not taken: ',
  addition: 'System note: the person adds: ',
} as const

const isTurnNote = (line: string | undefined): boolean => Object.values(turnNotes).some((start) => line?.startsWith(start) === true)

/** The message of one turn as the agent gets it: header block, notes, body. */
export function writeTurnMessage(header: BuildHeader, body: string, notes: readonly string[] = []): string {
  const lines = ['[FROM:TIDY]', `[BUILD_ID:${header.build}]`, `[SESSION_ID:${header.session}]`, `[MESSAGE_TYPE:${header.type}]`]
  if (header.type === 'USER_ANSWER') lines.push(`[QUESTION_ID:${header.question}]`)
  if (header.type === 'USER_ANSWERS') lines.push(`[QUESTION_IDS:${header.questions.join(',')}]`)
  return [...lines, '', headerNote, ...notes.map(joinLines), body].join('\n')
}

export type ReadMessage =
  /** Without `[FROM:TIDY]` a person typed it: plain text without effect on a build. */
  { kind: 'text'; text: string } | { kind: 'build'; header: BuildHeader; notes: string[]; body: string } | { refused: Refusal }

/**
 * Reads a message of the backend. Only the leading, unbroken `[KEY:VALUE]` lines are the header; lines that look like
 * it further down stay text. `ids` are those of the environment, which the header must repeat (T14).
 */
export function readTurnMessage(message: string, ids: BuildIds): ReadMessage {
  const lines = message.replace(/\r\n?/g, '\n').split('\n')
  const matches = lines.map((line) => headerLine.exec(line))
  const end = matches.indexOf(null)
  const block = matches.slice(0, end === -1 ? matches.length : end).filter((line) => line !== null)
  const fields = new Map<string, string>()
  if (!block.some(([, key, value]) => key === 'FROM' && value === 'TIDY')) return { kind: 'text', text: message }
  for (const [, key = '', value = ''] of block) {
    if (!headerNames.includes(key)) return bad('T14', `[${key.slice(0, 40)}:…] is not a header`)
    if (fields.has(key)) return bad('T14', `[${key}:…] is there twice`)
    fields.set(key, value)
  }
  const header = readHeader(fields, ids)
  if ('refused' in header) return header
  const rest = lines.slice(block.length)
  if (rest[0] === '') rest.shift()
  if (rest[0] === headerNote) rest.shift()
  const notes: string[] = []
  while (isTurnNote(rest[0])) notes.push(rest.shift() ?? '')
  return { kind: 'build', header: header.header, notes, body: rest.join('\n') }
}

const headerLine = /^\[([A-Z_]+):([^\]\n]*)\]$/
const headerNames = ['FROM', 'BUILD_ID', 'SESSION_ID', 'MESSAGE_TYPE', 'QUESTION_ID', 'QUESTION_IDS']

function readHeader(fields: Map<string, string>, { build, session }: BuildIds): { header: BuildHeader } | { refused: Refusal } {
  if (fields.get('BUILD_ID') !== build) return bad('T14', 'BUILD_ID is not the one of this build')
  if (fields.get('SESSION_ID') !== session) return bad('T14', 'SESSION_ID is not the one of this session')
  const type = types.find((each) => each === fields.get('MESSAGE_TYPE'))
  if (!type) return bad('T14', `MESSAGE_TYPE must be one of ${types.join(', ')}`)
  const one = fields.get('QUESTION_ID')
  const several = fields.get('QUESTION_IDS')
  if (one !== undefined && type !== 'USER_ANSWER') return bad('T14', 'QUESTION_ID belongs to USER_ANSWER alone')
  if (several !== undefined && type !== 'USER_ANSWERS') return bad('T14', 'QUESTION_IDS belongs to USER_ANSWERS alone')
  if (type === 'BUILD_REQUEST') return { header: { build, session, type } }
  if (type === 'USER_ANSWER') {
    if (one === undefined || !isUsableId(one)) return bad('T14', 'USER_ANSWER needs one QUESTION_ID')
    return { header: { build, session, type, question: one } }
  }
  const questions = several?.split(',') ?? []
  if (questions.length === 0 || !questions.every(isUsableId))
    return bad('T14', 'USER_ANSWERS needs QUESTION_IDS, separated by commas, without blanks')
  if (new Set(questions).size < questions.length) return bad('T14', 'QUESTION_IDS names one twice')
  return { header: { build, session, type, questions } }
}

const bad = (rule: RuleId, why: string): { refused: Refusal } => refuse('bad_turn_message', { rule, why })

/** The body of an answer to a set, as the agent gets it. */
export const writeAnswers = (answers: Record<string, string>): string => JSON.stringify(answers)

/** Answers of a USER_ANSWERS body: a JSON object, or lines `id: answer`. What fits neither is a fault. */
export function readAnswers(body: string, questions: readonly string[]): { answers: Record<string, string> } | { fault: Fault } {
  const answers = fromJson(body) ?? fromLines(body, questions)
  if (!answers) return { fault: { rule: 'T11', words: 'The answers are neither a JSON object nor lines of the form "id: answer".' } }
  const extra = [...answers.keys()].find((id) => !questions.includes(id))
  if (extra !== undefined) return { fault: { rule: 'T11', words: `There is no question ${extra.slice(0, 100)} in QUESTION_IDS.` } }
  const missing = questions.find((id) => !answers.has(id))
  if (missing !== undefined) return { fault: { rule: 'T11', words: `There is no answer for ${missing}.` } }
  return { answers: Object.fromEntries(answers) }
}

function fromJson(body: string): Map<string, string> | null {
  if (!body.trimStart().startsWith('{')) return null
  try {
    const json = JSON.parse(body) as Record<string, unknown>
    const entries = Object.entries(json).map(([id, value]) => [id, typeof value === 'string' ? value : JSON.stringify(value)] as const)
    return new Map(entries)
  } catch {
    return null
  }
}

/** A line that names no question goes on with the answer before it; a blank line is ignored. */
function fromLines(body: string, questions: readonly string[]): Map<string, string> | null {
  const answers = new Map<string, string[]>()
  let last: string[] | null = null
  for (const line of body.replace(/\r\n?/g, '\n').split('\n')) {
    const id = questions.find((each) => line.startsWith(`${each}:`))
    if (id !== undefined && !answers.has(id)) {
      last = [line.slice(id.length + 1).trim()]
      answers.set(id, last)
    } else if (line.trim() !== '') {
      if (last === null) return null
      last.push(line.trimEnd())
    }
  }
  return answers.size === 0 ? null : new Map([...answers].map(([id, lines]) => [id, lines.join('\n')]))
}

export const headerOfInput = (ids: BuildIds, input: TurnInput): BuildHeader => {
  const { build, session } = ids
  if (input.type === 'USER_ANSWER') return { build, session, type: input.type, question: input.question }
  if (input.type === 'USER_ANSWERS') return { build, session, type: input.type, questions: input.questions }
  return { build, session, type: input.type }
}
