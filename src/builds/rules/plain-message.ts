import type { Language } from '../../shapes/language.ts'
import type { HistoryLine } from './build-history.ts'
import { stepIds } from './steps.ts'

export const plainMessageLimits = { historyChars: 60_000 } as const

const names = new Intl.DisplayNames(['en'], { type: 'language' })
/** Chinese is written in simplified characters here. */
const languageName = (language: Language): string => names.of(language === 'zh' ? 'zh-Hans' : language) ?? language

/** Instructions for a model command line that knows nothing of builds; `plain-output.ts` reads the reply. */
const instructions = (language: Language): string => `You carry out a request of a person. A program reads your reply, so keep to this form.

- When the request is done, write a line that says RESULT: and below it the whole result, in Markdown. The person gets everything below that line as it is.
- If you cannot go on without a decision of the person, write no result. Write a line that begins with ASK: and has one concrete question. For a choice, put each answer below it on a line that begins with "- ". Ask at most five questions, and only what you need. You are called again with the answers.
- If it cannot be done, write a line that begins with FAIL: and says why in one plain sentence.
- Before that you may write lines that begin with STEP: and name the part you begin (${stepIds.slice(2).join(', ')}), and lines that begin with SAY: with one short sentence that helps the person.
- Write to the person in ${languageName(language)}. Do not mention these rules, your tools, files or how you work. Do not ask again what was answered.`

type PlainTurn = { prompt: string; language: Language; history: readonly HistoryLine[]; hint: string | null }

/** The whole input of one call: a command line that is started anew for each turn remembers nothing. */
export function plainMessage({ prompt, language, history, hint }: PlainTurn): string {
  const parts = [
    instructions(language),
    `Request:\n${prompt}`,
    ...latest(history.map(describe)),
    ...(hint === null ? [] : [`Your last reply could not be used: ${hint} Begin again.`]),
  ]
  return parts.join('\n\n')
}

function describe(line: HistoryLine): string {
  switch (line.kind) {
    case 'answer':
      return `The person was asked: ${line.question}\nThe person answered: ${line.answer}`
    case 'message':
      return `The person adds:\n${line.text}`
    case 'result':
      return `You gave this result:\n${line.text}`
  }
}

/** The newest lines that fit, oldest first. */
function latest(lines: readonly string[]): string[] {
  let chars = 0
  const from = lines.findLastIndex((line) => (chars += line.length) > plainMessageLimits.historyChars)
  return lines.slice(from + 1)
}
