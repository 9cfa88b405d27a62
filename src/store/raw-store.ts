import type { Files } from '../ports/files.ts'

export type RawValue = string | number | null
export type RawRow = readonly RawValue[]

/** A part of a store as rows of plain values, in the order of their keys. The first columns are the key. */
export type RawPart = { readonly name: string; readonly keys: number; readonly columns: readonly string[] }

/** Everything in a store but the files. Work is given back: the process that had claimed it is not running. */
export const rawParts = [
  { name: 'event', keys: 1, columns: ['position', 'stream', 'seq', 'at', 'type', 'data'] },
  { name: 'work', keys: 2, columns: ['kind', 'key', 'due_at', 'again_at', 'epoch', 'attempts', 'payload', 'since'] },
  { name: 'once', keys: 1, columns: ['key', 'value', 'at'] },
  { name: 'row', keys: 2, columns: ['view', 'key', 'grp', 'sort', 'text', 'body'] },
  { name: 'snapshot', keys: 1, columns: ['stream', 'seq', 'version', 'state'] },
] as const satisfies readonly RawPart[]

export type PartName = (typeof rawParts)[number]['name']

/** `copying`: it is being copied elsewhere. `moved`: a verified copy exists, so work done here would be done twice. */
export type MoveState = 'here' | 'copying' | 'moved'

/** Progress of a copy into this store, by part. */
export type CopyProgress = { source: number; after: Partial<Record<PartName, RawRow>> }

/** The tables of a store, for copies and checks. No server may run on it meanwhile. */
export type RawStore = {
  /** Server and database or file, for people. */
  readonly label: string
  readonly files: Files
  /** A random number that the database got when it was made. */
  identity(): Promise<number>
  isEmpty(): Promise<boolean>
  count(part: PartName): Promise<number>
  read(part: PartName, after: RawRow | null, limit: number): Promise<RawRow[]>
  /** Writes rows and the progress in one transaction. */
  write(part: PartName, rows: readonly RawRow[], progress: CopyProgress): Promise<void>
  /** Writes events that were trimmed; those that are there already stay. */
  putBack(events: readonly RawRow[]): Promise<void>
  progress(): Promise<CopyProgress | null>
  begin(progress: CopyProgress): Promise<void>
  /** Makes what follows from the rows, such as counters, and ends the copy. */
  finish(): Promise<void>
  moveState(): Promise<MoveState>
  setMoveState(state: MoveState): Promise<void>
  close(): Promise<void>
}

export const moveStates: readonly MoveState[] = ['here', 'copying', 'moved']

export const getPart = (name: PartName): RawPart => rawParts.find((part) => part.name === name) as RawPart
