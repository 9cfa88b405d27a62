import { tokenStream } from '../access/access.ts'
import type { DeltaView, EventView } from '../client/wire.ts'
import type { Parley } from '../ports/parley.ts'
import { jsonOf } from './json-once.ts'

export const eventStreamLimits = { heartbeatMs: 15_000, retryMs: 1_000, bufferedBytes: 256_000 } as const

type From = { parley: Parley; stream: string | undefined; after: number; signal: AbortSignal; isStillAllowed(): Promise<boolean> }

/**
 * Server-sent events. Reads on only as fast as the reader takes them; pieces of replies are left out for one that lags.
 * The id of an event is the `after` to resume with, so that `Last-Event-ID` just works; pieces have none.
 */
export function eventStream({ parley, stream, after, signal, isStillAllowed }: From): Response {
  const over = new AbortController()
  const stop = (): void => over.abort()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const follow = parley.events.follow({ stream, after }, over.signal)[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  let heartbeat: ReturnType<typeof setInterval> | undefined
  let stopDeltas = (): void => {}

  const end = (): void => {
    clearInterval(heartbeat)
    stopDeltas()
    signal.removeEventListener('abort', stop)
    stop()
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(`retry: ${eventStreamLimits.retryMs}\n\n`))
        const lossy = (text: string): void => {
          if (!over.signal.aborted && (controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(text))
        }
        if (stream !== undefined)
          stopDeltas = parley.events.deltas(stream, (delta: DeltaView) => lossy(`event: delta\ndata: ${jsonOf(delta)}\n\n`))
        heartbeat = setInterval(() => {
          lossy(': still here\n\n')
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
        const chunk = value
          .filter((event) => event.stream !== tokenStream)
          .map((event: EventView) => `id: ${stream === undefined ? event.position : event.seq}\ndata: ${jsonOf(event)}\n\n`)
          .join('')
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
