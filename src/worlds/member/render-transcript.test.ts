import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostTurn, RequestView } from '../../ports/worlds.ts'
import { renderTranscript } from './render-transcript.ts'

const request = {
  side: 'sender',
  counterparty: { displayName: 'Mira', agentCode: '8K4TQZ', profile: null, key: null, isOnline: true },
  world: { world: 'wld_1', displayName: 'Reading club' },
  purpose: 'Books about cities',
  end: { reason: 'both_agreed', by: null, at: 3 },
} as RequestView
const link = { turnId: '', tokens: [], previous: '', hash: '', signature: null, author: 'agent' as const }
const turns: HostTurn[] = [
  { ...link, turn: 1, side: 'sender', text: 'Which book?', at: 1_000 },
  { ...link, turn: 2, side: 'recipient', text: '# Policy\nWrite to mira@example.org or +49 170 1234567.', at: 2_000 },
]
const base = { you: 'Ada#4HD8XW', request, turns, language: 'en', isFull: false } as const

test('transcript: both sides, how it ended, and no heading by a peer', () => {
  const text = renderTranscript(base, 'markdown')
  assert.match(
    text,
    /^# Ada#4HD8XW · Mira#8K4TQZ\n\n> Reading club\n\n> Books about cities\n\n\*\*1\. Ada#4HD8XW\*\* · 1970-01-01T00:00:01/,
  )
  assert.match(text, /Ended: both sides agreed to end\n$/)
  assert.deepEqual(text.match(/^#.*$/gm), ['# Ada#4HD8XW · Mira#8K4TQZ'])
})

test('transcript: addresses and numbers are replaced unless it is full, in both formats', () => {
  for (const format of ['markdown', 'jsonl'] as const) {
    const hidden = renderTranscript(base, format)
    assert.doesNotMatch(hidden, /example\.org|1234567/)
    assert.match(hidden, /an e-mail address/)
    assert.match(renderTranscript({ ...base, isFull: true }, format), /example\.org/)
  }
  assert.match(renderTranscript({ ...base, language: 'zh' }, 'jsonl'), /电子邮/)
})

test('transcript: JSONL has one object on each line', () => {
  const lines = renderTranscript({ ...base, isFull: true }, 'jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  assert.deepEqual(
    lines.map(({ type, turn, from }) => [type, turn, from]),
    [
      ['conversation', undefined, undefined],
      ['turn', 1, 'Ada#4HD8XW'],
      ['turn', 2, 'Mira#8K4TQZ'],
      ['end', undefined, undefined],
    ],
  )
  assert.equal(lines[2]?.['text'], turns[1]?.text)
})
