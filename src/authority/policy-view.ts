import type { Language } from '../shapes/language.ts'
import { becauseText, unsureText } from './because-text.ts'
import type { GateCall, Verdict } from './decision.ts'
import { explain } from './explain.ts'
import type { Grant } from './grants.ts'
import { type Effect, type Policy, type Preset, ruleName } from './policy.ts'
import type { Role } from './roles.ts'
import { subjectText } from './subjects/subject.ts'
import { withVisibleCharacters } from './visible-text.ts'

/** One rule of `policy.rules`. */
export type RuleView = {
  effect: Effect
  /** As written, such as `run(git log *)`. */
  scope: string
  where?: Readonly<Record<string, string>>
  /** Line in parley.yaml. */
  line: number | null
  /** Allow: this role and above. Deny and ask: this role and below. */
  role: Role
  agent: string | null
  until: number | null
  note: string | null
  keys: number
  approvers: string[]
  escalate: { afterMs: number; to: string[] } | null
  irreversible: boolean
}

/** The policy in force. */
export type PolicyView = {
  preset: Preset
  approvers: string[]
  approvalsInGroup: boolean
  notifyFor: 'owner' | 'all'
  people: { key: string; name: string; role: Role; identities: { platform: string; id: string }[] }[]
  rules: RuleView[]
}

export type PolicyExplanation = {
  agent: string
  tool: string
  as: Role
  decision: Verdict
  because: string
  /** Only "once" and "deny" would be offered. */
  onceOnly: boolean
  keys: number
  /** `decision` is null where a stricter rule decided for the whole call. */
  subjects: { subject: string; decision: Verdict | null }[]
  /** Why the effect of the call is not certain. */
  unsure: string[]
  rules: { rule: string; line: number | null }[]
  grants: { id: string; scope: string; by: string }[]
  /** The same in words. */
  lines: string[]
  /** The agent has no such tool: paths were compared by name, and no grant could count. */
  isByName: boolean
}

/** The decision about a call in a form for readers. */
export function explanationView(
  policy: Policy,
  grants: readonly Grant[],
  call: GateCall,
  language: Language,
  refusal?: string,
): Omit<PolicyExplanation, 'agent' | 'as' | 'isByName'> {
  const { decision, rules, grants: used, lines } = explain(policy, grants, call, language, refusal)
  return {
    tool: call.tool,
    decision: decision.decision,
    because: refusal ?? becauseText(decision.because, language),
    onceOnly: decision.onceOnly === true && decision.decision === 'ask',
    keys: decision.keys ?? 1,
    subjects: call.subjects.map((subject, at) => ({
      subject: withVisibleCharacters(subjectText(subject)),
      decision: decision.subjects[at]?.verdict ?? null,
    })),
    unsure: call.unsure.map((one) => withVisibleCharacters(unsureText(one, language))),
    rules: rules.map((rule) => ({ rule: ruleName(rule), line: rule.line })),
    grants: used.map(({ grant, scopeText, by }) => ({ id: grant, scope: scopeText, by: by.name })),
    lines: [...lines],
  }
}

export function policyView({ preset, rules, people, approvers, approvalsInGroup, notifyFor }: Policy): PolicyView {
  return {
    preset,
    approvers: [...approvers],
    approvalsInGroup,
    notifyFor,
    people: people.map(({ key, name, role, identities }) => ({ key, name, role, identities: [...identities] })),
    rules: rules.map((rule) => ({
      effect: rule.effect,
      scope: rule.text,
      ...('where' in rule.scope && Object.keys(rule.scope.where).length > 0 ? { where: rule.scope.where } : {}),
      line: rule.line,
      role: rule.role,
      agent: rule.agent,
      until: rule.until,
      note: rule.note,
      keys: rule.keys,
      approvers: [...rule.approvers],
      escalate: rule.escalate && { afterMs: rule.escalate.afterMs, to: [...rule.escalate.to] },
      irreversible: rule.isIrreversible,
    })),
  }
}
