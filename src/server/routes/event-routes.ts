import { z } from 'zod'
import { type Access, isPrivateStream } from '../auth/access.ts'
import type { EventView, Page } from '../../shapes/wire.ts'
import * as responses from '../../shapes/schemas/responses.ts'
import { eventStream } from '../live/event-stream.ts'
import { mustExist } from '../live/known-stream.ts'
import { route } from './route.ts'
import { id, whole } from '../text.ts'

export const routeLimits = { eventsPage: 1_000, eventsDefault: 200 } as const

export const eventRoutes = (access: Access, streamsOver: AbortSignal) => [
  route({
    operation: 'events.read',
    summary: 'Events after a position: as JSON, or live with Accept: text/event-stream',
    query: z.strictObject({
      stream: id.optional(),
      after: whole(0, Number.MAX_SAFE_INTEGER).optional(),
      limit: whole(1, routeLimits.eventsPage).optional(),
    }),
    status: 200,
    response: responses.events,
    async handle({ query: { stream, after, limit = routeLimits.eventsDefault }, header, signal, principal, live, parley }) {
      if (stream !== undefined) await mustExist(parley, stream)
      if (header('accept')?.includes('text/event-stream')) {
        const resumed = header('last-event-id')
        const from = resumed !== undefined && /^\d{1,15}$/.test(resumed) ? Number(resumed) : (after ?? 0)
        const open = live('events')
        return {
          raw: eventStream({
            parley,
            stream,
            after: from,
            signal: AbortSignal.any([signal, streamsOver, open.signal]),
            isStillAllowed: () => access.isAlive(principal),
            onRevoked: (listen) => access.onRevoked(principal, listen),
            open,
          }),
        }
      }
      return pageAfter(await parley.events.read({ stream, after: after ?? 0, limit }), stream, await parley.events.position(stream))
    },
  }),
]

/** `head` is where the log ended after the page was read. A page may be cut by its bytes, so its length says nothing. */
function pageAfter(read: EventView[], stream: string | undefined, head: number): Page<EventView> {
  const last = read.at(-1)
  const at = last === undefined ? head : stream === undefined ? last.position : last.seq
  const next = at < head ? String(at) : null
  return { items: read.filter((event) => !isPrivateStream(event.stream)), next }
}
