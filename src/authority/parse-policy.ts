import { checkExamples } from './check-examples.ts'
import { parsePeople } from './parse-people.ts'
import { type KnownNames, parseRule, listPeople, ruleLimits } from './parse-rule.ts'
import type { People } from './people.ts'
import { type Policy, presets, type Rule } from './policy.ts'
import { type LineOf, type PolicyProblem, type Report, reportUnknown } from './policy-problem.ts'
import { isAtLeast } from './roles.ts'
import { isRecord } from '../shapes/record.ts'

/** Facts of the installation; null where the caller does not know them. */
export type PolicyContext = {
  agents?: readonly string[] | null
  /** Names of channels and platforms that identities may be linked to. */
  channels?: readonly string[] | null
  toLine?: LineOf
}

/**
 * Reads `people:` and `policy:` of parley.yaml. The policy is whole or not there at all: with one problem there is no policy,
 * the server does not start, and a reload keeps the policy it had.
 */
export function parsePolicy(
  raw: { people?: unknown; policy?: unknown },
  { agents = null, channels = null, toLine = () => null }: PolicyContext = {},
): { policy: Policy } | { problems: readonly PolicyProblem[] } {
  const problems: PolicyProblem[] = []
  const report: Report = (path, why) => {
    problems.push({ path, line: toLine(path), why })
  }
  const people = parsePeople(raw.people, channels, report)
  const fields = raw.policy ?? {}
  if (!isRecord(fields)) {
    report(['policy'], 'it must have fields such as preset and rules')
    return { problems }
  }
  reportUnknown(fields, ['preset', 'approvers', 'approvals', 'notifyFor', 'rules'], ['policy'], report)
  const knownNames: KnownNames = { agents, people: people.map(({ key }) => key) }
  const approvers = listPeople(fields['approvers'], ['policy', 'approvers'], knownNames, report)
  reportWeak(approvers, people, ['policy', 'approvers'], report)
  const policy: Policy = {
    preset: readChoice(fields['preset'], presets, 'ask', ['policy', 'preset'], report),
    approvers,
    approvalsInGroup: inGroup(fields['approvals'], report),
    notifyFor: readChoice(fields['notifyFor'], ['owner', 'all'] as const, 'owner', ['policy', 'notifyFor'], report),
    people,
    rules: listRules(fields['rules'], { known: knownNames, people, approvers, toLine }, report),
  }
  return problems.length > 0 ? { problems } : { policy }
}

type RuleContext = { known: KnownNames; people: People; approvers: readonly string[]; toLine: LineOf }

function listRules(raw: unknown, context: RuleContext, report: Report): Rule[] {
  if (raw === undefined || raw === null) return []
  if (!Array.isArray(raw)) {
    report(['policy', 'rules'], 'it must be a list of rules')
    return []
  }
  if (raw.length > ruleLimits.rules) report(['policy', 'rules'], `it has more than ${ruleLimits.rules} rules`)
  return raw.slice(0, ruleLimits.rules).flatMap((one: unknown, at) => {
    const path = ['policy', 'rules', at]
    const rule = parseRule(one, path, context.toLine(path), context.known, report)
    if (!rule || !isRecord(one)) return []
    checkExamples(one['examples'], rule, [...path, 'examples'], report)
    checkApprovers(rule, path, context, report)
    return [rule]
  })
}

/**
 * One of those who can approve may be who caused the call and then may not, so a rule with several keys needs one person more
 * than keys.
 */
function checkApprovers(rule: Rule, path: readonly (string | number)[], { people, approvers }: RuleContext, report: Report): void {
  reportWeak(rule.approvers, people, [...path, 'approvers'], report)
  const able = new Set([...people.filter(({ role }) => isAtLeast(role, 'operator')).map(({ key }) => key), ...approvers, ...rule.approvers])
  for (const name of rule.escalate?.to ?? [])
    if (!able.has(name)) report([...path, 'escalate', 'to'], `${name} cannot approve: make them an operator or list them as an approver`)
  if (rule.keys > 1 && rule.keys > able.size - 1)
    report([...path, 'keys'], `${rule.keys} keys need at least ${rule.keys + 1} people who can approve; there are ${able.size}`)
}

/** Guests never approve, so naming one is a mistake. */
function reportWeak(names: readonly string[], people: People, path: readonly (string | number)[], report: Report): void {
  for (const name of names) {
    const person = people.find(({ key }) => key === name)
    if (person && !isAtLeast(person.role, 'member')) report(path, `${name} is a ${person.role} and cannot approve; a member can`)
  }
}

function readChoice<Value extends string>(
  value: unknown,
  all: readonly Value[],
  otherwise: Value,
  path: readonly string[],
  report: Report,
): Value {
  if (value === undefined) return otherwise
  const match = all.find((one) => one === value)
  if (match === undefined) report(path, `it must be one of ${all.join(', ')}`)
  return match ?? otherwise
}

function inGroup(raw: unknown, report: Report): boolean {
  if (raw === undefined) return false
  if (!isRecord(raw)) {
    report(['policy', 'approvals'], 'it must be written as { inGroup: true }')
    return false
  }
  reportUnknown(raw, ['inGroup'], ['policy', 'approvals'], report)
  if (raw['inGroup'] !== undefined && typeof raw['inGroup'] !== 'boolean')
    report(['policy', 'approvals', 'inGroup'], 'it must be true or false')
  return raw['inGroup'] === true
}
