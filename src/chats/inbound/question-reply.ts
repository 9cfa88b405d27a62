import type { Answers, Question, QuestionItem } from '../dialog/question.ts'

/**
 * What somebody wrote, read as an answer. Null when it does not fit: then it is a message like any other, unless it
 * was meant as an answer and the person is told how to write one.
 */
export function readReply({ items }: Question, text: string): Answers | null {
  const [only] = items
  if (items.length === 1 && only) {
    const value = valueOf(only, text)
    return value === null ? null : { [only.id]: value }
  }
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  const byName = new Map<string, string>()
  for (const line of lines) {
    const [, name = '', rest = ''] = /^\(?([^\s:.)：、]{1,200})\s*[:.)：、]\s*(.+)$/su.exec(line) ?? []
    const item = items.find((one, index) => one.id === name || String(index + 1) === name)
    if (item) byName.set(item.id, rest)
  }
  // Nobody has to write numbers when there is exactly one line for each.
  if (byName.size === 0 && lines.length === items.length) items.forEach((item, index) => byName.set(item.id, lines[index] ?? ''))
  const answers: Answers = {}
  for (const item of items) {
    const value = valueOf(item, byName.get(item.id) ?? '')
    if (value === null) return null
    answers[item.id] = value
  }
  return answers
}

function valueOf(item: QuestionItem, text: string): string | null {
  const said = text.trim()
  if (said === '') return null
  if (item.kind === 'text') return said
  const folded = said.toLocaleLowerCase()
  const found = item.options.find(({ value, label }) => value === said || label.trim().toLocaleLowerCase() === folded)
  return found?.value ?? null
}
