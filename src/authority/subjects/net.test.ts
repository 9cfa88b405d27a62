import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isPrivateHost } from '../../shapes/private-host.ts'
import { netSubject, parseNetHost } from './net.ts'

describe('hosts', () => {
  it('have one spelling', () => {
    const read = (given: string): string | null => {
      const net = parseNetHost(given)
      return net && `${net.host} ${net.port ?? '-'}${net.isPrivate ? ' private' : ''}`
    }
    assert.equal(read('Example.ORG.'), 'example.org -')
    assert.equal(read('example.org:8443'), 'example.org 8443')
    assert.equal(read('example.org:80'), 'example.org 80')
    assert.equal(read('bücher.de'), 'xn--bcher-kva.de -')
    assert.equal(read('2130706433'), '127.0.0.1 - private')
    assert.equal(read('0x7f.1:22'), '127.0.0.1 22 private')
    assert.equal(read('[::1]:22'), '[::1] 22 private')
    for (const bad of ['', 'a b', 'http://x', 'user@x', 'x/y', 'x:', 'x:port', '999.1.1.1.1.1:99999999']) assert.equal(read(bad), null, bad)
  })

  it('are private when they are, or resolve to, an address of this machine, network or cloud', () => {
    const inside = [
      'localhost',
      'a.localhost',
      '127.0.0.1',
      '10.1.2.3',
      '192.168.0.1',
      '172.16.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '[::1]',
      'fe80::1',
      'fd00::1',
      '::ffff:10.0.0.1',
      '2002:7f00:1::',
      'metadata.google.internal',
      'printer',
      'nas.local',
      '224.0.0.1',
    ]
    for (const host of inside) assert.ok(isPrivateHost(host), host)
    for (const host of ['example.org', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '[2606:4700::1111]'])
      assert.ok(!isPrivateHost(host), host)
    assert.ok(netSubject('rebind.example.org', null, ['1.1.1.1', '127.0.0.1']).isPrivate)
  })
})
