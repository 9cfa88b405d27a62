import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { capabilityNames, roleCan } from '../authority/capabilities.ts'
import type { Role } from '../authority/roles.ts'
import { roles } from '../authority/roles.ts'
import type { Scope } from '../client/wire.ts'
import { randomIds } from '../ports/ids.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { type Access, access, localToken, type Rights } from './access.ts'
import { can, lowered, mustBeAbleToGive, mustHave, type Principal, scopeFor } from './principal.ts'
import { scopes, tokenRoles } from './tokens.ts'

const secret = { value: 'a secret for tests that is long enough', isOwn: false }

const person = (key: string, role: Role) => ({ key, role, identities: [] })

function open(): { doors: Access; rights: { now: Rights }; clock: ReturnType<typeof simulatedClock> } {
  const rights: { now: Rights } = {
    now: { people: [person('mia', 'owner'), person('ann', 'operator'), person('bob', 'member')], approvers: ['bob'] },
  }
  const clock = simulatedClock()
  const doors = access({ store: memoryStore({ clock }), secret, clock, ids: randomIds, rights: () => rights.now })
  return { doors, rights, clock }
}

async function signIn(doors: Access, whom?: { person?: string; name?: string }): Promise<{ cookie: string; principal: Principal }> {
  const { cookie } = await doors.redeem(doors.signInKey(whom).key)
  return { cookie, principal: (await doors.checkCookie(cookie)) ?? assert.fail('not signed in') }
}

const tokenOf = (role: Role, granted: readonly Scope[]): Principal => ({
  id: 'tok_1',
  name: 'robot',
  author: { id: 'token:tok_1', name: 'robot', role },
  scopes: granted,
  door: 'token',
})

describe('identity of a caller', () => {
  test('a link signs in as the owner, or as the listed person it is for', async () => {
    const { doors } = open()
    assert.deepEqual((await signIn(doors)).principal.author, { id: 'person:owner', name: 'owner', role: 'owner' })
    assert.deepEqual((await signIn(doors, { name: 'bob' })).principal.author, { id: 'person:owner', name: 'bob', role: 'owner' })
    const bob = await signIn(doors, { person: 'bob' })
    assert.deepEqual(bob.principal.author, { id: 'person:bob', name: 'bob', role: 'member' })
    assert.deepEqual((await doors.listSessions(bob.principal)).map(({ name, person: key }) => `${name} ${key}`).toSorted(), [
      'bob bob',
      'bob null',
      'owner null',
    ])
    assert.throws(() => doors.signInKey({ person: 'eve' }), { code: 'person_not_found' })
  })

  test('attack 5: a name of somebody else changes no id and no role', async () => {
    const { doors } = open()
    const { token, view } = await doors.createToken('mia', ['admin'])
    assert.deepEqual((await doors.checkToken(token))?.author, { id: `token:${view.id}`, name: 'mia', role: 'member' })
    assert.deepEqual((await signIn(doors, { person: 'bob', name: 'Mia' })).principal.author, {
      id: 'person:bob',
      name: 'Mia',
      role: 'member',
    })
  })

  test('the terminal on the server is the owner', async () => {
    const { doors } = open()
    assert.deepEqual((await doors.checkToken(localToken(secret)))?.author, { id: 'person:owner', name: 'owner', role: 'owner' })
  })

  test('the role of a person is the one listed now; whoever is not listed any more may do nothing', async () => {
    const { doors, rights } = open()
    const { cookie } = await signIn(doors, { person: 'ann' })
    const roleNow = async (): Promise<Role | undefined> => (await doors.checkCookie(cookie))?.author.role
    assert.equal(await roleNow(), 'operator')
    rights.now = { people: [person('ann', 'member')], approvers: [] }
    assert.equal(await roleNow(), 'member')
    rights.now = { people: [], approvers: [] }
    const left = (await doors.checkCookie(cookie)) ?? assert.fail('signed out')
    assert.deepEqual(
      capabilityNames.filter((one) => can(left, one)),
      [],
    )
  })

  test('connections end when their caller may do less, and stay when the caller may do as much or more', async () => {
    const { doors, rights, clock } = open()
    const ended: string[] = []
    for (const key of ['ann', 'bob', 'mia']) doors.onRevoked((await signIn(doors, { person: key })).principal, () => ended.push(key))
    doors.onRevoked((await signIn(doors)).principal, () => ended.push('owner'))
    doors.recheck()
    await clock.advance(0)
    assert.deepEqual(ended, [])
    rights.now = { people: [person('mia', 'owner'), person('ann', 'owner'), person('bob', 'member')], approvers: [] }
    doors.recheck()
    await clock.advance(0)
    assert.deepEqual(ended, ['bob'], 'bob approves no more')
    rights.now = { people: [person('mia', 'operator'), person('ann', 'operator')], approvers: [] }
    doors.recheck()
    await clock.advance(0)
    assert.deepEqual(ended, ['bob', 'mia'])
  })
})

describe('lowered', () => {
  test('never raises a role, and never gives a capability', () => {
    const role = fc.constantFrom(...roles)
    fc.assert(
      fc.property(fc.constantFrom(...tokenRoles), role, fc.subarray([...scopes]), (own, to, granted) => {
        const before = tokenOf(own, granted)
        const after = lowered(before, to)
        assert.equal(after.author.id, before.author.id)
        for (const one of capabilityNames) if (can(after, one)) assert.ok(can(before, one), `${own} as ${to}: ${one}`)
      }),
    )
  })

  test('as a guest a token keeps what guests do in a chat, as a peer nothing', () => {
    const held = (to: Role): string[] => capabilityNames.filter((one) => can(lowered(tokenOf('owner', ['admin']), to), one))
    assert.deepEqual(held('guest'), ['read.own', 'write.own', 'answer'])
    assert.deepEqual(held('peer'), [])
  })
})

describe('mustHave', () => {
  test('names the role that is too low, or the scope that is missing', () => {
    assert.throws(() => mustHave(tokenOf('member', ['admin']), 'pair'), { code: 'role_too_low' })
    assert.throws(() => mustHave(tokenOf('operator', ['answer']), 'pair'), { code: 'not_allowed', details: { scope: 'pair' } })
    mustHave(tokenOf('operator', ['pair']), 'pair')
    for (const one of capabilityNames) mustHave(tokenOf('owner', [scopeFor(one)]), one)
  })
})

describe('mustBeAbleToGive', () => {
  test('A26: whoever gives has what is given, and only an owner gives the roles owner and operator', () => {
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
          const giver = tokenOf(own, has)
          if (!gives(giver, role, granted)) return
          assert.equal(own, 'owner')
          for (const one of capabilityNames) if (can(tokenOf(role, granted), one)) assert.ok(can(giver, one))
        },
      ),
    )
    assert.ok(gives(tokenOf('owner', ['admin']), 'owner', ['admin']))
    assert.ok(!gives(lowered(tokenOf('owner', ['admin']), 'operator'), 'member', ['read']))
    assert.ok(!roleCan('operator', 'manage'))
  })
})
