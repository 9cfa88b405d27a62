import type { PromptTexts } from '../../dialogs/rules/prompt/prompt-texts.ts'

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

export const prompt: PromptTexts = {
  aPerson: 'a person',
  noAnswer: '(no answer)',

  requestOut: (handle, agent) => `${handle} is with @${agent}. No reply yet; it will arrive as a <reply> block.`,
  questionOut: (handle) => `${handle} is with a person. No answer yet; it will arrive as an <answer> block.`,
  approvalOut: (handle) =>
    `${handle} waits for a person's approval. It has not run. The outcome will arrive as an <outcome> block; do not repeat the call.`,
  interrupted: 'Stopped before a result came. It may have taken effect.',
  stopped: (who, hasStarted) => `Stopped by ${who}${hasStarted ? ' while running; it may have taken effect' : ' before it ran'}.`,

  delivered: (agent) => `Delivered to @${agent}.`,
  replyBeside: 'Not delivered: other calls of this step are not finished. Read their results, then call reply.',
  replyWhileOut: (handles) => `Not delivered: ${handles} still out. Wait, or use partial or could_not.`,
  nothingOpen: 'There is no open request. Say it to the person in plain words.',
  replyWithoutText: 'Not delivered: text must hold the result itself; the reader does not see your other messages.',

  tooManyCalls: (most) => `Not run: more than ${most} calls in one step. Call it again if you still need it.`,
  unknownTool: (tool, near, tools) => `There is no tool ${tool}${near === null ? '' : `; did you mean ${near}?`}. Tools: ${tools}.`,
  toolNotThere: (tool) => `${tool} is not available now.`,
  unknownTeammate: (agent, team) => `There is no @${agent}. Teammates: ${team}.`,
  isSelf: (agent) => `You are @${agent}. To think again, use freshBootsReasoning.`,
  isCaller: (agent) => `Not asked: @${agent} made the request you work on. Use tellaskBack for a question, reply for the result.`,
  waitsForYou: (agent, session) => `Not asked: @${agent} (${session}) already waits for you.`,
  askedTogether: (handle) => `Asked together with ${handle}; the answer is there.`,
  shown: 'It is shown. A tap on a button comes back as a message.',
  questionWithdrawn: (handle) => `${handle} is withdrawn.`,
  questionAnswered: (handle) => `${handle} is already answered; see its <answer>.`,
  noSuchQuestion: (given, open) => `There is no open question ${given}. Open: ${open}.`,
  reminderKept: (number, count) => `Reminder ${number} of ${count} kept.`,
  reminderChanged: (number) => `Reminder ${number} changed.`,
  reminderDeleted: (left) => `Deleted; ${left} left.`,
  sameReminder: (number) => `Not kept: it is reminder ${number} already.`,
  tooManyReminders: (most) => `Not kept: ${most} reminders are the limit; update or delete one.`,
  cleared: 'A new course starts.',
  clearedTooEarly: 'Not cleared: this course has just begun. Work on the request first.',
  clearedBesideQuestion: 'Not cleared: you have just asked a person. Clear after the answer.',
  none: 'none',
  saidNothing: (agent) => `@${agent} could not finish: it said nothing. It cannot be retried.`,

  yourRequestWas: 'Your request was:',
  deliverWithReply: 'Deliver with reply. If something is missing, ask with tellaskBack first.',
  reasonAlone: 'Reason from the text above alone. First line 【FBR-直接回复】 or 【FBR-仅推理】. List what is missing.',
  noOutput: '(no output)',
  waitsForReply: (handle, agent, session, passed, about) =>
    `- ${handle} to @${agent}${session === null ? '' : ` (${session})`}, ${passed}: ${about}`,
  waitsForAnswer: (handle, passed, about) => `- ${handle} to a person, ${passed}: ${about}`,
  waitsForApproval: (handle, tool, passed, about) => `- ${handle} ${tool}, waits for approval, ${passed}: ${about}`,

  declined: (who, reason) => `${who} declined to answer${reason === null ? '' : `: ${reason}`}.`,
  withdrawn: 'Withdrawn before an answer; this is not a no.',
  expired: 'Expired without an answer; this is not a no.',

  notes: {
    time: (now, passed) => `It is ${now}; ${passed} passed since your last step.`,
    stopped: (who) => `${who} stopped you here.`,
    continued: (who, passed) => `${who} lets you continue after ${passed}.`,
    askBack: (handle) => `Answer ${handle} with reply.`,
    replyNudge: (handle) => `${handle} is still open. If you have the result, call reply with all of it. Otherwise continue.`,
    caution: (used, window) => `${used} of ${window} tokens are in use. Bring your reminders up to date, then call clear_mind.`,
    critical: (steps) => `The context is almost full. After ${steps} more steps a new course starts without asking.`,
    budget: (percent) => `${percent} % of the budget of this work is spent.`,
    diligence: 'You stopped. If the goals are met or you wait for someone, say so in one line. Otherwise continue.',
    joined: (agent, about) => `@${agent} joined${about === '' ? '' : `: ${about}`}.`,
    left: (agent) => `@${agent} left.`,
    toolGone: (tool) => `${tool} is no longer available.`,
    newCourse: (course, isFull) =>
      `Course ${course}${isFull ? ': the context was full' : ''}. Earlier messages are out of sight. Continue with what is above; use your reminders. Do not repeat what is in <waiting>.`,
    compacted: 'Older tool outputs were shortened; read them with recall_output.',
  },

  day: (time, weekday) => `${time}, ${weekdays[weekday] ?? ''}`,
  units: { minutes: (count) => `${count} min`, hours: (count) => `${count} h`, days: (count) => `${count} d` },
}
