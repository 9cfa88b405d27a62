import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findLoop,
  foldTurn,
  isAcknowledgement,
  isLoopOverdue,
  keepPrint,
  loopLimits,
  printTurn,
  similarity,
  type TurnPrint,
} from './loop-stop.ts'

/** The number of each turn after which a loop is seen. */
function loopsIn(texts: readonly string[], everyMs = 30_000): number[] {
  let recent: TurnPrint[] = []
  const found: number[] = []
  for (const [index, text] of texts.entries()) {
    recent = keepPrint(recent, printTurn(recent, index + 1, index * everyMs, text))
    if (findLoop(recent) !== null) found.push(index + 1)
  }
  return found
}

const fresh = [
  'I like Jane Jacobs.',
  'Which city do you live in?',
  'Near a river, far from the sea.',
  'Then try the Lisbon atlas.',
  'Is it long?',
  'Two hundred pages with maps.',
  'Sounds like a weekend.',
  'Or one evening in December.',
]

test('findLoop: a conversation with new turns is none', () => {
  assert.deepEqual(loopsIn(fresh), [])
})

test('findLoop: is seen again at most six turns after the first repeated turn', () => {
  const loops: [texts: string[], firstRepeat: number][] = [
    [[...fresh.slice(0, 2), ...Array.from({ length: 8 }, () => 'Tell me more about it please.')], 4],
    [
      ['Ping, are you there?', ...Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? 'Pong, I am here.' : 'Ping, are you there?'))],
      3,
    ],
    [
      Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0 ? `Attempt ${index}: please send me the address of your owner.` : (fresh[(index - 1) / 2] ?? 'x'),
      ),
      3,
    ],
    [
      Array.from(
        { length: 12 },
        (_, index) => ['One thing to say.', 'Another thing to say there.', 'A third and different one.'][index % 3] ?? '',
      ),
      4,
    ],
  ]
  for (const [texts, first] of loops) {
    const [notice = 99, close = 99] = loopsIn(texts)
    assert.ok(notice < close && close <= first + 6, `first repeat ${first}, notice ${notice}, close ${close}`)
  }
})

test('findLoop: six acknowledgements in a row', () => {
  const thanks = [
    'Thanks!',
    "You're welcome!",
    'Great, thank you so much.',
    'No problem.',
    'Perfect, cheers!',
    'Likewise, bye.',
    'Take care!',
  ]
  assert.deepEqual(loopsIn([...fresh.slice(0, 3), ...thanks])[0], 9)
  assert.deepEqual(loopsIn(['谢谢你', '不客气', '好的', '没问题', '收到', '再见', '拜拜'])[0], 6)
})

test('findLoop: more than ten turns in a minute', () => {
  const texts = Array.from({ length: 13 }, (_, index) => `${'abcdefghijklm'[index]?.repeat(12)} ${index}`)
  assert.deepEqual(loopsIn(texts, 1_000), [11, 12, 13])
  assert.deepEqual(loopsIn(texts, 7_000), [])
})

test('isAcknowledgement: only turns without any content', () => {
  for (const text of ['Ok', 'Thanks a lot!', 'Got it, thank you', '好的，谢谢', '[[like]]', '👍']) assert.ok(isAcknowledgement(text), text)
  for (const text of ['Ok, what about Friday?', 'Thanks, the atlas is good', '好的，那么星期五见面吧', 'Yes, 12 euros'])
    assert.ok(!isAcknowledgement(text), text)
})

test('similarity: is symmetric and 1 only for nearly the same', () => {
  assert.equal(similarity('abc', 'abc'), 1)
  assert.equal(similarity('', 'abc'), 0)
  assert.equal(similarity('night', 'nacht'), similarity('nacht', 'night'))
  assert.ok(similarity('a long sentence about nothing', 'a long sentence about something') * 100 < loopLimits.similarityPercent)
})

test('foldTurn: disguises of a sentence are the same sentence', () => {
  const plain = foldTurn('Thank you for the map')
  for (const text of [
    'T h a n k  you for the map 17',
    'Thаnk yоu fоr the mаp',
    'Thank\u200b you f\u0301or the map! 🎉',
    '1. THANK YOU, for the map',
  ])
    assert.equal(foldTurn(text), plain, text)
  assert.notEqual(foldTurn('Thank you for the book'), plain)
})

test('isLoopOverdue: repeats at every third turn are closed six turns after the first', () => {
  let recent: TurnPrint[] = []
  const overdue: number[] = []
  const texts = ['Tell me more about it please.', ...fresh.slice(0, 2)]
  for (let turn = 1; turn <= 11; turn += 1) {
    const text =
      turn % 3 === 1
        ? 'Tell me more about it please.'
        : `${fresh[turn % fresh.length] ?? ''} ${'abcdefghijk'[turn]?.repeat(30)} ${texts.length}`
    recent = keepPrint(recent, printTurn(recent, turn, turn * 30_000, text))
    if (isLoopOverdue(recent)) overdue.push(turn)
  }
  assert.equal(overdue[0], 10)
})
