import type { ParleyClient } from '../../client/index.ts'
import type { QuestionView } from '../../shapes/wire.ts'
import { age } from '../age.ts'
import { approvalInList, hasApproval, isApproval, waitingLine } from '../approval-words.ts'
import { columns } from '../columns.ts'
import { inboxLines } from '../inbox-words.ts'
import { questionLines } from '../question-words.ts'
import type { Terminal } from '../terminal.ts'
import { statusWords } from '../tree-lines.ts'

export async function tellDialogs(terminal: Terminal, client: ParleyClient): Promise<string[]> {
  const { items } = await client.dialogs.list({ limit: 10 })
  const { words, errPaint } = terminal
  if (items.length === 0) return [words.noDialogs]
  return columns(
    items.map((dialog) => [
      { text: dialog.id, paint: errPaint.bold },
      statusWords(dialog, words),
      age(dialog.updatedAt, words),
      dialog.title || dialog.preview,
    ]),
    terminal.width,
  )
}

export async function tellInbox(terminal: Terminal, client: ParleyClient): Promise<string[]> {
  const { items } = await client.inbox()
  if (items.length === 0) return [terminal.words.nothingWaits]
  return items.flatMap((item) =>
    item.kind === 'question' ? sideQuestion(terminal, item.question) : inboxLines(item, terminal.words, terminal.errPaint),
  )
}

/** A question that is answered in another dialog, and how to go there. */
export const sideQuestion = (terminal: Terminal, question: QuestionView): string[] => [
  ...(isApproval(question) ? approvalInChat(question, terminal) : questionLines(question, terminal.words, terminal.errPaint)),
  terminal.errPaint.dim(`  /open ${question.dialog}`),
]

const approvalInChat = (question: QuestionView, { words, errPaint }: Terminal): string[] =>
  hasApproval(question) ? approvalInList(question, words, errPaint) : [`  ${waitingLine(question, words)}`]
