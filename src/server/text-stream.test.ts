import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textStream } from './text-stream.ts'

test('textStream: gives the text in order and is over with its source', async () => {
  async function* source() {
    yield 'ein '
    yield 'Tag 日'
  }
  assert.equal(await new Response(textStream(source())).text(), 'ein Tag 日')
})

test('textStream: a reader that goes away ends the source, which is read no further than needed', async () => {
  const steps: string[] = []
  async function* source() {
    try {
      for (let number = 0; ; number += 1) {
        steps.push(`chunk ${number}`)
        yield 'x'
      }
    } finally {
      steps.push('end')
    }
  }
  const reader = textStream(source()).getReader()
  await reader.read()
  await reader.cancel()
  assert.equal(steps.at(-1), 'end')
  assert.ok(steps.length <= 4, steps.join(', '))
})
