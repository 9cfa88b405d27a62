/** The invariants of a build's events, by the names the protocol gives them. */
export const ruleIds = ['T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7', 'T8', 'T9', 'T10', 'T11', 'T12', 'T13', 'T14'] as const

export type RuleId = (typeof ruleIds)[number]

/** A fault in the output of an agent. `words` says what would be right: the agent reads it. */
export type Fault = { rule: RuleId; words: string }

export const fault = (rule: RuleId, words: string): { fault: Fault } => ({ fault: { rule, words } })
