/** Why words were changed or held back, for the operator's log. */
export type WordsFinding = { why: 'header' | 'inner-workings' | 'repeats-step' | 'too-long' | 'empty' | 'step-wording'; what: string }
