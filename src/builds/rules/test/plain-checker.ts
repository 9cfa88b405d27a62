/**
 * A second reading of the protocol, to compare the decider with. It shares nothing with it: no state machine, no
 * dictionary, no parser, only the list of what happened so far, searched again for every question. Slow and plain.
 */
export type Happened = { wire: unknown } | { answers: Record<string, string>; as: 'one' | 'set' }

type Loose = Record<string, unknown>
type Wire = { type: string; payload: Loose }

const order = ['build_record', 'parse', 'research', 'design', 'assemble', 'validate', 'finalize']

/** True if this may follow a history that kept the rules so far. The backend's `session.started` is not in the list. */
export function mayFollow(before: readonly Happened[], next: Happened): boolean {
  const wires = before.flatMap((one) => ('wire' in one ? [one.wire as Wire] : []))
  const ofType = (type: string): Wire[] => wires.filter((one) => one.type === type)
  const statuses = ofType('status.changed').map((one) => one.payload.status)
  if (ofType('session.completed').length + ofType('session.failed').length > 0) return false
  if ('answers' in next) return fitsQuestion(openQuestion(before), next.answers, next.as)
  if (!isWellFormed(next.wire)) return false
  const { type, payload } = next.wire as Wire
  if (wires.length === 0) return type === 'status.changed' && payload.status === 'running'
  const isWaiting = openQuestion(before) !== null
  const lastStatus = statuses.at(-1)
  const started = ofType('progress.step.started').map((one) => one.payload.step_id)
  const completed = ofType('progress.step.completed').map((one) => one.payload.step_id)
  switch (type) {
    case 'assistant.message.created':
      return true
    case 'progress.step.started':
      return lastStatus === 'running' && !isWaiting && started.length === completed.length && payload.step_id === order[started.length]
    case 'progress.step.completed':
      return lastStatus === 'running' && !isWaiting && started.length === completed.length + 1 && payload.step_id === started.at(-1)
    case 'status.changed':
      if (lastStatus !== 'running') return false
      return payload.status === 'failed' || (payload.status === 'complete' && completed.length === 7 && !isWaiting)
    case 'question.requested':
    case 'questions.requested':
      return lastStatus === 'running' && !isWaiting && listIds(next.wire as Wire).every((id) => !wires.flatMap(listIds).includes(id))
    case 'session.completed':
      return lastStatus === 'complete' && hasSummary(wires)
    case 'session.failed':
      return lastStatus === 'failed' && hasSummary(wires)
    default:
      return false
  }
}

function hasSummary(wires: Wire[]): boolean {
  const lastStep = wires.findLastIndex((one) => one.type.startsWith('progress.step.'))
  return wires.slice(lastStep + 1).some((one) => one.type === 'assistant.message.created' && one.payload.kind !== 'reassurance')
}

function openQuestion(before: readonly Happened[]): Wire | null {
  const questionAt = before.findLastIndex((one) => 'wire' in one && /^questions?\.requested$/.test((one.wire as Wire).type))
  if (questionAt === -1) return null
  const after = before.slice(questionAt + 1)
  if (after.some((one) => 'answers' in one)) return null
  if (after.some((one) => 'wire' in one && (one.wire as Wire).payload.status === 'failed')) return null
  return (before[questionAt] as { wire: Wire }).wire
}

const listIds = ({ payload }: Wire): unknown[] =>
  [
    payload.question_id,
    payload.question_set_id,
    ...((payload.questions as Loose[] | undefined) ?? []).map((one) => one.question_id),
  ].filter((id) => id !== undefined)

function fitsQuestion(open: Wire | null, answers: Record<string, string>, as: 'one' | 'set'): boolean {
  if (open === null || (open.type === 'question.requested') !== (as === 'one')) return false
  const questions = open.type === 'question.requested' ? [open.payload] : (open.payload.questions as Loose[])
  if (Object.keys(answers).length !== questions.length) return false
  return questions.every((question) => {
    const answer = answers[question.question_id as string]?.trim()
    if (answer === undefined || answer === '') return false
    if (question.input === 'text') return true
    const options = question.options as { id: string; label: string }[]
    if (options.some(({ id }) => id === answer)) return true
    return options.filter(({ label }) => label.trim().toLowerCase() === answer.toLowerCase()).length === 1
  })
}

const isText = (given: unknown): boolean => typeof given === 'string' && given.trim() !== ''
const isId = (given: unknown): boolean => typeof given === 'string' && /^[^\s,[\]]+$/.test(given)

function isWellFormed(wire: unknown): boolean {
  if (typeof wire !== 'object' || wire === null) return false
  const { type, payload } = wire as { type?: unknown; payload?: unknown }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return false
  const fields = payload as Loose
  if (fields.source !== 'agent') return false
  switch (type) {
    case 'assistant.message.created':
      return isText(fields.text)
    case 'progress.step.started':
      return order.includes(fields.step_id as string) && isText(fields.title) && isText(fields.description)
    case 'progress.step.completed':
      return order.includes(fields.step_id as string)
    case 'status.changed':
      if (fields.output !== undefined && (typeof fields.output !== 'string' || fields.status === 'running')) return false
      return ['running', 'complete', 'failed'].includes(fields.status as string)
    case 'question.requested':
      return isQuestion(fields) && fields.required === true
    case 'questions.requested': {
      const questions = fields.questions
      if (!isId(fields.question_set_id) || !isText(fields.prompt) || fields.required_all !== true) return false
      if (!Array.isArray(questions) || questions.length < 2 || !questions.every(isQuestion)) return false
      const ids = [fields.question_set_id, ...questions.map((one: Loose) => one.question_id)]
      return new Set(ids).size === ids.length
    }
    case 'session.completed':
      return true
    case 'session.failed':
      return fields.reason === undefined || isText(fields.reason)
    default:
      return false
  }
}

function isQuestion(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false
  const { question_id, prompt, input, options } = given as Loose
  if (!isId(question_id) || !isText(prompt)) return false
  if (input === 'text') return options === undefined || (Array.isArray(options) && options.length === 0)
  if (input !== 'single_choice' || !Array.isArray(options) || options.length < 2) return false
  const ids = options.map((option: Loose) => option.id)
  return new Set(ids).size === ids.length && options.every((option: Loose) => isId(option.id) && isText(option.label))
}
