import type { Sum, ViewRow } from '../ports/store.ts'

export type Summed = { rows: ViewRow[] } | { over: { view: string; key: string } }

/** The rows after these additions, or the first row that would pass a bound. A unit may add to one row twice. */
export function addSums(sums: readonly Sum[], read: (view: string, key: string) => object | null): Summed {
  const rows = new Map<string, ViewRow>()
  for (const { view, key, group, sort, add, bounds = [] } of sums) {
    const id = `${view}\n${key}`
    const body: Record<string, number> = { ...(rows.get(id)?.body ?? read(view, key)) }
    for (const [field, amount] of Object.entries(add)) body[field] = (body[field] ?? 0) + amount
    const isOver = bounds.some(({ fields, most }) => fields.reduce((sum, field) => sum + (body[field] ?? 0), 0) > most)
    if (isOver) return { over: { view, key } }
    rows.set(id, { view, key, group, sort, text: '', body })
  }
  return { rows: [...rows.values()] }
}
