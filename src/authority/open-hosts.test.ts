import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openHosts } from './open-hosts.ts'
import type { Role } from './roles.ts'
import { listRules } from './test/samples.ts'

const who = (role: Role = 'owner', agent = 'ada') => ({ agent, role, now: 0 })

describe('openHosts', () => {
  it('adds the hosts of allow rules in force, for the ports of the web unless one is named', () => {
    const policy = listRules({ allow: 'net(a.org)' }, { allow: 'net(*.b.org:8443)', for: 'guest' }, { allow: 'net(c.org)', agent: 'bob' })
    const open = (role: Role) => openHosts(policy, who(role), ['own.org'], { hasRules: true })
    assert.deepEqual(open('owner'), ['own.org', 'a.org:80', 'a.org:443', '*.b.org:8443'])
    assert.deepEqual(open('guest'), ['own.org', '*.b.org:8443'])
    assert.deepEqual(open('peer'), ['own.org'])
    assert.deepEqual(openHosts(policy, who(), ['own.org'], { hasRules: false }), ['own.org'])
  })

  it('leaves out every pattern that a deny or ask rule overlaps', () => {
    const configured = ['evil.org', 'x.evil.org', '*.org', 'good.com', '*.evil.org:443', 'evil.org:22']
    const open = (rule: object) => openHosts(listRules(rule), who(), configured, { hasRules: true })
    assert.deepEqual(open({ deny: 'net(evil.org)' }), ['good.com'])
    assert.deepEqual(open({ ask: 'net(x.evil.org:443)' }), ['evil.org', 'good.com', 'evil.org:22'])
    assert.deepEqual(open({ deny: 'net(*)' }), [])
  })

  it('leaves out a host that a deny rule spells in another way', () => {
    const open = (deny: string, configured: string) => openHosts(listRules({ deny }), who(), [configured], { hasRules: true })
    assert.deepEqual(open('net(münchen.example)', 'xn--mnchen-3ya.example:443'), [])
    assert.deepEqual(open('net(127.0.0.1)', '2130706433'), [])
  })

  it('opens nothing for a rule that allows every host', () => {
    assert.deepEqual(openHosts(listRules({ allow: 'net(*)' }), who(), [], { hasRules: true }), [])
  })
})
