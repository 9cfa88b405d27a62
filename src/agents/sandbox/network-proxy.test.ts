import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isPrivateHost } from '../../shapes/private-host.ts'
import { blockedHosts, privateRanges } from './network-proxy.ts'

describe('network proxy of the sandbox', () => {
  it('refuses every range by its resolved address that the gate calls private, but for those of this machine', () => {
    for (const range of privateRanges) assert.ok(isPrivateHost(range.split('/')[0] ?? ''), range)
  })

  it('names refused hosts once, and only those of the program', () => {
    const encodedCommand = Buffer.from('mine').toString('base64')
    const deny = (host: string) => ({ line: `deny network-outbound ${host} (host is not on the allow list)`, encodedCommand })
    const violations = [
      deny('a.org:443'),
      deny('a.org:443'),
      { ...deny('b.org:80'), encodedCommand: 'other' },
      { line: 'deny file-read /x', encodedCommand },
    ]
    const store = { getSandboxViolationStore: () => ({ getViolations: () => violations }) }
    assert.deepEqual(blockedHosts(store, 'mine'), ['a.org:443'])
  })
})
