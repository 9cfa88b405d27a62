import type { Clock } from '../ports/clock.ts'
import type { Store, StoredEvent } from '../ports/store.ts'

export const feedLimits = { page: 200, pageBytes: 64_000, backstopMs: 2_000 } as const

/**
 * Every event after a place, then each new one as it comes, without gap or repeat. A batch is bounded by events and by bytes
 * (one event may be larger than that).
 *
 * Hints say when to look and usually bring the events along, so a live reader costs no read. They are lossy,
 * so what they bring is taken only when it follows on directly; otherwise the store is asked, and a slow
 * backstop asks anyway. Events of hints are held only while the reader waits for them: a reader that is busy with the batch
 * before reads them from the store afterwards, so a slow reader keeps no events in memory.
 */
export async function* feed(
  store: Store,
  clock: Clock,
  from: { stream?: string | undefined; after: number },
  signal: AbortSignal,
): AsyncGenerator<StoredEvent[]> {
  const { stream } = from
  let { after } = from
  let mustRead = true
  let hinted: StoredEvent[] = []
  let hintedBytes = 0
  let wake: (() => void) | null = null

  const fits = (events: readonly StoredEvent[]): boolean =>
    hinted.length + events.length === 1 ||
    (hinted.length + events.length <= feedLimits.page && hintedBytes + measureSize(events) <= feedLimits.pageBytes)

  const stopListening = store.hints.onStream((changed, _head, events) => {
    if (stream !== undefined && changed !== stream) return
    // Positions have gaps, so only a single stream can tell whether what came follows on.
    if (!wake || stream === undefined || !events || !fits(events)) mustRead = true
    else if (!mustRead) {
      hinted.push(...events)
      hintedBytes += measureSize(events)
    }
    wake?.()
  })
  const onAbort = (): void => wake?.()
  signal.addEventListener('abort', onAbort)

  /** A generator keeps its variables while it is suspended, so a batch is never in one of them when it is yielded. */
  let batch: StoredEvent[] = []
  const takeBatch = (): StoredEvent[] => {
    const current = batch
    batch = []
    return current
  }

  try {
    while (!signal.aborted) {
      if (!mustRead && hinted.length > 0) {
        batch = hinted.filter((event) => event.seq > after)
        hinted = []
        hintedBytes = 0
        if (batch.length === 0) continue
        if (batch.some((event, index) => event.seq !== after + 1 + index)) {
          batch = []
          mustRead = true
          continue
        }
        after = batch.at(-1)?.seq ?? after
        yield takeBatch()
        continue
      }
      if (mustRead) {
        mustRead = false
        hinted = []
        hintedBytes = 0
        const { page, pageBytes } = feedLimits
        batch = stream === undefined ? await store.readAll(after, page, pageBytes) : await store.read(stream, after, page, pageBytes)
        if (batch.length === 0) continue
        after = (stream === undefined ? batch.at(-1)?.position : batch.at(-1)?.seq) ?? after
        // A page may have been cut by its bytes, so only an empty one is the end.
        mustRead = true
        yield takeBatch()
        continue
      }
      await new Promise<void>((resolve) => {
        const takeBack = clock.after(feedLimits.backstopMs, () => {
          mustRead = true
          resolve()
        })
        wake = () => {
          takeBack()
          resolve()
        }
        if (signal.aborted) wake()
      })
      wake = null
    }
  } finally {
    stopListening()
    signal.removeEventListener('abort', onAbort)
  }
}

/** Bytes of one event are counted once, however many feeds are handed it. */
const sizes = new WeakMap<StoredEvent, number>()

function measureSize(events: readonly StoredEvent[]): number {
  let sum = 0
  for (const event of events) {
    let size = sizes.get(event)
    if (size === undefined) {
      size = Buffer.byteLength(JSON.stringify(event.data))
      sizes.set(event, size)
    }
    sum += size
  }
  return sum
}
