import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { capabilityNames, roleCan } from '../../authority/capabilities.ts'
import type { Role } from '../../authority/roles.ts'
import { roles } from '../../authority/roles.ts'
import type { Scope } from '../../shapes/wire.ts'
import { randomIds } from '../../ports/ids.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { type Access, access, localToken, type Rights } from './access.ts'
import { can, lowered, mustBeAbleToGive, mustHave, type Principal, scopeFor } from './principal.ts'
import { scopes, tokenRoles } from './tokens.ts'

const secret = { value: 'a secret for tests that is long enough', isOwn: false }

const person = (key: string, role: Role) => ({ key, name: key, role, identities: [] })

function open(): { auth: Access; rights: { now: Rights }; clock: ReturnType<typeof simulatedClock> } {
  const rights: { now: Rights } = {
    now: { people: [person('mia', 'owner'), person('ann', 'operator'), person('bob', 'member')], approvers: ['bob'] },
  }
  const clock = simulatedClock()
  const auth = access({ store: memoryStore({ clock }), secret, clock, ids: randomIds, rights: () => rights.now })
  return { auth, rights, clock }
}

async function signIn(auth: Access, whom?: { person?: string; name?: string }): Promise<{ cookie: string; principal: Principal }> {
  const { cookie } = await auth.redeem(auth.signInKey(whom).key)
  return { cookie, principal: (await auth.checkCookie(cookie)) ?? assert.fail('not signed in') }
}

const getToken = (role: Role, granted: readonly Scope[]): Principal => ({
  id: 'tok_1',
  name: 'robot',
  author: { id: 'token:tok_1', name: 'robot', role },
  scopes: granted,
  credential: 'token',
})

describe('identity of a caller', () => {
  test('a link signs in as the owner, or as the listed person it is for', async () => {
    const { auth } = open()
    assert.deepEqual((await signIn(auth)).principal.author, { id: 'person:owner', name: 'owner', role: 'owner' })
    assert.deepEqual((await signIn(auth, { name: 'bob' })).principal.author, { id: 'person:owner', name: 'bob', role: 'owner' })
    const bob = await signIn(auth, { person: 'bob' })
    assert.deepEqual(bob.principal.author, { id: 'person:bob', name: 'bob', role: 'member' })
    assert.deepEqual((await auth.listSessions(bob.principal)).map(({ name, person: key }) => `${name} ${key}`).toSorted(), [
      'bob bob',
      'bob null',
      'owner null',
    ])
    assert.throws(() => auth.signInKey({ person: 'eve' }), { code: 'person_not_found' })
  })

  test('attack 5: the name of another person changes no id and no role', async () => {
    const { auth } = open()
    const { token, view } = await auth.createToken('mia', ['admin'])
    assert.deepEqual((await auth.checkToken(token))?.author, { id: `token:${view.id}`, name: 'mia', role: 'member' })
    assert.deepEqual((await signIn(auth, { person: 'bob', name: 'Mia' })).principal.author, {
      id: 'person:bob',
      name: 'Mia',
      role: 'member',
    })
  })

  test('the terminal on the server is the owner', async () => {
    const { auth } = open()
    assert.deepEqual((await auth.checkToken(localToken(secret)))?.author, { id: 'person:owner', name: 'owner', role: 'owner' })
  })

  test('the role of a person is the one listed now; a person removed from the list may do nothing', async () => {
    const { auth, rights } = open()
    const { cookie } = await signIn(auth, { person: 'ann' })
    const roleNow = async (): Promise<Role | undefined> => (await auth.checkCookie(cookie))?.author.role
    assert.equal(await roleNow(), 'operator')
    rights.now = { people: [person('ann', 'member')], approvers: [] }
    assert.equal(await roleNow(), 'member')
    rights.now = { people: [], approvers: [] }
    const session = (await auth.checkCookie(cookie)) ?? assert.fail('signed out')
    assert.deepEqual(
      capabilityNames.filter((one) => can(session, one)),
      [],
    )
  })

  test('connections end when their caller may do less, and stay when the caller may do as much or more', async () => {
    const { auth, rights, clock } = open()
    const ended: string[] = []
    for (const key of ['ann', 'bob', 'mia']) auth.onRevoked((await signIn(auth, { person: key })).principal, () => ended.push(key))
    auth.onRevoked((await signIn(auth)).principal, () => ended.push('owner'))
    auth.recheck()
    await clock.advance(0)
    assert.deepEqual(ended, [])
    rights.now = { people: [person('mia', 'owner'), person('ann', 'owner'), person('bob', 'member')], approvers: [] }
    auth.recheck()
    await clock.advance(0)
    assert.deepEqual(ended, ['bob'], 'bob approves no more')
    rights.now = { people: [person('mia', 'operator'), person('ann', 'operator')], approvers: [] }
    auth.recheck()
    await clock.advance(0)
    assert.deepEqual(ended, ['bob', 'mia'])
  })
})

describe('lowered', () => {
  test('never raises a role, and never gives a capability', () => {
    const role = fc.constantFrom(...roles)
    fc.assert(
      fc.property(fc.constantFrom(...tokenRoles), role, fc.subarray([...scopes]), (own, to, granted) => {
        const before = getToken(own, granted)
        const after = lowered(before, to)
        assert.equal(after.author.id, before.author.id)
        for (const one of capabilityNames) if (can(after, one)) assert.ok(can(before, one), `${own} as ${to}: ${one}`)
      }),
    )
  })

  test('as a guest a token keeps what guests do in a chat, as a peer nothing', () => {
    const getNames = (to: Role): string[] => capabilityNames.filter((one) => can(lowered(getToken('owner', ['admin']), to), one))
    assert.deepEqual(getNames('guest'), ['read.own', 'write.own', 'answer'])
    assert.deepEqual(getNames('peer'), [])
  })
})

describe('mustHave', () => {
  test('names the role that is too low, or the scope that is missing', () => {
    assert.throws(() => mustHave(getToken('member', ['admin']), 'pair'), { code: 'role_too_low' })
    assert.throws(() => mustHave(getToken('operator', ['answer']), 'pair'), { code: 'not_allowed', details: { scope: 'pair' } })
    mustHave(getToken('operator', ['pair']), 'pair')
    for (const one of capabilityNames) mustHave(getToken('owner', [scopeFor(one)]), one)
  })
})

describe('mustBeAbleToGive', () => {
  test('A26: a caller gives only rights it has, and only an owner gives the roles owner and operator', () => {
    const gives = (giver: Principal, role: Role, granted: readonly Scope[]): boolean => {
      try {
        mustBeAbleToGive(giver, role, granted)
        return true
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(
        fc.constantFrom(...roles),
        fc.subarray([...scopes]),
        fc.constantFrom(...tokenRoles),
        fc.subarray([...scopes], { minLength: 1 }),
        (own, has, role, granted) => {
          const giver = getToken(own, has)
          if (!gives(giver, role, granted)) return
          assert.equal(own, 'owner')
          for (const one of capabilityNames) if (can(getToken(role, granted), one)) assert.ok(can(giver, one))
        },
      ),
    )
    assert.ok(gives(getToken('owner', ['admin']), 'owner', ['admin']))
    assert.ok(!gives(lowered(getToken('owner', ['admin']), 'operator'), 'member', ['read']))
    assert.ok(!roleCan('operator', 'manage'))
  })
})
