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

  // Parts of blocks.
  yourRequestWas: string
  deliverWithReply: string
  reasonAlone: string
  noOutput: string

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

  /** A time that has passed. */
  units: { minutes(count: number): string; hours(count: number): string; days(count: number): string }
}
