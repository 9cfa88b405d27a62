import { type AnswerKind, type BuildEvent, isPublicType, type Option, publicTypes, type SetQuestion } from './build-events.ts'
import { buildLimits } from './build-limits.ts'
import { cleanText } from './clean-text.ts'
import { type Fault, fault } from './fault.ts'
import { isStepId, stepIds } from './steps.ts'
import { isRecord } from '../../shapes/record.ts'

type Read<T> = { value: T } | { fault: Fault }
type Loose = Record<string, unknown>

/**
 * Reads one event of the wire. Fields the protocol does not name are left out; a missing or wrong one is a fault whose
 * words tell the agent what to send instead.
 */
export function readBuildEvent(given: unknown): { event: BuildEvent } | { fault: Fault } {
  if (!isRecord(given)) return fault('T8', 'An event is one JSON object: {"type": "…", "payload": {…}}.')
  const { type, payload } = given
  if (typeof type !== 'string') return fault('T8', '"type" is missing. It is one of: ' + agentTypes + '.')
  if (type === 'phase.changed')
    return fault('T8', '"phase.changed" is no longer taken. Use progress.step.started and progress.step.completed.')
  if (!isPublicType(type)) return fault('T8', `"${shorten(type)}" is not a type of event. Use one of: ${agentTypes}.`)
  if (!isRecord(payload)) return fault('T8', `${type}: "payload" must be an object with "source": "agent".`)
  if (type === 'session.started') return readStarted(payload)
  if (payload.source !== 'agent') return fault('T8', `${type}: payload.source must be "agent".`)
  const source = 'agent' as const
  switch (type) {
    case 'assistant.message.created': {
      const text = getText(payload, 'text', buildLimits.rawMessageChars)
      if ('fault' in text) return at(type, 'T8', text)
      return { event: { type, payload: { text: text.value, source } } }
    }
    case 'progress.step.started': {
      const { step_id: step, index, total } = payload
      if (!isStepId(step)) return fault('T4', `${type}: "step_id" must be one of: ${stepIds.join(', ')}.`)
      const title = getText(payload, 'title', buildLimits.labelChars)
      if ('fault' in title) return at(type, 'T4', title)
      const description = getText(payload, 'description', buildLimits.labelChars)
      if ('fault' in description) return at(type, 'T4', description)
      // A wrong number is corrected and noted when the event is taken: the id says which step is meant.
      const place = { index: typeof index === 'number' ? index : 0, total: typeof total === 'number' ? total : 0 }
      return { event: { type, payload: { step_id: step, title: title.value, description: description.value, ...place, source } } }
    }
    case 'progress.step.completed':
      if (!isStepId(payload.step_id)) return fault('T4', `${type}: "step_id" must be one of: ${stepIds.join(', ')}.`)
      return { event: { type, payload: { step_id: payload.step_id, source } } }
    case 'status.changed':
      return readStatus(payload)
    case 'question.requested':
      return readQuestion(payload)
    case 'questions.requested':
      return readQuestionSet(payload)
    case 'session.completed':
      return { event: { type, payload: { source } } }
    case 'session.failed': {
      if (payload.reason === undefined) return { event: { type, payload: { source } } }
      const reason = getText(payload, 'reason', buildLimits.reasonChars)
      if ('fault' in reason) return at(type, 'T8', reason)
      return { event: { type, payload: { reason: reason.value, source } } }
    }
  }
}

function readStarted(payload: Loose): { event: BuildEvent } | { fault: Fault } {
  const { build_id: build, session_id: session, round, source } = payload
  if (typeof build !== 'string' || typeof session !== 'string' || source !== 'backend')
    return fault('T1', 'session.started is sent by the backend alone, with build_id and session_id. Begin with status.changed "running".')
  if (round !== undefined && (!Number.isInteger(round) || (round as number) < 1))
    return fault('T1', 'session.started: "round" is a whole number from 1.')
  const ids = { build_id: build, session_id: session, ...(typeof round === 'number' ? { round } : {}) }
  return { event: { type: 'session.started', payload: { ...ids, source } } }
}

function readStatus(payload: Loose): { event: BuildEvent } | { fault: Fault } {
  const type = 'status.changed'
  const { status, output } = payload
  if (status !== 'running' && status !== 'complete' && status !== 'failed')
    return fault('T8', `${type}: "status" must be "running", "complete" or "failed".`)
  if (output === undefined) return { event: { type, payload: { status, source: 'agent' } } }
  if (status === 'running') return fault('T8', `${type}: "output" belongs to "complete" or "failed", not to "running".`)
  if (typeof output !== 'string') return fault('T8', `${type}: "output" must be a text.`)
  if (output.length > buildLimits.outputChars)
    return fault('T8', `${type}: "output" has ${output.length} characters; at most ${buildLimits.outputChars} are taken.`)
  // A result is handed on byte for byte; only half a character cannot be stored.
  return { event: { type, payload: { status, output: output.toWellFormed(), source: 'agent' } } }
}

function readQuestion(payload: Loose): { event: BuildEvent } | { fault: Fault } {
  const type = 'question.requested'
  const one = readAsked(payload)
  if ('fault' in one) return at(type, 'T9', one)
  if (payload.required !== true) return fault('T9', `${type}: "required" must be true.`)
  const { question_id, prompt, input, options = [] } = one.value
  return { event: { type, payload: { question_id, prompt, input, required: true, options, source: 'agent' } } }
}

function readQuestionSet(payload: Loose): { event: BuildEvent } | { fault: Fault } {
  const type = 'questions.requested'
  const id = getId(payload, 'question_set_id')
  if ('fault' in id) return at(type, 'T9', id)
  const prompt = getText(payload, 'prompt', buildLimits.questionChars)
  if ('fault' in prompt) return at(type, 'T9', prompt)
  if (payload.required_all !== true) return fault('T9', `${type}: "required_all" must be true.`)
  const rawQuestions = payload.questions
  if (!Array.isArray(rawQuestions) || rawQuestions.length < 2)
    return fault('T9', `${type}: a set has at least 2 questions; ask a single one with question.requested.`)
  if (rawQuestions.length > buildLimits.questionsInSet)
    return fault('T9', `${type}: at most ${buildLimits.questionsInSet} questions in one set.`)
  const questions: SetQuestion[] = []
  for (const [index, each] of rawQuestions.entries()) {
    if (!isRecord(each)) return fault('T9', `${type}: questions[${index}] must be an object.`)
    const read = readAsked(each)
    if ('fault' in read) return at(`${type}: questions[${index}]`, 'T9', read)
    questions.push(read.value)
  }
  if (new Set(questions.map((one) => one.question_id)).size < questions.length)
    return fault('T9', `${type}: two questions have the same question_id.`)
  return {
    event: { type, payload: { question_set_id: id.value, prompt: prompt.value, required_all: true, questions, source: 'agent' } },
  }
}

/** One question, alone or in a set. `options` is there for a choice only. */
function readAsked(given: Loose): Read<SetQuestion> {
  const id = getId(given, 'question_id')
  if ('fault' in id) return id
  const prompt = getText(given, 'prompt', buildLimits.questionChars)
  if ('fault' in prompt) return prompt
  const input = given.input as AnswerKind
  if (input !== 'single_choice' && input !== 'text') return fault('T9', '"input" must be "single_choice" or "text".')
  if (input === 'text') {
    if (given.options !== undefined && !(Array.isArray(given.options) && given.options.length === 0))
      return fault('T9', 'a "text" question has no options; leave them out or use "single_choice".')
    return { value: { question_id: id.value, prompt: prompt.value, input } }
  }
  const options = readOptions(given.options)
  return 'fault' in options ? options : { value: { question_id: id.value, prompt: prompt.value, input, options: options.value } }
}

function readOptions(given: unknown): Read<Option[]> {
  if (!Array.isArray(given) || given.length < 2) return fault('T9', 'a "single_choice" question needs at least 2 options.')
  if (given.length > buildLimits.options) return fault('T9', `a question has at most ${buildLimits.options} options.`)
  const options: Option[] = []
  for (const [index, each] of given.entries()) {
    if (!isRecord(each)) return fault('T9', `options[${index}] must be {"id", "label"}.`)
    const id = getId(each, 'id')
    if ('fault' in id) return at(`options[${index}]`, 'T9', id)
    const label = getText(each, 'label', buildLimits.labelChars)
    if ('fault' in label) return at(`options[${index}]`, 'T9', label)
    if (each.description === undefined) {
      options.push({ id: id.value, label: label.value })
      continue
    }
    const description = getText(each, 'description', buildLimits.labelChars)
    if ('fault' in description) return at(`options[${index}]`, 'T9', description)
    options.push({ id: id.value, label: label.value, description: description.value })
  }
  if (new Set(options.map((option) => option.id)).size < options.length) return fault('T9', 'two options have the same id.')
  return { value: options }
}

/** An id travels in the header, `[QUESTION_IDS:a,b]`: what ends a header line or a list cannot be in it. */
function getId(given: Loose, name: string): Read<string> {
  const id = given[name]
  if (typeof id !== 'string' || !isUsableId(id))
    return fault('T9', `"${name}" must be 1 to ${buildLimits.idChars} characters without blanks, commas and brackets.`)
  return { value: id }
}

export const isUsableId = (id: string): boolean =>
  id.length > 0 && id.length <= buildLimits.idChars && !/[\s,[\]]/.test(id) && id !== '__proto__' && cleanText(id) === id

function getText(given: Loose, name: string, most: number): Read<string> {
  const text = given[name]
  if (typeof text !== 'string') return fault('T8', `"${name}" must be a text.`)
  const clean = cleanText(text).trim()
  if (clean === '') return fault('T8', `"${name}" is empty.`)
  if (clean.length > most) return fault('T8', `"${name}" has ${clean.length} characters; at most ${most} are taken.`)
  return { value: clean }
}

const at = (where: string, rule: Fault['rule'], read: { fault: Fault }): { fault: Fault } => fault(rule, `${where}: ${read.fault.words}`)

const agentTypes = publicTypes.filter((type) => type !== 'session.started').join(', ')

const shorten = (text: string): string => cleanText(text.slice(0, 60))
