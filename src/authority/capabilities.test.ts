import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  canGiveRole,
  type Capability,
  capabilityNames,
  roleCan,
  tokenCan,
  type TokenScope,
  tokenScopes,
  upgradeToken,
} from './capabilities.ts'
import { isAtLeast, roles } from './roles.ts'
import { routeCapabilities, routeRow } from './route-capabilities.ts'

const scopeNames = Object.keys(tokenScopes) as TokenScope[]
const role = fc.constantFrom(...roles)
const getCapabilities = (who: (typeof roles)[number], scopes: readonly TokenScope[]): Capability[] =>
  capabilityNames.filter((one) => tokenCan(who, scopes, one))

describe('capabilities', () => {
  it('belong to roles as the specification says', () => {
    const can = (who: (typeof roles)[number]): string => capabilityNames.filter((one) => roleCan(who, one)).join(' ')
    assert.equal(can('owner'), capabilityNames.join(' '))
    assert.equal(can('operator'), 'read.own read.all write.own write.all answer approve grants send pair worlds')
    assert.equal(can('member'), 'read.own write.own answer')
    assert.equal(can('guest'), '')
    assert.ok(roleCan('member', 'approve', { isListed: true }))
    assert.ok(!roleCan('guest', 'approve', { isListed: true }))
    assert.ok(roleCan('group', 'write.own', { isInChat: true }))
    assert.ok(!roleCan('peer', 'write.own', { isInChat: true }))
  })

  it('A24: two scopes give no more than their union', () => {
    for (const who of roles)
      for (const a of scopeNames)
        for (const b of scopeNames)
          assert.deepEqual(
            new Set(getCapabilities(who, [a, b])),
            new Set([...getCapabilities(who, [a]), ...getCapabilities(who, [b])]),
            `${who}: ${a}, ${b}`,
          )
  })

  it('a token never has more than its role', () => {
    fc.assert(
      fc.property(role, fc.subarray(scopeNames), (who, scopes) => {
        for (const one of getCapabilities(who, scopes)) assert.ok(roleCan(who, one))
      }),
    )
    assert.ok(!tokenCan('member', ['read'], 'read.all'))
    assert.ok(tokenCan('operator', ['read'], 'read.all'))
    assert.ok(!tokenCan('operator', ['answer'], 'pair'), 'attack 7')
  })

  it('A26: a role is given only by a caller who has it, and only the owner makes owners and operators', () => {
    fc.assert(
      fc.property(role, role, (giver, given) => {
        if (canGiveRole(giver, given)) assert.equal(giver, 'owner')
        if (isAtLeast(given, 'operator')) assert.equal(canGiveRole(giver, given), giver === 'owner')
      }),
    )
  })

  it('tokens of 0.1 keep what they could do, except pairing', () => {
    assert.deepEqual(upgradeToken(['admin']), { role: 'owner', scopes: ['admin'] })
    assert.deepEqual(upgradeToken(['read', 'chat']), { role: 'operator', scopes: ['read', 'chat', 'send'] })
    const { role: who, scopes } = upgradeToken(['answer'])
    assert.ok(tokenCan(who, scopes, 'answer') && !tokenCan(who, scopes, 'pair'))
  })

  it('every route has one row, and planned ones are marked', () => {
    const keys = routeCapabilities.map(({ method, path }) => `${method} ${path}`)
    assert.equal(new Set(keys).size, keys.length)
    assert.equal(routeRow('post', '/v1/pairings/accept')?.capability, 'pair')
    assert.equal(routeRow('get', '/v1/worlds/{id}/members')?.capability, 'worlds')
    assert.equal(routeRow('post', '/v1/anything'), null)
    assert.ok(routeRow('get', '/v1/budgets')?.later)
    assert.equal(routeRow('delete', '/v1/dialogs/{id}')?.later, undefined)
  })
})
