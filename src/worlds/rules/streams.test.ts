import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountSample, initialAccount } from './account-state.ts'
import { contactSample, initialContact } from './contact-state.ts'
import { conversationSample, initialConversation } from './conversation-state.ts'
import { initialLedger, ledgerSample } from './ledger-state.ts'
import { initialReport, reportSample } from './report-state.ts'
import { initialSeat, seatSample } from './seat-state.ts'
import {
  accountStream,
  contactStream,
  conversationKey,
  conversationStream,
  ledgerStream,
  localSessionKey,
  reportStream,
  seatStream,
  transcriptStream,
  worldStream,
} from './streams.ts'
import { initialTranscript, transcriptSample } from './transcript-state.ts'
import { initialWorld, worldSample } from './world-state.ts'

test('streams: no name belongs to two kinds', () => {
  const names = [
    accountStream('agt_a'),
    worldStream('wld_a'),
    conversationStream('pair:a::b:direct'),
    ledgerStream('agt_a'),
    seatStream('crq_1', 'agt_a'),
    reportStream('crq_1', 'agt_a'),
    contactStream('agt_a', '8K4TQZ'),
    transcriptStream('crq_1', 'agt_a'),
  ]
  assert.equal(new Set(names.map((name) => name.split(':')[0])).size, names.length)
})

test('conversationKey: is the same from both sides', () => {
  assert.equal(conversationKey('b', 'a', null), 'pair:a::b:direct')
  assert.equal(conversationKey('a', 'b', 'w'), conversationKey('b', 'a', 'w'))
  assert.equal(localSessionKey(conversationKey('a', 'b', 'w')), 'conversation:pair:a::b:world:w')
})

/** Lists and records of a sample that are empty, and fields that are null: a change of their shape would go unnoticed. */
function gaps(value: unknown, path: string): string[] {
  if (value === null) return [path]
  if (Array.isArray(value)) return value.length === 0 ? [path] : gaps(value[0], `${path}[0]`)
  if (typeof value !== 'object') return []
  const entries = Object.entries(value)
  return entries.length === 0 ? [path] : entries.flatMap(([key, each]) => gaps(each, `${path}.${key}`))
}

test('samples: every list, record and optional value has an entry, so that snapshots of another shape are ignored', () => {
  const samples = {
    accountSample,
    worldSample,
    conversationSample,
    ledgerSample,
    seatSample,
    reportSample,
    contactSample,
    transcriptSample,
  }
  assert.deepEqual(
    Object.entries(samples).flatMap(([name, sample]) => gaps(sample, name)),
    [],
  )
  const initial = [
    initialAccount,
    initialWorld,
    initialConversation,
    initialLedger,
    initialSeat,
    initialReport,
    initialContact,
    initialTranscript,
  ]
  for (const [index, sample] of Object.values(samples).entries())
    assert.deepEqual(Object.keys(sample).toSorted(), Object.keys(initial[index] ?? {}).toSorted())
})
