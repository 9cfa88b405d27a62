/**
 * The seam between Parley and whatever keeps its data.
 *
 * A unit is declared, not a callback: that is what lets many units share one fsync, one round trip
 * and two engines. Each unit of a commit succeeds or fails alone; a failed unit leaves nothing behind.
 */

export type StreamId = string

export type NewEvent = { type: string; at: number; data: object }

export type StoredEvent = NewEvent & {
  stream: StreamId
  /** Place in its stream: 1, 2, 3 … without gaps. A stream that was trimmed begins with a higher number. */
  seq: number
  /** Place among all events. Grows, may have gaps, never shows a lower number later. */
  position: number
}

/** Something that has to happen. A thing that sleeps has no work. */
export type Wake = { kind: string; key: string; at: number; payload?: unknown }

export type WorkKey = { kind: string; key: string }

export type Lease = WorkKey & {
  /** Never given twice, so a holder that was presumed dead cannot act under a newer claim. */
  epoch: number
  /** Claims of this work since it last succeeded, this one included. */
  attempts: number
  until: number
  payload: unknown
}

/**
 * `done` ends the work (or runs it again, if it was woken meanwhile); `retryAt` gives it back for later.
 * `forgive` takes back the attempt: the holder was told to stop and did not fail.
 */
export type Settle = 'done' | { retryAt: number; forgive?: boolean }

export type ViewRow = {
  view: string
  key: string
  /** Lists are filtered by it, such as a state. */
  group: string
  /** Lists are ordered by it, newest first. */
  sort: number
  /** The text that a search looks through. */
  text: string
  body: object
}

/**
 * Adds numbers to the body of a row, which is made if it is missing. Units of several processes add to one row without a
 * conflict. `bounds` are checked after the addition, each over the total of some fields; a bound holds only for what is added.
 */
export type Sum = {
  view: string
  key: string
  group: string
  sort: number
  add: Readonly<Record<string, number>>
  bounds?: readonly { fields: readonly string[]; most: number }[]
}

export type Snapshot = { stream: StreamId; seq: number; version: number; state: unknown }

/**
 * The words that an event is found by, each once, in lower case, of letters and digits alone. `group` is the tree it belongs to,
 * of letters, digits, `_`, `-` and `.`.
 */
export type WordEntry = { position: number; group: string; words: readonly string[] }

export type WordQuery = {
  /** All of them. `isStart`: words that begin with it. */
  words: readonly { word: string; isStart?: boolean }[]
  /** One of these; every group without it. */
  groups?: readonly string[] | undefined
  /** Only events before this position. */
  before?: number | undefined
  limit: number
}

export type Unit = {
  append?: { stream: StreamId; expect: number; events: readonly NewEvent[] }[]
  /** The claim this unit acts under. If it was lost, the whole unit fails as `fenced`. */
  lease?: WorkKey & { epoch: number }
  /** Without this, a unit under a lease only proves it still holds it. */
  settle?: Settle
  /** Applied before `wake`, so cancel and wake of one key in one unit moves a timer. */
  cancel?: readonly WorkKey[]
  wake?: readonly Wake[]
  /** Names that may be used once. A second unit with the same name fails as `seen` and is told the first value. */
  once?: readonly { key: string; value: unknown }[]
  /** Once-only names that are free again from here on. A name that was used later than `usedBefore` stays. */
  forget?: readonly { key: string; usedBefore: number }[]
  rows?: readonly (ViewRow | { view: string; key: string; body: null })[]
  /** Applied after `rows`. A unit whose sum would pass its bound fails as `over` and adds nothing. */
  sums?: readonly Sum[]
  snapshots?: readonly Snapshot[]
  /**
   * Words of events. With `upTo` they are those after `indexedTo()` up to this position, which it moves to; what was indexed
   * before is skipped. Without it they are those of events that were put back. Events that are gone are skipped.
   */
  index?: { entries: readonly WordEntry[]; upTo?: number }
  /** Applied last: removes the events of a stream before this number, their words and a snapshot of them. The last event always stays. */
  trim?: readonly { stream: StreamId; before: number }[]
  /**
   * Bookkeeping of work that was not acknowledged: it survives the end of the process, but need not survive a power cut by
   * itself, because the work would then be done again. The next unit without this makes it durable too.
   */
  repeatable?: true
}

export type UnitResult =
  | { ok: true; events: StoredEvent[] }
  | { ok: false; why: 'conflict'; stream: StreamId; head: number }
  | { ok: false; why: 'fenced' }
  | { ok: false; why: 'seen'; key: string; value: unknown }
  | { ok: false; why: 'over'; view: string; key: string }

export type RowQuery = {
  view: string
  group?: string
  /** Case-insensitive part of the row's text. */
  text?: string
  /** Continue after the last row of the page before. */
  before?: { sort: number; key: string }
  limit: number
}

/** A piece of a reply while it is being written. Not durable, may be lost, never needed. */
export type Delta = { stream: StreamId; draft: string; from: number; text: string; end?: boolean; [extra: string]: unknown }

/** Lossy by contract: listeners must be correct without hints. */
export type Hints = {
  /** Events of one stream were committed; `events` are given when they were committed here. */
  onStream(listen: (stream: StreamId, head: number, events?: readonly StoredEvent[]) => void): () => void
  onWork(listen: (kind: string) => void): () => void
  onDelta(listen: (delta: Delta) => void): () => void
  publish(delta: Delta): void
}

export type Store = {
  /** Owner of the claims of this connection. It ends with the process: work of a dead owner can be claimed again. */
  readonly owner: string
  /** One durable transaction: when it resolves, what succeeded survives a power cut. */
  commit(units: readonly Unit[]): Promise<UnitResult[]>
  /**
   * Events after a number of the stream, oldest first. With `maxBytes` (UTF-8 of the stored `data`) the page also ends before
   * the event that would exceed it, but holds at least one event: a page cut by bytes is shorter than `limit` although more
   * events follow, so only an empty page means the end of the log. No event beyond the page is kept in memory.
   */
  read(stream: StreamId, after: number, limit: number, maxBytes?: number): Promise<StoredEvent[]>
  /** The number of the last event, 0 for a stream that does not exist. */
  head(stream: StreamId): Promise<number>
  /** The same over all streams, in the order of positions; with `types` only events of these. */
  readAll(afterPosition: number, limit: number, maxBytes?: number, types?: readonly string[]): Promise<StoredEvent[]>
  position(): Promise<number>
  snapshot(stream: StreamId): Promise<Snapshot | null>
  /** The value a once-only name was first used with, null if it is still free. */
  remembered(key: string): Promise<{ value: unknown } | null>
  /** Once-only names in the order of their bytes, after `after`, with the time each was used. */
  onceNames(after: string, limit: number): Promise<{ key: string; at: number }[]>
  row(view: string, key: string): Promise<ViewRow | null>
  rows(query: RowQuery): Promise<ViewRow[]>
  countRows(view: string, group?: string): Promise<number>
  /** Events by their words, the latest first. */
  findWords(query: WordQuery): Promise<StoredEvent[]>
  /** Every event up to this position that has words can be found by them. */
  indexedTo(): Promise<number>
  /** Exclusive for each (kind, key), across processes. Work that was due stays due when the clock is set back. */
  claim(kind: string, most: number, leaseMs: number): Promise<Lease[]>
  /** Heartbeat. Returns the leases that were lost: their work must stop. */
  extend(leases: readonly Lease[], leaseMs: number): Promise<Lease[]>
  /** When the oldest work was woken that is not done since; null if there is none. Kinds in `ignored` do not count. */
  unfinishedSince(ignored: readonly string[]): Promise<number | null>
  /** When the next work of this kind becomes claimable, null if none exists. */
  nextDue(kind: string): Promise<number | null>
  /** Writes and syncs something small. Throws, as a commit would, when nothing can be stored. */
  check(): Promise<void>
  readonly hints: Hints
  close(): Promise<void>
}
