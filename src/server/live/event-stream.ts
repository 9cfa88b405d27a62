import { isPrivateStream } from '../access/access.ts'
import type { DeltaView } from '../client/wire.ts'
import type { Parley } from '../ports/parley.ts'
import { jsonOf } from './json-once.ts'
import type { OpenStream } from './route.ts'
import { sentEvents, textOf } from './sent-events.ts'

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
      textOf(parley.events.follow({ stream, after }, over), (events) =>
        events
          .filter((event) => !isPrivateStream(event.stream))
          .map((event) => `id: ${stream === undefined ? event.position : event.seq}\ndata: ${jsonOf(event)}\n\n`)
          .join(''),
      ),
    ...(stream !== undefined && {
      beside: (lossy) => parley.events.deltas(stream, (delta: DeltaView) => lossy(`event: delta\ndata: ${jsonOf(delta)}\n\n`)),
    }),
  })
}
