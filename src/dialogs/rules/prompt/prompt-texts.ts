/** Texts of the runtime that a model reads. All are exact: models are tested against them. */
export type PromptTexts = {
  aPerson: string
  noAnswer: string

  // Results of calls that have no outcome yet.
  requestOut(handle: string, agent: string): string
  questionOut(handle: string): string
  approvalOut(handle: string): string
  interrupted: string
  stopped(who: string, hasStarted: boolean): string

  // Results of `reply`.
  delivered(agent: string): string
  replyBeside: string
  replyWhileOut(handles: string): string
  nothingOpen: string
  replyWithoutText: string

  // Results of calls that are not made, or that change the agent's own mind.
  tooManyCalls(most: number): string
  unknownTool(tool: string, near: string | null, tools: string): string
  toolNotThere(tool: string): string
  unknownTeammate(agent: string, team: string): string
  isSelf(agent: string): string
  isCaller(agent: string): string
  waitsForYou(agent: string, session: string): string
  askedTogether(handle: string): string
  shown: string
  questionWithdrawn(handle: string): string
  questionAnswered(handle: string): string
  noSuchQuestion(given: string, open: string): string
  reminderKept(number: number, count: number): string
  reminderChanged(number: number): string
  reminderDeleted(left: number): string
  sameReminder(number: number): string
  tooManyReminders(most: number): string
  cleared: string
  clearedTooEarly: string
  clearedBesideQuestion: string
  /** For `list` in the texts above when there is nothing to list. */
  none: string
  saidNothing(agent: string): string

  // Parts of blocks.
  yourRequestWas: string
  deliverWithReply: string
  reasonAlone: string
  noOutput: string
  /** Lines of `<waiting>`. `about` is the first line of the request, question or call. */
  waitsForReply(handle: string, agent: string, session: string | null, passed: string, about: string): string
  waitsForAnswer(handle: string, passed: string, about: string): string
  waitsForApproval(handle: string, tool: string, passed: string, about: string): string

  // Ends of a question that is not answered.
  declined(who: string, reason: string | null): string
  withdrawn: string
  expired: string

  notes: {
    time(now: string, passed: string): string
    stopped(who: string): string
    continued(who: string, passed: string): string
    askBack(handle: string): string
    replyNudge(handle: string): string
    caution(used: string, window: string): string
    critical(steps: number): string
    budget(percent: number): string
    diligence: string
    joined(agent: string, about: string): string
    left(agent: string): string
    toolGone(tool: string): string
    newCourse(course: number, isFull: boolean): string
    compacted: string
  }

  /** A time with its day of the week; 0 is Sunday. */
  day(time: string, weekday: number): string
  /** A time that has passed. */
  units: { minutes(count: number): string; hours(count: number): string; days(count: number): string }
}
