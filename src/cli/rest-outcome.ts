import type { DialogDetail, QuestionView } from '../client/wire.ts'
import { ParleyError } from '../errors.ts'
import { allowCommand, approvalLines, decisionLines, denyCommand, hasApproval, isApproval, waitingLine } from './approval-words.ts'
import { exitCode } from './exit-code.ts'
import { labelled } from './labelled.ts'
import { refusalOf } from './live-talk.ts'
import { answerCommand, questionLines } from './question-words.ts'
import type { Terminal } from './terminal.ts'

export const openQuestions = (dialog: DialogDetail): QuestionView[] => dialog.questions.filter(({ state }) => state === 'open')

/** The questions of a dialog for a program, with the commands that answer them. A caller who may not decide gets none. */
export const questionDocuments = (dialog: DialogDetail) =>
  openQuestions(dialog).map((question) => {
    if (!isApproval(question)) return { ...question, answerWith: answerCommand(question.id, question.ask) }
    if (!hasApproval(question)) return question
    const denyWith = denyCommand(question.id)
    return { ...question, answerWith: allowCommand(question) ?? denyWith, denyWith }
  })

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

/** The exit code when a person is needed; null when none is. */
export function waitingExit(dialog: DialogDetail): number | null {
  const open = openQuestions(dialog)
  if (open.length === 0) return null
  return open.some(isApproval) ? exitCode.waitsForApproval : exitCode.waitsForHuman
}

/** What the way a turn ended means for a script; a failure is told as the error it was. */
export function exitOf(dialog: DialogDetail): number {
  // What was written is kept, but nobody is going to answer it now.
  if (dialog.status === 'stopped' && dialog.stop?.in === null)
    throw new ParleyError('all_stopped', { by: dialog.stop.by, at: new Date(dialog.stop.at).toISOString() })
  if (dialog.status === 'failed' && dialog.failure) {
    throw refusalOf({ ...dialog.failure, hint: `${dialog.failure.hint} Then: parley dialogs continue ${dialog.id}` })
  }
  const waiting = waitingExit(dialog)
  if (waiting !== null) return waiting
  return dialog.status === 'delegated' ? exitCode.failed : exitCode.ok
}
