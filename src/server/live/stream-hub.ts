import { isPrivateStream } from '../auth/access.ts'
import { everything } from '../../client/live.ts'
import type { EventView } from '../../shapes/wire.ts'
import type { Parley } from '../../shapes/parley.ts'
import { toJson } from '../routes/json-once.ts'

/** A live reader of a stream. `last` is its position; it receives only later events. */
export type HubReader = { last: number; take(frame: Buffer, last: number): void }

export const toPlace = (stream: string, event: EventView): number => (stream === everything ? event.position : event.seq)

export const readQuery = (stream: string): { stream?: string } => (stream === everything ? {} : { stream })

/** One frame for all its readers: written once, as the bytes that are sent. */
export function eventsFrame(stream: string, events: readonly EventView[]): Buffer {
  const publicEvents = events.filter((event) => !isPrivateStream(event.stream))
  return Buffer.from(`{"type":"events","stream":${JSON.stringify(stream)},"events":[${publicEvents.map(toJson).join(',')}]}`)
}

type Feed = { last: number; readers: Set<HubReader>; over: AbortController }

/**
 * One feed for each stream with live readers. A reader that lags behind or is new
 * reads from the store until it has caught up with the feed, and then joins.
 */
export function streamHub(
  parley: Parley,
  onFault: (error: unknown) => void,
): { join(stream: string, reader: HubReader): 'joined' | 'behind'; leave(stream: string, reader: HubReader): void; close(): void } {
  const feeds = new Map<string, Feed>()

  async function run(stream: string, feed: Feed): Promise<void> {
    for await (const events of parley.events.follow({ ...readQuery(stream), after: feed.last }, feed.over.signal)) {
      const [first] = events
      const newest = events.at(-1)
      if (!first || !newest) continue
      const before = feed.last
      feed.last = toPlace(stream, newest)
      const frame = eventsFrame(stream, events)
      for (const reader of feed.readers) {
        if (reader.last === before || reader.last < toPlace(stream, first)) reader.take(frame, feed.last)
        else if (reader.last < feed.last) {
          const rest = events.filter((event) => toPlace(stream, event) > reader.last)
          reader.take(eventsFrame(stream, rest), feed.last)
        }
      }
    }
  }

  function end(stream: string, feed: Feed): void {
    if (feeds.get(stream) === feed) feeds.delete(stream)
    feed.over.abort()
  }

  return {
    /** `behind` means: read on from the store first, then ask again. */
    join(stream, reader) {
      const entry = feeds.get(stream)
      if (entry) {
        if (reader.last < entry.last) return 'behind'
        entry.readers.add(reader)
        return 'joined'
      }
      const feed: Feed = { last: reader.last, readers: new Set([reader]), over: new AbortController() }
      feeds.set(stream, feed)
      run(stream, feed).catch((error: unknown) => {
        end(stream, feed)
        onFault(error)
      })
      return 'joined'
    },
    leave(stream, reader) {
      const feed = feeds.get(stream)
      if (feed?.readers.delete(reader) && feed.readers.size === 0) end(stream, feed)
    },
    close() {
      for (const [stream, feed] of feeds) end(stream, feed)
    },
  }
}
