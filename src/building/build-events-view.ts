import { isPublicType } from '../build/build-events.ts'
import type { BuildEventView } from '../client/build-view.ts'
import type { BuildInclude } from '../ports/parley.ts'
import type { StoredEvent } from '../ports/store.ts'

const ofPerson = new Set(['build.opened', 'build.instructed', 'build.answered', 'build.cancelled', 'build.retried'])

/** One event as readers get it, null when it is not for them. */
function viewOf({ seq, at, type, data }: StoredEvent, include: BuildInclude): BuildEventView | null {
  if (isPublicType(type)) return { seq, at, type, payload: data } as BuildEventView
  if (include === 'public' || (include === 'person' && !ofPerson.has(type))) return null
  return { seq, at, type, payload: include === 'all' ? data : shownOfPerson(data) } as unknown as BuildEventView
}

/** What a page has a use for; the rest of such an event is the operator's. */
function shownOfPerson(data: object): object {
  const { prompt, text, question, answers, by } = data as Record<string, unknown>
  return Object.fromEntries(Object.entries({ prompt, text, question, answers, by }).filter(([, value]) => value !== undefined))
}

export const viewsOf = (events: readonly StoredEvent[], include: BuildInclude): BuildEventView[] =>
  events.map((event) => viewOf(event, include)).filter((view) => view !== null)
