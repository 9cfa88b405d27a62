import type { ParleyClient } from '../client/index.ts'
import type { EventView } from '../shapes/wire.ts'

/** A stream's events page by page, until there are no more or enough. */
export async function* readAll(
  client: ParleyClient,
  stream: string | undefined,
  after: number,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<EventView> {
  let left = most
  for (let from = after; left > 0;) {
    const { items, next } = await client.events.read({
      ...(stream === undefined ? {} : { stream }),
      after: from,
      limit: Math.min(left, 500),
    })
    yield* items
    left -= items.length
    if (next === null) return
    from = Number(next)
  }
}
