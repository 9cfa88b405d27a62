import type { DialogDetail, QuestionView } from '../shapes/wire.ts'
import { ParleyError } from '../errors.ts'
import { approvalLines, decisionCommands, decisionLines, hasApproval, isApproval, waitingLine } from './approval-words.ts'
import { exitCode } from './exit-code.ts'
import { labelled } from './labelled.ts'
import { toRefusal } from './live-talk.ts'
import { answerCommand, questionLines } from './question-words.ts'
import type { Terminal } from './terminal.ts'
import { terminalHint } from './terminal-hint.ts'

export const openQuestions = (dialog: DialogDetail): QuestionView[] => dialog.questions.filter(({ state }) => state === 'open')

/** The questions of a dialog for a program. */
export const questionDocuments = (dialog: DialogDetail) => openQuestions(dialog).map(withCommands)

/** A question with the commands that answer it. A caller who may not decide gets none. */
export function withCommands(question: QuestionView): QuestionView & { answerWith?: string; denyWith?: string } {
  if (!isApproval(question)) return { ...question, answerWith: answerCommand(question.id, question.ask) }
  return hasApproval(question) ? { ...question, ...decisionCommands(question) } : question
}

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

/** Exit code for the end of a turn; a failure is thrown as its error. */
export function decideExit(dialog: DialogDetail): number {
  // The message is stored, but no agent will answer it now.
  if (dialog.status === 'stopped' && dialog.stop?.in === null)
    throw new ParleyError('all_stopped', { by: dialog.stop.by, at: new Date(dialog.stop.at).toISOString() })
  if (dialog.status === 'failed' && dialog.failure) {
    const command = `parley dialogs continue ${dialog.id}`
    const hint = terminalHint(dialog.failure.hint, command)
    throw toRefusal({ ...dialog.failure, hint: hint.includes(command) ? hint : `${hint} Then: ${command}` })
  }
  const waiting = waitingExit(dialog)
  if (waiting !== null) return waiting
  return dialog.status === 'delegated' ? exitCode.failed : exitCode.ok
}
