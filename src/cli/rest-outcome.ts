import type { DialogDetail, QuestionView } from '../client/wire.ts'
import { ParleyError } from '../errors.ts'
import { allowCommand, approvalLines, decisionLines, denyCommand, hasApproval, isApproval, waitingLine } from './approval-words.ts'
import { exitCode } from './exit-code.ts'
import { labelled } from './labelled.ts'
import { refusalOf } from './live-talk.ts'
import { answerCommand, questionLines } from './question-words.ts'
import type { Terminal } from './terminal.ts'

export const openQuestions = (dialog: DialogDetail): QuestionView[] => dialog.questions.filter(({ state }) => state === 'open')

/** The questions of a dialog for a program: each with the command that answers it. */
export const questionDocuments = (dialog: DialogDetail) =>
  openQuestions(dialog).map((question) =>
    isApproval(question)
      ? { ...question, answerWith: allowCommand(question) ?? denyCommand(question.id), denyWith: denyCommand(question.id) }
      : { ...question, answerWith: answerCommand(question.id, question.ask) },
  )

/** Prints the questions as results and how to answer them beside. */
export function tellQuestions(terminal: Terminal, dialog: DialogDetail): void {
  const { words, paint, errPaint } = terminal
  for (const question of openQuestions(dialog)) {
    if (isApproval(question)) {
      tellApproval(terminal, question)
      continue
    }
    terminal.item(question, () => questionLines(question, words, paint))
    terminal.warn(`  ${labelled(words.answerWith, errPaint.cyan(answerCommand(question.id, question.ask)))}`)
  }
  if (dialog.status === 'delegated' && openQuestions(dialog).length === 0) terminal.warn(words.teamRests(dialog.id))
}

/** The whole call as a result, with its id; the commands that decide beside it. A caller who may not see it is told who decides. */
function tellApproval(terminal: Terminal, question: QuestionView): void {
  const { words, paint, errPaint } = terminal
  terminal.item(question, () =>
    hasApproval(question)
      ? [paint.bold(question.id), ...approvalLines(question, words, paint)]
      : [paint.bold(question.id), waitingLine(question, words)],
  )
  if (hasApproval(question)) terminal.warn(...decisionLines(question, words, errPaint))
}

/** What the way a turn ended means for a script; a failure is told as the error it was. */
export function exitOf(dialog: DialogDetail): number {
  // What was written is kept, but nobody is going to answer it now.
  if (dialog.status === 'stopped' && dialog.stop?.in === null)
    throw new ParleyError('all_stopped', { by: dialog.stop.by, at: new Date(dialog.stop.at).toISOString() })
  if (dialog.status === 'failed' && dialog.failure) {
    throw refusalOf({ ...dialog.failure, hint: `${dialog.failure.hint} Then: parley dialogs continue ${dialog.id}` })
  }
  const open = openQuestions(dialog)
  if (open.some(isApproval)) return exitCode.waitsForApproval
  if (open.length > 0) return exitCode.waitsForHuman
  return dialog.status === 'delegated' ? exitCode.failed : exitCode.ok
}
