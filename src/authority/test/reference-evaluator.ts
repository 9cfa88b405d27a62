import type { GateCall, Verdict } from '../decision.ts'
import type { Grant } from '../grants.ts'
import type { Policy, Rule } from '../policy.ts'
import type { Subject } from '../subjects/subject.ts'

/** A second evaluator, written from the specification alone: texts of rules instead of parsed scopes, no helpers of the gate. */
const ranks = ['peer', 'group', 'guest', 'member', 'operator', 'owner']
// Columns: own, opr | mem | gst, grp | peer
const rows: Record<string, string> = {
  talk: 'a a a -',
  peer: '- - - a',
  'world-read': 'a a ? -',
  'world-change': '? ? - -',
  read: 'a a ? -',
  taskdoc: 'a a ? -',
  memory: 'a ? - -',
}
const columns: Record<string, number> = { owner: 0, operator: 0, member: 1, guest: 2, group: 2, peer: 3 }

function narrow(text: string, s: Subject): boolean | null {
  const [, kind, pattern = ''] = /^(\w+)\((.*)\)$/.exec(text) ?? []
  if (kind !== s.kind) return false
  if (s.kind === 'run') {
    const expected = pattern.split(' ')
    const open = expected.at(-1) === '*'
    if (open) expected.pop()
    if (!open && expected.length !== s.words.length) return false
    const bad = expected.findIndex((word, at) => !s.words[at]?.isLiteral || s.words[at]?.value !== word)
    return bad === -1 ? true : s.words[bad]?.isLiteral === false ? null : false
  }
  if ('names' in s)
    return s.names.every(({ inside }) => inside !== null && covers(pattern, inside) && (!s.isRecursive || pattern.endsWith('**')))
  const name = s.kind === 'message' ? s.address : s.kind === 'mcp' ? `${s.server}/${s.tool}` : s.kind === 'tool' ? s.name : s.host
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}
const covers = (glob: string, path: string): boolean =>
  glob === '**' || glob === path || (glob.endsWith('/**') && `${path}/`.startsWith(glob.slice(0, -2)))

function broad(rule: Rule, s: Subject, tool: string): 'yes' | 'behind' | 'unsure' | 'no' {
  const [, kind, pattern = ''] = /^(\w+)\((.*)\)$/.exec(rule.text) ?? []
  if (kind === 'tool' && s.kind !== 'tool') return pattern === '*' || pattern === tool ? 'yes' : 'no'
  if (s.kind === 'run' && kind === 'run') {
    const flags = (word: string): string[] =>
      /^-\w/.test(word)
        ? word
            .slice(1)
            .split('')
            .map((one) => (one === 'f' ? '--force' : `-${one}`))
        : [word]
    const [program, ...rest] = pattern.split(' ').filter((word) => word !== '*')
    if (program === undefined) return 'yes'
    const args = s.words.slice(1)
    const matches = args.filter((word) => word.isLiteral).flatMap(({ value }) => flags(value))
    const isAll = rest.flatMap(flags).every((word) => matches.includes(word))
    const isOpen = args.some((word) => !word.isLiteral)
    if (s.words[0]?.isLiteral && s.words[0].value === program) return isAll ? 'yes' : isOpen ? 'unsure' : 'no'
    if (matches.includes(program)) return isAll ? 'behind' : isOpen ? 'unsure' : 'no'
    return isAll && isOpen && rest.length > 0 ? 'unsure' : 'no'
  }
  if ((s.kind === 'read' || s.kind === 'write') && kind === s.kind) {
    if (s.names.some(({ inside }) => inside !== null && covers(pattern, inside))) return 'yes'
    return s.isRecursive && s.names.some(({ inside }) => inside !== null && (inside === '' || pattern.startsWith(`${inside}/`)))
      ? 'unsure'
      : 'no'
  }
  return narrow(rule.text, s) ? 'yes' : 'no'
}

export function referenceDecision(policy: Policy, grants: readonly Grant[], call: GateCall): Verdict {
  const { role, by, origin } = call.cause
  const rank = ranks.indexOf(role)
  const { subjects } = call
  if (call.kind === null || call.isInvalid) return 'deny'
  if (subjects.some((s) => 'protection' in s && (s.protection === 'hidden' || (s.protection === 'fixed' && s.kind === 'write'))))
    return 'deny'
  const live = policy.rules.filter((r) => (r.agent ?? call.agent) === call.agent && call.now < (r.until ?? Infinity))
  const strict = live.filter((r) => r.effect !== 'allow' && rank <= ranks.indexOf(r.role))
  const loose = live.filter((r) => r.effect === 'allow' && rank >= ranks.indexOf(r.role))
  const hits = strict.map((r) => ({
    r,
    found: (subjects.length ? subjects : [{ kind: 'tool', name: call.tool, scalars: {} } as const]).map((s) => broad(r, s, call.tool)),
  }))
  if (hits.some(({ r, found }) => r.effect === 'deny' && found.includes('yes'))) return 'deny'
  const standing = (s: Subject): string => {
    const kind = s.kind === 'tool' ? (call.kind ?? '') : s.kind === 'message' && s.isOwn ? 'talk' : s.kind
    if (
      policy.preset === 'workspace' &&
      rank >= 4 &&
      ((s.kind === 'run' && call.isSandboxed && subjects.every((one) => one.kind !== 'net')) || (s.kind === 'write' && s.isInWriteDirs))
    )
      return 'a'
    if (kind === 'code' && call.declared && call.declared !== 'ask' && rank > 0)
      return rank >= 3 || call.declared === 'allow-guests' ? 'a' : '?'
    return (rows[kind] ?? '? ? ? -').split(' ')[columns[role] ?? 3] ?? '-'
  }
  const probe: Subject = { kind: 'tool', name: call.tool, scalars: {} }
  if ((subjects.length ? subjects : [probe]).some((s) => standing(s) === '-' && !(subjects.length && loose.some((r) => narrow(r.text, s)))))
    return 'deny'
  const isFinal =
    call.isIrreversible === true ||
    hits.some(({ r, found }) => r.isIrreversible && (found.includes('yes') || found.includes('behind'))) ||
    subjects.some((s) => loose.some((r) => r.isIrreversible && narrow(r.text, s) === true))
  const serving = grants.filter(
    (g) =>
      !g.hasEnded &&
      !(isFinal && g.dialog === null) &&
      call.now < g.until &&
      g.agent === call.agent &&
      g.tool === call.tool &&
      g.toolHash === call.toolHash &&
      [null, call.dialog].includes(g.dialog) &&
      rank >= ranks.indexOf(g.role) &&
      (ranks.indexOf(g.role) >= 3 || by.every(({ id }) => id === g.author)),
  )
  const texts = [...loose.map((r) => r.text), ...serving.map((g) => g.scopeText)]
  const isCovered = (s: Subject): boolean => texts.some((text) => narrow(text, s) === true)
  const isUnsure =
    call.unsure.length > 0 ||
    subjects.length === 0 ||
    hits.some(({ found }) => found.includes('unsure') && !found.includes('behind') && !found.includes('yes')) ||
    subjects.some((s) => !isCovered(s) && texts.some((text) => narrow(text, s) === null))
  const open = isUnsure || subjects.some((s) => !isCovered(s) && standing(s) === '?')
  if (open && policy.preset === 'locked') return 'deny'
  const isAsked = open || hits.some(({ found }) => found.includes('yes') || found.includes('behind'))
  if (!isAsked) return 'allow'
  return call.openApprovals >= 3 && (['guest', 'group', 'peer'].includes(role) || origin === 'schedule') ? 'deny' : 'ask'
}
