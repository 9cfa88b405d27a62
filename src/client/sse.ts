/** A block ends with at most this many characters. */
const endChars = 4

export type ServerEvent = { id: string; name: string; data: string }

/**
 * Server-sent events as they come, those of one piece of the line together. A piece that only says "still here" gives an
 * empty list, so that the reader knows that the connection is alive.
 */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent[]> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  /** The block whose end has not come: the last characters, which may begin that end, and the pieces before them. */
  let tail = ''
  let openPieces: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      // Only the new piece is searched: a long block in many pieces is not read again for each of them.
      const text = tail + decoder.decode(value, { stream: true })
      // A CR at the very end may be half of a CRLF: it waits for its other half.
      const whole = text.endsWith('\r') ? text.slice(0, -1) : text
      const [first = '', ...blocks] = whole.split(/\r\n\r\n|\n\n|\r\r/)
      const last = blocks.pop()
      const open = (last ?? first) + text.slice(whole.length)
      const complete = last === undefined ? [] : [openPieces.join('') + first, ...blocks]
      if (last !== undefined) openPieces = []
      openPieces.push(open.slice(0, -endChars))
      tail = open.slice(-endChars)
      yield complete.flatMap(getEvent)
    }
  } finally {
    // A reader that stops releases the connection.
    reader.cancel().catch(() => {})
  }
}

function getEvent(block: string): ServerEvent[] {
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
