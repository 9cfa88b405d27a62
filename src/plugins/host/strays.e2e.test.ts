import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

/** In a process of its own: what is tested would end it. */
function getOutcome(stray: string): { status: number | null; out: string; err: string } {
  const program = `
    import { guardFor } from '${new URL('./guard.ts', import.meta.url).href}'
    import { catchStrays } from '${new URL('./strays.ts', import.meta.url).href}'
    import { systemClock } from '${new URL('../../ports/clock.ts', import.meta.url).href}'
    const stop = catchStrays()
    const guard = guardFor('weather', { clock: systemClock, log: (_level, message, fields) => console.log(message, fields.part, fields.why) })
    ${stray}
    setTimeout(() => { console.log('still here'); stop() }, 200)
  `
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  return { status, out: stdout, err: stderr }
}

const ways = {
  'a timer': "setTimeout(() => { throw new Error('late') }, 5)",
  'a promise without a handler': "void (async () => { await 1; throw new Error('late') })()",
  'a rejection later on': "setTimeout(() => Promise.reject(new Error('late')), 5)",
}

for (const [what, code] of Object.entries(ways)) {
  test(`${what} of a plugin that fails is reported, and the process lives`, () => {
    const { status, out } = getOutcome(`await guard.call('setUp', 1_000, () => { ${code} })`)
    assert.match(out, /a plugin failed and was passed over background work late/)
    assert.match(out, /still here/)
    assert.equal(status, 0)
  })

  test(`${what} outside a plugin still ends the process`, () => {
    const { status, out, err } = getOutcome(code)
    assert.doesNotMatch(out, /still here/)
    assert.match(err, /late/)
    assert.notEqual(status, 0)
  })
}

test('listeners for errors of the process receive those outside plugins', () => {
  const { status, out } = getOutcome(`
    process.on('uncaughtException', (error) => console.log('heard', error.message))
    await guard.call('setUp', 1_000, () => void setTimeout(() => { throw new Error('of a plugin') }, 5))
    setTimeout(() => { throw new Error('of Parley') }, 10)
  `)
  assert.match(out, /heard of Parley/)
  assert.doesNotMatch(out, /heard of a plugin/)
  assert.equal(status, 0)
})
