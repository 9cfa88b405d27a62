/** The emergency stop as those see it who start work. */
export type EmergencyStop = {
  /** Read from the store on each call, so that a stop set by another process counts. Null when it is not set. */
  current(): Promise<{ by: string; at: number } | null>
  onChange(listen: () => void): () => void
}
