import assert from 'node:assert/strict'
import { test } from 'node:test'
import { page as en } from '../../../src/words/en/page.ts'
import { page as zh } from '../../../src/words/zh/page.ts'
import { age, clock } from './time.ts'

/** Every sentence with its path; functions are called with plausible arguments. */
function sentences(words: object, path = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] => {
    const here = path === '' ? key : `${path}.${key}`
    if (here === 'failures') return []
    if (typeof value === 'string') return [[here, value]]
    if (typeof value === 'function')
      return [1, 2, 7].map((count) => [`${here}(${count})`, callWith(value as (...parts: unknown[]) => string, count)])
    return sentences(value as object, here)
  })
}

/** Most take counts; those that cut a text take it as a text. */
function callWith(say: (...parts: unknown[]) => string, count: number): string {
  try {
    return say(count, count + 1)
  } catch {
    return say(String(count), String(count + 1))
  }
}

test('both languages say the same things, and none says nothing', () => {
  const english = sentences(en)
  const chinese = sentences(zh)
  assert.ok(english.length > 120)
  assert.deepEqual(
    chinese.map(([path]) => path),
    english.map(([path]) => path),
  )
  for (const [path, text] of [...english, ...chinese]) assert.notEqual(text.trim(), '', path)
})

test('Chinese sentences are Chinese, but for names and keys', () => {
  const foreign = new Set(['app.name', 'signIn.command', 'settings.enter', 'settings.ctrlEnter'])
  // `chat.aside` only puts its text in brackets, and the example of a message has fields of the format.
  const isFormat = /^chat\.aside|^chats\.preview\.example\.(?!.*\.(?:text|title|label)$)/
  for (const [path, text] of sentences(zh)) if (!foreign.has(path) && !isFormat.test(path)) assert.match(text, /\p{Script=Han}/u, path)
})

test('English counts in singular and plural', () => {
  assert.equal(en.announce.questions(1), '1 question for you')
  assert.equal(en.announce.questions(2), '2 questions for you')
})

test('an age is short and never in the future', () => {
  const now = new Date(2026, 10, 15, 12).getTime()
  assert.equal(age(now + 5_000, now, 'en', en), 'now')
  assert.match(age(now - 4 * 60_000, now, 'en', en), /^4 min/)
  assert.match(age(now - 3 * 3_600_000, now, 'zh', zh), /^3\s?小时前/)
  assert.match(age(now - 40 * 86_400_000, now, 'en', en), /Oct 6/)
})

test('a time of another day names the day', () => {
  const now = new Date(2026, 10, 15, 12).getTime()
  assert.doesNotMatch(clock(now - 60_000, now, 'en'), /Nov/)
  assert.match(clock(now - 2 * 86_400_000, now, 'en'), /Nov 13/)
})
