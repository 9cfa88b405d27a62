/** One card: an ordinary question, or every approval of one turn. */
export type QuestionGroup<Question> = { key: string; questions: readonly Question[] }

type Groupable = { id: string; dialog?: string; approval?: { turn: number | null } | undefined }

/** Keeps the order in which cards began. */
export function groupQuestions<Question extends Groupable>(questions: readonly Question[]): QuestionGroup<Question>[] {
  const groups = new Map<string, Question[]>()
  for (const question of questions) {
    const turn = question.approval?.turn ?? null
    const key = turn === null ? question.id : `${question.dialog ?? ''} turn ${turn}`
    groups.set(key, [...(groups.get(key) ?? []), question])
  }
  return [...groups].map(([key, members]) => ({ key, questions: members }))
}
