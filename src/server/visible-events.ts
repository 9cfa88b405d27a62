import { isBuildId } from '../build/build-dialog.ts'
import { dataForPerson } from '../build/person-events.ts'
import type { EventView } from '../client/wire.ts'
import type { Parley } from '../ports/parley.ts'

/**
 * The log without the events of builds that are for operators: `include=all` of a build needs `admin`, so reading the same
 * events as a plain stream must not go around it.
 */
export function withoutOperatorEvents(parley: Parley): Parley {
  const { events } = parley
  return {
    ...parley,
    events: {
      ...events,
      /** Reads on past pages of which nothing is visible: readers take an empty page for the end of the log. */
      async read({ stream, after, limit }) {
        for (let from = after; ;) {
          const page = await events.read({ stream, after: from, limit })
          const shown = visible(page)
          const newest = page.at(-1)
          if (newest === undefined || shown.length > 0) return shown
          from = stream === undefined ? newest.position : newest.seq
        }
      },
      async *follow(query, signal) {
        for await (const page of events.follow(query, signal)) {
          const shown = visible(page)
          if (shown.length > 0) yield shown
        }
      },
    },
  }
}

const visible = (events: readonly EventView[]): EventView[] =>
  events.flatMap((event) => {
    if (!isBuildId(event.stream)) return [event]
    const data = dataForPerson(event)
    return data === null ? [] : [data === event.data ? event : { ...event, data }]
  })
