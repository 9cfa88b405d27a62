/** The bytes of files that people and tools give, by id. The log refers to them and does not hold them. */
export type Files = {
  /** When it resolves, the bytes survive a power cut. */
  write(file: string, bytes: Uint8Array): Promise<void>
  /** Null when there is no such file. */
  read(file: string): Promise<Uint8Array | null>
  /** Does nothing when there is no such file. */
  remove(file: string): Promise<void>
  /** Files in the order of their ids, after `after`, with the time each was written. */
  list(after: string, limit: number): Promise<{ file: string; at: number }[]>
}
