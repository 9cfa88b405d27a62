import type { BuildInclude, Parley } from '../ports/parley.ts'
import { eventStreamLimits } from './event-stream.ts'

type From = {
  builds: Parley['builds']
  build: string
  include: BuildInclude
  after: number
  signal: AbortSignal
  isStillAllowed(): Promise<boolean>
}

/**
 * The events of one build as server-sent events. The id of an event is the `after` to resume with, so that `Last-Event-ID`
 * just works. Reads on only as fast as the reader takes them. It stays open after the last event: one that ended would be
 * opened again and again by every EventSource.
 */
export function buildEventStream({ builds, build, include, after, signal, isStillAllowed }: From): Response {
  const over = new AbortController()
  const stop = (): void => over.abort()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const follow = builds.events.follow(build, { after, include }, over.signal)[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  let heartbeat: ReturnType<typeof setInterval> | undefined
  const end = (): void => {
    clearInterval(heartbeat)
    signal.removeEventListener('abort', stop)
    stop()
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(`retry: ${eventStreamLimits.retryMs}\n\n`))
        heartbeat = setInterval(() => {
          if (!over.signal.aborted && (controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': still here\n\n'))
          isStillAllowed().then((isAllowed) => isAllowed || stop(), stop)
        }, eventStreamLimits.heartbeatMs)
      },
      async pull(controller) {
        const { done, value } = await follow.next()
        if (done === true) {
          end()
          controller.close()
          return
        }
        const chunk = value.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join('')
        // An empty chunk would not ask for the next one.
        controller.enqueue(encoder.encode(chunk === '' ? ': nothing for you\n\n' : chunk))
      },
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: eventStreamLimits.bufferedBytes }),
  )
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}
