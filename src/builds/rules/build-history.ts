import type { Option, SetQuestion } from './build-events.ts'

/** One thing that came before a turn, in words: programs that remember nothing are told all of it. */
export type HistoryLine =
  | { kind: 'answer'; question: string; answer: string }
  | { kind: 'message'; text: string }
  | { kind: 'result'; text: string }

/** Answers, messages and results of a build, oldest first. */
export function readHistory(events: readonly { type: string; data: object }[]): HistoryLine[] {
  const questionsById = new Map<string, { prompt: string; options: readonly Option[] }>()
  const lines: HistoryLine[] = []
  const note = ({ question_id: id, prompt, options = [] }: SetQuestion): void => void questionsById.set(id, { prompt, options })
  for (const { type, data } of events) {
    if (type === 'question.requested') note(data as SetQuestion)
    if (type === 'questions.requested') for (const each of (data as { questions: SetQuestion[] }).questions) note(each)
    if (type === 'build.instructed') lines.push({ kind: 'message', text: (data as { text: string }).text })
    if (type === 'build.answered')
      for (const [id, answer] of Object.entries((data as { answers: Record<string, string> }).answers)) {
        const { prompt = id, options = [] } = questionsById.get(id) ?? {}
        lines.push({ kind: 'answer', question: prompt, answer: options.find((option) => option.id === answer)?.label ?? answer })
      }
    const { output } = data as { output?: string }
    if (type === 'status.changed' && output !== undefined) lines.push({ kind: 'result', text: output })
  }
  return lines
}
