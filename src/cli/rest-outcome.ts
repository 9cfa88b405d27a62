import type { DialogDetail, QuestionView } from '../client/wire.ts'
import { ParleyError } from '../errors.ts'
import { exitCode } from './exit-code.ts'
import { labelled } from './labelled.ts'
import { refusalOf } from './live-talk.ts'
import { answerCommand, questionLines } from './question-words.ts'
import type { Terminal } from './terminal.ts'

export const openQuestions = (dialog: DialogDetail): QuestionView[] => dialog.questions.filter(({ state }) => state === 'open')

/** The questions of a dialog for a program: each with the command that answers it. */
export const questionDocuments = (dialog: DialogDetail) =>
  openQuestions(dialog).map((question) => ({ ...question, answerWith: answerCommand(question.id, question.ask) }))

/** Prints the questions as results and how to answer them beside. */
export function tellQuestions(terminal: Terminal, dialog: DialogDetail): void {
  const { words, paint, errPaint } = terminal
  for (const question of openQuestions(dialog)) {
    terminal.item(question, () => questionLines(question, words, paint))
    terminal.warn(`  ${labelled(words.answerWith, errPaint.cyan(answerCommand(question.id, question.ask)))}`)
  }
  if (dialog.status === 'delegated' && openQuestions(dialog).length === 0) terminal.warn(words.teamRests(dialog.id))
}

/** What the way a turn ended means for a script; a failure is told as the error it was. */
export function exitOf(dialog: DialogDetail): number {
  // What was written is kept, but nobody is going to answer it now.
  if (dialog.status === 'stopped' && dialog.stop?.in === null)
    throw new ParleyError('all_stopped', { by: dialog.stop.by, at: new Date(dialog.stop.at).toISOString() })
  if (dialog.status === 'failed' && dialog.failure) {
    throw refusalOf({ ...dialog.failure, hint: `${dialog.failure.hint} Then: parley dialogs continue ${dialog.id}` })
  }
  if (openQuestions(dialog).length > 0) return exitCode.waitsForHuman
  return dialog.status === 'delegated' ? exitCode.failed : exitCode.ok
}
