import type { Because, Decision, GateCall, GateRow, SubjectVerdict, Verdict } from './decision.ts'
import { findDefault } from './defaults.ts'
import type { Grant } from './grants.ts'
import { byName, forbidding, type Hit, isInForce, judge, type Judged, rulesFor } from './judge.ts'
import { type Policy, ruleName } from './policy.ts'
import { subjectText } from './subjects/subject.ts'
import type { Unsure } from './subjects/unsure.ts'

export const gateLimits = { openApprovals: 3 } as const

/**
 * The gate. Pure: the same policy, grants and call always give the same decision.
 *
 * | row | test | result |
 * |---|---|---|
 * | 1 | no gate declared, or the input does not fit | deny |
 * | 2 | a subject is protected | deny; no rule lifts it |
 * | 3 | a deny rule matches a subject | deny |
 * | 4 | the default of a subject is never, and no allow rule covers the role | deny |
 * | 5 | an ask rule matches, or a deny rule matches behind other words | ask, once or deny only; `locked`: deny where rows 6 to 8 deny |
 * | 6 | no subject, or unsure | ask, once or deny only; `locked`: deny |
 * | 7 | all subjects match allow rules or grants | allow |
 * | 8 | otherwise | the strictest default; `locked`: deny instead of ask |
 *
 * A guest, a group or a schedule has at most three open approvals; a further ask is a deny.
 */
export function decide(policy: Policy, grants: readonly Grant[], call: GateCall): Decision {
  const { role } = call.cause
  if (call.kind === null) return deny(1, { why: 'no-gate' })
  if (call.isInvalid) return deny(1, { why: 'invalid-input' })

  for (const subject of call.subjects)
    if (subject.kind === 'write' ? subject.protection : subject.kind === 'read' && subject.protection === 'hidden')
      return deny(2, {
        why: 'protected',
        subject: subjectText(subject),
        protection: (subject as { protection: 'hidden' | 'fixed' }).protection,
      })

  const rules = rulesFor(policy, call).filter((rule) => isInForce(rule, call))
  const matches = forbidding(rules, call)

  const [denied] = matches.deny
  if (denied) return { ...deny(3, ruleBecause(denied)), ...named(matches.deny) }

  const judgeAll = (standing: readonly Grant[]): Judged[] => call.subjects.map((subject) => judge(subject, policy, rules, standing, call))
  const covered = judgeAll(grants)
  const irreversible =
    call.isIrreversible === true ||
    matches.ask.some(({ rule }) => rule.isIrreversible) ||
    covered.some(({ verdict }) => verdict.rules.some((rule) => rule.isIrreversible))
  // "Always" is not offered for what cannot be undone, so a grant made before the tool or rule said so does not count either.
  const subjects = irreversible ? judgeAll(grants.filter(({ dialog }) => dialog !== null)) : covered
  const base: Base = { subjects: subjects.map(({ verdict }) => verdict), irreversible }
  const never = subjects.find((one) => one.byDefault === 'never' && one.verdict.rules.length === 0)
  if (never) return deny(4, { why: 'never', subject: subjectText(never.verdict.subject) }, base)
  if (call.subjects.length === 0 && findDefault(null, { kind: call.kind }, role, policy.preset) === 'never')
    return deny(4, { why: 'never', subject: call.tool }, base)

  const rest = rows6to8(policy, grants, call, matches.unsure, subjects, base)
  const [asked] = matches.ask
  // An ask rule never loosens: what `locked` denies without the rule stays denied.
  if (!asked || rest.decision === 'deny') return withinLimit(call, rest)
  return withinLimit(call, { ...ask(5, ruleBecause(asked), base), ...named(matches.ask), ...approvalTerms(matches.ask) })
}

function rows6to8(
  policy: Policy,
  grants: readonly Grant[],
  call: GateCall,
  doubts: readonly Unsure[],
  subjects: readonly Judged[],
  base: Base,
): Decision {
  const isLocked = policy.preset === 'locked'
  const unsure = [...call.unsure, ...doubts, ...subjects.flatMap(({ unsure: doubt }) => doubt ?? [])]
  if (unsure.length > 0) return (isLocked ? deny : ask)(6, { why: 'unsure', unsure }, base)
  if (subjects.length === 0) return (isLocked ? deny : ask)(6, { why: 'no-subject' }, base)

  const open = subjects.filter(({ isCovered }) => !isCovered)
  if (open.length === 0) return allow(7, coveredBecause(subjects, grants), base)
  const asking = open.filter(({ byDefault }) => byDefault === 'ask').map(({ verdict }) => subjectText(verdict.subject))
  const [first] = asking
  if (first === undefined) return allow(8, { why: 'default' }, base)
  if (isLocked) return deny(8, { why: 'locked', subject: first }, base)
  const { onceOnly, ...decision } = ask(8, { why: 'ask-by-default', subjects: asking }, base)
  return { ...decision, ...(call.isOnceOnly && { onceOnly }) }
}

type Base = { subjects: readonly SubjectVerdict[]; irreversible: boolean }
const noSubjects: Base = { subjects: [], irreversible: false }

function make(decision: Verdict, row: GateRow, because: Because, { subjects, irreversible }: Base): Decision {
  const isByDefault = subjects.every((one) => one.rules.length === 0 && one.grants.length === 0)
  const rules = isByDefault ? [] : [...new Set(subjects.flatMap((one) => [...one.rules.map(ruleName), ...one.grants]))].toSorted()
  return { decision, row, rules, because, subjects, ...(irreversible && { irreversible }) }
}

const deny = (row: GateRow, because: Because, base = noSubjects): Decision => make('deny', row, because, base)
const allow = (row: GateRow, because: Because, base: Base): Decision => make('allow', row, because, base)
const ask = (row: GateRow, because: Because, base: Base): Decision => ({ ...make('ask', row, because, base), onceOnly: true })

/** Guests, groups, peers and schedules cannot fill the inboxes of those who approve. */
function withinLimit(call: GateCall, decision: Decision): Decision {
  const { role, origin } = call.cause
  const isLimited = role === 'guest' || role === 'group' || role === 'peer' || origin === 'schedule'
  if (decision.decision !== 'ask' || !isLimited || call.openApprovals < gateLimits.openApprovals) return decision
  const { row, rules, subjects } = decision
  return { decision: 'deny', row, rules, subjects, because: { why: 'too-many-approvals', limit: gateLimits.openApprovals } }
}

const ruleBecause = ({ rule, subject }: Hit): Because => ({ why: 'rule', rule: ruleName(rule), note: rule.note, subject })

function coveredBecause(subjects: readonly Judged[], grants: readonly Grant[]): Because {
  const byGrant = subjects.find(({ verdict }) => verdict.rules.length === 0)?.verdict.grants[0]
  const grant = grants.find((one) => one.grant === byGrant)
  if (grant) {
    const { by, madeAt, via, dialog, scopeText, until } = grant
    return { why: 'grant', by: by.name, at: madeAt, via, lasts: dialog === null ? 'always' : 'chat', scope: scopeText, until }
  }
  const [rule] = subjects
    .flatMap(({ verdict }) => verdict.rules.map((one) => ({ rule: one, subject: subjectText(verdict.subject) })))
    .toSorted(byName)
  return rule ? ruleBecause(rule) : { why: 'default' }
}

const named = (hits: readonly Hit[]): Pick<Decision, 'rules' | 'notes'> => {
  const notes = hits.flatMap(({ rule }) => rule.note ?? [])
  return { rules: [...new Set(hits.map(({ rule }) => ruleName(rule)))], ...(notes.length > 0 && { notes: [...new Set(notes)] }) }
}

/** Several ask rules: the most keys, all approvers, the earliest escalation. */
function approvalTerms(hits: readonly Hit[]): Pick<Decision, 'keys' | 'approvers' | 'escalate'> {
  const keys = Math.max(1, ...hits.map(({ rule }) => rule.keys))
  const approvers = [...new Set(hits.flatMap(({ rule }) => rule.approvers))].toSorted()
  const later = hits.flatMap(({ rule }) => rule.escalate ?? [])
  const to = [...new Set(later.flatMap((one) => one.to))].toSorted()
  return {
    ...(keys > 1 && { keys }),
    ...(approvers.length > 0 && { approvers }),
    ...(later.length > 0 && { escalate: { afterMs: Math.min(...later.map(({ afterMs }) => afterMs)), to } }),
  }
}
