import type { CommandFunction } from '../command-row.ts'
import type { ModelWindow } from '../../agents/models/window.ts'
import { getInConfig, setInConfig } from '../../app/config/edit.ts'
import { loadConfig } from '../../app/config/load.ts'
import { exitCode } from '../exit-code.ts'
import { labelled } from '../labelled.ts'
import { findOllama } from '../model/find-ollama.ts'
import { chooseKey } from '../model/model-key.ts'
import { type ModelChoice, chooseModel } from '../model/model-choice.ts'
import { listPlaces, type Places, shortPath } from '../places.ts'
import { withProgress } from '../progress.ts'
import { withSecrets } from '../../app/config/secrets-file.ts'
import type { Terminal } from '../terminal.ts'

const entriesAt = (file: string, path: string): [string, unknown][] => {
  const inConfig = getInConfig(file, path)
  return typeof inConfig === 'object' && inConfig !== null ? Object.entries(inConfig) : []
}

type Thinking = { agent: string; model: unknown }

/** Members that think with a model; one that names none uses the only one there is. */
function thinking(file: string): Thinking[] {
  const [only, ...others] = entriesAt(file, 'models').map(([name]) => name)
  return entriesAt(file, 'team.members').flatMap(([agent, member]) => {
    const { runtime, model = others.length === 0 ? only : undefined } = (member ?? {}) as { runtime?: unknown; model?: unknown }
    return runtime === 'model' ? [{ agent, model }] : []
  })
}

/** The setting that makes a member use the model, without changing members that use another runtime. */
function settingFor(file: string, name: string): string {
  const [first] = thinking(file)
  if (first) return `team.members.${first.agent}.model ${name}`
  const agents = entriesAt(file, 'team.members').map(([agent]) => agent)
  return `team.members.${agents.includes('assistant') ? `${name}-assistant` : 'assistant'} '{ runtime: model, model: ${name} }'`
}

/** A model needs a member that uses it: without any member, one is added. */
function giveToTeam(file: string, name: string): string | null {
  if (entriesAt(file, 'team.members').length > 0) return null
  setInConfig(file, ['team', 'members', 'assistant'], {
    about: 'Answers with the model set by parley model set.',
    runtime: 'model',
    model: name,
  })
  return 'assistant'
}

/** Key by key where the model is set already, so that its other settings and comments stay. */
function write(file: string, name: string, { provider, model, baseUrl }: ModelChoice, variable: string | null): void {
  const entry = {
    provider: provider === 'anthropic' ? 'anthropic' : 'openai-compatible',
    baseUrl,
    model,
    apiKey: variable === null ? undefined : `\${${variable}}`,
  }
  const before = getInConfig(file, ['models', name])
  if (typeof before === 'object' && before !== null)
    for (const [key, value] of Object.entries(entry)) setInConfig(file, ['models', name, key], value)
  else setInConfig(file, ['models', name], Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)))
}

/** The window by the server or by the table of known models; a loaded one is written to parley.yaml. */
async function findModelWindow(terminal: Terminal, places: Places, name: string): Promise<{ found: ModelWindow | null; lines: string[] }> {
  const { config } = loadConfig(places.config, { optional: true, env: withSecrets(terminal.env, places.data) })
  const model = Object.hasOwn(config.models, name) ? config.models[name] : undefined
  // Without its key the model is not in the configuration; the first test finds the window then.
  if (!model) return { found: null, lines: [] }
  const [{ findWindow }, { learnedModels }, { noteWindow }] = await Promise.all([
    import('../../agents/models/find-window.ts'),
    import('../../agents/models/learned-models.ts'),
    import('../model/window-setting.ts'),
  ])
  const found = await withProgress(terminal, terminal.words.testing(name), () =>
    findWindow(model, learnedModels(places.data), { withoutSetting: true }),
  )
  return { found, lines: noteWindow(terminal, places.config, name, model, found) }
}

/** The last known price as a setting, unless one is set. Prices change, so a person decides. */
async function proposePrice(terminal: Terminal, file: string, name: string, model: string): Promise<string[]> {
  if (getInConfig(file, ['models', name, 'price']) !== undefined) return []
  const { findKnownPrice, pricesSeen } = await import('../../agents/models/known-prices.ts')
  const price = findKnownPrice(model, getInConfig(file, ['models', name, 'cacheTtl']) === '1h' ? '1h' : '5m')
  if (!price) return []
  const setting = `models.${name}.price '${JSON.stringify(price)}'`
  return [terminal.paint.dim(`  ${terminal.words.priceSeen(pricesSeen, price.inputPerMillion, price.outputPerMillion, setting)}`)]
}

export const run: CommandFunction = async (terminal, given) => {
  const { words } = terminal
  const places = await listPlaces(terminal)
  const argument = given.optionalArg(0)
  const ollama = argument === undefined || argument === 'ollama' ? await withProgress(terminal, words.looking, findOllama) : null
  const choice = await chooseModel(terminal, given, ollama)
  if (!choice) return exitCode.interrupted
  const name = given.text('name') ?? 'main'
  const variable = await chooseKey(terminal, given, choice, name, places.data)
  if (variable === undefined) return exitCode.interrupted
  write(places.config, name, choice, variable)
  const window = await findModelWindow(terminal, places, name)
  const priceLines = await proposePrice(terminal, places.config, name, choice.model)
  const agent = giveToTeam(places.config, name)
  const usedBy = thinking(places.config).flatMap((one) => (one.model === name ? [one.agent] : []))
  terminal.result(
    {
      name,
      provider: choice.provider,
      model: choice.model,
      baseUrl: choice.baseUrl ?? null,
      keyVariable: variable,
      file: places.config,
      agent,
      usedBy,
      window: window.found,
    },
    () => [words.modelSet(name, shortPath(places.config, terminal.cwd)), ...window.lines, ...priceLines],
  )
  if (terminal.json) return exitCode.ok
  if (usedBy.length === 0) terminal.say(words.modelUnused(settingFor(places.config, name)))
  terminal.say(`${words.modelRestart} ${labelled(words.next, 'parley model test')}`)
  return exitCode.ok
}
