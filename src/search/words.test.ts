import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { excerptLimits, findExcerpt } from './excerpt.ts'
import { foldText, foldWithPlaces } from './fold-text.ts'
import { indexWords, listRuns, wordLimits, wordsOfRun } from './words.ts'

const marked = (text: string, search: string): string | null => {
  const found = findExcerpt(text, listRuns(foldText(search)))
  if (!found) return null
  let at = 0
  let result = ''
  for (const [from, to] of found.marks) {
    result += `${found.text.slice(at, from)}[${found.text.slice(from, to)}]`
    at = to
  }
  return result + found.text.slice(at)
}

test('findExcerpt: marks words by their beginning, in any order, without case, accents and width', () => {
  assert.equal(marked('The budget of the CAFÉ is spent', 'cafe budg'), 'The [budg]et of the [CAFÉ] is spent')
  assert.equal(marked('Un cafe\u0301 noir', 'café'), 'Un [café] noir')
  assert.equal(marked('ＧＰＴ－４ is here', 'gpt 4'), '[ＧＰＴ]－[４] is here')
  assert.equal(marked('Straße, İstanbul, ΟΔΟΣ', 'istanbul οδος'), 'Straße, [İstanbul], [ΟΔΟΣ]')
  assert.equal(marked('rebudget', 'budget'), null, 'not inside a word')
  assert.equal(marked('budget', 'budget spent'), null, 'every word')
})

test('findExcerpt: finds parts of texts in scripts without spaces', () => {
  assert.equal(marked('今天天气很好，我们去公园。', '天气'), '今天[天气]很好，我们去公园。')
  assert.equal(marked('今天天气很好，我们去公园。', '公园 天气'), '今天[天气]很好，我们去[公园]。')
  assert.equal(marked('今天天气很好', '好'), '今天天气很[好]')
  assert.equal(marked('使用GPT模型', 'gpt模型'), '使用[GPT][模型]')
  assert.equal(marked('東京タワーへ行きました', 'タワー'), '東京[タワー]へ行きました')
  assert.equal(marked('สวัสดีครับทุกคน', 'ครับ'), 'สวัสดี[ครับ]ทุกคน')
  assert.equal(marked('𠮷野家の牛丼', '𠮷野'), '[𠮷野]家の牛丼')
  assert.equal(marked('天天向上的气', '天气'), null, 'both characters apart are no match')
  assert.equal(marked('오늘 날씨가 좋다', '날씨'), '오늘 [날씨]가 좋다')
})

test('findExcerpt: a long text is cut around the first word, at whole characters', () => {
  const found = findExcerpt(`${'😀'.repeat(200)} needle ${'😀'.repeat(200)}`, listRuns('needle'))
  assert.ok(found)
  assert.ok(found.text.isWellFormed())
  assert.ok(found.text.length <= excerptLimits.chars + 3)
  assert.deepEqual(
    found.marks.map(([from, to]) => found.text.slice(from, to)),
    ['needle'],
  )
  assert.equal(findExcerpt('a\nneedle\tb', listRuns('needle'))?.text, 'a needle b')
})

const text = fc.string({ unit: fc.constantFrom(...'aÉbZ7 ,.\n天气很好東ワがครับ한𠮷😀ﬁΣςİ̈'.split('')), maxLength: 40 })

test('every part of a text that a person may search for is found by the index and marked', () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (given, choice, length) => {
      const { text: folded } = foldWithPlaces(given)
      assert.equal(folded, foldText(given))
      const all = listRuns(folded)
      const run = all[choice % Math.max(1, all.length)]
      if (!run) return
      const characters = Array.from(run.text)
      const part = characters.slice(0, 1 + (length % characters.length)).join('')
      const words = indexWords([given])
      for (const wanted of listRuns(part)) {
        for (const { word, isStart } of wordsOfRun(wanted))
          assert.ok(
            words.some((one) => (isStart ? one.startsWith(word) : one === word)),
            `${word} of ${given}`,
          )
        assert.ok(findExcerpt(given, [wanted]), `${wanted.text} in ${given}`)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('indexWords: one event has a bounded number of words', () => {
  const numbers = Array.from({ length: 50_000 }, (_, index) => `n${index}`).join(' ')
  assert.equal(indexWords([numbers]).length <= wordLimits.words, true)
  assert.ok(indexWords([numbers]).join('').length <= wordLimits.chars + wordLimits.wordChars)
  assert.deepEqual(indexWords(['x'.repeat(500_000)]), ['x'.repeat(wordLimits.wordChars)])
  const characters = Array.from({ length: 60_000 }, (_, index) =>
    String.fromCodePoint(0x4e00 + (index % 20_000), 0x4e01 + ((index * 7) % 20_000)),
  )
  assert.ok(indexWords([characters.join('')]).length <= wordLimits.words)
})
