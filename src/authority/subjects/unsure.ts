/**
 * Reasons why the subjects of a call are not known for certain. Any of them leads to row 6 of the gate: a person decides,
 * once.
 */
export type UnsureWhy =
  | 'no-bash'
  | 'too-long'
  | 'too-many-brackets'
  | 'invisible-characters'
  | 'syntax'
  | 'program'
  | 'assignment'
  | 'nested-shell'
  | 'shell-state'
  | 'function'
  | 'expansion'
  | 'redirection'
  | 'relative-after-cd'
  | 'hard-link'
  | 'path'
  | 'rule-word'
  | 'part-of-folder'

export type Unsure = { why: UnsureWhy; detail?: string }
