import { loadConfig } from '../../app/config/load.ts'
import { type Problem, problemInWords } from '../../app/config/problem.ts'
import type { Config, ModelConfig } from '../../app/config/schema.ts'
import { getFault } from '../fault.ts'
import { shortPath } from '../places.ts'
import { type Finding, type Patient, addChannel, note, ok, warning, wrong } from './finding.ts'

export async function checkConfig({ places, terminal, env }: Patient): Promise<{ findings: Finding[]; config: Config | null }> {
  const displayPath = shortPath(places.config, terminal.cwd)
  try {
    const loaded = loadConfig(places.config, { optional: true, env })
    const { config } = loaded
    const { readPolicy } = await import('../../app/config/load-policy.ts')
    const read = await readPolicy(loaded, places.config)
    const problems = [...new Set([...loaded.problems, ...('problems' in read ? read.problems : [])])]
    if (!places.exists)
      return {
        config,
        findings: [note('config', 'There is no parley.yaml; the defaults apply and the demo agent answers.', 'parley model set')],
      }
    const unused = loaded.unused.map((problem) => warning('config', problemInWords({ ...problem, file: displayPath }), 'Edit that line.'))
    if (problems.length === 0) return { config, findings: [ok('config', `${displayPath} is well formed.`), ...unused] }
    return {
      config,
      findings: [
        ...problems.map((problem) => wrong('config', problemInWords({ ...problem, file: displayPath }), nextFor(problem))),
        ...unused,
      ],
    }
  } catch (error) {
    const { message, hint } = getFault(error)
    return { config: null, findings: [wrong('config', message.replace(places.config, displayPath), hint)] }
  }
}

function nextFor({ kind, path }: Problem): string {
  const [section, name] = path.split('.')
  const isMissing = kind === 'missing-variable'
  if (kind === 'no-effect') return 'Edit that line.'
  if (section === 'people' || section === 'policy')
    return 'A server does not start with it; a running server keeps its policy. See all: parley policy test'
  if (section === 'channels') return `${isMissing ? 'Set the variable where the server runs' : 'Fix that line'}, or: ${addChannel(name)}`
  return isMissing ? 'Set the variable, or: parley model set' : 'Fix that line; the schema: parley config schema'
}

/** Members that the server would leave out, found by making the team as it does. */
export async function checkTeam({ places, terminal }: Patient, config: Config | null): Promise<Finding[]> {
  if (!config || Object.keys(config.team.members).length === 0) return []
  const { teamFrom } = await import('../../agents/team.ts')
  // No agent is called here, so the fallback agent does not matter.
  const demo = { name: 'demo', about: '', tools: [], *reply() {} }
  const { team, problems, close } = await teamFrom(config, { file: places.config, dataDir: places.data, demo })
  const configPath = shortPath(places.config, terminal.cwd)
  const problemFindings = problems.map((problem) =>
    wrong('team', problemInWords({ ...problem, file: configPath }), 'Fix it there; a running server reloads it.'),
  )
  const names = team.list().map(({ name }) => `@${name}`)
  await close()
  return problemFindings.length > 0 ? problemFindings : [ok('team', `The team: ${names.join(', ')}.`)]
}

export async function checkModels({ places }: Patient, config: Config | null): Promise<Finding[]> {
  const models = Object.entries(config?.models ?? {})
  if (models.length === 0) {
    const hasTeam = Object.keys(config?.team.members ?? {}).length > 0
    return hasTeam ? [] : [note('model', 'No model is set up; the scripted demo agent answers.', 'parley model set')]
  }
  const results = await Promise.all(models.map(([name, model]) => checkModelAddress(name, model)))
  return [...results, ...(await checkWindows(models, places.data))]
}

/** A wrong guess of the window cuts dialogs short, or makes the model refuse them. */
async function checkWindows(models: readonly [string, ModelConfig][], dataDir: string): Promise<Finding[]> {
  const [{ resolveWindow }, { learnedModels }, { addressFor }] = await Promise.all([
    import('../../agents/models/window.ts'),
    import('../../agents/models/learned-models.ts'),
    import('../../agents/wires/open-wire.ts'),
  ])
  const learned = learnedModels(dataDir)
  return models.flatMap(([name, model]) => {
    const { windowTokens, probed } = learned.read(addressFor(model), model.model)
    const window = resolveWindow(model.model, { configured: model.contextLength, probed, learned: windowTokens })
    if (window.problem === null) return []
    const assumed = window.windowTokens.toLocaleString('en')
    return [warning('model', `Model "${name}": window unknown; ${assumed} tokens are assumed.`, `parley model test ${name}`)]
  })
}

/** Checks only the connection: a real request costs money and is `parley model test`. */
async function checkModelAddress(name: string, model: ModelConfig): Promise<Finding> {
  const base = (model.baseUrl ?? (model.provider === 'anthropic' ? 'https://api.anthropic.com/v1' : '')).replace(/(?<!\/)\/+$/, '')
  if (base === '')
    return wrong('model', `Model "${name}" has no address.`, `parley config set models.${name}.baseUrl http://127.0.0.1:11434/v1`)
  const headers: Record<string, string> = { ...model.headers }
  if (model.apiKey && model.provider === 'anthropic')
    Object.assign(headers, { 'x-api-key': model.apiKey, 'anthropic-version': '2023-06-01' })
  else if (model.apiKey) headers['authorization'] = `Bearer ${model.apiKey}`
  try {
    const { status } = await fetch(`${base}/models`, { headers, signal: AbortSignal.timeout(4_000) })
    if (status === 401 || status === 403) return wrong('model', `Model "${name}": the key was refused (${status}).`, 'parley model set')
    return ok('model', `Model "${name}" answers at ${base}.`)
  } catch {
    return warning('model', `Model "${name}": nothing answers at ${base}.`, `parley model test ${name}`)
  }
}
