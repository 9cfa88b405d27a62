import { dialogTexts } from '../../words/index.ts'
import { type ApprovalDecision, mayDecide, type Refused } from '../../authority/audience.ts'
import type { Policy } from '../../authority/policy.ts'
import { type Details, type Refusal, refuse } from '../../errors.ts'
import { type Approval, type ApprovalAnswer, type ApprovalEdits, approvalItem, approvalLimits } from './approval.ts'
import type { DialogEvent, Participant, Via } from './dialog-events.ts'
import type { DialogState, OpenCall, OpenQuestion } from './dialog-state.ts'
import { eventAuthor } from './event-author.ts'

/** People and approvers as they are configured at this moment. */
export type Rights = Pick<Policy, 'people' | 'approvers'>

const noRights: Rights = { people: [], approvers: [] }

/**
 * One person's decision about a call.
 *
 * | decision                     | events                                                   |
 * |------------------------------|----------------------------------------------------------|
 * | by a person who may not      | refused; the caller records `answer.refused`             |
 * | deny                         | question.answered; one is enough, whatever `keys` says   |
 * | allow, more keys are missing | approval.key-given                                       |
 * | once                         | question.answered                                        |
 * | chat, always                 | question.answered and grant.made                         |
 */
export function decideApproval(
  state: DialogState,
  open: OpenQuestion,
  approval: Approval,
  command: { at: number; by: Participant; via?: Via; answer: ApprovalAnswer; rights?: Rights },
): { events: DialogEvent[] } | { refused: Refusal } {
  const { at, by, via = null, rights = noRights } = command
  const { decision, note, grants, edits } = command.answer
  const author = eventAuthor(by, via)
  const cause = open.cause ?? { by: [], role: approval.role, origin: 'message' as const }
  const verdict = mayDecide(decision, author, { ...approval, cause }, rights, open.keysGiven)
  if ('refused' in verdict) return refusal(open, verdict, decision)
  if (note !== undefined && note.length > approvalLimits.noteChars)
    return refuse('text_too_long', { field: 'note', length: note.length, limit: approvalLimits.noteChars })
  const editFault = edits && findEditFault(approval, decision, edits)
  if (editFault) return editFault
  const isStanding = decision === 'chat' || decision === 'always'
  if (isStanding !== grants.length > 0 || grants.some(({ dialog }) => (dialog === null) !== (decision === 'always')))
    return refuse('bad_request', { field: 'scope', why: 'it does not fit the decision' })
  if (state.grants.length + grants.length > approvalLimits.grants) return refuse('too_many_waiting', { count: approvalLimits.grants })
  // A key counts only while the person who gave it may still decide.
  const keys = open.keysGiven.filter((giver) => 'role' in mayDecide('once', giver, { ...approval, cause }, rights))
  const isLastKey = decision === 'deny' || keys.length + 1 >= approval.keys
  if (!isLastKey) return { events: [{ type: 'approval.key-given', at, data: { question: open.question, by, via } }] }
  const scope = grants.map((grant) => grant.scope).join(', ')
  return {
    events: [
      {
        type: 'question.answered',
        at,
        data: {
          question: open.question,
          answers: { [approvalItem]: decision },
          by,
          via,
          decision,
          ...(scope === '' ? {} : { scope }),
          ...(note === undefined || note.trim() === '' ? {} : { note }),
          ...(edits ? { edits } : {}),
        },
      },
      ...grants.map((grant): DialogEvent => ({ type: 'grant.made', at, data: { grant, question: open.question, by, via } })),
    ],
  }
}

/** Others who approve with a key, or by a grant later, have not seen the changed words: only one person's "once" takes them. */
function findEditFault({ shown, keys }: Approval, decision: ApprovalDecision, edits: ApprovalEdits): { refused: Refusal } | null {
  if (decision !== 'once' || keys > 1)
    return refuse('bad_request', { field: 'edits', why: 'changed words need the decision once, of one person' })
  for (const [field, text] of Object.entries(edits)) {
    const shownText = shown.texts?.find((each) => each.field === field)
    if (!shownText) return refuse('bad_request', { field: 'edits', why: `"${field.slice(0, 40)}" cannot be changed` })
    if (text.length > shownText.most) return refuse('text_too_long', { field, length: text.length, limit: shownText.most })
  }
  return null
}

function refusal(open: OpenQuestion, { refused }: Refused, decision: ApprovalDecision): { refused: Refusal } {
  if (refused === 'same-person') return refuse('already_allowed')
  if (refused === 'not-offered' || refused === 'always-not-yours') return refuse('decision_not_offered', { decision })
  const details: Details = {
    question: open.question,
    names: open.approval?.names.map((name) => (name === 'owner' ? 'the owner' : name)).join(', ') || 'the owner',
  }
  return refuse('not_addressed', details)
}

/**
 * Stop, death and the emergency stop withdraw what waits for approval, and what was approved and has not begun to run: after
 * that no tap runs anything.
 */
export function withdrawApprovals(state: DialogState, at: number, by: Participant): DialogEvent[] {
  const waiting = Object.values(state.questions).filter(({ purpose }) => purpose === 'approval')
  const calls = Object.values(state.calls).filter(
    (call) => waiting.some(({ question }) => question === call.question) || isUnbegun(state, call),
  )
  return [
    ...waiting.map(({ question }): DialogEvent => ({
      type: 'question.cancelled',
      at,
      data: { question, reason: null, why: 'stopped', by },
    })),
    ...calls.map(({ call, isStarted = false }): DialogEvent => ({
      type: 'tool.returned',
      at,
      data: { call, ok: false, output: dialogTexts[state.language].callStopped(by.name, isStarted) },
    })),
  ]
}

/** Approved by a person, and not begun. */
const isUnbegun = (state: DialogState, { question, isStarted }: OpenCall): boolean =>
  !isStarted && question !== null && !state.questions[question] && state.closed[question]?.asked.purpose === 'approval'

/** A stop of the turn ends a call that runs, or that only this turn would run. A call that waits for a person keeps waiting. */
export const isCutByStop = (state: DialogState, call: OpenCall): boolean =>
  call.question === null || (call.isStarted === true && !state.questions[call.question])
