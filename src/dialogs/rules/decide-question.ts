import { type ApprovalDecision, approvalDecisions, mayAnswer, questionAudience } from '../../authority/audience.ts'
import { type Refusal, refuse } from '../../errors.ts'
import { type Approval, type ApprovalAnswer, approvalItem, type CancelCause } from './approval.ts'
import { decideApproval, type Rights, withdrawApprovals } from './decide-approval.ts'
import type { Decision, Deciders, Timed } from './dialog-decision.ts'
import type { DialogEvent, Participant, QuestionPurpose, Via } from './dialog-events.ts'
import { type DialogState, dialogLimits, type OpenQuestion } from './dialog-state.ts'
import type { LimitFacts } from './limit-facts.ts'
import { type Answers, askHuman, checkAnswers, findQuestionFault, type Question, questionLimits } from './question.ts'
import { eventAuthor } from './event-author.ts'
import { memberOfChannel } from './peer-dialog.ts'
import { getCause } from './turn-cause.ts'

export type QuestionCommand =
  | { type: 'ask-question'; asked: AskedQuestion }
  /** `approval` and `rights` go with an answer to an approval. */
  /** `undoMs`: the person may withdraw the answer for this time. */
  | {
      type: 'answer-question'
      question: string
      answers: Answers
      by: Participant
      via?: Via
      approval?: ApprovalAnswer
      rights?: Rights
      undoMs?: number
    }
  | { type: 'withdraw-answer'; question: string; by: Participant; via?: Via }
  | { type: 'take-answer'; question: string }
  | { type: 'decline-question'; question: string; reason?: string; by: Participant; via?: Via; rights?: Rights }
  /** Records an attempt by a person who may not answer. */
  | { type: 'refuse-answer'; question: string; by: Participant; via?: Via }
  | { type: 'cancel-question'; question: string; reason?: string; by: Participant }
  | { type: 'expire-question'; question: string }
  /** A rule or grant that was added later decides the call, so no person has to. */
  | { type: 'settle-approval'; question: string }
  /** Part of a stop: in the dialogs below the one that was stopped, or everywhere. */
  | { type: 'withdraw-approvals'; by: Participant }
  | { type: 'end-grant'; grant: string; by: Participant; via?: Via; why: 'revoked' | 'changed' | 'dialog-ended' }

/** A `purpose` is set where the runtime asks and not the agent. */
export type AskedQuestion = {
  question: string
  call: string | null
  ask: Question
  expiresAt: number | null
  purpose?: QuestionPurpose
  approval?: Approval
  limit?: LimitFacts
  /** Chosen by the agent; questions of the runtime are for the owner. */
  to?: 'owner' | 'everyone'
}

type Command<Type extends QuestionCommand['type']> = Timed<Extract<QuestionCommand, { type: Type }>>

export const questionDeciders: Deciders<QuestionCommand> = {
  'ask-question': (state, { at, asked }) => {
    const decision = askQuestion(state, at, asked)
    return 'refused' in decision ? decision : { events: [decision] }
  },
  'answer-question': answerQuestion,
  'withdraw-answer': withdrawAnswer,
  'take-answer': (state, { at, question }) => ({
    events: state.undoable[question] ? [{ type: 'answer.taken', at, data: { question } }] : [],
  }),
  'decline-question': declineQuestion,
  'refuse-answer': refuseAnswer,
  'cancel-question': (state, { at, question, reason = null, by }) =>
    state.questions[question]
      ? { events: [{ type: 'question.cancelled', at, data: { question, reason, why: null, by } }] }
      : refuseNotOpen(state, question),
  'expire-question': expireQuestion,
  'settle-approval': (state, { at, question }) => ({
    events:
      state.questions[question]?.approval || state.questions[question]?.limit
        ? [{ type: 'question.cancelled', at, data: { question, reason: null, why: 'covered', by: runtimeAuthor } }]
        : [],
  }),
  'withdraw-approvals': (state, { at, by }) => ({ events: withdrawApprovals(state, at, by) }),
  'end-grant': (state, { at, grant, by, via = null, why }) =>
    state.grants.some((one) => one.grant === grant && one.end === null)
      ? { events: [{ type: 'grant.ended', at, data: { grant, by, via, why } }] }
      : refuse('grant_not_found', { grant }),
}

/** The author of events that no person caused. */
export const runtimeAuthor: Participant = { kind: 'agent', name: 'parley' }

export function askQuestion(state: DialogState, at: number, asked: AskedQuestion): DialogEvent | { refused: Refusal } {
  const { question, call, ask, expiresAt, purpose, to, approval, limit } = asked
  const fault = findQuestionFault(ask)
  if (fault !== null) return refuse('bad_question', { why: fault, items: questionLimits.items, options: questionLimits.options })
  // An approval that is asked again is about the call as it was made, whatever was written since.
  const cause = (approval && call !== null ? state.calls[call]?.cause : undefined) ?? getCause(state)
  const isInGroup = cause.by.some(({ role }) => role === 'group')
  const data = {
    question,
    turn: state.turn?.turn ?? null,
    call,
    by: { kind: 'agent' as const, name: purpose === undefined || purpose === 'peer' ? memberOfChannel(state.agent) : 'parley' },
    ask,
    expiresAt,
    ...(purpose === undefined ? {} : { purpose }),
    cause,
    ...(approval === undefined ? {} : { approval }),
    ...(limit === undefined ? {} : { limit }),
    audience: questionAudience(cause, purpose === undefined ? to : 'owner', isInGroup),
  }
  return { type: 'question.asked', at, data }
}

function answerQuestion(state: DialogState, command: Command<'answer-question'>): Decision {
  const open = state.questions[command.question]
  if (!open) return refuseNotOpen(state, command.question)
  if (open.approval) {
    const answer = command.approval ?? { decision: readDecision(command.answers), grants: [] }
    if (answer.decision === null) return refuse('not_a_choice', { item: approvalItem, value: '', choices: approvalDecisions.join(', ') })
    return decideApproval(state, open, open.approval, { ...command, answer: { ...answer, decision: answer.decision } })
  }
  const refusal = refuseUnaddressed(open, command) ?? refuseBudget(open, command)
  if (refusal) return refusal
  const checked = checkAnswers(open.ask, command.answers)
  if ('refused' in checked) return checked
  const { at, question, by, via = null, undoMs = 0 } = command
  const undo = undoMs > 0 && isUndoable(state, open) ? { undoUntil: at + Math.min(undoMs, dialogLimits.undoMs) } : {}
  return { events: [{ type: 'question.answered', at, data: { question, answers: checked.answers, by, via, ...undo } }] }
}

/**
 * Answers to limits have effects beyond the dialog, such as a higher budget, and a conversation with a peer goes on at once. A
 * question about a call decides whether it runs.
 */
const isUndoable = ({ calls }: DialogState, { approval, limit, purpose, call }: OpenQuestion): boolean =>
  approval === null &&
  limit === undefined &&
  (purpose === undefined || purpose === 'diligence') &&
  (call === null || calls[call]?.name === askHuman)

function withdrawAnswer(state: DialogState, command: Command<'withdraw-answer'>): Decision {
  const { at, question, by, via = null } = command
  const given = state.undoable[question]
  if (!given || at > given.until) {
    if (state.questions[question]) return refuse('answer_not_given', { question })
    return given || state.closed[question] ? refuse('answer_taken', { question }) : refuse('question_not_found', { question })
  }
  if (eventAuthor(given.by, given.end.via).id !== eventAuthor(by, via).id) return refuse('answer_of_another', { by: given.by.name })
  return { events: [{ type: 'answer.withdrawn', at, data: { question, by, via } }] }
}

function declineQuestion(state: DialogState, command: Command<'decline-question'>): Decision {
  const open = state.questions[command.question]
  if (!open) return refuseNotOpen(state, command.question)
  const { at, question, reason, by, via = null } = command
  if (open.approval) {
    const answer = { decision: 'deny' as const, grants: [], ...(reason === undefined ? {} : { note: reason }) }
    return decideApproval(state, open, open.approval, { ...command, answer })
  }
  const refusal = refuseUnaddressed(open, command) ?? refuseBudget(open, command)
  return refusal ?? { events: [{ type: 'question.declined', at, data: { question, reason: reason ?? null, by, via } }] }
}

function refuseAnswer(state: DialogState, command: Command<'refuse-answer'>): Decision {
  const { at, question, by, via = null } = command
  const refusedIds = state.questions[question]?.refusedIds
  const isNew = refusedIds && !refusedIds.includes(eventAuthor(by, via).id) && refusedIds.length < dialogLimits.refusedAnswers
  return { events: isNew ? [{ type: 'answer.refused', at, data: { question, by, via } }] : [] }
}

function expireQuestion(state: DialogState, { at, question }: Command<'expire-question'>): Decision {
  const open = state.questions[question]
  if (!open) return refuseNotOpen(state, question)
  // Approvals do not expire.
  return { events: open.approval ? [] : [{ type: 'question.expired', at, data: { question } }] }
}

/** Reads the decision from a plain answer, such as a tap. */
const readDecision = (answers: Answers): ApprovalDecision | null =>
  approvalDecisions.find((decision) => decision === answers[approvalItem]) ?? null

/** Null for a person who may answer. */
function refuseUnaddressed(open: OpenQuestion, { by, via }: { by: Participant; via?: Via }): { refused: Refusal } | null {
  if (mayAnswer(eventAuthor(by, via ?? null), open.audience)) return null
  return refuse('not_addressed', { question: open.question, names: open.audienceNames.join(', ') || 'the owner' })
}

/** A budget is raised by an owner alone. */
const refuseBudget = (open: OpenQuestion, { by, via }: { by: Participant; via?: Via }): { refused: Refusal } | null =>
  open.limit?.kind === 'budget' && eventAuthor(by, via ?? null).role !== 'owner' ? refuse('owner_only') : null

function refuseNotOpen(state: DialogState, question: string): { refused: Refusal } {
  const end = (state.undoable[question] ?? state.closed[question])?.end
  if (!end) return refuse('question_not_found', { question })
  const at = new Date(end.at).toISOString()
  if (end.outcome === 'answered') return refuse('already_answered', { question, by: end.by, at })
  return refuse('question_closed', { question, outcome: end.outcome, at })
}

/** Questions about limits are for the owner: they end with the dialog, not with the mind of its agent. */
export const cancelQuestions = (state: DialogState, at: number, by: Participant, why: CancelCause): DialogEvent[] =>
  Object.values(state.questions).flatMap(({ question, limit }): DialogEvent[] =>
    limit && why === 'mind-cleared' ? [] : [{ type: 'question.cancelled', at, data: { question, reason: null, why, by } }],
  )
