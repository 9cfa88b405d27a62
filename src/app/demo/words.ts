import type { Question } from '../../dialogs/rules/question.ts'

/** Everything Ada and her teammate say, apart from when they say it. */
export type DemoWords = {
  hello: string
  goal: Question
  goalAnswered(goal: string): string
  skipped: Record<'declined' | 'cancelled' | 'expired', string>
  details: Question
  asksResearcher: string
  assignment(topic: string): string
  pace(pace: string): string
  researching: string
  researchLost: string
  gathering: string
  plan(plan: { goal: string; pace: string; topic: string; titles: string[]; advice: string }): string
  titles(topic: string): string[]
  listFailed: string
  stillOpen: string
  long: string[]
  later: { text: string; suggestion: string }[]
  /** Ends the tour; a suggestion of its own, so it is omitted where follow-ups are off. */
  comeBack: string
  /** Joins words and a suggestion as the language does. */
  suggest(text: string, suggestion: string): string
  defaults: { goal: string; pace: string; topic: string }
  researcher: {
    begin: string
    askBack: string
    length: Question
    report: Record<'short' | 'long' | 'any', string>
    stillOpen: string
    later: string
  }
}
