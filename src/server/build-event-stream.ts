import type { BuildInclude, Parley } from '../ports/parley.ts'
import { sentEvents } from './sent-events.ts'

type From = {
  builds: Parley['builds']
  build: string
  include: BuildInclude
  after: number
  signal: AbortSignal
  isStillAllowed(): Promise<boolean>
  onRevoked(listen: () => void): () => void
}

/**
 * The events of one build as server-sent events. The id of an event is the `after` to resume with. It stays open after the
 * last event: one that ended would be opened again and again by every EventSource.
 */
export function buildEventStream({ builds, build, include, after, signal, isStillAllowed, onRevoked }: From): Response {
  return sentEvents({
    signal,
    isStillAllowed,
    onRevoked,
    async *follow(over) {
      for await (const events of builds.events.follow(build, { after, include }, over))
        yield events.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    },
  })
}
