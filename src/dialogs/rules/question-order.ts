/** Newest first; questions of one moment, such as the approvals of one turn, in the order they were asked. */
export const newestFirst = (a: { askedAt: number; id: string }, b: { askedAt: number; id: string }): number =>
  b.askedAt - a.askedAt || (a.id < b.id ? -1 : 1)

/**
 * Every dialog that waits at one budget asks the same; an answer to one of the questions settles all of them. The notice that
 * work continues is out of date as soon as one of them waits.
 */
export function onePerBudget<Asked extends { limit?: { key?: string; isNotice?: true } }>(questions: readonly Asked[]): Asked[] {
  const keys = new Set<string>()
  const spent = new Set(questions.flatMap(({ limit }) => (limit?.key === undefined || limit.isNotice ? [] : [limit.key])))
  return questions.filter(({ limit }) => {
    if (limit?.key === undefined) return true
    if (limit.isNotice && spent.has(limit.key)) return false
    const name = `${limit.isNotice ? 'notice' : 'limit'} ${limit.key}`
    return keys.size < keys.add(name).size
  })
}
