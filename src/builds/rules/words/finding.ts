/** Why words were changed or held back, for the operator's log. */
export type WordsFinding = {
  why:
    | 'header'
    | 'inner-workings'
    | 'shape'
    | 'repeats-step'
    | 'too-long'
    | 'empty'
    | 'step-wording'
    /** A repeated message, or more of them than a step may have. */
    | 'frequency'
    /** A message right after an output that was dropped. */
    | 'after-fault'
  what: string
}
