import type { ApprovalDecision, ApprovalTerms } from '../../authority/audience.ts'
import type { Because } from '../../authority/decision.ts'
import type { ScopeProposal } from '../../authority/proposals.ts'
import type { Role } from '../../authority/roles.ts'
import type { ShownFact } from '../../authority/shown-fact.ts'
import type { Subject } from '../../authority/subjects/subject.ts'
import type { Participant, Via } from './dialog-events.ts'

/** The gate's decision about one call, as the log keeps it. */
export type GateRecord = {
  decision: 'allow' | 'ask' | 'deny'
  /** Names of the rules and ids of the grants that decided. */
  rules: readonly string[]
  /** In the language of the dialog. */
  because: string
  toolHash: string
  inputHash: string
}

/** Everything a person has to see before they decide; the bytes shown are the bytes that run. */
export type ShownCall = {
  kind: 'run' | 'write' | 'message' | 'tool'
  /** The path, the address or the name of the tool. */
  target: string
  /** MCP server, plugin or module the tool comes from; empty for a tool of Parley. */
  server: string
  /** The command, the diff, the message as its recipient sees it, or sorted JSON. */
  text: string
  /** Facts beside it, such as the folder, hosts and state of the sandbox. */
  facts: readonly ShownFact[]
  /** Words of the call that the person may change before it runs. */
  texts?: readonly ApprovalText[]
  /** The call is too large to review: only Deny is offered. */
  isCut?: true
}

/** A field of the input whose words leave. `most` is its longest length. */
export type ApprovalText = { field: string; text: string; most: number }

/** Words that a person changed while approving, by field. */
export type ApprovalEdits = Readonly<Record<string, string>>

/** The call as it runs. */
export const applyEdits = <Call extends { input: unknown; edits?: ApprovalEdits }>(call: Call): Call =>
  call.edits ? { ...call, input: { ...(call.input as object), ...call.edits } } : call

/** Extra facts of a question with purpose `approval`. */
export type Approval = Omit<ApprovalTerms, 'cause'> & {
  tool: string
  toolHash: string
  inputHash: string
  /** Floor of the turn that made the call. */
  role: Role
  /** Names of those who could decide when it was asked, for "Waiting for …". */
  names: readonly string[]
  /** It was approved before, and the tool or a file it depends on has changed since. */
  isChanged?: true
  /** It was approved and had started when the process ended: it is unknown whether it took effect. */
  isInterrupted?: true
  /** Calls of this kind were approved several times, and the preset `workspace` would allow them. */
  offersWorkspace?: true
  shown: ShownCall
  /** Reason of the gate, in the language of the dialog. */
  because: string
  /** The facts of that reason, for readers of another language. */
  reason?: Because
  /** Subjects that nothing covers yet; an edited scope must cover one of them. */
  subjects: readonly Subject[]
  /** One list for each of them, best first. */
  proposals: readonly (readonly ScopeProposal[])[]
  escalate?: { afterMs: number; to: readonly string[] }
  /** Hashes of files the approved bytes depend on: the base of an edit, scripts a command runs. */
  bound: Readonly<Record<string, string>>
}

/** A standing permission as `grant.made` keeps it. */
export type GrantFacts = {
  grant: string
  agent: string
  tool: string
  toolHash: string
  scope: string
  where?: Readonly<Record<string, string>>
  role: Role
  author: string | null
  /** Null: all dialogs. */
  dialog: string | null
  until: number
  scripts: Readonly<Record<string, string>>
  /** Fields of the input that the call had, for tools whose subject has fields. */
  fields?: readonly string[]
}

/** An answer to an approval, as the commands carry it. Grants are prepared by the caller and checked against the decision. */
export type ApprovalAnswer = { decision: ApprovalDecision; note?: string; grants: readonly GrantFacts[]; edits?: ApprovalEdits }

/** An open or ended grant, folded from the events of the dialog it was made in. */
export type GrantState = GrantFacts & {
  by: Participant
  via: Via | null
  madeAt: number
  question: string
  end: { at: number; by: string; why: string } | null
}

/**
 * Why the runtime cancelled a question. It has a field of its own: `reason` is free text of a person or an agent, and no text
 * there may be read as one of these.
 *
 * - `covered`: a rule or grant made later decides about the call
 * - `stopped`, `dead`: the turn was stopped, the dialog was given up
 * - `mind-cleared`: the agent cleared its mind
 */
export type CancelCause = 'covered' | 'stopped' | 'dead' | 'mind-cleared'

export const approvalItem = 'decision'
export const approvalLimits = {
  grants: 200,
  noteChars: 2_000,
  editChars: 8_000,
  shownChars: 200_000,
  closedShownChars: 4_000,
  scopes: 8,
  approvalsBeforeOffer: 3,
} as const
