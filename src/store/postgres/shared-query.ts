type Pending<Ask, Answer> = { ask: Ask; resolve: (answer: Answer) => void; reject: (error: unknown) => void }

/**
 * One query for what is asked in a turn of the event loop, `most` at a time. `run` returns an answer for each, in order. When
 * it fails, each is asked alone: an id that PostgreSQL refuses must fail no other caller's read.
 */
export function sharedQuery<Ask, Answer>(most: number, run: (asks: readonly Ask[]) => Promise<Answer[]>): (ask: Ask) => Promise<Answer> {
  let pending: Pending<Ask, Answer>[] = []

  async function send(batch: readonly Pending<Ask, Answer>[]): Promise<void> {
    try {
      const answers = await run(batch.map(({ ask }) => ask))
      batch.forEach(({ resolve }, index) => resolve(answers[index] as Answer))
    } catch (error) {
      if (batch.length > 1) for (const each of batch) void send([each])
      else for (const { reject } of batch) reject(error)
    }
  }

  return (ask) =>
    new Promise((resolve, reject) => {
      pending.push({ ask, resolve, reject })
      if (pending.length > 1) return
      setImmediate(() => {
        const all = pending
        pending = []
        for (let start = 0; start < all.length; start += most) void send(all.slice(start, start + most))
      })
    })
}
