import type { QuestionView } from '../client/wire.ts'
import type { Question } from '../dialog/question.ts'
import { decisionLines, hasApproval, isApproval, waitingLine } from './approval-words.ts'
import { labelled } from './labelled.ts'
import { plainText } from './plain-text.ts'
import type { Paint } from './terminal.ts'
import type { Words } from './words/index.ts'

export const quoted = (text: string): string => (/^[\w.:/@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** The command line that answers exactly this question, with its own values in it. */
export function answerCommand(id: string, ask: Question): string {
  const [only] = ask.items
  if (ask.items.length === 1 && only) {
    return only.kind === 'choice'
      ? `parley answer ${id} --choice ${only.options.map(({ value }) => quoted(value)).join('|')}`
      : `parley answer ${id} --text '…'`
  }
  const sets = ask.items.map(
    (item) => `--set ${quoted(item.id)}=${item.kind === 'choice' ? item.options.map(({ value }) => quoted(value)).join('|') : "'…'"}`,
  )
  return `parley answer ${id} ${sets.join(' ')}`
}

/** A question as text, with its choices, for where no controls can be drawn. */
export function questionLines(question: Pick<QuestionView, 'agent' | 'ask'>, words: Words, paint: Paint): string[] {
  const { ask, agent } = question
  const lines = [`${paint.yellow('?')} ${paint.bold(words.asks(agent))}${words.colon}${plainText(ask.text)}`.trimEnd()]
  for (const item of ask.items) {
    const repeated = ask.items.length === 1 && item.text.trim() === ask.text.trim()
    if (!repeated && item.text.trim() !== '')
      lines.push(`  ${plainText(item.text)}${ask.items.length > 1 ? paint.dim(`  (${plainText(item.id)})`) : ''}`)
    if (item.kind === 'text') continue
    for (const option of item.options) {
      const hint = option.hint ? ` – ${plainText(option.hint)}` : ''
      const value = option.value === option.label ? '' : paint.dim(` [${plainText(option.value)}]`)
      lines.push(`    ${paint.cyan('•')} ${plainText(option.label)}${value}${paint.dim(hint)}`)
    }
  }
  return lines
}

/** How to answer it from a shell. An approval is allowed or denied; a caller who may not decide it reads who does. */
export function answerLines(question: QuestionView, words: Words, paint: Paint): string[] {
  if (hasApproval(question)) return decisionLines(question, words, paint)
  if (isApproval(question)) return [`  ${waitingLine(question, words)}`]
  return [
    `  ${labelled(words.answerWith, paint.cyan(answerCommand(question.id, question.ask)))}`,
    `  ${labelled(words.orDecline, paint.dim(`parley answer ${question.id} --decline`))}`,
  ]
}

export const questionWithCommands = (question: QuestionView, words: Words, paint: Paint): string[] => [
  ...questionLines(question, words, paint),
  ...answerLines(question, words, paint),
]
