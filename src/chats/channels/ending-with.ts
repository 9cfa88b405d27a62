/** A call of a library that knows no end of waiting. */
export async function endingWith<Value>(call: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(new Error('no answer came in time'))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([call, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
