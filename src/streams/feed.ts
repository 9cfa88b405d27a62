import type { Clock } from '../ports/clock.ts'
import type { Store, StoredEvent } from '../ports/store.ts'

export const feedLimits = { page: 200, buffered: 1_000, backstopMs: 2_000 } as const

/**
 * Every event after a place, then each new one as it comes, without gap or repeat.
 *
 * Hints say when to look and usually bring the events along, so a live reader costs no read. They are lossy,
 * so what they bring is taken only when it follows on directly; otherwise the store is asked, and a slow
 * backstop asks anyway.
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
  let buffered: StoredEvent[] = []
  let wake: (() => void) | null = null

  const stopListening = store.hints.onStream((changed, _head, events) => {
    if (stream !== undefined && changed !== stream) return
    // Positions have gaps, so only a single stream can tell whether what came follows on.
    if (stream === undefined || !events || buffered.length + events.length > feedLimits.buffered) {
      mustRead = true
      buffered = []
    } else if (!mustRead) {
      buffered.push(...events)
    }
    wake?.()
  })
  const onAbort = (): void => wake?.()
  signal.addEventListener('abort', onAbort)

  try {
    while (!signal.aborted) {
      if (!mustRead && buffered.length > 0) {
        const batch = buffered.filter((event) => event.seq > after)
        buffered = []
        if (batch.length === 0) continue
        if (batch[0]?.seq !== after + 1 || batch.some((event, index) => event.seq !== after + 1 + index)) {
          mustRead = true
          continue
        }
        after = batch.at(-1)?.seq ?? after
        yield batch
        continue
      }
      if (mustRead) {
        mustRead = false
        buffered = []
        const page = stream === undefined ? await store.readAll(after, feedLimits.page) : await store.read(stream, after, feedLimits.page)
        if (page.length === 0) continue
        const last = page.at(-1) as StoredEvent
        after = stream === undefined ? last.position : last.seq
        if (page.length === feedLimits.page) mustRead = true
        yield page
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
