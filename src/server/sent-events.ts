import { describeError } from '../errors.ts'

export const eventStreamLimits = { heartbeatMs: 15_000, retryMs: 1_000, bufferedBytes: 256_000 } as const

/**
 * Server-sent events as one response. Reads on only as fast as the reader takes them, says now and then that it is still
 * there, and ends when the reader goes, the server stops, or whoever reads is no longer allowed to; then an event `end` says why.
 */
export function sentEvents({
  signal,
  isStillAllowed,
  onRevoked,
  follow,
  beside,
}: {
  signal: AbortSignal
  isStillAllowed(): Promise<boolean>
  /** Called when the caller's token or session is revoked. Returns what ends the watch. */
  onRevoked(listen: () => void): () => void
  /** Text for the reader, piece by piece, until the signal ends it. */
  follow(over: AbortSignal): AsyncIterator<string>
  /** What is said in between and left out for a reader that lags. Returns how that ends. */
  beside?(lossy: (text: string) => void): () => void
}): Response {
  const over = new AbortController()
  const stop = (): void => over.abort()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  let isRevoked = false
  const revoke = (): void => {
    isRevoked = true
    stop()
  }
  const pieces = follow(over.signal)
  const encoder = new TextEncoder()
  let heartbeat: ReturnType<typeof setInterval> | undefined
  let endBeside = (): void => {}
  let endWatch = (): void => {}
  const end = (): void => {
    clearInterval(heartbeat)
    endBeside()
    endWatch()
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
        if (beside) endBeside = beside(lossy)
        endWatch = onRevoked(revoke)
        // It may have been revoked between the check of the request and the watch.
        isStillAllowed().then((isAllowed) => isAllowed || revoke(), stop)
        heartbeat = setInterval(() => {
          lossy(': still here\n\n')
          isStillAllowed().then((isAllowed) => isAllowed || revoke(), stop)
        }, eventStreamLimits.heartbeatMs)
      },
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done === true) {
          end()
          if (isRevoked)
            controller.enqueue(encoder.encode(`event: end\ndata: ${JSON.stringify({ error: describeError('signed_out', {}) })}\n\n`))
          controller.close()
          return
        }
        // An empty chunk would not ask for the next one.
        controller.enqueue(encoder.encode(value === '' ? ': nothing for you\n\n' : value))
      },
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: eventStreamLimits.bufferedBytes }),
  )
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}
