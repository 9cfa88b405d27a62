import type { BudgetFacts } from '../../dialogs/rules/budget-scopes.ts'
import type { DialogTexts } from '../../dialogs/rules/dialog-texts.ts'

export const dialogs: DialogTexts = {
  workStopped: (who) => `Not run: all work was stopped by ${who}.`,
  callStopped: (who, hasStarted) => `Stopped by ${who}${hasStarted ? ' while running; it may have taken effect' : ' before it ran'}.`,
  tooDeep: (depth) => `Not asked: requests are already ${depth} levels deep. Do it yourself or reply with what you have.`,
  tooManySides: (count) => `Not asked: this work already has ${count} side dialogs. Finish with what you have, or ask a person.`,
  requestsPaused: (limit) => `Paused: ${limit} requests without a word from a person. A person was asked whether to continue.`,
  denied: (who, note) => `${who} denied this call${note ? `: ${note}` : ''}. It has not run. Do not seek the same effect another way.`,
  deniedByRule: (because) => `Not allowed here: ${because}. It has not run.`,
  isProtected: (path) => `${path} is protected.`,
  tooManyApprovals: (count) => `Not asked: ${count} approvals already wait.`,
  tooLarge: (chars) => `Not asked: ${chars} characters are more than a person can review. Make smaller calls.`,
  badArguments: (fault) => `The arguments do not fit: ${fault}.`,
  withdrawn: 'Withdrawn before an answer; this is not a no.',
  timedOut: (minutes) => `Stopped after ${minutes} min. It may have taken effect.`,

  header: (tellasker) =>
    `You are the responder (tellaskee dialog) for this dialog; the tellasker dialog is @${tellasker} (the current caller).`,
  reasoningHeader: (tellasker) => `This is an FBR sideline dialog; the tellasker dialog is @${tellasker} (may be the same agent).`,
  now: (session) => (session === null ? 'Now:' : `Now (${session}):`),
  originalRequest: 'Your request was:',
  backPrompt: (by, about, question) =>
    `@${by} asks you back before it continues.\n\n${about}The question:\n${question}\n\nWhat you say next is given to @${by} as the answer.`,
  carriedOver: (address, request, reply) =>
    `A reply to a request you made before your mind was cleared.\nRequest to ${address}:\n${request}\n\nReply:\n${reply}`,
  silentReply: '(nothing was said)',
  requestFailed(agent, reason, because) {
    const end = { 'given-up': 'A person gave up on it.', final: 'It cannot be retried.' }
    return `【失败】 @${agent} could not finish: ${reason}. ${because.why === 'timeout' ? `No success for ${because.minutes} min.` : end[because.why]}`
  },
  declaredDead(agent, session, note) {
    const again = session === null ? '' : ` The name "${session}" may be used again, but its context is gone.`
    return `The side dialog of @${agent} was declared dead; it will not come back.${again}${note ? `\nNote: ${note}` : ''}`
  },

  course: (course) => `This is course ${course}. Earlier messages are out of sight; continue from your reminders.`,

  choose: 'Choose',
  repeatCall: {
    text: (tool) => `The server stopped while "${tool}" was running, so the call may or may not have taken effect. What should I do?`,
    again: 'Run it again',
    done: 'It took effect; continue',
    skip: 'Do not run it',
  },
  limits: {
    budgetSpent: (budget) =>
      `${budgetName(budget)} does not cover the next step: ${amounts(budget)} are spent. Work is waiting for your decision. Raise the budget?`,
    budgetNotice: (budget, percent) =>
      `${percent} % of ${lower(budgetName(budget))} is spent: ${amounts(budget)}. Work continues. Raise the budget?`,
    generations: (agent, limit) => `@${agent} has taken ${limit} steps in one turn without finishing. Should it continue?`,
    requests: (agent, limit) => `@${agent} has made ${limit} requests to other agents without a message from a person. Should it continue?`,
    raiseByHalf: 'Raise by half',
    double: 'Double it',
    goOn: 'Continue',
    stopHere: 'Stop here',
    leave: 'Leave it',
  },
}

function budgetName({ scope, key }: BudgetFacts): string {
  const name = key.slice(scope.length + 1)
  switch (scope) {
    case 'dialog':
      return 'The budget of this dialog'
    case 'agent':
      return `The budget of @${name}`
    case 'day':
      return `The budget of ${name}`
    case 'owner':
      return 'The budget of all work'
  }
}

const amounts = ({ spent, limit, unit }: BudgetFacts): string =>
  unit === 'tokens'
    ? `${Math.round(spent).toLocaleString('en')} of ${Math.round(limit).toLocaleString('en')} tokens`
    : `${spent.toFixed(2)} of ${limit.toFixed(2)}`

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
