/** Reasons a build can end early, as a person understands them. */
export type FailureCause = 'rules' | 'stopped' | 'slow' | 'flooded' | 'absent' | 'cancelled' | 'budget' | 'other'

/** Sentences that Parley itself says in a build. */
export type BuildTexts = {
  /** One short sentence for each long silence, in turn. */
  reassurances: readonly [string, ...string[]]
  /** Says why a build cannot go on, and the next step. */
  failures: Readonly<Record<FailureCause, string>>
  /** Shown for an agent whose own summary could not be shown. */
  summaries: Readonly<Record<'complete' | 'failed', string>>
  /** Above several questions of a program that gives them no heading. */
  manyQuestions: string
}
