import type { Cause } from './cause.ts'
import type { DeclaredGate } from './defaults.ts'
import type { Rule } from './policy.ts'
import type { Subject } from './subjects/subject.ts'
import type { Unsure } from './subjects/unsure.ts'
import type { ToolKind } from './tool-kinds.ts'

/** A tool call as the gate sees it. Subjects were extracted before; nothing here is text of a model but their words. */
export type GateCall = {
  agent: string
  tool: string
  /** Null: no gate is declared for the tool. */
  kind: ToolKind | null
  /** The input does not fit the tool's schema. */
  isInvalid?: boolean
  toolHash: string
  subjects: readonly Subject[]
  unsure: readonly Unsure[]
  cause: Cause
  dialog: string
  /** Approvals that wait for a decision now and were caused by the same guest, group or schedule. */
  openApprovals: number
  now: number
  declared?: DeclaredGate
  isSandboxed?: boolean
  isIrreversible?: boolean
  /** A wrapper, assignment, substitution or nested shell: no standing permission is made of it. */
  isOnceOnly?: boolean
  /** Hashes of the scripts that the command runs, by path. */
  scripts?: Readonly<Record<string, string>>
}

export type Verdict = 'allow' | 'ask' | 'deny'

/** Row of the table in decide.ts that decided. */
export type GateRow = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

/** Facts, not text: `becauseText` puts them into words. */
export type Because =
  | { why: 'no-gate' | 'invalid-input' | 'default' | 'no-subject' }
  | { why: 'protected'; subject: string; protection: 'hidden' | 'fixed' }
  | { why: 'rule'; rule: string; note: string | null; subject: string }
  | { why: 'never'; subject: string }
  | { why: 'unsure'; unsure: readonly Unsure[] }
  | { why: 'grant'; by: string; at: number; via: string; lasts: 'chat' | 'always'; scope: string; until: number }
  | { why: 'locked'; subject: string }
  | { why: 'ask-by-default'; subjects: readonly string[] }
  | { why: 'too-many-approvals'; limit: number }

/** The verdict on one subject, for cards and `policy explain`. */
export type SubjectVerdict = { subject: Subject; verdict: Verdict; rules: readonly Rule[]; grants: readonly string[] }

export type Decision = {
  decision: Verdict
  row: GateRow
  /** Names of the rules and ids of the grants that decided, sorted. */
  rules: readonly string[]
  because: Because
  /** The approval offers once and deny, no grant. */
  onceOnly?: true
  irreversible?: true
  /** More than one person has to approve. */
  keys?: number
  /** Persons that are notified first, and those notified later. */
  approvers?: readonly string[]
  escalate?: { afterMs: number; to: readonly string[] }
  notes?: readonly string[]
  subjects: readonly SubjectVerdict[]
}
