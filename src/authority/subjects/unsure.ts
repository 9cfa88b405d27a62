/**
 * Reasons why the subjects of a call are not known for certain. Any of them leads to row 6 of the gate: a person decides,
 * once.
 */
export const unsureWhys = [
  'no-bash',
  'too-long',
  'too-many-brackets',
  'invisible-characters',
  'syntax',
  'program',
  'assignment',
  'nested-shell',
  'shell-state',
  'function',
  'configuration',
  'address',
  'expansion',
  'redirection',
  'relative-after-cd',
  'hard-link',
  'path',
  'rule-word',
  'part-of-folder',
] as const

export type UnsureWhy = (typeof unsureWhys)[number]

export type Unsure = { why: UnsureWhy; detail?: string }
