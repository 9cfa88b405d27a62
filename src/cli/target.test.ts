import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseTarget } from './target.ts'

describe('where a message goes', () => {
  const typed: [string, { channel?: string; account?: string; topic?: string }, object][] = [
    ['42', {}, { target: '42' }],
    [' 42 ', {}, { target: '42' }],
    ['-100123', {}, { target: '-100123' }],
    ['@ada_channel', {}, { target: '@ada_channel' }],
    ['user:42', {}, { target: '42' }],
    ['channel:-100123', {}, { target: '-100123' }],
    ['conversation:abc', {}, { target: 'abc' }],
    ['-100123:topic:7', {}, { target: '-100123:topic:7' }],
    ['telegram:42', {}, { channel: 'telegram', target: '42' }],
    ['telegram:user:42', {}, { channel: 'telegram', target: '42' }],
    ['telegram:-100123:topic:7', {}, { channel: 'telegram', target: '-100123:topic:7' }],
    ['work-bot:channel:-1', {}, { channel: 'work-bot', target: '-1' }],
    ['客服:42', {}, { channel: '客服', target: '42' }],
    ['42', { channel: 'work' }, { channel: 'work', target: '42' }],
    ['work:42', { channel: 'work' }, { channel: 'work', target: '42' }],
    ['telegram:42', { channel: 'telegram', account: 'work' }, { channel: 'work', target: '42' }],
    ['42', { account: 'work' }, { channel: 'work', target: '42' }],
    ['-1', { topic: '7' }, { target: '-1:topic:7' }],
    ['telegram:channel:-1', { topic: '7' }, { channel: 'telegram', target: '-1:topic:7' }],
    ['19:meeting_x@thread.v2', {}, { target: '19:meeting_x@thread.v2' }],
    ['!room:example.org', {}, { target: '!room:example.org' }],
  ]
  for (const [text, flags, wanted] of typed)
    test(`${text} ${JSON.stringify(flags)}`, () => assert.deepEqual(parseTarget(text, flags), wanted))

  test('an ambiguous target is refused with a reason', () => {
    for (const empty of ['', '  ', 'user:', 'telegram:', 'telegram:user:'])
      assert.throws(() => parseTarget(empty), { name: 'UsageError', message: 'The target is empty.' })
    assert.throws(() => parseTarget('telegram:42', { channel: 'work' }), /is on "telegram", but/)
    assert.throws(() => parseTarget('-1:topic:7', { topic: '8' }), /already names a topic/)
  })

  test('what it understood, typed again, means the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
        let first
        try {
          first = parseTarget(text)
        } catch {
          return
        }
        assert.equal(first.target !== '', true)
        if (first.channel !== undefined && !/^[^:]*:/.test(first.target))
          assert.deepEqual(parseTarget(`${first.channel}:${first.target}`), first)
      }),
    )
  })
})
