import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureGrowth } from '../../../test/linear-time/cpu-time.ts'
import { worstCases } from '../../../test/linear-time/worst-cases.ts'
import { toBlocks } from './markdown.ts'

test('toBlocks: takes linear time on its worst cases', (t) => {
  const slow: string[] = []
  for (const [which, make] of worstCases) {
    const { isLinear, figures } = measureGrowth((chars) => {
      // Below the length from which on a line is not lexed at all.
      const text = make(chars - 100)
      return () => void toBlocks(text)
    })
    if (!isLinear) slow.push(`${which}: ${figures}`)
  }
  t.diagnostic(`${worstCases.size} worst cases`)
  assert.ok(worstCases.size >= 200)
  assert.deepEqual(slow, [])
})
