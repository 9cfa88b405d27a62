import assert from 'node:assert/strict'
import type { NetworkInterfaceInfo } from 'node:os'
import { test } from 'node:test'
import { findLanAddress } from './lan-address.ts'

const address = (text: string, internal = false): NetworkInterfaceInfo =>
  ({ address: text, family: text.includes(':') ? 'IPv6' : 'IPv4', internal, netmask: '', mac: '', cidr: null }) as NetworkInterfaceInfo

test('findLanAddress: prefers a private address of a real network', () => {
  const lo = [address('127.0.0.1', true)]
  assert.equal(findLanAddress({ lo }), null)
  assert.equal(
    findLanAddress({ lo, docker0: [address('172.17.0.1')], wlan0: [address('fe80::1'), address('192.168.1.20')] }),
    '192.168.1.20',
  )
  assert.equal(findLanAddress({ lo, eth0: [address('203.0.113.9')], eth1: [address('10.0.0.4')] }), '10.0.0.4')
  assert.equal(findLanAddress({ lo, eth0: [address('203.0.113.9')] }), '203.0.113.9')
  assert.equal(findLanAddress({ lo, docker0: [address('172.17.0.1')] }), '172.17.0.1')
})
