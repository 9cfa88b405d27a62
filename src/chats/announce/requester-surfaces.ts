import type { DialogEvent } from '../../dialogs/rules/dialog-events.ts'
import { eventAuthor } from '../../dialogs/rules/event-author.ts'
import type { Store, StoredEvent } from '../../ports/store.ts'

const eventsRead = 500

/** The surface each of these people last wrote by in this dialog, by their id: a platform, or a part of Parley. */
export async function requesterSurfaces(
  store: Pick<Store, 'head' | 'read'>,
  root: string,
  requesters: readonly { id: string }[],
  getKind: (channel: string) => string,
): Promise<Record<string, string>> {
  const head = await store.head(root)
  const events = (await store.read(root, Math.max(0, head - eventsRead), eventsRead)) as (StoredEvent & DialogEvent)[]
  const surfaces: Record<string, string> = {}
  for (const { type, data } of events) {
    if (type !== 'message.said' && type !== 'question.answered') continue
    const { by, via } = data
    if (by.kind === 'human' && via !== null) surfaces[eventAuthor(by, via).id] = getKind(via)
  }
  // Ids of people without an entry begin with their platform.
  return Object.fromEntries(requesters.map(({ id }) => [id, surfaces[id] ?? /^(?!person:|token:)([^:]+):/.exec(id)?.[1] ?? 'api']))
}
