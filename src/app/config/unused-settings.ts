import { type Config, memberSchemas } from './schema.ts'

type Path = readonly PropertyKey[]

/** The reason why a key that does not belong here would do nothing, and the edit that fixes it; null for an unknown key. */
export function explainNoEffect(raw: unknown, path: Path): string | null {
  const [section, group, member, key] = path.map(String)
  if (section !== 'team' || group !== 'members' || member === undefined || key === undefined || path.length !== 4) return null
  const runtimes = Object.entries(memberSchemas).flatMap(([runtime, { shape }]) => (Object.hasOwn(shape, key) ? [runtime] : []))
  if (runtimes.length === 0) return null
  return `it has no effect with runtime: ${readRuntime(raw, member)}. Remove this line, or set runtime: ${runtimes.join(' or ')}.`
}

function readRuntime(raw: unknown, member: string): string {
  const { team } = raw as { team: { members: Record<string, { runtime: string }> } }
  return team.members[member]?.runtime ?? ''
}

/** Settings that are well-formed and change nothing, because another setting they need is missing. */
export function findUnusedSettings(config: Config): { path: Path; why: string }[] {
  return [...findUnusedOfMembers(config), ...findUnusedOfModels(config), ...findUnusedBudget(config)]
}

type Member = Config['team']['members'][string]

function findUnusedOfMembers({ team: { members } }: Config): { path: Path; why: string }[] {
  return Object.entries(members).flatMap(([name, member]) => {
    const unused = (key: keyof Member, why: string): { path: Path; why: string }[] =>
      member[key] === undefined ? [] : [{ path: ['team', 'members', name, key], why }]
    if (member.runtime === 'scripted' && member.module === undefined) {
      const keys = (Object.keys(member) as (keyof Member)[]).filter((key) => key !== 'runtime' && key !== 'about')
      return keys.flatMap((key) => unused(key, 'it has no effect on the demo agent. Remove this line, or name a module.'))
    }
    const toolsets = new Set(member.toolsets)
    const hasFiles = toolsets.has('ws_read') || toolsets.has('ws_mod') || toolsets.has('os')
    const hasPrograms = member.runtime === 'command' || toolsets.has('os')
    const needs = (toolset: string): string => `it has no effect without ${toolset} under toolsets. Remove this line, or add the toolset.`
    return [
      ...(hasFiles ? [] : [...unused('readDirs', needs('ws_read, ws_mod or os')), ...unused('writeDirs', needs('ws_mod or os'))]),
      ...(hasFiles || hasPrograms
        ? []
        : [...unused('noReadDirs', needs('ws_read or os')), ...unused('noWriteDirs', needs('ws_mod or os'))]),
      ...(hasPrograms ? [] : [...unused('hosts', needs('os')), ...unused('env', needs('os'))]),
      ...(toolsets.has('memory') ? [] : unused('governor', needs('memory'))),
    ]
  })
}

function findUnusedOfModels({ models }: Config): { path: Path; why: string }[] {
  const why = 'it has no effect: levels follow from the window of the model. Remove this line; set contextLength for a smaller window.'
  return Object.entries(models).flatMap(([name, model]) =>
    (['optimalMaxTokens', 'criticalMaxTokens', 'cautionCadence'] as const).flatMap((key) =>
      model[key] === undefined ? [] : [{ path: ['models', name, key], why }],
    ),
  )
}

function findUnusedBudget({ team: { budget, members }, budgets }: Config): { path: Path; why: string }[] {
  const set: Path[] = [...(budget ? [['team', 'budget']] : []), ...Object.keys(budgets).map((scope) => ['budgets', scope])]
  if (!Object.values(members).some(({ runtime }) => runtime === 'model')) {
    const why = 'it has no effect while no member has runtime: model. Remove this section, or add such a member.'
    return set.map((path) => ({ path, why }))
  }
  const why = 'it has no effect beside budgets.dialog. Remove this section.'
  return budget && budgets.dialog ? [{ path: ['team', 'budget'], why }] : []
}

/** Budgets in money that cannot be kept, because a model of the team has no price. */
export function findUnpriced({ team: { budget, members }, budgets, models }: Config): { path: Path; why: string }[] {
  const modelNames = Object.values(members).flatMap((member) =>
    member.runtime === 'model' ? [member.model ?? Object.keys(models)[0] ?? '', ...(member.models ?? [])] : [],
  )
  const names = modelNames.flatMap((name) => [name, models[name]?.fallback ?? name])
  const unpriced = [...new Set(names)].filter((name) => models[name] && !models[name].price)
  if (unpriced.length === 0) return []
  const [first = ''] = unpriced
  const why = `the model ${unpriced.join(', ')} has no price, so money cannot be counted. Add models.${first}.price: { inputPerMillion: …, outputPerMillion: … }, or use tokens.`
  const scopes = Object.entries(budgets).flatMap(([scope, set]) => (set?.money === undefined ? [] : [['budgets', scope, 'money']]))
  return [...(budget?.money === undefined ? [] : [['team', 'budget', 'money']]), ...scopes].map((path) => ({ path, why }))
}
