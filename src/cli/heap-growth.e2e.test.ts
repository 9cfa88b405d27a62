import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { heapLimits } from './heap-growth.ts'

const module = fileURLToPath(new URL('./heap-growth.ts', import.meta.url))

/** Makes objects that live for a while, as responses on their way do, and prints how far the parts of the heap grew. */
const program = `
  import { getHeapSpaceStatistics } from 'node:v8'
  const { boundHeapGrowth } = await import(${JSON.stringify(module)})
  if (process.argv[1] === 'bounded') boundHeapGrowth()
  const objects = []
  const peaks = { new_space: 0, old_space: 0 }
  for (let count = 0; count < 3_000_000; count += 1) {
    objects[count % 100_000] = { made: count, parts: [count, count], text: 'text ' + count }
    if (count % 20_000 !== 0) continue
    await new Promise(setImmediate)
    for (const { space_name: name, space_size: size } of getHeapSpaceStatistics())
      if (name in peaks) peaks[name] = Math.max(peaks[name], size)
  }
  console.log(JSON.stringify(peaks))
`

function findPeaks(argument: string, ...options: string[]): { new_space: number; old_space: number } {
  const { NODE_OPTIONS: _, ...env } = process.env
  const output = execFileSync(process.execPath, [...options, '--input-type=module', '--eval', program, argument], { env, encoding: 'utf8' })
  return JSON.parse(output) as { new_space: number; old_space: number }
}

test('boundHeapGrowth: keeps the young generation smaller than V8 would, unless the operator set it', () => {
  const bounded = findPeaks('bounded')
  const unbounded = findPeaks('unbounded')
  // V8 holds some pages more during a collection, and the bound follows each collection a little later. Without a bound it is 128 MB.
  assert.equal(bounded.new_space <= heapLimits.youngBytes * 1.5, true, `${bounded.new_space} bytes of young generation`)
  assert.equal(unbounded.new_space > heapLimits.youngBytes * 3, true, `${unbounded.new_space} bytes without a bound`)
  const chosen = findPeaks('bounded', '--max-semi-space-size=64')
  assert.equal(chosen.new_space > heapLimits.youngBytes, true, `${chosen.new_space} bytes as the operator chose`)
})
