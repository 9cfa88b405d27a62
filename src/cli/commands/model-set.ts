import { getInConfig, setInConfig } from '../../config/edit.ts'
import { exitCode } from '../exit-code.ts'
import type { Given } from '../given.ts'
import { findOllama } from '../model/find-ollama.ts'
import { chooseKey } from '../model/model-key.ts'
import { type ModelChoice, chooseModel } from '../model/model-choice.ts'
import { placesOf, shortPath } from '../places.ts'
import { withProgress } from '../progress.ts'
import type { Terminal } from '../terminal.ts'

/** A model nobody thinks with changes nothing: without any member, one is made that uses it. */
function giveToTeam(file: string, name: string): string | null {
  const members = getInConfig(file, 'team.members')
  if (typeof members === 'object' && members !== null && Object.keys(members).length > 0) return null
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

export async function run(terminal: Terminal, given: Given): Promise<number> {
  const { words } = terminal
  const places = await placesOf(terminal.cwd, terminal.env)
  const asked = given.optionalArg(0)
  const ollama = asked === undefined || asked === 'ollama' ? await withProgress(terminal, words.looking, findOllama) : null
  const choice = await chooseModel(terminal, given, ollama)
  if (!choice) return exitCode.interrupted
  const name = given.text('name') ?? 'main'
  const variable = await chooseKey(terminal, given, choice, name, places.data)
  if (variable === undefined) return exitCode.interrupted
  write(places.config, name, choice, variable)
  const agent = giveToTeam(places.config, name)
  terminal.result(
    {
      name,
      provider: choice.provider,
      model: choice.model,
      baseUrl: choice.baseUrl ?? null,
      keyVariable: variable,
      file: places.config,
      agent,
    },
    () => words.modelSet(name, shortPath(places.config, terminal.cwd)),
  )
  if (!terminal.json) terminal.say(`${words.modelRestart} ${words.next} parley model test`)
  return exitCode.ok
}
