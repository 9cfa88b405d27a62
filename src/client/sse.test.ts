import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { eventsIn, type ServerEvent } from './sse.ts'

async function read(pieces: readonly string[]): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  for await (const some of eventsIn(ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece))))) events.push(...some)
  return events
}

test('events end at an empty line of any kind; comments and unknown fields are skipped', async () => {
  const text = 'id: 1\nevent: step\ndata: a\ndata:b\n\n: still here\n\nretry: 9\r\ndata:  c\r\n\r\ndata\r\rdata: no end'
  assert.deepEqual(await read([text]), [
    { id: '1', name: 'step', data: 'a\nb' },
    { id: '', name: 'message', data: ' c' },
    { id: '', name: 'message', data: '' },
  ])
})

test('the same events are read however the stream is cut', async () => {
  const part = fc.constantFrom('data: a', 'id: 1', '\n', '\r\n', '\n\n', '\r\n\r\n', ':', 'data:界')
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 24 }), fc.array(fc.nat(80), { maxLength: 8 }), async (parts, cuts) => {
      const text = `${parts.join('')}.`
      const ends = [...cuts.filter((cut) => cut < text.length), text.length].toSorted((left, right) => left - right)
      assert.deepEqual(await read(ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))), await read([text]))
    }),
    { numRuns: 1_000 },
  )
})
