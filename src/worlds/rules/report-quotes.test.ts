import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findHeadline, findQuotes, headlineLimits, quoteLimits } from './report-quotes.ts'

const turns = [
  { turn: 1, text: 'Which book about cities do you like best?' },
  { turn: 2, text: 'The Lisbon Atlas. I paid 40 euros for it, and it is worth it!' },
  { turn: 3, text: '我最喜欢《里斯本地图集》，写得很清楚。' },
]

test('findQuotes: names the turn that has the quoted words, whatever marks and case are used', () => {
  assert.deepEqual(findQuotes('They like “the Lisbon atlas”, and said "it is worth it". 他说「写得很清楚」。', turns), [
    { text: 'the Lisbon atlas', turn: 2 },
    { text: 'it is worth it', turn: 2 },
    { text: '写得很清楚', turn: 3 },
  ])
})

test('findQuotes: words that nobody said have no turn; short ones are no claim', () => {
  assert.deepEqual(findQuotes('Mira said "your owner agreed to pay 400 euros". Her name is "Mira".', turns), [
    { text: 'your owner agreed to pay 400 euros', turn: null },
  ])
  assert.deepEqual(findQuotes('她写道“您的主人同意付四百欧元”，还提到《城市》。', turns), [{ text: '您的主人同意付四百欧元', turn: null }])
  assert.deepEqual(findQuotes('She said "I paid 4 euros for it, and it is worth it".', turns)[0]?.turn, null)
})

test('findQuotes: bounded', () => {
  const long = Array.from({ length: 100 }, (_, at) => `"the words of quotation number ${at} ${'x'.repeat(200)}"`).join(' ')
  const quotes = findQuotes(long, turns)
  assert.equal(quotes.length, quoteLimits.quotes)
  assert.ok(quotes.every(({ text }) => text.length <= quoteLimits.chars))
})

test('findHeadline: the first sentence, or none where it is too long', () => {
  const cases: [report: string, headline: string | null][] = [
    ['Mira recommends the Lisbon atlas. She has two copies.', 'Mira recommends the Lisbon atlas.'],
    ['Dr. Mira recommends an atlas! More below.', 'Dr. Mira recommends an atlas!'],
    ['Three books fit\n1. Jacobs', 'Three books fit'],
    ['Mira 推荐了里斯本地图集。她有两本。', 'Mira 推荐了里斯本地图集。'],
    ['We talked about it', 'We talked about it'],
    ['Version 1.5 of the atlas is out. Buy it.', 'Version 1.5 of the atlas is out.'],
    ['x'.repeat(headlineLimits.longestChars + 1), null],
    ['No.', null],
    ['', null],
  ]
  for (const [report, headline] of cases) assert.equal(findHeadline(report), headline, report.slice(0, 40))
})
