import { ParleyError } from '../../errors.ts'
import { type AgUiEvent, official } from './ag-ui-event.ts'
import { type AgUiRunOpen, runError } from './ag-ui-runs.ts'
import { agUiLimits, type RunInput } from './run-input.ts'

/** AG-UI's own packages, loaded by the first who uses them. */
async function packages() {
  try {
    const [{ AGUI_MEDIA_TYPE, EventEncoder }, { MessageSchema }] = await Promise.all([
      import('@ag-ui/encoder'),
      import('@ag-ui/core/schemas'),
    ])
    return { AGUI_MEDIA_TYPE, EventEncoder, MessageSchema }
  } catch (cause) {
    throw new ParleyError('package_missing', { package: '@ag-ui/core @ag-ui/encoder' }, { cause })
  }
}

/** Messages go back to the client in a snapshot, so they have to be whole ones. */
export async function checkMessages({ messages }: RunInput): Promise<void> {
  const { MessageSchema } = await packages()
  for (const [index, message] of messages.entries()) {
    const read = MessageSchema.safeParse(message)
    if (read.success) continue
    const [issue] = read.error.issues
    const field = ['messages', index, ...(issue?.path ?? [])].map(String).join('.').slice(0, 100).toWellFormed()
    throw new ParleyError('bad_request', { field, why: 'is not as AG-UI has it' })
  }
}

export type StreamParts = {
  accept: string | undefined
  /** The client is gone. */
  left: AbortSignal
  /** The server is stopping. */
  closing: AbortSignal
  /** Aborted with the reason when the server has to close the run's stream. */
  evicted: AbortSignal
  /** Waited for before each piece is made. */
  turn(): Promise<void>
  /** Called with the bytes of each piece. */
  sent(bytes: number): void
  isStillAllowed(): Promise<boolean>
  /** Called when the caller's token or session is revoked. Returns what ends the watch. */
  onRevoked(listen: () => void): () => void
  onFault(error: unknown): ParleyError
}

/** The run as the client wants it: server-sent events, or the protocol's binary form when it is asked for by name. */
export async function agUiResponse(
  run: AgUiRunOpen,
  { accept, left, closing, evicted, turn, sent, isStillAllowed, onRevoked, onFault }: StreamParts,
): Promise<Response> {
  const { AGUI_MEDIA_TYPE, EventEncoder } = await packages()
  // The encoder reads `*/*` as a request for the binary form, and every curl sends that.
  const isBinary = accept?.includes(AGUI_MEDIA_TYPE) === true
  const encoder = new EventEncoder(isBinary ? { accept: AGUI_MEDIA_TYPE } : {})
  const over = new AbortController()
  let why: ParleyError | null = null
  const stop = (reason: ParleyError | null) => (): void => {
    why ??= reason
    over.abort()
  }
  const leave = stop(null)
  const close = stop(new ParleyError('shutting_down'))
  const refuse = stop(new ParleyError('signed_out'))
  const evict = stop(new ParleyError('reader_too_slow'))
  left.addEventListener('abort', leave, { once: true })
  evicted.addEventListener('abort', evict, { once: true })
  closing.addEventListener('abort', close, { once: true })
  if (left.aborted) leave()
  if (closing.aborted) close()
  if (evicted.aborted) evict()

  /** Not encoded yet: a batch may be a whole build, and only a piece of it is handed over at a time. */
  let waiting: AgUiEvent[] = []
  const events = told(run, over.signal, () => why, onFault)
  let heartbeat: ReturnType<typeof setInterval> | undefined
  const endWatch = onRevoked(refuse)
  const end = (): void => {
    clearInterval(heartbeat)
    endWatch()
    left.removeEventListener('abort', leave)
    closing.removeEventListener('abort', close)
    evicted.removeEventListener('abort', evict)
    over.abort()
    events.return().catch(() => {})
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        heartbeat = setInterval(() => {
          if (!isBinary && (controller.desiredSize ?? 0) >= 0) controller.enqueue(new TextEncoder().encode(': still here\n\n'))
          isStillAllowed().then((isAllowed) => isAllowed || refuse(), refuse)
        }, agUiLimits.heartbeatMs)
      },
      async pull(controller) {
        await turn()
        if (waiting.length === 0) {
          const { done, value } = await events.next()
          if (done === true) {
            end()
            controller.close()
            return
          }
          waiting = value
        }
        const chunks: Uint8Array[] = []
        let bytes = 0
        let takenCount = 0
        for (const event of waiting) {
          if (bytes >= agUiLimits.pieceBytes) break
          const chunk = encoder.encodeBinary(official(event))
          chunks.push(chunk)
          bytes += chunk.length
          takenCount += 1
        }
        waiting = waiting.slice(takenCount)
        controller.enqueue(Buffer.concat(chunks))
        sent(bytes)
      },
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  )
  return new Response(body, {
    headers: {
      'content-type': isBinary ? encoder.getContentType() : `${encoder.getContentType()}; charset=utf-8`,
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // Otherwise the adapter reads the first pieces ahead, to find out a length, and keeps them until the stream ends.
      'transfer-encoding': 'chunked',
    },
  })
}

/** The events of a run; what breaks it off is its last one, in words. */
async function* told(
  run: AgUiRunOpen,
  signal: AbortSignal,
  why: () => ParleyError | null,
  onFault: (error: unknown) => ParleyError,
): AsyncGenerator<AgUiEvent[], void> {
  let isEnded = false
  try {
    for await (const events of run.follow(signal)) {
      yield events
      const last = events.at(-1)?.type
      isEnded = last === 'RUN_FINISHED' || last === 'RUN_ERROR'
    }
  } catch (error) {
    yield [runError(onFault(error))]
    return
  }
  const reason = why()
  if (!isEnded && reason) yield [runError(reason)]
}
