import { checkAnswers, idOfQuestion, listQuestions } from './answers.ts'
import type { BuildEvent } from './build-events.ts'
import { silenceMs } from './build-limits.ts'
import type { Fault, RuleId } from './fault.ts'
import { readAnswers, readTurnMessage } from './header.ts'
import { type LogLine, readLogLine } from './log-line.ts'
import { advance, getFault, initialProgress, type Progress } from './rules.ts'
import { isStepWording, stepIds, wordsOfStep } from './steps.ts'
import { guardWords } from './words/guard.ts'
import { isReassurance } from './words/reassurance.ts'

/** `line` counts from 1. An error breaks a rule of the protocol; a warning is worth a look. */
export type LogFinding = { line: number; id: RuleId; severity: 'error' | 'warning'; words: string }

/** A timer may be late by this much before its silence counts as overlooked. */
const lateMs = 5_000

/**
 * Checks the log of one build, line by line: public events, as JSON lines or as a saved event stream. Lines with the
 * answers (`build.answered`) or the messages to the agent (`{"message": "[FROM:TIDY]…"}`) are checked too where they
 * are there; where they are not, a question counts as answered by whatever comes after it. What the agent was already
 * found to break (`build.faulted`) is told again, for it is nowhere else in the log. An agent's own output is checked from
 * where its turn begins.
 */
export function checkBuildLog(lines: Iterable<string>): LogFinding[] {
  const read = [...lines].map(readLogLine)
  const hasAnswers = read.some((line) => line.kind === 'answers' || line.kind === 'message')
  const findings: LogFinding[] = []
  const isOwn = isOwnOutput(read)
  let log: Log = {
    progress: isOwn ? whereItBegins(read) : initialProgress,
    ids: null,
    seq: 0,
    changedAt: null,
    silentSince: null,
    isReassured: false,
    step: null,
    own: '',
  }
  for (const [index, line] of read.entries()) {
    const note: Note = (id, words, severity = 'error') => findings.push({ line: index + 1, id, severity, words })
    if (line.seq !== null) {
      // A line sent again says nothing new.
      if (line.seq <= log.seq) continue
      log = { ...log, seq: line.seq }
    }
    log = afterLine(log, line, hasAnswers, note)
  }
  const last = Math.max(read.length, 1)
  if (!log.progress.isStarted) findings.push({ line: last, id: 'T1', severity: 'error', words: 'There is no session.started.' })
  // The turn of an agent ends with its question.
  else if (!log.progress.isOver && !(isOwn && log.progress.question))
    findings.push({ line: last, id: 'T6', severity: 'warning', words: 'The build has not ended in this log.' })
  return findings
}

/** Output of an agent has no numbers and none of the runner's events: `session.started` and `build.*`. */
export const isAgentOutput = (lines: Iterable<string>): boolean => isOwnOutput([...lines].map(readLogLine))

function isOwnOutput(read: readonly LogLine[]): boolean {
  const isFromAgent = (line: LogLine): boolean => line.kind === 'event' && line.event.type !== 'session.started'
  return (
    read.some(isFromAgent) &&
    read.every((line) => line.seq === null && (isFromAgent(line) || line.kind === 'blank' || line.kind === 'fault'))
  )
}

/** No build begins with the end of a step: the turn that does goes on after an answer. */
function whereItBegins(read: readonly LogLine[]): Progress {
  const first = read.find((line) => line.kind === 'event')?.event
  const started: Progress = { ...initialProgress, isStarted: true }
  if (first?.type !== 'progress.step.completed') return started
  const { step_id: open } = first.payload
  return { ...started, status: 'running', open, done: stepIds.slice(0, stepIds.indexOf(open)) }
}

type Note = (id: RuleId, words: string, severity?: LogFinding['severity']) => void

type Log = {
  progress: Progress
  ids: { build: string; session: string } | null
  seq: number
  /** Of the latest visible change; null where the log has no times, or the answer's time is not in it. */
  changedAt: number | null
  /** The change before "running", where that was the last event. */
  silentSince: number | null
  isReassured: boolean
  step: { words: string[]; at: number } | null
  /** The person's own words, where they are in the log. */
  own: string
}

function afterLine(log: Log, line: LogLine, hasAnswers: boolean, note: Note): Log {
  switch (line.kind) {
    case 'blank':
      return log
    case 'opened':
      return { ...log, own: line.prompt }
    case 'fault':
      note(line.fault.rule, line.fault.words)
      return log
    case 'answers':
      return answered(log, line.question, line.answers, line.at, note)
    case 'message':
      return afterMessage(log, line, note)
    case 'event':
      return afterEvent(log, line.event, line.at, hasAnswers, note)
  }
}

function afterEvent(before: Log, event: BuildEvent, at: number | null, hasAnswers: boolean, note: Note): Log {
  const log = hasAnswers ? before : presumeAnswered(before, event)
  const fault = getFault(log.progress, event)
  if (fault) note(fault.rule, fault.words)
  lintWords(log, event, at, note)
  const isCalming =
    event.type === 'assistant.message.created' && (event.payload.kind === 'reassurance' || isReassurance(event.payload.text))
  checkSilence(log, isCalming, at, note)
  const progress = fault ? resumed(log.progress, event, fault) : advance(log.progress, event)
  const ids = event.type === 'session.started' ? { build: event.payload.build_id, session: event.payload.session_id } : log.ids
  if (isCalming) return { ...log, progress, isReassured: true }
  const step = event.type === 'progress.step.started' && at !== null ? { words: wordsOfStep(event.payload.step_id), at } : log.step
  // A build is reassured while it still waits for its agent; "running" is then said in the same moment and is no news.
  const since = event.type === 'status.changed' && event.payload.status === 'running' && at !== null ? (log.changedAt ?? at) : at
  return { ...log, progress, ids, step, changedAt: at, silentSince: since, isReassured: false }
}

/** Where answers are not logged, going on is the sign of one; when it came is not known. */
function presumeAnswered(log: Log, event: BuildEvent): Log {
  if (log.progress.question === null || event.type === 'assistant.message.created') return log
  if (event.type === 'status.changed' && event.payload.status === 'failed') return log
  return { ...log, progress: { ...log.progress, question: null }, changedAt: null, isReassured: false }
}

/** Takes up the thread after a fault, so that one missing event is not told as twenty. */
function resumed(progress: Progress, event: BuildEvent, fault: Fault): Progress {
  if (progress.isOver || fault.rule === 'T10') return progress
  if (event.type === 'progress.step.started' || event.type === 'progress.step.completed') {
    const place = stepIds.indexOf(event.payload.step_id)
    if (place < progress.done.length) return progress
    const isStart = event.type === 'progress.step.started'
    return {
      ...progress,
      open: isStart ? event.payload.step_id : null,
      done: stepIds.slice(0, isStart ? place : place + 1),
      isSummarised: false,
    }
  }
  return event.type === 'session.started' ? progress : { ...advance(progress, event), isStarted: true }
}

function lintWords(log: Log, event: BuildEvent, at: number | null, note: Note): void {
  if (event.type === 'progress.step.started') {
    const { step_id, title, description, index, total } = event.payload
    if (!isStepWording(step_id, title, description)) note('T4', `${step_id} is shown in other words than the dictionary has.`, 'warning')
    const place = stepIds.indexOf(step_id) + 1
    if (index !== place || total !== stepIds.length)
      note('T4', `${step_id} is ${place} of ${stepIds.length}, not ${index} of ${total}; it is corrected.`, 'warning')
  }
  if (event.type === 'assistant.message.created') {
    const step = at === null ? null : log.step
    const { findings } = guardWords(event.payload.text, { own: log.own, step, ...(at === null ? {} : { at }) })
    for (const { why, what } of findings) note('T13', `${why}: ${what}.`)
  }
  const prompts =
    event.type === 'question.requested'
      ? [event.payload.prompt]
      : event.type === 'questions.requested'
        ? [event.payload.prompt, ...event.payload.questions.map((one) => one.prompt)]
        : []
  // A question must be asked; its wording is worth a look, its header echo is an error.
  for (const prompt of prompts) {
    for (const { why, what } of guardWords(prompt, { own: log.own }).findings)
      note('T13', `${why}: ${what}.`, why === 'header' ? 'error' : 'warning')
  }
}

function checkSilence(log: Log, isCalming: boolean, at: number | null, note: Note): void {
  const { progress, isReassured } = log
  const changedAt = isCalming && at === log.changedAt ? log.silentSince : log.changedAt
  if (isCalming) {
    if (isReassured) note('T12', 'A second reassurance without any change between them.')
    else if (progress.question) note('T12', 'A reassurance while the build waits for the person.')
    else if (at !== null && changedAt !== null && at - changedAt <= silenceMs)
      note('T12', `A reassurance ${Math.round((at - changedAt) / 1000)} s after the last change; it comes after more than 45 s.`)
    return
  }
  if (progress.status !== 'running' || progress.question || progress.isOver || isReassured || at === null || changedAt === null) return
  if (at - changedAt > silenceMs + lateMs) note('T12', `${Math.round((at - changedAt) / 1000)} s of silence without a reassurance.`)
}

function answered(log: Log, question: string | null, answers: Record<string, string>, at: number | null, note: Note): Log {
  const { progress } = log
  if (!progress.question) {
    note('T11', 'An answer, and nothing is asked.')
    return log
  }
  if (question !== null && question !== idOfQuestion(progress.question)) {
    note('T11', `An answer to ${question}, and ${idOfQuestion(progress.question)} is open.`)
    return log
  }
  const checked = checkAnswers(progress.question, answers)
  if ('refused' in checked) {
    const { code, details } = checked.refused
    note('T11', `${code}: ${String(details.item ?? details.field ?? '')}`)
    return log
  }
  const own = [log.own, ...Object.values(checked.answers)].join('\n')
  return { ...log, own, progress: { ...progress, question: null }, changedAt: at, isReassured: false }
}

function afterMessage(log: Log, line: Extract<LogLine, { kind: 'message' }>, note: Note): Log {
  if (!log.ids) {
    note('T1', 'A message to the agent before session.started.')
    return log
  }
  const message = readTurnMessage(line.message, log.ids)
  if ('refused' in message) {
    note('T14', String(message.refused.details.why))
    return log
  }
  if (message.kind === 'text') return log
  const { header, body } = message
  if (header.type === 'BUILD_REQUEST') {
    if (log.progress.isOver) note('T6', 'A BUILD_REQUEST after the end; a new build is needed.')
    return { ...log, own: `${log.own}\n${body}` }
  }
  const open = log.progress.question
  if (open && (header.type === 'USER_ANSWER') !== (open.kind === 'one')) {
    note('T11', `${header.type} does not fit ${open.kind === 'one' ? 'one question' : 'a set'}.`)
    return log
  }
  if (header.type === 'USER_ANSWER') return answered(log, header.question, { [header.question]: body }, line.at, note)
  if (open && listQuestions(open).length !== header.questions.length) note('T11', 'QUESTION_IDS does not name every question of the set.')
  const answers = readAnswers(body, header.questions)
  if ('fault' in answers) {
    note(answers.fault.rule, answers.fault.words)
    return log
  }
  return answered(log, null, answers.answers, line.at, note)
}
