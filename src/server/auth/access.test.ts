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
import { type Access, access, accessLimits, localToken } from './access.ts'
import type { Principal } from './principal.ts'
import { loadSecret } from './secret.ts'
import { sessionLimits, sessionView } from './sessions.ts'
import { seal, unseal } from './signature.ts'
import { decide, evolve, initialTokens, scopes, type TokenCommand, tokenRoles, type TokensState } from './tokens.ts'

const principalOf = async (doors: Access, cookie: string): Promise<Principal> =>
  (await doors.checkCookie(cookie)) ?? assert.fail('no cookie')

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
      role: fc.constantFrom(...tokenRoles),
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
            assert.deepEqual([now?.scopes, now?.role], [old.scopes, old.role])
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
    const author = { id: `token:${view.id}`, name: 'robot', role: 'member' }
    assert.deepEqual(await doors.checkToken(token), { id: view.id, name: 'robot', author, scopes: ['read', 'chat'], door: 'token' })
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
        (n % 2 === 0 ? one : other).doors.createToken(`t${n}`, ['read'] as Scope[], { once: { key: `k${n}`, request: 'r' } }),
      ),
    )
    assert.equal(new Set(made.map(({ view }) => view.id)).size, 20)
    for (const { token } of made) assert.notEqual(await one.doors.checkToken(token), null)
  })

  test('the same key makes the same token; for something else it is refused', async () => {
    const { doors } = open()
    const once = { key: 'k', request: 'r' }
    assert.deepEqual(await doors.createToken('a', ['read'], { once }), await doors.createToken('a', ['read'], { once }))
    assert.equal((await doors.listTokens()).length, 1)
    await assert.rejects(doors.createToken('b', ['read'], { once: { key: 'k', request: 'other' } }), { code: 'key_reused' })
  })

  test('a link works once, also after a restart, and not after its time', async () => {
    const { doors, backing, clock } = open()
    const { key } = doors.signInKey({ name: 'mia' })
    const { cookie } = await doors.redeem(key)
    const restarted = open(backing, clock).doors
    await assert.rejects(restarted.redeem(key), { code: 'link_used' })
    assert.deepEqual((await restarted.checkCookie(cookie))?.name, 'mia')
    const late = doors.signInKey()
    await clock.advance(accessLimits.linkMs)
    await assert.rejects(doors.redeem(late.key), { code: 'link_used' })
    await clock.advance(accessLimits.cookieMs)
    assert.equal(await doors.checkCookie(cookie), null)
  })

  test('what was signed for one thing opens no other, and another secret opens nothing', async () => {
    const { doors } = open()
    const { key } = doors.signInKey()
    assert.equal(await doors.checkCookie(key), null)
    const { cookie } = await doors.redeem(key)
    await assert.rejects(doors.redeem(cookie), { code: 'link_used' })
    const { store, clock } = open()
    const stranger = access({ store, clock, ids: randomIds, secret: { value: 'x'.repeat(40), isOwn: true } })
    assert.equal(await stranger.checkCookie(cookie), null)
    assert.equal(await stranger.checkToken(localToken(secret)), null)
    assert.deepEqual((await doors.checkToken(localToken(secret)))?.scopes, scopes)
    assert.notEqual(stranger.cookieName, doors.cookieName)
  })

  const signIn = async (doors: ReturnType<typeof open>['doors'], name?: string, agent = 'Firefox') => {
    const { cookie } = await doors.redeem(doors.signInKey({ name }).key, undefined, agent)
    const principal = await doors.checkCookie(cookie, agent)
    assert.ok(principal)
    return { cookie, principal, session: principal.session ?? '' }
  }

  test('sign-out revokes the session for good, also in another process and after a restart', async () => {
    const one = open()
    const other = open(one.backing, one.clock)
    const { cookie } = await signIn(one.doors)
    assert.notEqual(await other.doors.checkCookie(cookie), null)
    await one.doors.signOut(cookie)
    assert.equal(await one.doors.checkCookie(cookie), null)
    assert.equal(await other.doors.checkCookie(cookie), null)
    assert.equal(await open(one.backing, one.clock).doors.checkCookie(cookie), null)
    await one.doors.signOut(cookie)
  })

  test('a repeated sign-in by the same browser does not bring a revoked session back', async () => {
    const { doors } = open()
    const { key } = doors.signInKey()
    const { cookie } = await doors.redeem(key, 'mine')
    await doors.redeem(key, 'mine')
    await doors.signOut(cookie)
    await assert.rejects(doors.redeem(key, 'mine'), { code: 'link_used' })
    assert.equal(await doors.checkCookie(cookie), null)
  })

  test('sessions are listed with their browser and last use, and revoked one by one or all others', async () => {
    const { doors, clock } = open()
    const first = await signIn(doors, 'mia', `Firefox\u0007${'x'.repeat(500)}`)
    await clock.advance(sessionLimits.touchMs)
    const second = await signIn(doors, 'ann')
    await doors.checkCookie(first.cookie)
    const [newest, oldest] = await doors.listSessions(second.principal)
    assert.deepEqual([newest?.id, newest?.current, newest?.name, newest?.browser], [second.session, true, 'ann', 'Firefox'])
    assert.deepEqual(
      [oldest?.current, oldest?.browser.length, oldest?.browser.slice(0, 9)],
      [false, sessionLimits.browserChars, 'Firefox x'],
    )
    assert.equal((oldest?.lastUsedAt ?? 0) - (oldest?.createdAt ?? 0), sessionLimits.touchMs)
    assert.equal((await doors.revokeSession(first.session, second.principal)).revokedAt, clock.now())
    assert.equal(await doors.checkCookie(first.cookie), null)
    assert.notEqual(await doors.checkCookie(second.cookie), null)
    for (const none of ['ses_none', '*', ''])
      await assert.rejects(doors.revokeSession(none, second.principal), { code: 'session_not_found' })
    const third = await signIn(doors)
    assert.deepEqual(await doors.revokeOtherSessions(third.principal), { count: 1 })
    assert.equal(await doors.checkCookie(second.cookie), null)
    assert.notEqual(await doors.checkCookie(third.cookie), null)
    const { token } = await doors.createToken('cli', ['admin'])
    const program = await doors.checkToken(token)
    assert.ok(program)
    assert.deepEqual(await doors.revokeOtherSessions(program), { count: 1 })
    assert.equal(await doors.checkCookie(third.cookie), null)
  })

  test('the last use is written at most once in an hour', async () => {
    const { doors, store, clock } = open()
    const { cookie } = await signIn(doors)
    const before = (await doors.listSessions(await principalOf(doors, cookie)))[0]?.lastUsedAt
    let commits = 0
    const { commit } = store
    store.commit = (units) => {
      commits += 1
      return commit(units)
    }
    for (let n = 0; n < 100; n += 1) {
      await clock.advance(30_000)
      assert.notEqual(await doors.checkCookie(cookie), null)
    }
    assert.equal(commits, 0)
    assert.equal((await doors.listSessions(await principalOf(doors, cookie)))[0]?.lastUsedAt, before)
  })

  /** As 0.1 sealed it: the same fields without a version, and no record. */
  const legacyCookie = (clock: { now(): number }, nonce: string): string =>
    seal(secret.value, 'cookie', { id: nonce, name: 'owner', expiresAt: clock.now() + accessLimits.cookieMs - 1 })

  test('cookies of 0.1 work, are listed once seen, and are revoked by sign-out and by revoking all', async () => {
    const { doors, clock } = open()
    const [one, two, unseen] = ['-one', 'two', 'unseen'].map((nonce) => legacyCookie(clock, nonce))
    const mine = await principalOf(doors, one ?? '')
    assert.deepEqual(mine.scopes, scopes)
    assert.deepEqual(
      (await doors.listSessions(mine)).map(({ id, isLegacy, current }) => [id, isLegacy, current]),
      [['ses_-one', true, true]],
    )
    await doors.signOut(two ?? '')
    assert.equal(await doors.checkCookie(two ?? ''), null)
    await doors.revokeOtherSessions(mine)
    assert.equal(await doors.checkCookie(unseen ?? ''), null)
    assert.notEqual(await doors.checkCookie(one ?? ''), null)
    await clock.advance(1_000)
    await doors.signOut(one ?? '')
    assert.equal(await doors.checkCookie(one ?? ''), null)
  })

  test('a cookie whose record is gone does not count', async () => {
    const { doors, store, clock } = open()
    const { cookie, session } = await signIn(doors)
    await store.commit([{ rows: [{ view: sessionView, key: session, body: null }] }])
    await clock.advance(sessionLimits.staleMs)
    assert.equal(await doors.checkCookie(cookie), null)
  })

  test('records of sessions that ended are pruned after 30 days', async () => {
    const { doors, clock } = open()
    const old = await signIn(doors)
    await doors.signOut(old.cookie)
    await clock.advance(sessionLimits.keptMs - 1)
    const young = await signIn(doors)
    assert.equal((await doors.listSessions(young.principal)).length, 2)
    await clock.advance(sessionLimits.pruneEveryMs)
    await doors.checkCookie(young.cookie)
    assert.deepEqual(
      (await doors.listSessions(young.principal)).map(({ id }) => id),
      [young.session],
    )
    await clock.advance(accessLimits.cookieMs + sessionLimits.keptMs)
    const last = await signIn(doors)
    assert.deepEqual(
      (await doors.listSessions(last.principal)).map(({ id }) => id),
      [last.session],
    )
  })

  test('records of sessions are pruned without a browser that signs in', async () => {
    const { doors, store, clock } = open()
    const { cookie, session } = await signIn(doors)
    await doors.signOut(cookie)
    await doors.pruneSessions()
    assert.notEqual(await store.row(sessionView, session), null)
    await clock.advance(sessionLimits.keptMs)
    await doors.pruneSessions()
    assert.equal(await store.row(sessionView, session), null)
  })

  test('a session that is revoked while its use is noted stays revoked', async () => {
    const one = open()
    const other = open(one.backing, one.clock)
    const { cookie, session, principal } = await signIn(one.doors)
    await one.clock.advance(sessionLimits.touchMs)
    const { commit } = one.store
    one.store.commit = async (units) => {
      one.store.commit = commit
      await other.doors.revokeSession(session, principal)
      return commit(units)
    }
    assert.equal(await one.doors.checkCookie(cookie), null)
    assert.equal(await other.doors.checkCookie(cookie), null)
    assert.equal(await open(one.backing, one.clock).doors.checkCookie(cookie), null)
  })

  test('an open session is listed and revoked also when a thousand newer ones have ended', async () => {
    const { doors, store, clock } = open()
    const old = await signIn(doors)
    const ended = Array.from({ length: sessionLimits.listed + 1 }, (_, n) => {
      const at = clock.now() + n
      const body = { id: `ses_${n}`, name: 'owner', createdAt: at, lastUsedAt: at, expiresAt: at * 2, revokedAt: at, browser: '' }
      return { view: sessionView, key: body.id, group: 'session', sort: at, text: '', body }
    })
    await store.commit([{ rows: ended }])
    await clock.advance(5_000)
    const { token } = await doors.createToken('cli', ['admin'])
    const program = (await doors.checkToken(token)) ?? assert.fail('no token')
    assert.equal((await doors.listSessions(program)).filter(({ id }) => id === old.session).length, 1)
    assert.deepEqual(await doors.revokeOtherSessions(program), { count: 1 })
    assert.equal(await doors.checkCookie(old.cookie), null)
  })

  test('above the limit the session that was not used for longest is revoked', async () => {
    const { doors, clock } = open()
    const made: Awaited<ReturnType<typeof signIn>>[] = []
    for (let n = 0; n <= sessionLimits.alive; n += 1) {
      made.push(await signIn(doors))
      await clock.advance(1)
    }
    assert.equal(await doors.checkCookie(made[0]?.cookie ?? ''), null)
    assert.notEqual(await doors.checkCookie(made[1]?.cookie ?? ''), null)
    assert.notEqual(await doors.checkCookie(made.at(-1)?.cookie ?? ''), null)
  })

  test('onRevoked: called once for a revoked session or token, in every process, and for no other', async () => {
    const one = open()
    const other = open(one.backing, one.clock)
    const ended: string[] = []
    const [mia, ann] = [await signIn(one.doors, 'mia'), await signIn(one.doors, 'ann')]
    const { token, view } = await one.doors.createToken('robot', ['read'])
    const robot = (await one.doors.checkToken(token)) ?? assert.fail('no token')
    one.doors.onRevoked(mia.principal, () => ended.push('mia'))
    other.doors.onRevoked(mia.principal, () => ended.push('mia elsewhere'))
    one.doors.onRevoked(ann.principal, () => ended.push('ann'))
    one.doors.onRevoked(robot, () => ended.push('robot'))
    one.doors.onRevoked(mia.principal, () => ended.push('unwatched'))()
    await one.doors.revokeSession(mia.session, ann.principal)
    await one.clock.advance(0)
    assert.deepEqual(ended.toSorted(), ['mia', 'mia elsewhere'])
    await other.doors.revokeToken(view.id)
    await one.clock.advance(0)
    await one.doors.revokeToken(view.id)
    await one.clock.advance(0)
    assert.deepEqual(ended.toSorted(), ['mia', 'mia elsewhere', 'robot'])
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
