import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Scope } from '../client/wire.ts'
import { randomIds } from '../ports/ids.ts'
import { memoryBacking } from '../store/memory/memory-backing.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { access, accessLimits, localToken } from './access.ts'
import { loadSecret } from './secret.ts'
import { seal, unseal } from './signature.ts'
import { decide, evolve, initialTokens, scopes, type TokenCommand, type TokensState } from './tokens.ts'

const secret = { value: 'a secret for tests that is long enough', isOwn: false }

describe('tokens, by the rules', () => {
  const command: fc.Arbitrary<TokenCommand> = fc.oneof(
    fc.record({
      type: fc.constant('create-token' as const),
      at: fc.nat(),
      token: fc.constantFrom('a', 'b', 'c'),
      name: fc.string({ maxLength: 120 }),
      scopes: fc.subarray([...scopes]),
      hash: fc.string(),
    }),
    fc.record({ type: fc.constant('revoke-token' as const), at: fc.nat(), token: fc.constantFrom('a', 'b', 'c', 'd') }),
  )

  test('a token is made once, revoked once and for ever, and never gains a scope', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        let state: TokensState = initialTokens
        for (const one of commands) {
          const before = state
          const decision = decide(state, one)
          if ('refused' in decision) continue
          assert.equal(decision.events.length <= 1, true)
          for (const event of decision.events) state = evolve(state, event)
          for (const [id, old] of before) {
            const now = state.get(id)
            assert.deepEqual(now?.scopes, old.scopes)
            assert.equal(now?.hash, old.hash)
            if (old.revokedAt !== null) assert.equal(now?.revokedAt, old.revokedAt)
          }
          assert.deepEqual(decide(state, one), { events: [] }, 'the same wish again changes nothing')
        }
      }),
    )
  })
})

describe('access', () => {
  function open(backing = memoryBacking(), clock = simulatedClock()) {
    const store = memoryStore({ backing, clock })
    return { backing, clock, store, doors: access({ store, secret, clock, ids: randomIds }) }
  }

  test('a token opens what it was made for; its secret is in no event', async () => {
    const { doors, store } = open()
    const { token, view } = await doors.createToken('robot', ['chat', 'read'])
    assert.deepEqual(view.scopes, ['read', 'chat'])
    assert.deepEqual(await doors.checkToken(token), { id: view.id, name: 'robot', scopes: ['read', 'chat'], door: 'token' })
    assert.equal(JSON.stringify(await store.readAll(0, 100)).includes(token.slice(-64)), false)
    for (const wrong of [
      `${token}0`,
      token.slice(0, -1),
      token.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      '',
      'parley__',
      `parley_${view.id}_${'0'.repeat(64)}`,
    ])
      assert.equal(await doors.checkToken(wrong), null)
  })

  test('a token revoked in another process is refused here', async () => {
    const one = open()
    const other = open(one.backing, one.clock)
    const { token, view } = await one.doors.createToken('robot', ['read'])
    assert.notEqual(await other.doors.checkToken(token), null)
    await one.doors.revokeToken(view.id)
    await one.clock.advance(accessLimits.staleMs)
    assert.equal(await other.doors.checkToken(token), null)
    await assert.rejects(one.doors.revokeToken('nothere'), { code: 'token_not_found' })
  })

  test('many made at once, in two processes, all count', async () => {
    const one = open()
    const other = open(one.backing, one.clock)
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? one : other).doors.createToken(`t${n}`, ['read'] as Scope[], { key: `k${n}`, request: 'r' }),
      ),
    )
    assert.equal(new Set(made.map(({ view }) => view.id)).size, 20)
    for (const { token } of made) assert.notEqual(await one.doors.checkToken(token), null)
  })

  test('the same key makes the same token; for something else it is refused', async () => {
    const { doors } = open()
    const once = { key: 'k', request: 'r' }
    assert.deepEqual(await doors.createToken('a', ['read'], once), await doors.createToken('a', ['read'], once))
    assert.equal((await doors.listTokens()).length, 1)
    await assert.rejects(doors.createToken('b', ['read'], { key: 'k', request: 'other' }), { code: 'key_reused' })
  })

  test('a link works once, also after a restart, and not after its time', async () => {
    const { doors, backing, clock } = open()
    const { key } = doors.signInKey('mia')
    const { cookie } = await doors.redeem(key)
    const restarted = open(backing, clock).doors
    await assert.rejects(restarted.redeem(key), { code: 'link_used' })
    assert.deepEqual(restarted.checkCookie(cookie)?.name, 'mia')
    const late = doors.signInKey()
    await clock.advance(accessLimits.linkMs)
    await assert.rejects(doors.redeem(late.key), { code: 'link_used' })
    await clock.advance(accessLimits.cookieMs)
    assert.equal(doors.checkCookie(cookie), null)
  })

  test('what was signed for one thing opens no other, and another secret opens nothing', async () => {
    const { doors } = open()
    const { key } = doors.signInKey()
    assert.equal(doors.checkCookie(key), null)
    const { cookie } = await doors.redeem(key)
    await assert.rejects(doors.redeem(cookie), { code: 'link_used' })
    const { store, clock } = open()
    const stranger = access({ store, clock, ids: randomIds, secret: { value: 'x'.repeat(40), isOwn: true } })
    assert.equal(stranger.checkCookie(cookie), null)
    assert.equal(await stranger.checkToken(localToken(secret)), null)
    assert.deepEqual((await doors.checkToken(localToken(secret)))?.scopes, scopes)
    assert.notEqual(stranger.cookieName, doors.cookieName)
  })

  test('nothing but what was sealed is unsealed', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (noise, at) => {
        const sealed = seal(secret.value, 'p', { noise })
        assert.deepEqual(unseal(secret.value, 'p', sealed), { noise })
        const place = at % sealed.length
        const changed = `${sealed.slice(0, place)}${sealed[place] === 'A' ? 'B' : 'A'}${sealed.slice(place + 1)}`
        // The last letter of base64 has spare bits, yet it is compared as text.
        assert.equal(unseal(secret.value, 'p', changed), null)
        assert.equal(unseal(secret.value, 'p', noise), null)
      }),
    )
  })
})

describe('the secret', () => {
  test('is given, or made once and kept for the owner alone', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-secret-'))
    try {
      assert.deepEqual(loadSecret({ given: 'g'.repeat(32), dataDir }), { value: 'g'.repeat(32), isOwn: true })
      assert.throws(() => loadSecret({ given: 'short', dataDir }), { code: 'config_invalid' })
      const first = loadSecret({ dataDir: join(dataDir, 'new') })
      assert.equal(first.value.length, 64)
      assert.equal(first.isOwn, false)
      assert.deepEqual(loadSecret({ given: '', dataDir: join(dataDir, 'new') }), first)
      assert.equal(statSync(join(dataDir, 'new', 'secret')).mode & 0o777, 0o600)
      assert.deepEqual(readdirSync(join(dataDir, 'new')), ['secret'])
      writeFileSync(join(dataDir, 'secret'), 'cut')
      assert.throws(() => loadSecret({ dataDir }), { code: 'config_invalid' })
    } finally {
      rmSync(dataDir, { recursive: true })
    }
  })
})
