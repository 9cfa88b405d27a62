import { isBuildId } from '../../builds/rules/build-dialog.ts'
import { dataForPerson } from '../../builds/rules/person-events.ts'
import type { EventView } from '../../shapes/wire.ts'
import type { Parley } from '../../shapes/parley.ts'

/** The part of a page that a caller may see, in order. */
export type Show = (events: EventView[]) => Promise<EventView[]>

/** The log as a caller may see it. */
export function visibleEvents(events: Parley['events'], show: Show): Pick<Parley['events'], 'read' | 'follow'> {
  return {
    /** Reads on past pages of which nothing is visible: readers take an empty page for the end of the log. */
    async read({ stream, after, ...bounds }) {
      for (let from = after; ;) {
        const page = await events.read({ stream, after: from, ...bounds })
        const visible = await show(page)
        const newest = page.at(-1)
        if (newest === undefined || visible.length > 0) return visible
        from = stream === undefined ? newest.position : newest.seq
        // A long log of others must not keep the event loop from its other callers.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    follow: (query, signal) => ({ [Symbol.asyncIterator]: () => visibleBatches(events.follow(query, signal), show) }),
  }
}

/** Not a generator: one that is suspended would keep its last page in memory for as long as the reader is slow. */
function visibleBatches(pages: AsyncIterable<EventView[]>, show: Show): AsyncIterator<EventView[]> {
  const inside = pages[Symbol.asyncIterator]()
  return {
    async next() {
      for (;;) {
        const { done, value } = await inside.next()
        if (done === true) return { done, value: undefined }
        const visiblePage = await show(value)
        if (visiblePage.length > 0) return { done: false, value: visiblePage }
      }
    },
    async return() {
      await inside.return?.()
      return { done: true, value: undefined }
    },
  }
}

/**
 * Leaves out the events of builds that are for operators: `include=all` of a build needs `read.all`, so reading the same events
 * as a plain stream must not go around it.
 */
export const withoutOperatorEvents = (events: readonly EventView[]): EventView[] =>
  events.flatMap((event) => {
    if (!isBuildId(event.stream)) return [event]
    const data = dataForPerson(event)
    return data === null ? [] : [data === event.data ? event : { ...event, data }]
  })
