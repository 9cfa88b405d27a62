import type { CommandFunction } from '../command-row.ts'
import { buildViewOfAll, emptyBuild } from '../../client/index.ts'
import { ParleyError } from '../../errors.ts'
import { askQuestion } from '../ask.ts'
import { buildAnswerCommand, getQuestion } from '../build-lines.ts'
import { withServer } from '../connect.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../fault.ts'
import { buildId } from '../follow-build.ts'
import { questionLines } from '../question-words.ts'

export const run: CommandFunction = async (terminal, given) => {
  const text = given.text('text') ?? given.text('choice')
  const sets = given.list('set')
  if (text !== undefined && sets.length > 0)
    throw new UsageError('--text and --set exclude each other.', 'See: parley builds answer --help')
  const { words, errPaint } = terminal
  return withServer(terminal, async ({ client }) => {
    const build = await buildId(client, given.arg(0))
    const { question } = buildViewOfAll(emptyBuild, await client.builds.events(build))
    if (!question) throw new ParleyError('no_question_open')
    if (text !== undefined && question.isSet)
      throw new UsageError(
        `The build asks a set of ${question.questions.length} questions; --text answers one alone.`,
        `Answer each by its id: ${buildAnswerCommand(build, question)}`,
      )
    let answers = text === undefined ? readSets(sets) : { [question.id]: text }
    if (Object.keys(answers).length === 0) {
      if (!terminal.interactive) throw new ParleyError('needs_terminal', { flag: buildAnswerCommand(build, question) })
      const { agent } = await client.builds.get(build)
      terminal.warn(questionLines({ agent, ask: getQuestion(question) }, words, errPaint)[0] ?? '')
      const typed = await askQuestion(terminal, getQuestion(question))
      if (!typed) {
        terminal.warn(`${words.notNow}${buildAnswerCommand(build, question)}`)
        return exitCode.interrupted
      }
      answers = typed
    }
    const one = question.isSet ? undefined : answers[question.id]
    const now = await client.builds.answer(build, one === undefined ? { answers } : { question_id: question.id, answer: one })
    terminal.result(now, () => words.builds.answered)
    return exitCode.ok
  })
}

function readSets(sets: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    sets.map((set) => {
      const at = set.indexOf('=')
      if (at < 1) throw new UsageError(`--set ${set}: it has no "=".`, 'Such as: --set region=Europe')
      return [set.slice(0, at), set.slice(at + 1)]
    }),
  )
}
