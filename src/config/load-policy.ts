import { readFileSync } from 'node:fs'
import { LineCounter, parseDocument } from 'yaml'
import { parsePolicy } from '../authority/parse-policy.ts'
import { defaultPolicy, type Policy } from '../authority/policy.ts'
import { ParleyError } from '../errors.ts'
import { lineOf } from './load.ts'
import type { Problem } from './problem.ts'

/** `examples` is how many examples each rule of the policy has, in their order. */
export type LoadedPolicy = { policy: Policy; examples: readonly number[] }

/** `people:` and `policy:` of parley.yaml on their own, with the lines of rules. A missing file has the default policy. */
export function loadPolicy(file: string): LoadedPolicy | { problems: readonly Problem[] } {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { policy: defaultPolicy, examples: [] }
    throw new ParleyError('config_unreadable', { file, why: code ?? 'reading failed' })
  }
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [fault] = document.errors
  if (fault) throw new ParleyError('config_invalid', { file, where: `line ${lines.linePos(fault.pos[0]).line}`, why: 'it is not YAML' })
  const raw = (document.toJS() ?? {}) as { people?: unknown; policy?: { rules?: unknown }; team?: { members?: object } }
  const members = Object.keys(raw.team?.members ?? {})
  const parsed = parsePolicy(raw, {
    agents: members.length === 0 ? null : members,
    lineOf: (path) => lineOf(document, lines, path),
  })
  if ('problems' in parsed)
    return {
      problems: parsed.problems.map(({ path, line, why }) => ({ kind: 'wrong-value', file, path: path.join('.'), why, line })),
    }
  return { policy: parsed.policy, examples: examplesOf(raw.policy?.rules) }
}

function examplesOf(rules: unknown): number[] {
  if (!Array.isArray(rules)) return []
  return rules.map((rule: unknown) => {
    const { examples } = rule as { examples?: { match?: unknown; not?: unknown } }
    return [examples?.match, examples?.not].reduce<number>(
      (sum, list) => sum + (Array.isArray(list) ? list.length : list === undefined ? 0 : 1),
      0,
    )
  })
}
