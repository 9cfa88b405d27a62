import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomIds } from '../../ports/ids.ts'
import { memoryBacking } from '../../store/memory/memory-backing.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { access } from './access.ts'
import { tokenLimits } from './tokens.ts'

const secret = { value: 'a secret for tests that is long enough', isOwn: false }
const dayMs = 24 * 60 * 60_000

test('tokens revoked before a time are forgotten, in bounded batches and in every process; the others stay', async () => {
  const clock = simulatedClock()
  const backing = memoryBacking()
  const open = () => access({ store: memoryStore({ backing, clock }), secret, clock, ids: randomIds })
  const [here, there] = [open(), open()]
  const activeToken = await here.createToken('kept', ['read'])
  const old: string[] = []
  for (let count = 0; count < tokenLimits.prunedAtOnce + 2; count += 1) {
    const { token, view } = await here.createToken(`old ${count}`, ['read'])
    await here.revokeToken(view.id)
    old.push(token)
  }
  await clock.advance(40 * dayMs)
  const recent = await here.createToken('recent', ['read'])
  await here.revokeToken(recent.view.id)

  const before = clock.now() - 30 * dayMs
  assert.equal(await here.pruneTokens(before), true, 'some are left')
  assert.equal(await here.pruneTokens(before), false)
  assert.equal(await here.pruneTokens(before), false)
  for (const auth of [here, there, open()]) {
    assert.deepEqual(
      (await auth.listTokens()).map(({ name }) => name),
      ['kept', 'recent'],
    )
    assert.equal((await auth.checkToken(activeToken.token))?.name, 'kept')
    for (const token of [recent.token, ...old.slice(0, 2)]) assert.equal(await auth.checkToken(token), null)
  }
  await assert.rejects(here.revokeToken('tok_unknown'), { code: 'token_not_found' })
})
