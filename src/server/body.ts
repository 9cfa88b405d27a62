import { ParleyError } from '../errors.ts'

export const bodyLimits = {
  /** Of a request that needs no sign-in. */
  anonymousBytes: 16_000,
  /** A body declared to be no larger is counted as a whole before it arrives, a larger one piece by piece as it does. */
  countedWholeBytes: 16_000,
} as const

/** The bytes of a body, no more than `limit` of them. `take` is called before they are kept and throws when there is no room. */
export async function readBody(request: Request, limit: number, take: (bytes: number) => void): Promise<Buffer> {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > limit) throw new ParleyError('too_large', { limit })
  // Node ends a body at its declared length.
  if (declared !== null && Number(declared) <= bodyLimits.countedWholeBytes) {
    take(Number(declared))
    return Buffer.from(await request.arrayBuffer())
  }
  if (!request.body) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > limit) throw new ParleyError('too_large', { limit })
    take(chunk.byteLength)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** An empty body is an empty object: `POST …/stop` needs to say nothing. */
export function parseBody(bytes: Buffer, contentType: string | undefined): unknown {
  if (bytes.length === 0) return {}
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')) throw new ParleyError('wrong_content_type')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    // What V8 quotes of the body is cut out: it may be long, and it came from outside.
    const why =
      cause instanceof SyntaxError
        ? (/at position \d+|end of JSON input/.exec(cause.message)?.[0] ?? 'it cannot be parsed')
        : 'it is not UTF-8'
    throw new ParleyError('bad_json', { why }, { cause })
  }
}
