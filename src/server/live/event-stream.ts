import { isPrivateStream } from '../auth/access.ts'
import type { DeltaView } from '../../shapes/wire.ts'
import type { Parley } from '../../shapes/parley.ts'
import { toJson } from '../routes/json-once.ts'
import type { OpenStream } from '../routes/route.ts'
import { sentEvents, getText } from './sent-events.ts'

type From = {
  parley: Parley
  stream: string | undefined
  after: number
  signal: AbortSignal
  isStillAllowed(): Promise<boolean>
  onRevoked(listen: () => void): () => void
  open: Pick<OpenStream, 'turn' | 'sent'>
}

/** The log as server-sent events. The id of an event is the `after` to resume with; pieces of replies have none. */
export function eventStream({ parley, stream, after, signal, isStillAllowed, onRevoked, open }: From): Response {
  return sentEvents({
    signal,
    isStillAllowed,
    onRevoked,
    open,
    follow: (over) =>
      getText(parley.events.follow({ stream, after }, over), (events) =>
        events
          .filter((event) => !isPrivateStream(event.stream))
          .map((event) => `id: ${stream === undefined ? event.position : event.seq}\ndata: ${toJson(event)}\n\n`)
          .join(''),
      ),
    ...(stream !== undefined && {
      beside: (lossy) => parley.events.deltas(stream, (delta: DeltaView) => lossy(`event: delta\ndata: ${toJson(delta)}\n\n`)),
    }),
  })
}
