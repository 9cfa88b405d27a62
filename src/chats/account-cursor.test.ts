import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../ports/clock.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { accountCursor, cursorLimits } from './account-cursor.ts'

test('accountCursor: each account reads the last text that it wrote', async () => {
  const store = memoryStore({ clock: systemClock })
  const [one, other] = [accountCursor(store, 'one'), accountCursor(store, 'other')]
  assert.equal(await one.read(), null)
  await one.write('first')
  await one.write('second')
  assert.deepEqual([await accountCursor(store, 'one').read(), await other.read()], ['second', null])
})

test('accountCursor: refuses a text that is too long, and keeps the one before', async () => {
  const cursor = accountCursor(memoryStore({ clock: systemClock }), 'one')
  await cursor.write('x')
  await assert.rejects(cursor.write('x'.repeat(cursorLimits.chars + 1)), /longer than/)
  assert.equal(await cursor.read(), 'x')
})
