/** One part of a running Parley. Its value is handed to the parts that start after it. */
export type Part<Value> = {
  name: string
  start(): Value | Promise<Value>
  stop?(value: Value, graceMs: number): void | Promise<void>
}

export type PartStack = {
  start<Value>(part: Part<Value>): Promise<Value>
  /** Stops what was started, last first. A part that cannot be stopped does not keep the others running. */
  stop(graceMs: number): Promise<void>
}

/** Starts parts in order and stops them in reverse, also when a later one could not be started. */
export function partStack(): PartStack {
  const started: { name: string; stop(graceMs: number): Promise<void> }[] = []
  return {
    async start({ name, start, stop }) {
      const value = await start()
      started.push({ name, stop: async (graceMs) => stop?.(value, graceMs) })
      return value
    },
    async stop(graceMs) {
      const failures: unknown[] = []
      for (let part = started.pop(); part; part = started.pop()) await part.stop(graceMs).catch((error: unknown) => failures.push(error))
      if (failures.length === 1) throw failures[0]
      if (failures.length > 1) throw new AggregateError(failures, 'Several parts could not be stopped.')
    },
  }
}
