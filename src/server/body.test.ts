import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { ParleyError } from '../errors.ts'
import { bodyLimits, readBody } from './body.ts'

function incomingWith(headers: Record<string, string> = {}): PassThrough & IncomingMessage {
  return Object.assign(new PassThrough(), { headers }) as unknown as PassThrough & IncomingMessage
}

describe('readBody', () => {
  test('keeps nothing for each piece: pieces of one byte take as much memory as one piece', async () => {
    const incoming = incomingWith()
    const amounts: number[] = []
    const body = readBody(incoming, 100_000, (bytes) => void amounts.push(bytes))
    const text = 'abcdefghij'.repeat(5_000)
    for (const letter of text) if (!incoming.write(letter)) await new Promise((resolve) => incoming.once('drain', resolve))
    incoming.end()
    assert.equal((await body).toString(), text)
    const sum = amounts.reduce((total, bytes) => total + bytes, 0)
    assert.equal(sum >= text.length && sum <= 2 * text.length, true, `${sum} bytes were taken`)
    assert.equal(amounts.length < 20, true, `memory was taken ${amounts.length} times`)
  })

  test('a small body is counted as a whole before it arrives', async () => {
    const incoming = incomingWith({ 'content-length': '5' })
    const takenBytes: number[] = []
    const body = readBody(incoming, 100, (bytes) => void takenBytes.push(bytes))
    assert.deepEqual(takenBytes, [5])
    incoming.end('hello')
    assert.equal((await body).toString(), 'hello')
    assert.deepEqual(takenBytes, [5])
  })

  test('a large body takes no more memory than it declares', async () => {
    const length = bodyLimits.countedWholeBytes + 1_000
    const incoming = incomingWith({ 'content-length': String(length) })
    let sum = 0
    const body = readBody(incoming, 100_000, (bytes) => void (sum += bytes))
    for (let sentCount = 0; sentCount < length; sentCount += 1_000) incoming.write('x'.repeat(1_000))
    incoming.end()
    assert.equal((await body).length, length)
    assert.equal(sum, length)
  })

  test('too large: refused by what it declares, or by what arrives', async () => {
    await assert.rejects(
      readBody(incomingWith({ 'content-length': '11' }), 10, () => {}),
      { code: 'too_large' },
    )
    const incoming = incomingWith()
    incoming.end('x'.repeat(11))
    await assert.rejects(
      readBody(incoming, 10, () => {}),
      { code: 'too_large' },
    )
  })

  test('no memory left: refused with the reason', async () => {
    const incoming = incomingWith()
    incoming.write('x')
    const full = new ParleyError('server_full', { what: 'bodies', seconds: 1 })
    const refuse = (): void => {
      throw full
    }
    await assert.rejects(readBody(incoming, 10, refuse), full)
  })

  test('a body that ends early is a fault of the caller', async () => {
    const incoming = incomingWith({ 'content-length': '10' })
    const body = readBody(incoming, 10, () => {})
    incoming.write('x')
    incoming.destroy()
    await assert.rejects(body, { code: 'bad_request' })
    await assert.rejects(
      readBody(incoming, 10, () => {}),
      { code: 'bad_request' },
    )
  })
})
