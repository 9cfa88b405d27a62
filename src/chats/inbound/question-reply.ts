import { type Answers, parseAnswer, type Question } from '../../dialogs/rules/question.ts'

/**
 * Reads a message as an answer. Null when it does not fit: it is then a message like any other, unless it is a reply to the
 * question, and the person reads what an answer looks like. `today` is an ISO date.
 */
export function readReply({ items }: Question, text: string, today: string): Answers | null {
  const [only] = items
  if (items.length === 1 && only) {
    const value = parseAnswer(only, text, today)
    return value === null ? null : { [only.id]: value }
  }
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  const byName = new Map<string, string>()
  for (const line of lines) {
    const [, name = '', rest = ''] = /^\(?([^\s:.)：、]{1,200})\s*[:.)：、]\s*(.+)$/su.exec(line) ?? []
    const item = items.find((one, index) => one.id === name || String(index + 1) === name)
    if (item) byName.set(item.id, rest)
  }
  // Numbers are not needed when there is exactly one line for each item.
  if (byName.size === 0 && lines.length === items.length) items.forEach((item, index) => byName.set(item.id, lines[index] ?? ''))
  const answers: Answers = {}
  for (const item of items) {
    const value = parseAnswer(item, byName.get(item.id) ?? '', today)
    if (value === null) return null
    answers[item.id] = value
  }
  return answers
}
