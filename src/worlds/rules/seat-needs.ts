import type { Moment } from './context/render-document.ts'
import type { Task } from './context/render-task.ts'
import type { RunPurpose } from './seat-events.ts'
import type { SeatState } from './seat-state.ts'
import { worldLimits } from './world-limits.ts'

/**
 * The model run that is due; null if none is.
 *
 * | seat                                                | run     |
 * |-----------------------------------------------------|---------|
 * | request not accepted                                | none, ever: a stranger causes no model call |
 * | a run is under way, a result waits for the host     | none    |
 * | the owner writes this turn, or was asked            | none    |
 * | a delivery waits: kickoff, or a turn                | kickoff, reply; resume after the owner's answer |
 * | its text was held once by the leak filter           | rewrite |
 * | its result ends the conversation without a report   | report  |
 * | the conversation ended without a report             | report  |
 */
export function nextRun(state: SeatState): RunPurpose | null {
  const { status, run, outgoing, runs, isTakenOver, question, delivery, parked, report, end } = state
  if (status !== 'accepted' || run || outgoing || runs >= worldLimits.runs) return null
  if (end) return isReportOwed(state) && report === 'open' && mayReportByAgent(state) ? 'report' : null
  if (parked) return report === 'open' ? 'report' : null
  if (isTakenOver || question || !delivery || !delivery.allowReply) return null
  if (delivery.held) return 'rewrite'
  if (state.answer) return 'resume'
  return delivery.kind === 'kickoff' ? 'kickoff' : 'reply'
}

/** The intent is to be reported and has not been. */
export const isReportOwed = ({ reporting, report, status }: SeatState): boolean =>
  status === 'accepted' && reporting !== 'none' && report !== 'settled'

/** Without a word said, or without money left, the runtime writes the report itself. */
const mayReportByAgent = ({ end, spent, limits }: SeatState): boolean =>
  end !== null &&
  end.turns > 0 &&
  end.reason !== 'budget_spent' &&
  end.reason !== 'owner_stopped_all' &&
  spent.tokens < limits.tokens &&
  spent.money < limits.money

/** The conversation is over, its agent was asked for a report or cannot be, and there is none: the runtime composes it. */
export const isStubDue = (state: SeatState): boolean =>
  state.end !== null && state.run === null && isReportOwed(state) && nextRun(state) === null

/** The owner allows no more turns: the conversation is closed, unless this side is already ending it. */
export const areTurnsSpent = ({ status, end, limits, turns, run, parked, outgoing }: SeatState): boolean =>
  status === 'accepted' && !end && !run && !parked && !outgoing && turns >= limits.turns

export const isContextDue = ({ status, context, delivery, end, isRefreshDue }: SeatState): boolean =>
  status === 'accepted' && end === null && delivery !== null && (context === null || delivery.refresh || isRefreshDue)

/** A share of the own limits is used up: both sides are told to conclude. The host counts its own limit of turns. */
export function spentShare({ spent, limits, turns }: SeatState): 'tokens' | 'money' | 'turns' | null {
  const share = worldLimits.wrapUpPercent / 100
  // The notice comes with the next delivery of each side, so it is given while each has one more.
  if (limits.turns < worldLimits.turns && turns >= Math.min(limits.turns * share, limits.turns - 3)) return 'turns'
  if (spent.tokens >= limits.tokens * share) return 'tokens'
  return spent.money >= limits.money * share ? 'money' : null
}

/** Input of the agent for the run that is due. `hasRead`: the baseline of this intent is in its session already. */
export function describeRun(
  state: SeatState,
  purpose: RunPurpose,
  hasRead: boolean,
): { moment: Moment; task: Task | null; turns: string[] } {
  const { delivery, side, end, answer, context } = state
  const turns = delivery?.turns.map(({ text }) => text) ?? []
  const task = describeTask(state, purpose)
  if (purpose === 'report') return { moment: hasRead ? 'turn' : 'refresh', task, turns: [] }
  if (purpose === 'rewrite' && hasRead) return { moment: 'turn', task, turns: [] }
  if (delivery?.kind === 'kickoff') return { moment: hasRead && answer ? 'turn' : 'kickoff', task, turns: [] }
  const isOpener = side === 'recipient' && delivery?.turns.some(({ turn }) => turn === 1) === true
  if (isOpener) return { moment: 'opener', task, turns }
  if (!hasRead || delivery?.refresh || !context || end) return { moment: 'refresh', task, turns }
  return { moment: turns.length > 1 ? 'queued' : 'turn', task, turns }
}

function describeTask({ answer, end, delivery, context }: SeatState, purpose: RunPurpose): Task | null {
  switch (purpose) {
    case 'kickoff':
      return { kind: 'kickoff' }
    case 'resume':
      return answer ? { kind: 'resume', question: answer.text, answer: answer.answer } : null
    case 'rewrite':
      return { kind: 'rewrite', leaks: delivery?.held?.leaks ?? [] }
    case 'report':
      return { kind: 'report', isOver: end !== null }
    case 'reply': {
      const wrapUp = context?.policy.wrapUp
      return delivery?.refresh && wrapUp?.is === 'available' ? { kind: 'wrap-up', why: wrapUp.value } : null
    }
  }
}
