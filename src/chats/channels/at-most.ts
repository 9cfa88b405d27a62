/** Ends with an error instead of letting more through: what was said about the size may be wrong. */
export function atMost(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0
  return new TransformStream({
    transform(chunk, out) {
      size += chunk.byteLength
      if (size > limit) out.error(new Error(`the file has more than ${limit} bytes`))
      else out.enqueue(chunk)
    },
  })
}
