import { loadConfig } from '../../config/load.ts'
import { type Problem, problemInWords } from '../../config/problem.ts'
import type { Config, ModelConfig } from '../../config/schema.ts'
import { faultOf } from '../fault.ts'
import { shortPath } from '../places.ts'
import { type Finding, type Patient, addChannel, note, ok, warning, wrong } from './finding.ts'

export async function checkConfig({ places, terminal, env }: Patient): Promise<{ findings: Finding[]; config: Config | null }> {
  const shown = shortPath(places.config, terminal.cwd)
  try {
    const loaded = loadConfig(places.config, { optional: true, env })
    const { config } = loaded
    const { policyOf } = await import('../../config/load-policy.ts')
    const read = await policyOf(loaded, places.config)
    const problems = [...new Set([...loaded.problems, ...('problems' in read ? read.problems : [])])]
    if (!places.exists)
      return {
        config,
        findings: [note('config', 'There is no parley.yaml; the defaults count and the demo agent answers.', 'parley model set')],
      }
    if (problems.length === 0) return { config, findings: [ok('config', `${shown} is well formed.`)] }
    return {
      config,
      findings: problems.map((problem) => wrong('config', problemInWords({ ...problem, file: shown }), nextFor(problem))),
    }
  } catch (error) {
    const { message, hint } = faultOf(error)
    return { config: null, findings: [wrong('config', message.replace(places.config, shown), hint)] }
  }
}

function nextFor({ kind, path }: Problem): string {
  const [section, name] = path.split('.')
  const isMissing = kind === 'missing-variable'
  if (section === 'people' || section === 'policy')
    return 'A server does not start with it; one that runs keeps the policy it has. See all: parley policy test'
  if (section === 'channels') return `${isMissing ? 'Set the variable where the server runs' : 'Mend that line'}, or: ${addChannel(name)}`
  return isMissing ? 'Set the variable, or: parley model set' : 'Mend that line; the schema: parley config schema'
}

/** Members that the server would leave out, found by making the team as it does. */
export async function checkTeam({ places, terminal }: Patient, config: Config | null): Promise<Finding[]> {
  if (!config || Object.keys(config.team.members).length === 0) return []
  const { teamFrom } = await import('../../agents/team.ts')
  // Nobody is spoken to here, so who answers where no member can does not matter.
  const demo = { name: 'demo', about: '', tools: [], *reply() {} }
  const { team, problems, close } = await teamFrom(config, { file: places.config, dataDir: places.data, demo })
  const shown = shortPath(places.config, terminal.cwd)
  const found = problems.map((problem) =>
    wrong('team', problemInWords({ ...problem, file: shown }), 'Mend it there; the server takes it up by itself.'),
  )
  const names = team.list().map(({ name }) => `@${name}`)
  await close()
  return found.length > 0 ? found : [ok('team', `The team: ${names.join(', ')}.`)]
}

export async function checkModels(config: Config | null): Promise<Finding[]> {
  const models = Object.entries(config?.models ?? {})
  if (models.length === 0) {
    const hasTeam = Object.keys(config?.team.members ?? {}).length > 0
    return hasTeam ? [] : [note('model', 'No model is set up; the scripted demo agent answers.', 'parley model set')]
  }
  return Promise.all(models.map(([name, model]) => checkModelAddress(name, model)))
}

/** Only whether somebody answers: a real try costs money and is `parley model test`. */
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
