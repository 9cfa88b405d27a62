import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Scope } from '../../shapes/wire.ts'
import { randomIds } from '../../ports/ids.ts'
import { memoryBacking } from '../../store/memory/memory-backing.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { type Access, access, accessLimits, localToken } from './access.ts'
import type { Principal } from './principal.ts'
import { loadSecret } from './secret.ts'
import { sessionLimits, sessionView } from './sessions.ts'
import { seal, unseal } from './signature.ts'
import { decide, evolve, initialTokens, scopes, type TokenCommand, tokenRoles, type TokensState } from './tokens.ts'

const toPrincipal = async (auth: Access, cookie: string): Promise<Principal> => (await auth.checkCookie(cookie)) ?? assert.fail('no cookie')

const secret = { value: 'a secret for tests that is long enough', isOwn: false }

describe('tokens, by the rules', () => {
  const at = fc.nat(1_000)
  const commands = {
    'create-token': fc.record({
      type: fc.constant('create-token' as const),
      at,
      token: fc.constantFrom('a', 'b', 'c'),
      name: fc.string({ maxLength: 120 }),
      scopes: fc.subarray([...scopes]),
      hash: fc.string(),
      role: fc.constantFrom(...tokenRoles),
    }),
    'revoke-token': fc.record({ type: fc.constant('revoke-token' as const), at, token: fc.constantFrom('a', 'b', 'c', 'd') }),
    'prune-tokens': fc.record({ type: fc.constant('prune-tokens' as const), at, before: at }),
  } satisfies Record<TokenCommand['type'], fc.Arbitrary<TokenCommand>>
  const command: fc.Arbitrary<TokenCommand> = fc.oneof(...Object.values(commands))

  test('a token is made once, revoked once and for ever, never gains a scope, and is forgotten only after it was revoked', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (given) => {
        let state: TokensState = initialTokens
        for (const one of given) {
          const before = state
          const decision = decide(state, one)
          if ('refused' in decision) continue
          assert.equal(decision.events.length <= 1, true)
          for (const event of decision.events) state = evolve(state, event)
          for (const [id, old] of before) {
            const now = state.get(id)
            if (now === undefined) {
              assert.ok(one.type === 'prune-tokens' && old.revokedAt !== null && old.revokedAt < one.before)
              continue
            }
            assert.deepEqual([now.scopes, now.role], [old.scopes, old.role])
            assert.equal(now.hash, old.hash)
            if (old.revokedAt !== null) assert.equal(now.revokedAt, old.revokedAt)
          }
          assert.deepEqual(decide(state, one), { events: [] }, 'the same command again changes nothing')
        }
      }),
    )
  })
})

describe('access', () => {
  function open(backing = memoryBacking(), clock = simulatedClock()) {
    const store = memoryStore({ backing, clock })
    return { backing, clock, store, auth: access({ store, secret, clock, ids: randomIds }) }
  }

  test('a token opens what it was made for; its secret is in no event', async () => {
    const { auth, store } = open()
    const { token, view } = await auth.createToken('robot', ['chat', 'read'])
    assert.deepEqual(view.scopes, ['read', 'chat'])
    const author = { id: `token:${view.id}`, name: 'robot', role: 'member' }
    assert.deepEqual(await auth.checkToken(token), { id: view.id, name: 'robot', author, scopes: ['read', 'chat'], credential: 'token' })
    assert.equal(JSON.stringify(await store.readAll(0, 100)).includes(token.slice(-64)), false)
    for (const wrong of [
      `${token}0`,
      token.slice(0, -1),
      token.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      '',
      'parley__',
      `parley_${view.id}_${'0'.repeat(64)}`,
    ])
      assert.equal(await auth.checkToken(wrong), null)
  })

  test('a token revoked in another process is refused here', async () => {
    const one = open()
    const other = open(one.backing, one.clock)
    const { token, view } = await one.auth.createToken('robot', ['read'])
    assert.notEqual(await other.auth.checkToken(token), null)
    await one.auth.revokeToken(view.id)
    await one.clock.advance(accessLimits.staleMs)
    assert.equal(await other.auth.checkToken(token), null)
    await assert.rejects(one.auth.revokeToken('nothere'), { code: 'token_not_found' })
  })

  test('many made at once, in two processes, all count', async () => {
    const one = open()
    const other = open(one.backing, one.clock)
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? one : other).auth.createToken(`t${n}`, ['read'] as Scope[], { once: { key: `k${n}`, request: 'r' } }),
      ),
    )
    assert.equal(new Set(results.map(({ view }) => view.id)).size, 20)
    for (const { token } of results) assert.notEqual(await one.auth.checkToken(token), null)
  })

  test('the same key makes the same token; for something else it is refused', async () => {
    const { auth } = open()
    const once = { key: 'k', request: 'r' }
    assert.deepEqual(await auth.createToken('a', ['read'], { once }), await auth.createToken('a', ['read'], { once }))
    assert.equal((await auth.listTokens()).length, 1)
    await assert.rejects(auth.createToken('b', ['read'], { once: { key: 'k', request: 'other' } }), { code: 'key_reused' })
  })

  test('a link works once, also after a restart, and not after its time', async () => {
    const { auth, backing, clock } = open()
    const { key } = auth.signInKey({ name: 'mia' })
    const { cookie } = await auth.redeem(key)
    const restarted = open(backing, clock).auth
    await assert.rejects(restarted.redeem(key), { code: 'link_used' })
    assert.deepEqual((await restarted.checkCookie(cookie))?.name, 'mia')
    const late = auth.signInKey()
    await clock.advance(accessLimits.linkMs)
    await assert.rejects(auth.redeem(late.key), { code: 'link_used' })
    await clock.advance(accessLimits.cookieMs)
    assert.equal(await auth.checkCookie(cookie), null)
  })

  test('what was signed for one thing opens no other, and another secret opens nothing', async () => {
    const { auth } = open()
    const { key } = auth.signInKey()
    assert.equal(await auth.checkCookie(key), null)
    const { cookie } = await auth.redeem(key)
    await assert.rejects(auth.redeem(cookie), { code: 'link_used' })
    const { store, clock } = open()
    const stranger = access({ store, clock, ids: randomIds, secret: { value: 'x'.repeat(40), isOwn: true } })
    assert.equal(await stranger.checkCookie(cookie), null)
    assert.equal(await stranger.checkToken(localToken(secret)), null)
    assert.deepEqual((await auth.checkToken(localToken(secret)))?.scopes, scopes)
    assert.notEqual(stranger.cookieName, auth.cookieName)
  })

  const signIn = async (auth: ReturnType<typeof open>['auth'], name?: string, agent = 'Firefox') => {
    const { cookie } = await auth.redeem(auth.signInKey({ name }).key, undefined, agent)
    const principal = await auth.checkCookie(cookie, agent)
    assert.ok(principal)
    return { cookie, principal, session: principal.session ?? '' }
  }

  test('sign-out revokes the session for good, also in another process and after a restart', async () => {
    const one = open()
    const other = open(one.backing, one.clock)
    const { cookie } = await signIn(one.auth)
    assert.notEqual(await other.auth.checkCookie(cookie), null)
    await one.auth.signOut(cookie)
    assert.equal(await one.auth.checkCookie(cookie), null)
    assert.equal(await other.auth.checkCookie(cookie), null)
    assert.equal(await open(one.backing, one.clock).auth.checkCookie(cookie), null)
    await one.auth.signOut(cookie)
  })

  test('a repeated sign-in by the same browser does not bring a revoked session back', async () => {
    const { auth } = open()
    const { key } = auth.signInKey()
    const { cookie } = await auth.redeem(key, 'mine')
    await auth.redeem(key, 'mine')
    await auth.signOut(cookie)
    await assert.rejects(auth.redeem(key, 'mine'), { code: 'link_used' })
    assert.equal(await auth.checkCookie(cookie), null)
  })

  test('sessions are listed with their browser and last use, and revoked one by one or all others', async () => {
    const { auth, clock } = open()
    const first = await signIn(auth, 'mia', `Firefox\u0007${'x'.repeat(500)}`)
    await clock.advance(sessionLimits.touchMs)
    const second = await signIn(auth, 'ann')
    await auth.checkCookie(first.cookie)
    const [newest, oldest] = await auth.listSessions(second.principal)
    assert.deepEqual([newest?.id, newest?.current, newest?.name, newest?.browser], [second.session, true, 'ann', 'Firefox'])
    assert.deepEqual(
      [oldest?.current, oldest?.browser.length, oldest?.browser.slice(0, 9)],
      [false, sessionLimits.browserChars, 'Firefox x'],
    )
    assert.equal((oldest?.lastUsedAt ?? 0) - (oldest?.createdAt ?? 0), sessionLimits.touchMs)
    assert.equal((await auth.revokeSession(first.session, second.principal)).revokedAt, clock.now())
    assert.equal(await auth.checkCookie(first.cookie), null)
    assert.notEqual(await auth.checkCookie(second.cookie), null)
    for (const none of ['ses_none', '*', ''])
      await assert.rejects(auth.revokeSession(none, second.principal), { code: 'session_not_found' })
    const third = await signIn(auth)
    assert.deepEqual(await auth.revokeOtherSessions(third.principal), { count: 1 })
    assert.equal(await auth.checkCookie(second.cookie), null)
    assert.notEqual(await auth.checkCookie(third.cookie), null)
    const { token } = await auth.createToken('cli', ['admin'])
    const program = await auth.checkToken(token)
    assert.ok(program)
    assert.deepEqual(await auth.revokeOtherSessions(program), { count: 1 })
    assert.equal(await auth.checkCookie(third.cookie), null)
  })

  test('the last use is written at most once in an hour', async () => {
    const { auth, store, clock } = open()
    const { cookie } = await signIn(auth)
    const before = (await auth.listSessions(await toPrincipal(auth, cookie)))[0]?.lastUsedAt
    let commits = 0
    const { commit } = store
    store.commit = (units) => {
      commits += 1
      return commit(units)
    }
    for (let n = 0; n < 100; n += 1) {
      await clock.advance(30_000)
      assert.notEqual(await auth.checkCookie(cookie), null)
    }
    assert.equal(commits, 0)
    assert.equal((await auth.listSessions(await toPrincipal(auth, cookie)))[0]?.lastUsedAt, before)
  })

  /** As 0.1 sealed it: the same fields without a version, and no record. */
  const legacyCookie = (clock: { now(): number }, nonce: string): string =>
    seal(secret.value, 'cookie', { id: nonce, name: 'owner', expiresAt: clock.now() + accessLimits.cookieMs - 1 })

  test('cookies of 0.1 work, are listed once seen, and are revoked by sign-out and by revoking all', async () => {
    const { auth, clock } = open()
    const [one, two, unseen] = ['-one', 'two', 'unseen'].map((nonce) => legacyCookie(clock, nonce))
    const mine = await toPrincipal(auth, one ?? '')
    assert.deepEqual(mine.scopes, scopes)
    assert.deepEqual(
      (await auth.listSessions(mine)).map(({ id, isLegacy, current }) => [id, isLegacy, current]),
      [['ses_-one', true, true]],
    )
    await auth.signOut(two ?? '')
    assert.equal(await auth.checkCookie(two ?? ''), null)
    await auth.revokeOtherSessions(mine)
    assert.equal(await auth.checkCookie(unseen ?? ''), null)
    assert.notEqual(await auth.checkCookie(one ?? ''), null)
    await clock.advance(1_000)
    await auth.signOut(one ?? '')
    assert.equal(await auth.checkCookie(one ?? ''), null)
  })

  test('a cookie whose record is gone does not count', async () => {
    const { auth, store, clock } = open()
    const { cookie, session } = await signIn(auth)
    await store.commit([{ rows: [{ view: sessionView, key: session, body: null }] }])
    await clock.advance(sessionLimits.staleMs)
    assert.equal(await auth.checkCookie(cookie), null)
  })

  test('records of sessions that ended are pruned after 30 days', async () => {
    const { auth, clock } = open()
    const old = await signIn(auth)
    await auth.signOut(old.cookie)
    await clock.advance(sessionLimits.keptMs - 1)
    const young = await signIn(auth)
    assert.equal((await auth.listSessions(young.principal)).length, 2)
    await clock.advance(sessionLimits.pruneEveryMs)
    await auth.checkCookie(young.cookie)
    assert.deepEqual(
      (await auth.listSessions(young.principal)).map(({ id }) => id),
      [young.session],
    )
    await clock.advance(accessLimits.cookieMs + sessionLimits.keptMs)
    const last = await signIn(auth)
    assert.deepEqual(
      (await auth.listSessions(last.principal)).map(({ id }) => id),
      [last.session],
    )
  })

  test('records of sessions are pruned without a browser that signs in', async () => {
    const { auth, store, clock } = open()
    const { cookie, session } = await signIn(auth)
    await auth.signOut(cookie)
    await auth.pruneSessions()
    assert.notEqual(await store.row(sessionView, session), null)
    await clock.advance(sessionLimits.keptMs)
    await auth.pruneSessions()
    assert.equal(await store.row(sessionView, session), null)
  })

  test('a session that is revoked while its use is noted stays revoked', async () => {
    const one = open()
    const other = open(one.backing, one.clock)
    const { cookie, session, principal } = await signIn(one.auth)
    await one.clock.advance(sessionLimits.touchMs)
    const { commit } = one.store
    one.store.commit = async (units) => {
      one.store.commit = commit
      await other.auth.revokeSession(session, principal)
      return commit(units)
    }
    assert.equal(await one.auth.checkCookie(cookie), null)
    assert.equal(await other.auth.checkCookie(cookie), null)
    assert.equal(await open(one.backing, one.clock).auth.checkCookie(cookie), null)
  })

  test('an open session is listed and revoked also when a thousand newer ones have ended', async () => {
    const { auth, store, clock } = open()
    const old = await signIn(auth)
    const ended = Array.from({ length: sessionLimits.listed + 1 }, (_, n) => {
      const at = clock.now() + n
      const body = { id: `ses_${n}`, name: 'owner', createdAt: at, lastUsedAt: at, expiresAt: at * 2, revokedAt: at, browser: '' }
      return { view: sessionView, key: body.id, group: 'session', sort: at, text: '', body }
    })
    await store.commit([{ rows: ended }])
    await clock.advance(5_000)
    const { token } = await auth.createToken('cli', ['admin'])
    const program = (await auth.checkToken(token)) ?? assert.fail('no token')
    assert.equal((await auth.listSessions(program)).filter(({ id }) => id === old.session).length, 1)
    assert.deepEqual(await auth.revokeOtherSessions(program), { count: 1 })
    assert.equal(await auth.checkCookie(old.cookie), null)
  })

  test('above the limit the session that was not used for longest is revoked', async () => {
    const { auth, clock } = open()
    const results: Awaited<ReturnType<typeof signIn>>[] = []
    for (let n = 0; n <= sessionLimits.alive; n += 1) {
      results.push(await signIn(auth))
      await clock.advance(1)
    }
    assert.equal(await auth.checkCookie(results[0]?.cookie ?? ''), null)
    assert.notEqual(await auth.checkCookie(results[1]?.cookie ?? ''), null)
    assert.notEqual(await auth.checkCookie(results.at(-1)?.cookie ?? ''), null)
  })

  test('onRevoked: called once for a revoked session or token, in every process, and for no other', async () => {
    const one = open()
    const other = open(one.backing, one.clock)
    const ended: string[] = []
    const [mia, ann] = [await signIn(one.auth, 'mia'), await signIn(one.auth, 'ann')]
    const { token, view } = await one.auth.createToken('robot', ['read'])
    const robot = (await one.auth.checkToken(token)) ?? assert.fail('no token')
    one.auth.onRevoked(mia.principal, () => ended.push('mia'))
    other.auth.onRevoked(mia.principal, () => ended.push('mia elsewhere'))
    one.auth.onRevoked(ann.principal, () => ended.push('ann'))
    one.auth.onRevoked(robot, () => ended.push('robot'))
    one.auth.onRevoked(mia.principal, () => ended.push('unwatched'))()
    await one.auth.revokeSession(mia.session, ann.principal)
    await one.clock.advance(0)
    assert.deepEqual(ended.toSorted(), ['mia', 'mia elsewhere'])
    await other.auth.revokeToken(view.id)
    await one.clock.advance(0)
    await one.auth.revokeToken(view.id)
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
