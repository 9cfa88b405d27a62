import { describeError, ParleyError } from '../../errors.ts'
import type { OpenStream } from '../routes/route.ts'

const nothing = new Uint8Array(0)

export const eventStreamLimits = { heartbeatMs: 15_000, retryMs: 1_000, lossyBytes: 16_000 } as const

/**
 * Server-sent events as one response. Reads on only when the reader has taken what was sent before, so at most one batch waits
 * for a slow reader. Sends a comment now and then, and ends when the reader goes, the server stops, or the caller is no longer
 * allowed to read. When the server ends it for a reason, that is the last event, named `closed`.
 */
export function sentEvents({
  signal,
  isStillAllowed,
  onRevoked,
  follow,
  beside,
  open: { turn, sent },
}: {
  signal: AbortSignal
  isStillAllowed(): Promise<boolean>
  /** Called when the caller's token or session is revoked. Returns what ends the watch. */
  onRevoked(listen: () => void): () => void
  /** Text for the reader, piece by piece, until the signal ends it. */
  follow(over: AbortSignal): AsyncIterator<string>
  /** Text in between that a reader may miss when it lags. Returns how that ends. */
  beside?(lossy: (text: string) => void): () => void
  open: Pick<OpenStream, 'turn' | 'sent'>
}): Response {
  const over = new AbortController()
  let reason: ParleyError | null = null
  const revoke = (): void => {
    reason = new ParleyError('signed_out')
    end()
  }
  const encoder = new TextEncoder()
  const pieces = follow(over.signal)
  let heartbeat: ReturnType<typeof setInterval> | undefined
  let endBeside = (): void => {}
  let endWatch = (): void => {}
  let close = (): void => {}
  const end = (): void => {
    clearInterval(heartbeat)
    endBeside()
    endWatch()
    signal.removeEventListener('abort', onAbort)
    over.abort()
    // A source that waits to be asked for more would otherwise listen for events for ever.
    pieces.return?.().catch(() => {})
    close()
    close = () => {}
  }
  const onAbort = (): void => end()
  /**
   * While a reader waits for its turn, the promise it waits with grows old, and what an old promise was resolved with stays in
   * memory until the next full collection, which 500 readers with a large event each do not leave time for. So that promise is
   * resolved with nothing, and the page goes to the next one, which is young.
   */
  let hasTurn = false
  async function writeNext(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const { done, value } = await pieces.next()
    if (over.signal.aborted) return
    if (done === true) return end()
    // An empty chunk would not ask for the next one.
    const bytes = encoder.encode(value === '' ? ': nothing for you\n\n' : value)
    controller.enqueue(bytes)
    sent(bytes.length)
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const enqueue = (text: string): void => {
          const bytes = encoder.encode(text)
          controller.enqueue(bytes)
          sent(bytes.length)
        }
        enqueue(`retry: ${eventStreamLimits.retryMs}\n\n`)
        close = () => {
          // A stream whose source failed is over already.
          if (controller.desiredSize === null) return
          const why = reason ?? (signal.reason instanceof ParleyError ? signal.reason : null)
          if (why) enqueue(`event: closed\ndata: ${JSON.stringify(describeError(why.code, why.details))}\n\n`)
          controller.close()
        }
        // The queue has no room of its own, so what is in it is what the reader has not asked for yet.
        const lossy = (text: string): void => {
          if (!over.signal.aborted && (controller.desiredSize ?? 0) > -eventStreamLimits.lossyBytes) enqueue(text)
        }
        if (beside) endBeside = beside(lossy)
        endWatch = onRevoked(revoke)
        // It may have been revoked between the check of the request and the watch.
        isStillAllowed().then((isAllowed) => isAllowed || revoke(), end)
        heartbeat = setInterval(() => {
          lossy(': still here\n\n')
          isStillAllowed().then((isAllowed) => isAllowed || revoke(), end)
        }, eventStreamLimits.heartbeatMs)
        signal.addEventListener('abort', onAbort, { once: true })
        if (signal.aborted) end()
      },
      pull(controller) {
        if (hasTurn) {
          hasTurn = false
          return writeNext(controller)
        }
        return turn().then(() => {
          hasTurn = true
          if (!over.signal.aborted) controller.enqueue(nothing)
        })
      },
      cancel() {
        close = () => {}
        end()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  )
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // Otherwise the adapter reads the first pieces ahead, to find out a length, and keeps them until the stream ends.
      'transfer-encoding': 'chunked',
    },
  })
}

/** Batches as text. Not a generator: one that is suspended would keep its last batch in memory for as long as the reader is slow. */
export function getText<Batch>(batches: AsyncIterable<Batch>, write: (batch: Batch) => string): AsyncIterator<string> {
  const inside = batches[Symbol.asyncIterator]()
  return {
    async next() {
      const { done, value } = await inside.next()
      return done === true ? { done, value: undefined } : { done: false, value: write(value) }
    },
    async return() {
      await inside.return?.()
      return { done: true, value: undefined }
    },
  }
}
