import type { QuestionView } from '../shapes/wire.ts'
import { answerHint, controlFor, listOptions, type Question, type QuestionItem, sampleAnswer } from '../dialogs/rules/question.ts'
import { decisionLines, hasApproval, isApproval, waitingLine } from './approval-words.ts'
import { commandName } from './command-name.ts'
import { labelled } from './labelled.ts'
import { plainText } from './plain-text.ts'
import type { Paint } from './terminal.ts'
import type { TerminalWords } from '../words/en/terminal.ts'

export const quoted = (text: string): string => (/^[\w.:/@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** The command line that answers exactly this question, with its own values in it. */
export function answerCommand(id: string, ask: Question): string {
  const [only] = ask.items
  if (ask.items.length === 1 && only)
    return `${commandName} answer ${id} ${controlFor(only).type === 'options' ? '--choice' : '--text'} ${sampleValue(only)}`
  return `${commandName} answer ${id} ${ask.items.map((item) => `--set ${quoted(item.id)}=${sampleValue(item)}`).join(' ')}`
}

function sampleValue(item: QuestionItem): string {
  const control = controlFor(item)
  if (control.type === 'options') return quoted(control.options.map(({ value }) => value).join('|'))
  return quoted(sampleAnswer(item) || '…')
}

/** A question as text, with its choices, for where no controls can be drawn. */
export function questionLines(question: Pick<QuestionView, 'agent' | 'ask'>, words: TerminalWords, paint: Paint): string[] {
  const { ask, agent } = question
  const lines = [`${paint.yellow('?')} ${paint.bold(words.asks(agent))}${words.colon}${plainText(ask.text)}`.trimEnd()]
  for (const item of ask.items) {
    const repeated = ask.items.length === 1 && item.text.trim() === ask.text.trim()
    if (!repeated && item.text.trim() !== '')
      lines.push(`  ${plainText(item.text)}${ask.items.length > 1 ? paint.dim(`  (${plainText(item.id)})`) : ''}`)
    const options = listOptions(item)
    const expected = options.length > 0 ? '' : answerHint(item, words.language)
    if (expected !== '') lines.push(`    ${paint.dim(expected)}`)
    for (const option of options) {
      const hint = option.hint ? ` – ${plainText(option.hint)}` : ''
      const value = option.value === option.label ? '' : paint.dim(` [${plainText(option.value)}]`)
      lines.push(`    ${paint.cyan('•')} ${plainText(option.label)}${value}${paint.dim(hint)}`)
    }
  }
  return lines
}

/** Commands that answer a question. A caller who may not decide an approval reads who can. */
export function answerLines(question: QuestionView, words: TerminalWords, paint: Paint): string[] {
  if (hasApproval(question)) return decisionLines(question, words, paint)
  if (isApproval(question)) return [`  ${waitingLine(question, words)}`]
  return [
    `  ${labelled(words.answerWith, paint.cyan(answerCommand(question.id, question.ask)))}`,
    `  ${labelled(words.orDecline, paint.dim(`${commandName} answer ${question.id} --decline`))}`,
  ]
}

export const questionWithCommands = (question: QuestionView, words: TerminalWords, paint: Paint): string[] => [
  ...questionLines(question, words, paint),
  ...answerLines(question, words, paint),
]
