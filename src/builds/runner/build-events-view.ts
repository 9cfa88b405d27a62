import { isPublicType } from '../build/build-events.ts'
import { dataForPerson } from '../build/person-events.ts'
import type { BuildEventView } from '../client/build-view.ts'
import type { BuildInclude } from '../ports/parley.ts'
import type { StoredEvent } from '../ports/store.ts'

/** One event as readers get it, null when it is not for them. */
function viewOf(event: StoredEvent, include: BuildInclude): BuildEventView | null {
  const { seq, at, type, data } = event
  if (include === 'public' && !isPublicType(type)) return null
  const payload = include === 'all' ? data : dataForPerson(event)
  return payload === null ? null : ({ seq, at, type, payload } as unknown as BuildEventView)
}

export const viewsOf = (events: readonly StoredEvent[], include: BuildInclude): BuildEventView[] =>
  events.map((event) => viewOf(event, include)).filter((view) => view !== null)
