import type { StoredEvent, ViewRow } from '../../ports/store.ts'

/** Structured values are stored as JSON text: callers cannot hold references into the store, and it loses exactly what a file would. */
export type EventRecord = Omit<StoredEvent, 'data'> & { json: string }

export type WorkRecord = {
  kind: string
  key: string
  /** When it can be claimed: the due time, or for claimed work the end of the lease. */
  dueAt: number
  /** Woken while claimed: runs again then, after the claim. */
  againAt: number | null
  owner: string | null
  epoch: number
  attempts: number
  /** When it was woken that it is not done since. */
  since: number
  payload: string | null
}

export type RowRecord = Omit<ViewRow, 'body'> & { json: string; folded: string }

/** A store that shares this backing; told of what the others commit, as another process would notice. */
export type Neighbour = {
  changed(streams: ReadonlyMap<string, number>, kinds: ReadonlySet<string>): void
}

export type MemoryBacking = {
  log: EventRecord[]
  streams: Map<string, EventRecord[]>
  work: Map<string, WorkRecord>
  once: Map<string, { json: string; at: number }>
  rows: Map<string, Map<string, RowRecord>>
  snapshots: Map<string, string>
  /** Words of events, by position. */
  words: Map<number, { group: string; words: ReadonlySet<string> }>
  indexedTo: number
  epoch: number
  /** The highest time of the clock that a commit or claim was made at, null before the first. */
  time: number | null
  stores: Set<Neighbour>
  opened: number
}

/** State shared by memory stores that simulate several processes on one database. */
export function memoryBacking(): MemoryBacking {
  return {
    log: [],
    streams: new Map(),
    work: new Map(),
    once: new Map(),
    rows: new Map(),
    snapshots: new Map(),
    words: new Map(),
    indexedTo: 0,
    epoch: 0,
    time: null,
    stores: new Set(),
    opened: 0,
  }
}

export const workId = (kind: string, key: string): string => JSON.stringify([kind, key])

/** The order databases keep text in (bytes of UTF-8), which is not JavaScript's own. */
export function byBytes(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b))
}
