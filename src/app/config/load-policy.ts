import { defaultPolicy, type Policy } from '../../authority/policy.ts'
import { loadConfig, type Loaded } from './load.ts'
import { nearest } from '../../shapes/nearest.ts'
import type { Problem } from './problem.ts'
import { configSchema } from './schema.ts'
import type { Environment } from './variables.ts'

/** `examples` is how many examples each rule of the policy has, in their order. */
export type LoadedPolicy = { policy: Policy; examples: readonly number[] }

/**
 * The policy of a file that was read: whole, or not at all. Leaving out what is wrong, as is done elsewhere, could allow more.
 * The parser reads shell commands and is large, so it is loaded only for a file that has a policy.
 */
export async function readPolicy({ sections, problems }: Loaded, file: string): Promise<LoadedPolicy | { problems: readonly Problem[] }> {
  // A variable that is not set has already taken something out.
  const own = problems.filter(isAboutPolicy)
  if (own.length > 0) return { problems: own }
  if (!sections) return { policy: defaultPolicy, examples: [] }
  const { parsePolicy } = await import('../../authority/parse-policy.ts')
  const parsed = parsePolicy(sections, { agents: sections.agents, channels: sections.platforms, toLine: sections.toLine })
  if ('problems' in parsed)
    return { problems: parsed.problems.map(({ path, line, why }) => ({ kind: 'wrong-value', file, path: path.join('.'), why, line })) }
  return { policy: parsed.policy, examples: countExamples((sections.policy as { rules?: unknown } | null)?.rules) }
}

/** `people:` and `policy:` of parley.yaml on their own. A missing file has the default policy. */
export async function loadPolicy(file: string, env: Environment): Promise<LoadedPolicy | { problems: readonly Problem[] }> {
  return readPolicy(loadConfig(file, { optional: true, env }), file)
}

/** A section called "polcy" was meant to restrict something. */
function isAboutPolicy({ path }: Problem): boolean {
  const [section = ''] = path.split('.')
  if (section === 'people' || section === 'policy') return true
  return section !== '' && !(section in configSchema.shape) && nearest(section, ['policy', 'people']) !== null
}

function countExamples(rules: unknown): number[] {
  if (!Array.isArray(rules)) return []
  return rules.map((rule: unknown) => {
    const { examples } = rule as { examples?: { match?: unknown; not?: unknown } }
    return [examples?.match, examples?.not].reduce<number>(
      (sum, list) => sum + (Array.isArray(list) ? list.length : list === undefined ? 0 : 1),
      0,
    )
  })
}
