import { readFile } from 'node:fs/promises'
import { type ParleyClient, questionsIn } from '../../client/index.ts'
import type { Answers, QuestionView } from '../../client/wire.ts'
import { readAnswers } from '../../dialog/question.ts'
import { ParleyError } from '../../errors.ts'
import { allowCommand, denyCommand, isApproval } from '../approval-words.ts'
import { askQuestion } from '../ask.ts'
import { withServer } from '../connect.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { labelled } from '../labelled.ts'
import { plainText } from '../plain-text.ts'
import { answerCommand, questionLines } from '../question-words.ts'
import { readStdin } from '../read-stdin.ts'
import type { Terminal } from '../terminal.ts'

const ways = ['choice', 'text', 'set', 'file', 'decline'] as const

type GivenAnswer = { choice: string } | { text: string } | { answers: Answers }

async function questionOf(client: ParleyClient, asked: string): Promise<QuestionView> {
  if (asked !== 'last') return client.questions.get(asked)
  const newest = questionsIn(await client.inbox())
    .filter((question) => !isApproval(question))
    .toSorted((a, b) => b.askedAt - a.askedAt)[0]
  if (!newest) throw new ParleyError('question_not_found', { question: 'open now' })
  return newest
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
  const choice = given.text('choice')
  if (choice !== undefined) return { choice }
  const text = given.text('text')
  if (text !== undefined) return { text: text === '-' ? await readStdin(terminal, 'The answer') : text }
  const file = given.text('file')
  if (file !== undefined) return { answers: await readAnswersFile(terminal, file) }
  if (given.has('set')) return { answers: readSets(given.list('set')) }
  throw new ParleyError('needs_terminal', { flag: answerCommand(question.id, question.ask) })
}

export async function run(terminal: Terminal, given: Given): Promise<number> {
  const used = ways.filter((way) => given.has(way))
  if (used.length > 1) throw new UsageError(`--${used[0]} and --${used[1]} exclude each other.`, 'See: parley answer --help')
  const { words, errPaint } = terminal

  return withServer(terminal, async ({ client }) => {
    const question = await questionOf(client, given.arg(0))
    if (isApproval(question))
      throw new UsageError(
        words.approvals.isApproval(question.id),
        labelled(words.approvals.decideWith, [allowCommand(question), denyCommand(question.id)].filter((one) => one !== null).join(' · ')),
      )
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
    } else answer = await answerFromFlags(terminal, given, question)
    const closed = await client.questions.answer(question.id, answer)
    terminal.result(
      closed,
      () => `${words.answerSent} ${plainText(readAnswers(closed.ask, closed.closed?.answers ?? {})).replaceAll('\n', ' · ')}`,
    )
    if (!terminal.json) terminal.say(errPaint.dim(words.sentTo(closed.dialog).replace(/^[^.。]*[.。]\s*/, '')))
    return exitCode.ok
  })
}
