import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { EventStream, pieceBytes } from './event-stream.ts'

const read = (...chunks: (string | Buffer)[]): string[] => {
  const stream = new EventStream()
  return [...chunks.flatMap((chunk) => stream.take(Buffer.from(chunk as string))), ...stream.end()]
}

describe('an event stream', () => {
  const cases: [string, string, string[]][] = [
    ['parts events at the empty line', 'data: one\n\ndata: two\n\n', ['one', 'two']],
    ['takes CRLF', 'data: one\r\n\r\ndata: two\r\n\r\n', ['one', 'two']],
    ['takes data without a space', 'data:one\n\n', ['one']],
    ['takes away one space only', 'data:  one\n\n', [' one']],
    ['joins the lines of one event', 'data: {\ndata: }\n\n', ['{\n}']],
    ['skips comments, names, ids and retry times', ': hello\nevent: x\nid: 1\nretry: 5\ndata: one\n\n: bye\n\n', ['one']],
    ['knows an empty data line', 'data\n\ndata:\n\n', ['', '']],
    ['does not take other fields for data', 'database: x\ndataset\n\n', []],
    ['skips a byte order mark', '\uFEFFdata: one\n\n', ['one']],
    ['keeps such a mark inside the data', 'data: \uFEFFone\n\n', ['\uFEFFone']],
    ['gives the last event without its empty line', 'data: one\n\ndata: two', ['one', 'two']],
    ['is silent about nothing', '', []],
  ]
  for (const [what, bytes, events] of cases) it(what, () => assert.deepEqual(read(bytes), events))

  it('gives an event as soon as its empty line is there', () => {
    const stream = new EventStream()
    assert.deepEqual(stream.take(Buffer.from('data: one\n')), [])
    assert.deepEqual(stream.take(Buffer.from('\nda')), ['one'])
    assert.deepEqual(stream.take(Buffer.from('ta: two\n\n')), ['two'])
  })

  it('does not keep a line or an event without bounds', () => {
    const half = Buffer.alloc(pieceBytes / 2, 'x')
    assert.throws(() => read('data: ', half, half), { code: 'model_garbled' })
    const line = Buffer.concat([Buffer.from('data: '), half, Buffer.from('\n')])
    assert.throws(() => read(line, line), { code: 'model_garbled' })
  })

  it('gives the same events however the bytes are cut, even where they are no text', () => {
    const line = fc.oneof(fc.constantFrom('', '\r', 'data: é世🎈', ': c', 'data:[DONE]', 'data', '\uFEFF'), fc.string({ unit: 'grapheme' }))
    const bytes = fc.oneof(
      fc.array(line).map((lines) => Buffer.from(lines.join('\n'))),
      fc.uint8Array({ maxLength: 60 }).map((raw) => Buffer.concat([Buffer.from('data: '), raw, Buffer.from('\n\n')])),
    )
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(200)), (whole, cuts) => {
        const at = [0, ...cuts.filter((cut) => cut < whole.length), whole.length].toSorted((one, other) => one - other)
        const pieces = at.slice(1).map((end, index) => whole.subarray(at[index], end))
        assert.deepEqual(read(...pieces), read(whole))
      }),
    )
  })
})
