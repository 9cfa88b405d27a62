import type { Store, Unit, ViewRow, WorkKey } from '../ports/store.ts'

/**
 * A durable mark that claimed work has really started something: a model call, a tool, a program. It is written before
 * the effect and removed by the commit with the outcome, so the process that claims the work next knows whether a crash
 * cut it off. A claim alone proves nothing: work may be claimed and still wait for its turn.
 */
export type RunningMark<Note> = {
  /** The store connection that wrote it, which ends with its process. */
  owner: string
  at: number
  note: Note
}

export const runningView = 'running'

type Rows = NonNullable<Unit['rows']>

/** `group` is what marks are looked up by besides their work. */
export function markRunning<Note>(work: WorkKey, { group, ...body }: RunningMark<Note> & { group: string }): Rows {
  const row: ViewRow = { view: runningView, key: getKey(work), group, sort: body.at, text: '', body }
  return [row]
}

export const unmarkRunning = (work: WorkKey): Rows => [{ view: runningView, key: getKey(work), body: null }]

/** The mark an earlier claim left behind, null when it ended in order or had not started anything. */
export async function leftRunning<Note>(store: Store, lease: WorkKey & { attempts: number }): Promise<RunningMark<Note> | null> {
  // The first claim since the work was last settled cannot find a mark: settling removes it.
  if (lease.attempts <= 1) return null
  const row = await store.row(runningView, getKey(lease))
  return row === null ? null : (row.body as RunningMark<Note>)
}

const getKey = ({ kind, key }: WorkKey): string => `${kind}/${key}`

/** The key of the work that a row of marks is about. */
export const markedKey = (row: string): string => row.slice(row.indexOf('/') + 1)
