import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { ChurnMap } from './churn-map.ts'

test('ChurnMap: has what a Map has after any sets and removals', () => {
  const key = fc.constantFrom('a', 'b', '1', '__proto__', 'constructor')
  const step = fc.record({
    key,
    value: fc.option(
      fc.integer().map((number) => ({ number })),
      { nil: undefined },
    ),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const [map, churn] = [new Map<string, object>(), new ChurnMap<object>()]
      for (const { key: name, value } of steps) {
        if (value) {
          map.set(name, value)
          churn.set(name, value)
        } else {
          map.delete(name)
          churn.delete(name)
        }
        assert.equal(churn.get(name), map.get(name))
      }
      assert.deepEqual(new Map(churn.entries()), map)
    }),
  )
})

test('ChurnMap: what removed entries held does not survive collections of young objects', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void
  const usedOld = (): number => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? Number.NaN
  const grown = (map: { set(key: string, value: object): void; delete(key: string): unknown }): number => {
    const set = (at: number): void =>
      map.set(
        `k${at}`,
        Array.from({ length: 60 }, () => ({ at })),
      )
    for (let at = 0; at < 64; at += 1) set(at)
    collect({ type: 'major' })
    const before = usedOld()
    for (let at = 64; at < 6_400; at += 1) {
      map.delete(`k${at - 64}`)
      set(at)
      if (at % 400 === 0) collect({ type: 'minor' })
    }
    return usedOld() - before
  }
  // First, because V8 allocates directly in the old space what it has seen survive before.
  const churn = grown(new ChurnMap())
  const plain = grown(new Map())
  assert.ok(churn < plain / 4, `a Map has kept ${plain} bytes, a ChurnMap ${churn}`)
})
