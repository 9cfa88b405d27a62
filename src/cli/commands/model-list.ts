import { loadConfig } from '../../app/config/load.ts'
import { problemInWords } from '../../app/config/problem.ts'
import { columns } from '../columns.ts'
import type { Given } from '../given.ts'
import { findOllama } from '../model/find-ollama.ts'
import { listPlaces, shortPath } from '../places.ts'
import { withProgress } from '../progress.ts'
import { withSecrets } from '../../app/config/secrets-file.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, _given: Given): Promise<void> {
  const { words, paint } = terminal
  const places = await listPlaces(terminal)
  const { config, problems } = loadConfig(places.config, { optional: true, env: withSecrets(terminal.env, places.data) })
  const ollama = await withProgress(terminal, words.looking, findOllama)
  const models = Object.entries(config.models).map(([name, { provider, model, baseUrl, apiKey }]) => ({
    name,
    provider,
    model,
    baseUrl: baseUrl ?? null,
    hasKey: apiKey !== undefined,
    agents: Object.entries(config.team.members).flatMap(([agent, member]) =>
      member.runtime === 'model' && (member.model ?? name) === name ? [agent] : [],
    ),
  }))
  const remaining = problems.filter(({ path }) => path.startsWith('models'))
  terminal.result({ models, found: ollama ? { ollama } : {}, problems: remaining.map(problemInWords) }, () => [
    ...(models.length === 0
      ? []
      : columns(
          [
            [words.columns.name, words.columns.provider, words.columns.model, words.columns.agent, words.columns.where].map((text) => ({
              text,
              paint: paint.dim,
            })),
            ...models.map(({ name, provider, model, agents, baseUrl }) => [
              { text: name, paint: paint.bold },
              provider,
              model,
              agents.join(', ') || '–',
              baseUrl ?? '',
            ]),
          ],
          terminal.width,
        )),
    ...(ollama ? [`Ollama (${words.found}, ${ollama.baseUrl}): ${ollama.models.join(', ') || '–'}`] : []),
  ])
  if (terminal.json) return
  for (const problem of remaining)
    terminal.warn(`${terminal.errPaint.yellow('!')} ${problemInWords({ ...problem, file: shortPath(problem.file, terminal.cwd) })}`)
  if (models.length === 0 && remaining.length === 0) terminal.say(words.noModels)
}
