import type { AskedQuestion, BuildEventView, BuildView } from '../client/index.ts'
import type { Question } from '../dialogs/rules/question.ts'
import { asTypedHere, commandName } from './command-name.ts'
import { labelled } from './labelled.ts'
import { plainText } from './plain-text.ts'
import { questionLines, quoted } from './question-words.ts'
import type { Paint } from './terminal.ts'
import type { TerminalWords } from '../words/en/terminal.ts'

/**
 * One event of a build as lines for a person: calm, and nothing for what says nothing new. The view before it has the
 * question that an answer closes, and whether the end was already shown as a result.
 */
export function buildLines(
  event: BuildEventView,
  { question: asked, output: shownOutput }: Pick<BuildView, 'question' | 'output'>,
  words: TerminalWords,
  paint: Paint,
): string[] {
  switch (event.type) {
    case 'build.opened':
      return [`${paint.dim(words.you)}  ${plainText(event.payload.prompt)}`]
    case 'build.instructed':
      return [`${paint.dim(words.you)}  ${plainText(event.payload.text)}`]
    case 'build.answered':
      return Object.entries(event.payload.answers).map(
        ([id, answer]) => `  ${paint.dim(words.you)}  ${plainText(toLabel(asked, id, answer))}`,
      )
    case 'progress.step.started': {
      const { index, total, title } = event.payload
      return [`${paint.cyan(words.builds.step(index, total))}  ${paint.bold(plainText(title))}`]
    }
    case 'assistant.message.created':
      return [`  ${event.payload.kind === 'reassurance' ? paint.dim(plainText(event.payload.text)) : plainText(event.payload.text)}`]
    case 'question.requested':
      return [`  ${paint.yellow('?')} ${plainText(event.payload.prompt)}`]
    case 'questions.requested':
      return [`  ${paint.yellow('?')} ${plainText(event.payload.prompt)}`]
    case 'status.changed': {
      const { output } = event.payload
      return output === undefined ? [] : ['', paint.bold(words.builds.result), plainText(output), '']
    }
    case 'session.completed':
      return shownOutput === null ? [paint.green(words.builds.ended.complete)] : []
    case 'session.failed':
      // The summary of a build that was stopped says so.
      return event.payload.reason === 'cancelled' ? [] : [paint.red(words.builds.ended.failed)]
    case 'session.started':
    case 'progress.step.completed':
    case 'build.cancelled':
    case 'build.turn.started':
    case 'build.told':
      return []
    case 'build.unheard':
      return [paint.yellow(asTypedHere(words.builds.cameLate))]
    case 'build.retried':
      return [paint.dim(words.builds.retried)]
    default:
      // Events for operators, and events of a newer server.
      return []
  }
}

function toLabel(asked: AskedQuestion | null, id: string, answer: string): string {
  const options = asked?.questions.find((question) => question.id === id)?.options ?? []
  return options.find((option) => option.id === answer)?.label ?? answer
}

/** Open questions of a build, with their choices and the command that answers them. */
export const openBuildQuestionLines = (
  build: string,
  agent: string,
  asked: AskedQuestion,
  words: TerminalWords,
  paint: Paint,
): string[] => [
  ...questionLines({ agent, ask: getQuestion(asked) }, words, paint),
  `  ${labelled(words.answerWith, paint.cyan(buildAnswerCommand(build, asked)))}`,
]

/** A question of a build in the shape the terminal asks questions in. */
export const getQuestion = ({ prompt, questions }: AskedQuestion): Question => ({
  text: prompt,
  items: questions.map(({ id, prompt: text, input, options }) =>
    input === 'text'
      ? { id, text, kind: 'text' }
      : {
          id,
          text,
          kind: 'choice',
          options: options.map(({ id: value, label, description }) => ({ value, label, ...(description ? { hint: description } : {}) })),
        },
  ),
})

/** The command line that answers exactly this. */
export function buildAnswerCommand(build: string, { isSet, questions }: AskedQuestion): string {
  // In quotes: pasted as it is, it is refused with the list of choices instead of starting a pipe. Ids may be invented ones.
  const choices = (options: readonly { label: string }[]): string =>
    options.length === 0 ? "'…'" : quoted(options.map(({ label }) => plainText(label)).join('|'))
  const [first] = questions
  if (!isSet)
    return `${commandName} builds answer ${build} ${first?.options.length ? '--choice' : '--text'} ${choices(first?.options ?? [])}`
  return `${commandName} builds answer ${build} ${questions.map(({ id, options }) => `--set ${quoted(id)}=${choices(options)}`).join(' ')}`
}
