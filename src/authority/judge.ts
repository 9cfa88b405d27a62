import type { GateCall, SubjectVerdict } from './decision.ts'
import { type Default, type DefaultFacts, findDefault } from './defaults.ts'
import { type Grant, grantMatch, servesCall } from './grants.ts'
import { allows, forbids } from './match-scope.ts'
import { type Policy, type Rule, ruleName } from './policy.ts'
import { isAtLeast, isAtMost } from './roles.ts'
import { type Subject, subjectText } from './subjects/subject.ts'
import type { Unsure } from './subjects/unsure.ts'

/** Allow rules hold for a role and above, deny and ask rules for a role and below. */
export function isInForce(rule: Rule, { agent, now, cause }: Pick<GateCall, 'agent' | 'now' | 'cause'>): boolean {
  if (rule.agent !== null && rule.agent !== agent) return false
  if (rule.until !== null && now >= rule.until) return false
  return rule.effect === 'allow' ? isAtLeast(cause.role, rule.role) : isAtMost(cause.role, rule.role)
}

const rulesByKind = new WeakMap<readonly Rule[], Map<Subject['kind'], readonly Rule[]>>()

/** The rules that can match the call. Most calls have one kind of subject, and most rules are about another kind. */
export function rulesFor({ rules }: Policy, { subjects }: Pick<GateCall, 'subjects'>): readonly Rule[] {
  const kind = subjects[0]?.kind
  if (kind === undefined || subjects.some((subject) => subject.kind !== kind)) return rules
  const entry = rulesByKind.get(rules) ?? new Map<Subject['kind'], readonly Rule[]>()
  rulesByKind.set(rules, entry)
  const matches = entry.get(kind) ?? rules.filter(({ scope }) => scope.kind === kind || scope.kind === 'tool')
  entry.set(kind, matches)
  return matches
}

/** A rule that matches, and the subject it matches. */
export type Hit = { rule: Rule; subject: string }

/** Deny and ask rules against every subject, each rule once. A call without subjects can still be named by its tool. */
export function forbidding(rules: readonly Rule[], call: GateCall): { deny: Hit[]; ask: Hit[]; unsure: Unsure[] } {
  const hits = { deny: [] as Hit[], ask: [] as Hit[], unsure: [] as Unsure[] }
  const subjects: readonly Subject[] = call.subjects.length > 0 ? call.subjects : [{ kind: 'tool', name: call.tool, scalars: {} }]
  for (const rule of rules) {
    if (rule.effect === 'allow') continue
    let strongest: { list: 'deny' | 'ask'; subject: Subject } | null = null
    let doubt: Subject | null = null
    for (const subject of subjects) {
      const match = forbids(rule.scope, subject, call.tool)
      if (match === 'yes' && rule.effect === 'deny') strongest = { list: 'deny', subject }
      else if (match === 'yes' || match === 'behind') strongest ??= { list: 'ask', subject }
      else if (match === 'unsure') doubt ??= subject
    }
    if (strongest) hits[strongest.list].push({ rule, subject: subjectText(strongest.subject) })
    else if (doubt) hits.unsure.push(toUnsure(rule, doubt))
  }
  hits.deny.sort(byName)
  hits.ask.sort(byName)
  hits.unsure.sort(byDetail)
  return hits
}

export const byName = (a: Hit, b: Hit): number => (ruleName(a.rule) < ruleName(b.rule) ? -1 : 1)

const byDetail = (a: Unsure, b: Unsure): number => ((a.detail ?? '') < (b.detail ?? '') ? -1 : 1)

const toUnsure = (rule: Rule, { kind }: Subject): Unsure => ({
  why: kind === 'read' || kind === 'write' ? 'part-of-folder' : 'rule-word',
  detail: ruleName(rule),
})

export type Judged = { verdict: SubjectVerdict; byDefault: Default; isCovered: boolean; unsure: Unsure | null }

/** One subject on its own: its allow rules, the grants that serve the call, its default. */
export function judge(subject: Subject, policy: Policy, rules: readonly Rule[], grants: readonly Grant[], call: GateCall): Judged {
  const matching: Rule[] = []
  const doubts: Unsure[] = []
  for (const rule of rules) {
    if (rule.effect !== 'allow') continue
    const match = allows(rule.scope, subject)
    if (match === 'yes') matching.push(rule)
    else if (match === 'unsure') doubts.push(toUnsure(rule, subject))
  }
  const granted: string[] = []
  for (const grant of grants) {
    if (!servesCall(grant, call)) continue
    const match = grantMatch(grant, subject, call.scripts)
    if (match === 'yes') granted.push(grant.grant)
    else if (match === 'unsure') doubts.push({ why: 'rule-word', detail: grant.scopeText })
  }
  const [doubt = null] = doubts.toSorted(byDetail)
  const byDefault = findDefault(subject, getFacts(call), call.cause.role, policy.preset)
  const isCovered = matching.length > 0 || granted.length > 0
  const asks = policy.preset === 'locked' ? 'deny' : 'ask'
  const verdict = isCovered || byDefault === 'allow' ? 'allow' : byDefault === 'never' ? 'deny' : asks
  return { verdict: { subject, verdict, rules: matching, grants: granted }, byDefault, isCovered, unsure: isCovered ? null : doubt }
}

const getFacts = (call: GateCall): DefaultFacts => ({
  kind: call.kind ?? 'code',
  isSandboxed: isOffline(call),
  ...(call.declared && { declared: call.declared }),
})

/** The workspace preset allows commands without network only. */
const isOffline = ({ isSandboxed = false, subjects }: GateCall): boolean => isSandboxed && subjects.every(({ kind }) => kind !== 'net')
