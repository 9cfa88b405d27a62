import type { ParleyClient } from '../client/index.ts'
import type { EventView } from '../shapes/wire.ts'

/** A stream's events page by page, until there are no more or enough. */
export async function* readAll(
  client: ParleyClient,
  stream: string | undefined,
  after: number,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<EventView> {
  let remaining = most
  for (let from = after; remaining > 0;) {
    const { items, next } = await client.events.read({
      ...(stream === undefined ? {} : { stream }),
      after: from,
      limit: Math.min(remaining, 500),
    })
    yield* items
    remaining -= items.length
    if (next === null) return
    from = Number(next)
  }
}
