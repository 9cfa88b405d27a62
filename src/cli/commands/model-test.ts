import type { CommandFunction } from '../command-row.ts'
import type { Ability } from '../../agents/model-check.ts'
import { loadConfig } from '../../app/config/load.ts'
import { problemInWords } from '../../app/config/problem.ts'
import { ParleyError } from '../../errors.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../fault.ts'
import { listPlaces } from '../places.ts'
import { plainText } from '../plain-text.ts'
import { withProgress } from '../progress.ts'
import { withSecrets } from '../../app/config/secrets-file.ts'

export const run: CommandFunction = async (terminal, given) => {
  const { words, paint } = terminal
  const places = await listPlaces(terminal)
  const { config, problems } = loadConfig(places.config, { optional: true, env: withSecrets(terminal.env, places.data) })
  const team = config.team
  const names = Object.keys(config.models)
  const member = team.members[team.default ?? ''] ?? Object.values(team.members).find(({ runtime }) => runtime === 'model')
  const name = given.optionalArg(0) ?? (member?.runtime === 'model' ? member.model : undefined) ?? names[0] ?? 'main'
  const model = Object.hasOwn(config.models, name) ? config.models[name] : undefined
  if (!model) {
    const problem = problems.find(({ path }) => path === `models.${name}` || path.startsWith(`models.${name}.`))
    if (problem) throw new UsageError(`Model "${name}" is skipped: ${problemInWords(problem)}.`, 'Set the variable, or: parley model set')
    throw new ParleyError('model_not_set', { model: name })
  }

  const [{ checkModel }, { learnedModels }, { noteWindow }] = await Promise.all([
    import('../../agents/model-check.ts'),
    import('../../agents/models/learned-models.ts'),
    import('../model/window-setting.ts'),
  ])
  const gone = new AbortController()
  const release = terminal.onInterrupt(() => gone.abort())
  try {
    const learned = learnedModels(places.data)
    const check = await withProgress(terminal, words.testing(`${name} (${model.model})`), () =>
      checkModel(model, { signal: gone.signal, learned }),
    )
    const window = noteWindow(terminal, places.config, name, model, check.window)
    const line = (text: string, ability: Ability): string[] => [
      `${ability.ok ? paint.green('✓') : paint.red('✗')} ${text}`,
      ...(ability.ok ? [] : [paint.dim(`  ${plainText(ability.why)}`)]),
    ]
    const seconds = check.firstTokenMs === null ? '' : paint.dim(` · ${words.firstToken((check.firstTokenMs / 1_000).toFixed(1))}`)
    terminal.result({ name, model: model.model, ...check }, () => [
      ...line(`${words.checks.answers}${seconds}`, check.answers),
      ...(check.answers.ok
        ? [
            ...line(words.checks.streams, check.streams),
            ...line(words.checks.tools, check.tools),
            ...line(words.checks.asksQuestions, check.asksQuestions),
          ]
        : []),
      ...window,
    ])
    const { answers, streams, tools, asksQuestions } = check
    return [answers, streams, tools, asksQuestions].every(({ ok }) => ok) ? exitCode.ok : exitCode.failed
  } catch (error) {
    if (gone.signal.aborted) return exitCode.interrupted
    throw error
  } finally {
    release()
  }
}
