import { isPublicType } from '../rules/build-events.ts'
import { dataForPerson } from '../rules/person-events.ts'
import type { BuildEventView } from '../../client/build-view.ts'
import type { BuildInclude } from '../../shapes/parley.ts'
import type { StoredEvent } from '../../ports/store.ts'

/** One event as readers get it, null when it is not for them. */
function toView(event: StoredEvent, include: BuildInclude): BuildEventView | null {
  const { seq, at, type, data } = event
  if (include === 'public' && !isPublicType(type)) return null
  const payload = include === 'all' ? data : dataForPerson(event)
  return payload === null ? null : ({ seq, at, type, payload } as unknown as BuildEventView)
}

export const toViews = (events: readonly StoredEvent[], include: BuildInclude): BuildEventView[] =>
  events.map((event) => toView(event, include)).filter((view) => view !== null)
