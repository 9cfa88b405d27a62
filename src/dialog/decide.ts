import { type ApprovalDecision, approvalDecisions, mayAnswer, questionAudience } from '../authority/audience.ts'
import type { Cause } from '../authority/cause.ts'
import { type Details, type ErrorCode, type Refusal, refuse } from '../errors.ts'
import { type Approval, type ApprovalAnswer, approvalItem, coveredReason, type GateRecord } from './approval.ts'
import { decideApproval, isCutByStop, type Rights, withdrawApprovals } from './decide-approval.ts'
import {
  type DialogEvent,
  type Hold,
  type TurnCutReason,
  type Language,
  type Origin,
  type Participant,
  type PromptReason,
  type QuestionPurpose,
  type RepeatPolicy,
  type Spent,
  type Usage,
  type Via,
} from './events.ts'
import { type Answers, checkAnswers, faultOf, type Question, questionLimits } from './question.ts'
import { callStopped } from './result-texts.ts'
import { type DialogState, dialogLimits, type OpenQuestion, type HealthLevel, isDue, needsTurn } from './state.ts'
import { type ReplyOutcome, tellaskLimits, type TellaskMode } from './tellask.ts'
import { eventAuthor, causeOf } from './turn-cause.ts'

/** A wish. `at` is when it was made; ids come in with it, so that deciding needs no clock and no chance. */
export type DialogCommand = { at: number } & (
  | { type: 'open-dialog'; agent: string; by: Participant; language: Language; title?: string; origin?: Origin; taskdoc?: string }
  | { type: 'say'; message: string; text: string; by: Participant; via?: Via }
  | { type: 'title-dialog'; title: string; by: 'human' | 'agent' }
  /** `approval` and `rights` go with an answer to an approval. */
  | { type: 'answer-question'; question: string; answers: Answers; by: Participant; via?: Via; approval?: ApprovalAnswer; rights?: Rights }
  | { type: 'end-grant'; grant: string; by: Participant; via?: Via; why: 'revoked' | 'changed' | 'dialog-ended' }
  /** Part of a stop: in the dialogs below the one that was stopped, or everywhere. */
  | { type: 'withdraw-approvals'; by: Participant }
  /** A rule or grant that was added later decides about the call: nobody has to. */
  | { type: 'settle-approval'; question: string }
  | { type: 'decline-question'; question: string; reason?: string; by: Participant; via?: Via; rights?: Rights }
  /** Records that a person tried who may not. */
  | { type: 'refuse-answer'; question: string; by: Participant; via?: Via }
  | { type: 'cancel-question'; question: string; reason?: string; by: Participant }
  | { type: 'expire-question'; question: string }
  /** Ends the running turn. */
  | { type: 'request-stop'; by: Participant; via?: Via }
  /** Ends the running turn and starts no other until Continue. */
  | { type: 'latch-dialog'; by: Participant; via?: Via }
  | { type: 'continue-dialog'; by: Participant; via?: Via }
  /** Part of a Continue further up: lifts the latch here, or continues what that stop held back. */
  | { type: 'lift-stop'; by: Participant; via?: Via }
  | { type: 'declare-dead'; by: Participant; note?: string }
  | { type: 'trust-dialog'; by: Participant; via?: Via }
  // What dialogs of one tree say to each other, in one commit with whatever made them say it.
  | {
      type: 'make-tellask'
      tellask: string
      call: string
      mode: TellaskMode
      to: string
      agent: string
      session: string | null
      content: string
    }
  | {
      type: 'receive-tellask'
      tellask: string
      mode: TellaskMode
      from: string
      by: string
      session: string | null
      content: string
      about: string | null
      cause?: Cause
    }
  | { type: 'give-reply'; tellask: string; text: string }
  | { type: 'receive-reply'; tellask: string; outcome: ReplyOutcome; text: string; cause?: Cause }
  | { type: 'register-session'; agent: string; session: string; dialog: string }
  | { type: 'drop-session'; agent: string; session: string }
  // What an agent does to its own mind.
  | { type: 'clear-mind'; why: 'asked' | 'forced'; prompt: string }
  | { type: 'add-prompt'; why: PromptReason; text: string }
  | { type: 'add-reminder'; reminder: string; text: string; position?: number }
  | { type: 'update-reminder'; number: number; text: string }
  | { type: 'delete-reminder'; number: number }
  // What only the driver says, under the lease of the dialog's turn.
  | { type: 'start-turn'; alone?: Hold }
  | { type: 'hold-dialog'; hold: Hold }
  | {
      type: 'finish-generation'
      model: string | null
      usage: Usage
      seen?: number
      health?: HealthLevel
      spent?: Spent
      message: { id: string; text: string } | null
      calls: ToolCall[]
      questions: AskedQuestion[]
      title?: string
    }
  | { type: 'fail-generation'; code: ErrorCode; details: Details; retryAt: number | null; spent?: Spent }
  | { type: 'ask-question'; asked: AskedQuestion }
  | { type: 'start-tool'; call: string }
  | { type: 'return-tool'; call: string; ok: boolean; output: unknown }
  | { type: 'finish-turn'; seen: number }
  | { type: 'fail-turn'; code: ErrorCode; details: Details; seen?: number; spent?: Spent }
  /** `unstarted` are calls that are certain not to have run. */
  | { type: 'stop-turn'; text: string | null; seen?: number; held?: Hold; unstarted?: readonly string[]; spent?: Spent }
  | { type: 'cut-turn'; why: TurnCutReason; spent?: Spent }
)

export type ToolCall = { call: string; name: string; input: unknown; policy: RepeatPolicy; gate?: GateRecord }

/** With a purpose it is the runtime that asks. */
export type AskedQuestion = {
  question: string
  call: string | null
  ask: Question
  expiresAt: number | null
  purpose?: QuestionPurpose
  approval?: Approval
  /** Chosen by the agent; questions of the runtime are for the owner. */
  to?: 'owner' | 'everyone'
}

export type Decision = { events: DialogEvent[] } | { refused: Refusal }

/** Which facts follow from a wish, or why none do. */
export function decide(state: DialogState, command: DialogCommand): Decision {
  const { at } = command
  if (command.type === 'open-dialog') {
    if (state.seq > 0) return refuse('dialog_exists', { dialog: '' })
    const { agent, by, language, origin, taskdoc } = command
    const opened: DialogEvent = {
      type: 'dialog.opened',
      at,
      data: { agent, by, language, ...(origin ? { origin } : {}), ...(taskdoc === undefined ? {} : { taskdoc }) },
    }
    return command.title === undefined ? { events: [opened] } : withTitle([opened], at, command.title, 'human')
  }
  if (state.seq === 0) return refuse('dialog_not_found', {})
  // A generation that ran while its dialog was declared dead has still cost something.
  if (command.type === 'cut-turn') return { events: [turnCut(state, command)] }
  if (state.isDead) return command.type === 'declare-dead' ? { events: [] } : refuse('dialog_dead', {})

  switch (command.type) {
    case 'say': {
      const { text, message, by, via } = command
      if (text.trim() === '') return refuse('empty_text', { field: 'text' })
      if (text.length > dialogLimits.textChars)
        return refuse('text_too_long', { field: 'text', length: text.length, limit: dialogLimits.textChars })
      if (state.waitingMessages >= dialogLimits.waitingMessages) return refuse('too_many_waiting', { count: state.waitingMessages })
      const events: DialogEvent[] = [{ type: 'message.said', at, data: { message, by, text, turn: null, via: via ?? null } }]
      if (state.titledBy === null) events.push({ type: 'dialog.titled', at, data: { title: firstWords(text), by: 'first-words' } })
      return { events }
    }
    case 'title-dialog':
      return withTitle([], at, command.title, command.by)
    case 'answer-question': {
      const open = state.questions[command.question]
      if (!open) return notOpen(state, command.question)
      if (open.approval) {
        const answer = command.approval ?? { decision: approvalDecisionIn(command.answers), grants: [] }
        if (answer.decision === null)
          return refuse('not_a_choice', { item: approvalItem, value: '', choices: approvalDecisions.join(', ') })
        return decideApproval(state, open, open.approval, { ...command, answer: { ...answer, decision: answer.decision } })
      }
      const foreign = notAddressed(open, command)
      if (foreign) return foreign
      const checked = checkAnswers(open.ask, command.answers)
      if ('refused' in checked) return checked
      return {
        events: [
          {
            type: 'question.answered',
            at,
            data: { question: open.question, answers: checked.answers, by: command.by, via: command.via ?? null },
          },
        ],
      }
    }
    case 'decline-question': {
      const open = state.questions[command.question]
      if (!open) return notOpen(state, command.question)
      if (open.approval) {
        const answer = { decision: 'deny' as const, grants: [], ...(command.reason === undefined ? {} : { note: command.reason }) }
        return decideApproval(state, open, open.approval, { ...command, answer })
      }
      const foreign = notAddressed(open, command)
      if (foreign) return foreign
      return {
        events: [
          {
            type: 'question.declined',
            at,
            data: { question: command.question, reason: command.reason ?? null, by: command.by, via: command.via ?? null },
          },
        ],
      }
    }
    case 'end-grant': {
      const { grant, by, via = null, why } = command
      const isOpen = state.grants.some((one) => one.grant === grant && one.end === null)
      return isOpen ? { events: [{ type: 'grant.ended', at, data: { grant, by, via, why } }] } : refuse('grant_not_found', { grant })
    }
    case 'withdraw-approvals':
      return { events: withdrawApprovals(state, at, command.by) }
    case 'settle-approval': {
      const { question } = command
      if (!state.questions[question]?.approval) return { events: [] }
      return { events: [{ type: 'question.cancelled', at, data: { question, reason: coveredReason, by: parleyItself } }] }
    }
    case 'refuse-answer': {
      const open = state.questions[command.question]
      const { question, by, via = null } = command
      const isNew =
        open !== undefined && !open.refusedIds.includes(eventAuthor(by, via).id) && open.refusedIds.length < dialogLimits.refusedAnswers
      return { events: isNew ? [{ type: 'answer.refused', at, data: { question, by, via } }] : [] }
    }
    case 'cancel-question':
      if (!state.questions[command.question]) return notOpen(state, command.question)
      return {
        events: [{ type: 'question.cancelled', at, data: { question: command.question, reason: command.reason ?? null, by: command.by } }],
      }
    case 'expire-question':
      if (!state.questions[command.question]) return notOpen(state, command.question)
      // No approval ends by time.
      if (state.questions[command.question]?.approval) return { events: [] }
      return { events: [{ type: 'question.expired', at, data: { question: command.question } }] }
    case 'request-stop':
      if (!isDue(state)) return refuse('nothing_to_stop')
      return { events: state.stopRequested ? [] : [{ type: 'stop.requested', at, data: acting(command) }] }
    case 'latch-dialog':
      if (state.latch === null)
        return { events: [...withdrawApprovals(state, at, command.by), { type: 'latch.set', at, data: acting(command) }] }
      // Pressed again while it answers a person: that answer is stopped as well.
      return { events: isDue(state) && !state.stopRequested ? [{ type: 'stop.requested', at, data: acting(command) }] : [] }
    case 'continue-dialog': {
      const lifted = liftStop(state, at, acting(command))
      if (lifted.length === 0 && (needsTurn(state) || state.rest === 'ready')) return refuse('nothing_to_continue')
      return { events: state.rest === 'ready' ? lifted : [...lifted, { type: 'dialog.continued', at, data: acting(command) }] }
    }
    case 'lift-stop':
      return { events: liftStop(state, at, acting(command)) }

    case 'declare-dead':
      if (state.origin === null) return refuse('root_cannot_die', {})
      return {
        events: [
          ...dropQuestions(state, at, command.by, 'dialog declared dead'),
          ...state.grants.flatMap(({ grant, dialog, end }): DialogEvent[] =>
            dialog === null || end !== null
              ? []
              : [{ type: 'grant.ended', at, data: { grant, by: command.by, via: null, why: 'dialog-ended' } }],
          ),
          { type: 'dialog.died', at, data: { by: command.by, note: command.note ?? null } },
        ],
      }

    case 'trust-dialog':
      if (eventAuthor(command.by, command.via ?? null).role !== 'owner') return refuse('owner_only')
      return { events: state.floor === 'owner' ? [] : [{ type: 'dialog.trusted', at, data: { by: command.by, via: command.via ?? null } }] }

    case 'make-tellask': {
      const { tellask, call, mode, to, agent, session, content } = command
      if (state.pending[tellask]) return refuse('turn_over')
      if (Object.keys(state.pending).length >= tellaskLimits.pending) return refuse('too_many_waiting', { count: tellaskLimits.pending })
      return { events: [{ type: 'tellask.made', at, data: { tellask, call, mode, to, agent, session, content, cause: causeOf(state) } }] }
    }
    case 'receive-tellask': {
      const { tellask, mode, from, by, session, content, about, cause } = command
      if (state.assignments.length >= tellaskLimits.waiting) return refuse('too_many_waiting', { count: tellaskLimits.waiting })
      return {
        events: [
          {
            type: 'tellask.received',
            at,
            data: { tellask, mode, from, by, session, content, about, ...(cause === undefined ? {} : { cause }) },
          },
        ],
      }
    }
    case 'give-reply':
      if (!state.assignments.some((each) => each.tellask === command.tellask && each.isActive)) return refuse('turn_over')
      return { events: [{ type: 'reply.given', at, data: { tellask: command.tellask, text: command.text } }] }
    case 'receive-reply':
      if (!state.pending[command.tellask]) return { events: [] }
      return {
        events: [
          {
            type: 'reply.received',
            at,
            data: {
              tellask: command.tellask,
              outcome: command.outcome,
              text: command.text,
              ...(command.cause === undefined ? {} : { cause: command.cause }),
            },
          },
        ],
      }
    case 'register-session':
      return {
        events: [{ type: 'session.registered', at, data: { agent: command.agent, session: command.session, dialog: command.dialog } }],
      }
    case 'drop-session':
      return { events: [{ type: 'session.dropped', at, data: { agent: command.agent, session: command.session } }] }

    case 'clear-mind': {
      const dropped = dropQuestions(state, at, { kind: 'agent', name: state.agent }, 'mind cleared')
      const open = Object.values(state.calls).filter((call) => call.question !== null)
      const closed = open.map(({ call }): DialogEvent => ({
        type: 'tool.returned',
        at,
        data: { call, ok: false, output: 'Dropped when the mind was cleared.' },
      }))
      return {
        events: [
          ...dropped,
          ...closed,
          { type: 'course.started', at, data: { course: state.course + 1, why: command.why, prompt: command.prompt } },
        ],
      }
    }
    case 'add-prompt':
      return { events: [{ type: 'prompt.added', at, data: { why: command.why, text: command.text } }] }
    case 'add-reminder': {
      const fault = faultOfReminder(command.text)
      if (fault) return fault
      if (state.reminders.length >= dialogLimits.reminders)
        return refuse('bad_reminder', { why: `there are already ${dialogLimits.reminders} reminders` })
      const given = command.position ?? 0
      if (!Number.isInteger(given) || given < 0 || given > state.reminders.length + 1)
        return refuse('bad_reminder', { why: `there is no position ${given}` })
      const position = given === 0 ? state.reminders.length : given - 1
      return { events: [{ type: 'reminder.added', at, data: { reminder: command.reminder, text: command.text, position } }] }
    }
    case 'update-reminder': {
      const fault = faultOfReminder(command.text)
      if (fault) return fault
      const found = state.reminders[command.number - 1]
      if (!found) return refuse('bad_reminder', { why: `there is no reminder ${command.number}` })
      return { events: [{ type: 'reminder.updated', at, data: { reminder: found.reminder, text: command.text } }] }
    }
    case 'delete-reminder': {
      const found = state.reminders[command.number - 1]
      if (!found) return refuse('bad_reminder', { why: `there is no reminder ${command.number}` })
      return { events: [{ type: 'reminder.deleted', at, data: { reminder: found.reminder } }] }
    }

    case 'start-turn':
      if (state.turn) return { events: [] }
      if (!needsTurn(state)) return refuse('turn_over')
      if (state.latch && !command.alone && !state.stopRequested) return refuse('turn_over')
      return {
        events: [
          {
            type: 'turn.started',
            at,
            data: { turn: state.turns + 1, cause: causeOf(state), ...(command.alone ? { alone: command.alone } : {}) },
          },
        ],
      }
    case 'hold-dialog':
      return { events: state.turn || state.held || !needsTurn(state) ? [] : [{ type: 'dialog.held', at, data: command.hold }] }
    case 'finish-generation':
      return finishGeneration(state, command)
    case 'fail-generation':
      if (!state.turn) return refuse('turn_over')
      return {
        events: [
          {
            type: 'generation.failed',
            at,
            data: {
              turn: state.turn.turn,
              code: command.code,
              details: command.details,
              retryAt: command.retryAt,
              ...withSpent(command.spent),
            },
          },
        ],
      }
    case 'ask-question': {
      const fault = faultOf(command.asked.ask)
      if (fault !== null) return badQuestion(fault)
      return { events: [asked(state, at, command.asked)] }
    }
    case 'start-tool':
      if (!state.calls[command.call]) return refuse('turn_over')
      return { events: state.calls[command.call]?.isStarted ? [] : [{ type: 'tool.started', at, data: { call: command.call } }] }
    case 'return-tool':
      if (!state.calls[command.call]) return refuse('turn_over')
      return { events: [{ type: 'tool.returned', at, data: { call: command.call, ok: command.ok, output: command.output } }] }
    case 'finish-turn':
      if (!state.turn) return refuse('turn_over')
      return { events: [{ type: 'turn.finished', at, data: { turn: state.turn.turn, seen: command.seen } }] }
    case 'fail-turn':
      if (!state.turn) return refuse('turn_over')
      return {
        events: [
          {
            type: 'turn.failed',
            at,
            data: {
              turn: state.turn.turn,
              code: command.code,
              details: command.details,
              ...(command.seen === undefined ? {} : { seen: command.seen }),
              ...withSpent(command.spent),
            },
          },
        ],
      }
    case 'stop-turn': {
      if (!needsTurn(state)) return refuse('turn_over')
      const text = command.text === null || command.text.trim() === '' ? null : command.text
      // The agent is told what became of each call; nothing runs a second time by itself.
      // A request to another dialog was not cut: its reply still comes.
      const asking = new Set(Object.values(state.pending).map((pending) => pending.call))
      const cut = Object.values(state.calls).filter((call) => isCutByStop(state, call) && !asking.has(call.call))
      const { seen, held, unstarted = [] } = command
      const who = held?.by ?? state.latch?.by ?? 'a person'
      const returned = cut.map(({ call }): DialogEvent => ({
        type: 'tool.returned',
        at,
        data: { call, ok: false, output: callStopped(state.language, who, !unstarted.includes(call)) },
      }))
      const data = {
        turn: state.turn?.turn ?? state.turns,
        text,
        ...(seen === undefined ? {} : { seen }),
        ...(held ? { held } : {}),
        ...withSpent(command.spent),
      }
      const withdrawn = withdrawApprovals(state, at, { kind: 'human', name: who })
      return { events: [...withdrawn, ...returned, { type: 'turn.stopped', at, data }] }
    }
  }
}

/** The decision in a plain answer, such as a tap; null when it is none. */
const approvalDecisionIn = (answers: Answers): ApprovalDecision | null =>
  approvalDecisions.find((decision) => decision === answers[approvalItem]) ?? null

/** The refusal for a person the question is not for; null when they may answer. */
function notAddressed(open: OpenQuestion, { by, via }: { by: Participant; via?: Via }): { refused: Refusal } | null {
  if (mayAnswer(eventAuthor(by, via ?? null), open.audience)) return null
  return refuse('not_addressed', { question: open.question, names: open.audienceNames.join(', ') || 'the owner' })
}

const dropQuestions = (state: DialogState, at: number, by: Participant, reason: string): DialogEvent[] =>
  Object.keys(state.questions).map((question): DialogEvent => ({ type: 'question.cancelled', at, data: { question, reason, by } }))

function faultOfReminder(text: string): { refused: Refusal } | null {
  if (text.trim() === '') return refuse('bad_reminder', { why: 'it is empty' })
  return text.length > dialogLimits.reminderChars
    ? refuse('bad_reminder', { why: `it has more than ${dialogLimits.reminderChars} characters` })
    : null
}

const liftStop = ({ latch, held }: DialogState, at: number, data: { by: Participant; via: Via | null }): DialogEvent[] =>
  latch ? [{ type: 'latch.lifted', at, data }] : held ? [{ type: 'dialog.continued', at, data }] : []

const acting = ({ by, via }: { by: Participant; via?: Via }): { by: Participant; via: Via | null } => ({ by, via: via ?? null })

const withSpent = (spent: Spent | undefined): { spent?: Spent } => (spent === undefined ? {} : { spent })

const turnCut = (state: DialogState, { at, why, spent }: Extract<DialogCommand, { type: 'cut-turn' }>): DialogEvent => ({
  type: 'turn.cut',
  at,
  data: { turn: state.turn?.turn ?? state.turns, why, ...withSpent(spent) },
})

function finishGeneration(state: DialogState, command: Extract<DialogCommand, { type: 'finish-generation' }>): Decision {
  const { at, model, usage, message, calls, questions, title } = command
  if (!state.turn) return refuse('turn_over')
  const { turn } = state.turn
  const cause = causeOf(state)
  const events: DialogEvent[] = [
    {
      type: 'generation.finished',
      at,
      data: {
        turn,
        generation: state.turn.generations + 1,
        model,
        usage,
        ...(command.seen === undefined ? {} : { seen: command.seen }),
        ...(command.health === undefined ? {} : { health: command.health }),
        ...(command.spent === undefined ? {} : { spent: command.spent }),
      },
    },
  ]
  if (message !== null && message.text.trim() !== '') {
    events.push({
      type: 'message.said',
      at,
      data: { message: message.id, by: { kind: 'agent', name: state.agent }, text: message.text, turn, via: null },
    })
  }
  for (const { call, name, input, policy, gate } of calls)
    events.push({ type: 'tool.called', at, data: { call, turn, name, input, policy, cause, ...(gate === undefined ? {} : { gate }) } })
  for (const one of questions) {
    const fault = faultOf(one.ask)
    if (fault !== null) return badQuestion(fault)
    events.push(asked(state, at, one))
  }
  if (title === undefined || title.trim() === '' || state.titledBy === 'human') return { events }
  return withTitle(events, at, title.trim().slice(0, dialogLimits.titleChars).toWellFormed(), 'agent')
}

function asked(state: DialogState, at: number, { question, call, ask, expiresAt, purpose, to, approval }: AskedQuestion): DialogEvent {
  // An approval that is asked again is about the call as it was made, whoever has written since.
  const cause = (approval && call !== null ? state.calls[call]?.cause : undefined) ?? causeOf(state)
  const isInGroup = cause.by.some(({ role }) => role === 'group')
  const data = {
    question,
    turn: state.turn?.turn ?? null,
    call,
    by: { kind: 'agent' as const, name: purpose === undefined ? state.agent : 'parley' },
    ask,
    expiresAt,
    ...(purpose === undefined ? {} : { purpose }),
    cause,
    ...(approval === undefined ? {} : { approval }),
    audience: questionAudience(cause, purpose === undefined ? to : 'owner', isInGroup),
  }
  return { type: 'question.asked', at, data }
}

/** The author of what no person did. */
const parleyItself: Participant = { kind: 'agent', name: 'parley' }

const badQuestion = (why: string): { refused: Refusal } =>
  refuse('bad_question', { why, items: questionLimits.items, options: questionLimits.options })

function notOpen(state: DialogState, question: string): { refused: Refusal } {
  const closed = state.closed[question]?.end
  if (!closed) return refuse('question_not_found', { question })
  const at = new Date(closed.at).toISOString()
  if (closed.outcome === 'answered') return refuse('already_answered', { question, by: closed.by, at })
  return refuse('question_closed', { question, outcome: closed.outcome, at })
}

function withTitle(events: DialogEvent[], at: number, title: string, by: 'human' | 'agent'): Decision {
  const trimmed = title.trim()
  if (trimmed === '') return refuse('empty_text', { field: 'title' })
  if (trimmed.length > dialogLimits.titleChars)
    return refuse('text_too_long', { field: 'title', length: trimmed.length, limit: dialogLimits.titleChars })
  return { events: [...events, { type: 'dialog.titled', at, data: { title: trimmed, by } }] }
}

/** A title until there is a better one: the first line, cut between words at about 60 characters. */
export function firstWords(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? ''
  if (line.length <= 60) return line
  const cut = line.slice(0, 60).toWellFormed().replace(/�$/, '')
  const space = cut.lastIndexOf(' ')
  return `${space > 30 ? cut.slice(0, space) : cut}…`
}
