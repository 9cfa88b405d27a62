import type { DeltaView, EventView } from '../shapes/wire.ts'
import type { Parley } from '../shapes/parley.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { feed } from '../streams/feed.ts'
import { mapIterator } from '../streams/map-iterator.ts'
import { withoutPrompt } from './control/shown-event.ts'
import type { Drafts } from './driver/drafts.ts'
import { listLimits } from './list-page.ts'

/** Reading and following the log, with replies that are being written. */
export const eventNouns = ({ store, clock, drafts }: { store: Store; clock: Clock; drafts: Drafts }): Parley['events'] => ({
  async read({ stream, after, limit, maxBytes }) {
    const most = Math.min(limit, listLimits.eventsPage)
    const bytes = Math.min(maxBytes ?? Infinity, listLimits.eventsPageBytes)
    const events = await (stream === undefined ? store.readAll(after, most, bytes) : store.read(stream, after, most, bytes))
    return events.map(withoutPrompt)
  },
  follow: (from, signal): AsyncIterable<EventView[]> =>
    mapIterator(feed(store, clock, from, signal), (events) => events.map(withoutPrompt)),
  deltas(stream, listen) {
    for (const delta of drafts.current(stream)) listen(delta as unknown as DeltaView)
    return store.hints.onDelta((delta) => delta.stream === stream && listen(delta as unknown as DeltaView))
  },
  onChange(listen) {
    let cancel: (() => void) | null = null
    let changed = new Set<string>()
    const stop = store.hints.onStream((stream) => {
      changed.add(stream)
      cancel ??= clock.after(listLimits.gatherChangesMs, () => {
        const streams = changed
        cancel = null
        changed = new Set()
        listen(streams)
      })
    })
    return () => {
      cancel?.()
      stop()
    }
  },
  position: (stream) => (stream === undefined ? store.position() : store.head(stream)),
  check: () => store.check(),
})
