import type { People } from './people.ts'
import type { Role } from './roles.ts'
import type { Scope } from './scope.ts'

export const presets = ['ask', 'workspace', 'locked'] as const
export type Preset = (typeof presets)[number]

export const effects = ['allow', 'ask', 'deny'] as const
export type Effect = (typeof effects)[number]

/** One rule of `policy.rules`. The order of rules never matters. */
export type Rule = {
  effect: Effect
  scope: Scope
  /** As written, such as `run(git push --force)`. */
  text: string
  line: number | null
  /** Allow: this role and above. Deny and ask: this role and below. */
  role: Role
  agent: string | null
  /** The rule has no effect from this time on, in milliseconds since 1970. */
  until: number | null
  note: string | null
  /** Number of people who have to approve. */
  keys: number
  /** Notified first; they may approve as well. */
  approvers: readonly string[]
  escalate: { afterMs: number; to: readonly string[] } | null
  isIrreversible: boolean
}

export type Policy = {
  preset: Preset
  rules: readonly Rule[]
  people: People
  /** Keys of members who may approve beside owners and operators. */
  approvers: readonly string[]
  /** Approvals are also shown in the group they come from. */
  approvalsInGroup: boolean
  notifyFor: 'owner' | 'all'
}

/** The policy of an installation whose parley.yaml says nothing about it. */
export const defaultPolicy: Policy = {
  preset: 'ask',
  rules: [],
  people: [],
  approvers: [],
  approvalsInGroup: false,
  notifyFor: 'owner',
}

/** Stable across reordering, so that events and cards name a rule the same way. */
export const ruleName = ({ effect, text }: Pick<Rule, 'effect' | 'text'>): string => `${effect}: ${text}`
