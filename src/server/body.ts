import type { IncomingMessage } from 'node:http'
import { ParleyError } from '../errors.ts'

export const bodyLimits = {
  /** Of a request that needs no sign-in. */
  anonymousBytes: 16_000,
  /** A body declared to be no larger is counted as a whole before it arrives, a larger one piece by piece as it does. */
  countedWholeBytes: 16_000,
} as const

/**
 * The bytes of a body, at most `limit` of them. `take` is called before memory is allocated and throws when there is none left.
 * Pieces are copied into one buffer as they arrive: an object is kept for none of them, however small a client makes them.
 */
export function readBody(incoming: IncomingMessage, limit: number, take: (bytes: number) => void): Promise<Buffer> {
  const length = incoming.headers['content-length']
  // Node ends a body at its declared length.
  const declared = length === undefined ? null : Number(length)
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    let size = 0
    const reserve = (capacity: number): void => {
      take(capacity - bytes.length)
      const larger = Buffer.allocUnsafeSlow(capacity)
      bytes.copy(larger, 0, 0, size)
      bytes = larger
    }
    const tryTo = (step: () => void): void => {
      try {
        step()
      } catch (error) {
        fail(error)
      }
    }
    const onData = (chunk: Buffer): void =>
      tryTo(() => {
        const needed = size + chunk.length
        if (needed > limit) throw new ParleyError('too_large', { limit })
        if (needed > bytes.length) reserve(Math.max(needed, Math.min(bytes.length * 2, declared ?? limit)))
        size += chunk.copy(bytes, size)
      })
    const onEnd = (): void => {
      stopListening()
      resolve(bytes.subarray(0, size))
    }
    const onClose = (): void => fail(new ParleyError('bad_request', { field: 'body', why: 'ended before it was complete' }))
    const stopListening = (): void => {
      incoming.off('data', onData)
      incoming.off('end', onEnd)
      incoming.off('close', onClose)
    }
    function fail(error: unknown): void {
      stopListening()
      reject(error)
    }
    if (declared !== null && declared > limit) return reject(new ParleyError('too_large', { limit }))
    if (incoming.destroyed) return onClose()
    incoming.on('data', onData)
    incoming.on('end', onEnd)
    // Also comes after an error.
    incoming.on('close', onClose)
    if (declared !== null && declared <= bodyLimits.countedWholeBytes) tryTo(() => reserve(declared))
  })
}

/** An empty body is an empty object: `POST …/stop` needs to say nothing. */
export function parseBody(bytes: Buffer, contentType: string | undefined): unknown {
  if (bytes.length === 0) return {}
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')) throw new ParleyError('wrong_content_type')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    // V8 quotes a part of the body, which may be long and comes from outside: it is removed.
    const why =
      cause instanceof SyntaxError
        ? (/at position \d+|end of JSON input/.exec(cause.message)?.[0] ?? 'it cannot be parsed')
        : 'it is not UTF-8'
    throw new ParleyError('bad_json', { why }, { cause })
  }
}
