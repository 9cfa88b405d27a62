import { readFile } from 'node:fs/promises'
import type { CommandFunction } from '../command-row.ts'
import type { Answers, QuestionView } from '../../shapes/wire.ts'
import { parseAnswer, describeAnswers } from '../../dialogs/rules/question.ts'
import { toIsoDate } from '../../dialogs/rules/question-kinds/iso-date.ts'
import { ParleyError } from '../../errors.ts'
import { askQuestion } from '../ask.ts'
import { withServer } from '../connect.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { findQuestion } from '../find-question.ts'
import { plainText } from '../plain-text.ts'
import { answerCommand, questionLines } from '../question-words.ts'
import { readStdin } from '../read-stdin.ts'
import type { Terminal } from '../terminal.ts'

const ways = ['choice', 'text', 'set', 'file', 'decline'] as const

type GivenAnswer = { choice: string } | { text: string } | { answers: Answers }

/** Typed answers in their stored form. Text that is no answer goes out unchanged: the server says what it expects. */
function parseTyped(given: GivenAnswer, { ask: { items } }: QuestionView): GivenAnswer {
  const today = toIsoDate(Date.now())
  const parse = (id: string | undefined, value: string): string => {
    const item = items.find((one) => one.id === id)
    return (item && parseAnswer(item, value, today)) ?? value
  }
  if ('answers' in given) return { answers: Object.fromEntries(Object.entries(given.answers).map(([id, value]) => [id, parse(id, value)])) }
  const [only] = items
  return 'choice' in given ? { choice: parse(only?.id, given.choice) } : { text: parse(only?.id, given.text) }
}

function readSets(sets: readonly string[]): Answers {
  const answers: Answers = {}
  for (const set of sets) {
    const at = set.indexOf('=')
    if (at < 1) throw new UsageError(`--set ${set}: it has no "=".`, 'Such as: --set region=Europe')
    answers[set.slice(0, at)] = set.slice(at + 1)
  }
  return answers
}

async function readAnswersFile(terminal: Terminal, file: string): Promise<Answers> {
  const text =
    file === '-'
      ? await readStdin(terminal, 'The answers')
      : await readFile(file, 'utf8').catch(() =>
          Promise.reject(new UsageError(`${file} cannot be read.`, 'Give a file with a JSON object: {"id": "answer"}')),
        )
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new UsageError(`${file} is not JSON.`, 'It holds one object: {"id": "answer"}')
  }
  if (
    typeof parsed !== 'object' ||
    parsed === null ||
    Array.isArray(parsed) ||
    !Object.values(parsed).every((value) => typeof value === 'string')
  ) {
    throw new UsageError(`${file} does not hold one object of texts.`, 'It looks like: {"id": "answer"}')
  }
  return parsed as Answers
}

async function answerFromFlags(terminal: Terminal, given: Given, question: QuestionView): Promise<GivenAnswer> {
  const alone = (['choice', 'text'] as const).find((way) => given.has(way))
  if (alone !== undefined && question.ask.items.length > 1)
    throw new UsageError(
      `This is a set of ${question.ask.items.length} questions; --${alone} answers one alone.`,
      `Answer each by its id: ${answerCommand(question.id, question.ask)}`,
    )
  const choice = given.text('choice')
  if (choice !== undefined) return { choice }
  const text = given.text('text')
  if (text !== undefined) return { text: text === '-' ? await readStdin(terminal, 'The answer') : text }
  const file = given.text('file')
  if (file !== undefined) return { answers: await readAnswersFile(terminal, file) }
  if (given.has('set')) return { answers: readSets(given.list('set')) }
  throw new ParleyError('needs_terminal', { flag: answerCommand(question.id, question.ask) })
}

export const run: CommandFunction = async (terminal, given) => {
  const used = ways.filter((way) => given.has(way))
  if (used.length > 1) throw new UsageError(`--${used[0]} and --${used[1]} exclude each other.`, 'See: parley answer --help')
  const { words, errPaint } = terminal

  return withServer(terminal, async ({ client }) => {
    const question = await findQuestion(terminal, client, given.arg(0))
    if (used[0] === 'decline') {
      const declined = await client.questions.decline(question.id, given.text('decline'))
      terminal.result(declined, () => words.answerDeclined)
      return exitCode.ok
    }
    let answer: GivenAnswer
    if (used.length === 0 && terminal.interactive && question.state === 'open') {
      terminal.warn(questionLines(question, words, errPaint)[0] ?? '')
      const answers = await askQuestion(terminal, question.ask)
      if (!answers) {
        terminal.warn(`${words.notNow}${answerCommand(question.id, question.ask)}`)
        return exitCode.interrupted
      }
      answer = { answers }
    } else answer = parseTyped(await answerFromFlags(terminal, given, question), question)
    const closed = await client.questions.answer(question.id, answer)
    terminal.result(
      closed,
      () =>
        `${words.answerSent} ${plainText(describeAnswers(closed.ask, closed.closed?.answers ?? {}, words.language)).replaceAll('\n', ' · ')}`,
    )
    if (!terminal.json) terminal.say(errPaint.dim(words.sentTo(closed.dialog).replace(/^[^.。]*[.。]\s*/, '')))
    return exitCode.ok
  })
}
