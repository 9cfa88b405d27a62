import { buildTexts } from '../../../words/index.ts'
import { languageCodes } from '../../../shapes/language.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepsIn, wordsOfStep } from '../steps.ts'
import { guardPrompt, guardWords } from './guard.ts'
import { isReassurance, reassurance } from './reassurance.ts'
import { failureWords } from './summaries.ts'
import { badSentences } from './test/bad-sentences.ts'
import { goodSentences } from './test/good-sentences.ts'

for (const locale of ['en', 'zh'] as const) {
  test(`good sentences are shown as they are (${locale})`, (t) => {
    t.diagnostic(`${goodSentences[locale].length} sentences`)
    assert.ok(goodSentences[locale].length >= 40)
    for (const said of goodSentences[locale]) assert.deepEqual(guardWords(said), { text: said, findings: [] })
  })

  test(`bad sentences are held back or shortened, with a reason (${locale})`, (t) => {
    t.diagnostic(`${badSentences[locale].length} sentences`)
    assert.ok(badSentences[locale].length >= 40)
    for (const { said, shown, why } of badSentences[locale]) {
      const { text, findings } = guardWords(said)
      assert.equal(text, shown, said)
      assert.ok(
        findings.some((finding) => finding.why === why && finding.what !== ''),
        `${said}: ${JSON.stringify(findings)}`,
      )
      if (text !== null) assert.deepEqual(guardWords(text), { text, findings: [] }, 'what is shown passes by itself')
    }
  })
}

for (const locale of languageCodes) {
  test(`what the backend says itself passes its own guard (${locale})`, () => {
    const codes = [
      'build_rules_broken',
      'command_failed',
      'command_timeout',
      'command_flooded',
      'command_missing',
      'budget_spent',
      'internal',
      'cancelled',
    ] as const
    const texts = [
      ...codes.map((code) => failureWords(code, locale).summary),
      ...codes.map((code) => failureWords(code, locale).reason),
      ...[0, 1, 2, 3, 4].map((earlier) => reassurance(locale, earlier)),
      buildTexts[locale].summaries.complete,
      buildTexts[locale].summaries.failed,
      ...stepsIn(locale).flatMap(({ title, description }) => [title, description]),
    ]
    for (const text of texts) assert.deepEqual(guardWords(text), { text, findings: [] })
    assert.ok(isReassurance(reassurance(locale, 7)) && !isReassurance('Hello.'))
  })
}

test('the person’s own words are theirs', () => {
  const said = 'The pipeline of your plant is on the first page.'
  assert.equal(guardWords(said).text, null)
  assert.equal(guardWords(said, { own: 'An agent that watches our pipelines' }).text, said)
  assert.equal(guardWords('Spawning workers.', { own: 'An agent that watches our pipelines' }).text, null)
  assert.equal(guardWords('Done, now building.', { own: 'Tell me when it is done, now' }).text, null)
})

test('a step is not said again for two seconds, in any language, with or without its dot', () => {
  const step = { words: wordsOfStep('design'), at: 1_000 }
  for (const said of [
    'Planning your agent',
    'planning your agent…',
    'I’m creating the build plan for your agent.',
    "I'm creating the build plan for your agent",
    '正在规划您的代理。',
  ]) {
    assert.equal(guardWords(said, { step, at: 3_000 }).text, null, said)
    assert.equal(guardWords(said, { step, at: 3_001 }).text, said)
  }
  assert.equal(guardWords('Planning your agent needs one detail.', { step, at: 1_001 }).findings.length, 0)
})

test('a question never vanishes for its words, only for having none', () => {
  assert.deepEqual(guardPrompt('Shall the workers run in parallel?').text, 'Shall the workers run in parallel?')
  assert.equal(guardPrompt('Shall the workers run in parallel?').findings.length, 2)
  assert.equal(guardPrompt('[QUESTION_ID:q1] Which one?').text, 'Which one?')
  assert.equal(guardPrompt('[QUESTION_ID:q1]').text, null)
})

test('what is shortened stays within the limit and breaks no character', () => {
  assert.deepEqual(guardWords('😀'.repeat(140)).findings, [])
  const { text } = guardWords('😀'.repeat(141))
  assert.equal(text, `${'😀'.repeat(139)}…`)
})

test('long text without an end costs no time to look through', () => {
  for (const said of ['a'.repeat(20_000), 'done '.repeat(4_000), '['.repeat(20_000), '[FROM:'.repeat(3_000), '完成了'.repeat(6_000)])
    assert.ok(guardWords(said).findings.length > 0)
})
