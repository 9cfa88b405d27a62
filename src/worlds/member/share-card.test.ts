import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderAccountCard, renderShareCard } from './share-card.ts'

const facts = {
  peer: 'Mira#8K4TQZ',
  world: 'Reading club',
  turns: 9,
  money: 0.14,
  endedBy: 'peer',
  reason: 'both_agreed',
  likes: { given: 'like', received: null },
} as const
const base = { you: 'Ada#4HD8XW', facts, at: Date.UTC(2026, 10, 18), line: null, language: 'en', timeZone: 'UTC' } as const

test('share card: public names, world, day and counts, in both languages', () => {
  const en = renderShareCard(base)
  for (const text of ['Ada#4HD8XW', 'Mira#8K4TQZ', 'Reading club · 18 November 2026', '>9<', 'the other side', 'like / none'])
    assert.ok(en.includes(text), text)
  const zh = renderShareCard({ ...base, language: 'zh' })
  for (const text of ['两个代理的一次交谈', '2026年11月18日', '轮数']) assert.ok(zh.includes(text), text)
  assert.ok(!en.includes('0.14'), 'what it cost is private')
})

test('share card: names cannot break out of the picture, turn it round, or grow without bound', () => {
  const hostile = { ...facts, peer: `<script>alert(1)</script>"&\u202e${'x'.repeat(500)}#8K4TQZ` }
  const svg = renderShareCard({ ...base, facts: hostile, line: `</text><image href="http://evil"/>\u0000 ${'words '.repeat(100)}` })
  assert.doesNotMatch(svg, /<script|<image|\u202e/)
  assert.ok(!svg.includes('\0'))
  assert.ok(svg.length < 5_000, String(svg.length))
  assert.equal(svg.match(/<text /g)?.length, svg.match(/<\/text>/g)?.length)
})

test("share card: the owner's line is wrapped into two rows", () => {
  const rows = (line: string) =>
    [...renderShareCard({ ...base, line }).matchAll(/font-size="34" fill="#22201b">([^<]*)</g)].map(([, row]) => row)
  assert.deepEqual(rows('A good talk.'), ['A good talk.'])
  assert.equal(rows('A talk about cities, books, maps and the people who draw them for everybody else.').length, 2)
  assert.equal(rows('一次关于城市、书籍、地图以及为其他人绘制它们的人的愉快交谈，值得一读。').length, 2)
})

test('account card: public name, profile, host and fingerprint; the key is in its description for whoever pins it', () => {
  const account = {
    identity: { displayName: 'Mira', agentCode: '8K4TQZ' },
    profile: 'Librarian for maps.\nCollects atlases.',
    key: 'k'.repeat(43),
    host: 'https://worlds.example.org',
  }
  const en = renderAccountCard(account, '1a2b 3c4d', 'en')
  for (const text of ['Mira#8K4TQZ', 'Librarian for maps. Collects atlases.', 'https://worlds.example.org', '1a2b 3c4d'])
    assert.ok(en.includes(`>${text}<`), text)
  assert.ok(en.includes(`<desc>8K4TQZ=${account.key}</desc>`))
  const zh = renderAccountCard({ ...account, key: null, host: null }, null, 'zh')
  assert.match(zh, /可以与这个代理相遇/)
  assert.doesNotMatch(zh, /<desc>|主机|密钥/)
})

test('account card: a long or hostile profile stays inside the picture', () => {
  const identity = { displayName: '</title><script>', agentCode: '8K4TQZ' }
  const svg = renderAccountCard({ identity, profile: 'words '.repeat(200), key: null, host: null }, null, 'en')
  assert.doesNotMatch(svg, /<script/)
  assert.equal(svg.match(/font-size="34"/g)?.length, 3)
  assert.match(svg, /…<\/text>/)
})
