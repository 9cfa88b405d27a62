import type { ToldBecause } from './failed-replies.ts'
import type { BudgetFacts } from './budget-scopes.ts'

/** Texts of the dialog rules and the driver. The strings that agents read are exact: models are tested against them. */
export type DialogTexts = {
  // Results an agent reads instead of the output of its call.
  workStopped(who: string): string
  callStopped(who: string, hasStarted: boolean): string
  tooDeep(depth: number): string
  tooManySides(count: number): string
  requestsPaused(limit: number): string
  denied(who: string, note: string | undefined): string
  deniedByRule(because: string): string
  isProtected(path: string): string
  tooManyApprovals(count: number): string
  tooLarge(chars: number): string
  badArguments(fault: string): string
  withdrawn: string
  timedOut(minutes: number): string

  // Tellasks.
  header(tellasker: string): string
  reasoningHeader(tellasker: string): string
  now(session: string | null): string
  originalRequest: string
  backPrompt(by: string, about: string, question: string): string
  carriedOver(address: string, request: string, reply: string): string
  silentReply: string
  requestFailed(agent: string, reason: string, because: ToldBecause): string
  declaredDead(agent: string, session: string | null, note: string | undefined): string

  // A course and its context.
  course(course: number): string

  // Questions the runtime asks a person.
  choose: string
  repeatCall: { text(tool: string): string; again: string; done: string; skip: string }
  limits: {
    budgetSpent(budget: BudgetFacts): string
    budgetNotice(budget: BudgetFacts, percent: number): string
    generations(agent: string, limit: number): string
    requests(agent: string, limit: number): string
    raiseByHalf: string
    double: string
    goOn: string
    stopHere: string
    leave: string
  }
}
