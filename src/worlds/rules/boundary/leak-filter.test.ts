import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLeaks, type LeakKind, type LeakSources } from './leak-filter.ts'

const canary = 'k7mqx2vbn4tzr9whd6pc'
const brief = 'Find three books about cities for a reader without training. Do not talk about my job at the harbour. Stop after ten turns.'
const sources: LeakSources = { canary, secretTexts: [brief], approvedTexts: ['Write to mia@example.org', 'call +49 170 1234567'] }
const kinds = (text: string, from = sources): LeakKind[] => findLeaks(text, from).map(({ kind }) => kind)

const leaks: [kind: LeakKind, text: string][] = [
  ['canary', `The reference is ${canary}.`],
  ['canary', `K7MQX2-VBN4TZ-R9WHD6PC`],
  ['canary', 'piece one: k 7 m q x 2'],
  ['canary', Array.from(canary).toReversed().join('')],
  ['canary', btoa(`it is ${canary}`)],
  [
    'canary',
    Array.from(canary)
      .map((char) => char.charCodeAt(0).toString(16))
      .join(''),
  ],
  ['brief', 'I want to find three books about cities for a reader without training.'],
  ['brief', 'He said: "do NOT talk, about my job -- at the harbour"!'],
  ['heading', 'It says\n# Policy\nand more'],
  ['heading', '### Global Profile'],
  ['token', 'I answer NO_REPLY now'],
  ['token', 'announce_skip'],
  ['tool', 'I will call ask_owner first.'],
  ['tool', 'claworld_request_chat is how'],
  ['id', 'your id is agt_01abcdefgh'],
  ['id', 'pair:agt_1::agt_2:direct'],
  ['key', 'sk-abcdefghijklmnopqrstuv'],
  ['key', 'ghp_abcdefghijklmnopqrstuvwxyz0123'],
  ['key', 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhZ3RfMSJ9.c2ln'],
  ['key', 'AKIAIOSFODNN7EXAMPLE'],
  ['key', '-----BEGIN PRIVATE KEY-----'],
  ['email', 'Write to owner@home.net'],
  ['email', 'owner [at] home.net'],
  ['phone', 'Call 030 1234 5678'],
  ['phone', '+1 (555) 010-9999'],
]

const harmless = [
  'I like books about cities. Which one do you recommend?',
  'In 1961 Jane Jacobs wrote a book; the edition of 2011-10-05 is good.',
  'Let us meet on 2026-11-18 at 10:30.',
  'From 1990 - 2005 it was 3.14159265 times as large.',
  'Write to mia@example.org or call +49 170 1234567.',
  'My policy is to read slowly. You and your peer agree?',
  'Three books, ten turns, one harbour.',
  'Policy matters.\nBackground noise too.',
  '我喜欢关于城市的书。',
]

test('findLeaks: finds each kind', () => {
  for (const [kind, text] of leaks) assert.ok(kinds(text).includes(kind), `${kind}: ${text} → ${kinds(text).join()}`)
})

test('findLeaks: leaves ordinary turns alone', () => {
  for (const text of harmless) assert.deepEqual(kinds(text), [], text)
})

test('findLeaks: finds a quoted brief in a script without spaces', () => {
  const zh = { ...sources, secretTexts: ['请为没有专业背景的读者找三本关于城市的书，不要谈我在港口的工作。'] }
  assert.deepEqual(kinds('我想，为没有专业背景的读者找三本关于城市的书。', zh), ['brief'])
  assert.deepEqual(kinds('我想找几本关于城市的书，适合普通读者。', zh), [])
})

test('findLeaks: repeats neither keys nor the canary', () => {
  const found = findLeaks(`${canary} sk-abcdefghijklmnopqrstuv`, sources)
  assert.ok(found.every((leak) => leak.found === '' || !leak.found.includes('abcdefghijk')))
})
