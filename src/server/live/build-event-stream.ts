import type { BuildInclude, Parley } from '../../shapes/parley.ts'
import type { OpenStream } from '../routes/route.ts'
import { sentEvents, getText } from './sent-events.ts'

type From = {
  builds: Parley['builds']
  build: string
  include: BuildInclude
  after: number
  signal: AbortSignal
  isStillAllowed(): Promise<boolean>
  onRevoked(listen: () => void): () => void
  open: Pick<OpenStream, 'turn' | 'sent'>
}

/**
 * The events of one build as server-sent events. The id of an event is the `after` to resume with. It stays open after the
 * last event: one that ended would be opened again and again by every EventSource.
 */
export function buildEventStream({ builds, build, include, after, signal, isStillAllowed, onRevoked, open }: From): Response {
  return sentEvents({
    signal,
    isStillAllowed,
    onRevoked,
    open,
    follow: (over) =>
      getText(builds.events.follow(build, { after, include }, over), (events) =>
        events.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
      ),
  })
}
