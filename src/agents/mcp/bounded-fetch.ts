/**
 * fetch, but no single message of a reply may be longer than `maxBytes`. A stream of events may never end, so it is
 * measured from one line to the next; anything else as a whole.
 */
export function boundedFetch(maxBytes: number): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (!response.body) return response
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false
    let open = 0
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          const lineEnd = isStream ? chunk.lastIndexOf(10) : -1
          open = lineEnd === -1 ? open + chunk.length : chunk.length - lineEnd - 1
          if (open > maxBytes || chunk.length > maxBytes) controller.error(new Error(`it sent more than ${maxBytes} bytes at once`))
          else controller.enqueue(chunk)
        },
      }),
    )
    const bounded = new Response(counted, { status: response.status, statusText: response.statusText, headers: response.headers })
    // A reply made by hand has no address, and relative redirects are read against it.
    Object.defineProperty(bounded, 'url', { value: response.url })
    return bounded
  }
}
