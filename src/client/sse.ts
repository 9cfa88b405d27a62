export type ServerEvent = { id: string; name: string; data: string }

/**
 * Server-sent events as they come, those of one piece of the line together. A piece that only says "still here" gives an
 * empty list, so that whoever reads knows that the line lives.
 */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent[]> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      // A CR at the very end may be half of a CRLF: it waits for its other half.
      const text = rest + decoder.decode(value, { stream: true })
      const whole = text.endsWith('\r') ? text.slice(0, -1) : text
      const blocks = whole.split(/\r\n\r\n|\n\n|\r\r/)
      rest = (blocks.pop() ?? '') + text.slice(whole.length)
      yield blocks.flatMap(eventOf)
    }
  } finally {
    // Whoever stops reading lets the line go.
    reader.cancel().catch(() => {})
  }
}

function eventOf(block: string): ServerEvent[] {
  const event: ServerEvent = { id: '', name: 'message', data: '' }
  const data: string[] = []
  for (const line of block.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(':')
    if (colon === 0) continue
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') data.push(value)
    else if (field === 'id') event.id = value
    else if (field === 'event') event.name = value
  }
  return data.length === 0 ? [] : [{ ...event, data: data.join('\n') }]
}
