import { effects, type Effect, type Rule } from './policy.ts'
import { type Report, reportUnknown, textList } from './policy-problem.ts'
import { isRole, type Role, roles } from './roles.ts'
import { parseScope, type Where } from './scope.ts'
import { isRecord } from '../shapes/record.ts'

export const ruleLimits = { rules: 1_000, noteChars: 500, examples: 50, keys: 10 } as const

const common = ['for', 'note', 'examples', 'agent', 'until', 'where', 'irreversible']
const ofAsk = ['keys', 'approvers', 'escalate']

/** Names that exist in this installation; null where the caller does not know them. */
export type KnownNames = { agents: readonly string[] | null; people: readonly string[] }

export type Path = readonly (string | number)[]

/** One rule, or null when it cannot be one; everything wrong with it is reported. */
export function parseRule(raw: unknown, path: Path, line: number | null, known: KnownNames, report: Report): Rule | null {
  if (!isRecord(raw)) {
    report(path, 'a rule must be written as "allow: run(git status *)", with deny or ask in the same way')
    return null
  }
  const matches = effects.filter((effect) => raw[effect] !== undefined)
  const [effect] = matches
  if (effect === undefined || matches.length > 1) {
    report(path, 'a rule needs exactly one of allow, ask and deny')
    return null
  }
  reportUnknown(raw, [...effects, ...common, ...(effect === 'ask' ? ofAsk : [])], path, report)
  const text = raw[effect]
  const parsed =
    typeof text === 'string'
      ? parseScope(text, describeWhere(raw['where'], [...path, 'where'], report))
      : { fault: 'it must be text such as run(git status *)' }
  if ('fault' in parsed) {
    report([...path, effect], parsed.fault)
    return null
  }
  const agent = raw['agent'] ?? null
  if (agent !== null && typeof agent !== 'string') report([...path, 'agent'], 'it must be the name of an agent')
  else if (agent !== null && known.agents && !known.agents.includes(agent)) report([...path, 'agent'], `there is no agent "${agent}"`)
  return {
    effect,
    scope: parsed.scope,
    text: String(text).trim(),
    line,
    role: getRole(raw['for'], effect, [...path, 'for'], report),
    agent: typeof agent === 'string' ? agent : null,
    until: getUntil(raw['until'], [...path, 'until'], report),
    note: getNote(raw['note'], [...path, 'note'], report),
    keys: listKeys(raw['keys'], [...path, 'keys'], report),
    approvers: listPeople(raw['approvers'], [...path, 'approvers'], known, report),
    escalate: toEscalation(raw['escalate'], [...path, 'escalate'], known, report),
    isIrreversible: getFlag(raw['irreversible'], [...path, 'irreversible'], report),
  }
}

/** Allow without `for` is for owners and operators; deny and ask without it are for everyone. */
function getRole(value: unknown, effect: Effect, path: Path, report: Report): Role {
  if (value === undefined) return effect === 'allow' ? 'operator' : 'owner'
  if (isRole(value)) return value
  report(path, `it must be one of ${roles.join(', ')}`)
  return 'owner'
}

function describeWhere(value: unknown, path: Path, report: Report): Where {
  if (value === undefined) return {}
  if (!isRecord(value)) {
    report(path, 'it must name fields, such as { repo: acme/* }')
    return {}
  }
  const where: Record<string, string> = {}
  for (const [field, pattern] of Object.entries(value)) {
    if (typeof pattern === 'string' || typeof pattern === 'number' || typeof pattern === 'boolean') where[field] = String(pattern)
    else report([...path, field], 'it must be a text, a number, or true or false')
  }
  return where
}

const dayMs = 86_400_000

/** A date holds until its end, in UTC; a date with a time until that time. */
function getUntil(value: unknown, path: Path, report: Report): number | null {
  if (value === undefined || value === null) return null
  const text = typeof value === 'string' ? value : ''
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const time = isDay || /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time) && (!isDay || new Date(time).toISOString().startsWith(text))) return isDay ? time + dayMs : time
  report(path, 'it must be a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z')
  return 0
}

function getNote(value: unknown, path: Path, report: Report): string | null {
  if (value === undefined) return null
  if (typeof value === 'string' && value.length <= ruleLimits.noteChars) return value
  report(path, `it must be a text of at most ${ruleLimits.noteChars} characters`)
  return null
}

function listKeys(value: unknown, path: Path, report: Report): number {
  if (value === undefined) return 1
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= ruleLimits.keys) return value
  report(path, `it must be a whole number from 1 to ${ruleLimits.keys}`)
  return 1
}

function getFlag(value: unknown, path: Path, report: Report): boolean {
  if (value !== undefined && typeof value !== 'boolean') report(path, 'it must be true or false')
  return value === true
}

export function listPeople(value: unknown, path: Path, known: KnownNames, report: Report): string[] {
  const names = textList(value, path, report)
  for (const name of names) if (!known.people.includes(name)) report(path, `people has no entry "${name}"`)
  return names
}

function toEscalation(value: unknown, path: Path, known: KnownNames, report: Report): Rule['escalate'] {
  if (value === undefined) return null
  if (!isRecord(value)) {
    report(path, 'it must be written as { after: 4h, to: [name] }')
    return null
  }
  reportUnknown(value, ['after', 'to'], path, report)
  const [, amount, unit = ''] = /^(\d{1,6})(m|h|d)$/.exec(String(value['after'])) ?? []
  if (amount === undefined || Number(amount) === 0) report([...path, 'after'], 'it must be a time such as 30m, 4h or 2d')
  const to = listPeople(value['to'], [...path, 'to'], known, report)
  if (to.length === 0) report([...path, 'to'], 'it must name at least one person')
  return { afterMs: Number(amount ?? 0) * ({ m: 60_000, h: 3_600_000, d: dayMs }[unit] ?? 0), to }
}
