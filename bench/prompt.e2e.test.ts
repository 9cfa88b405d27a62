import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellStory } from './prompt-story.ts'

test('in a short story with tools, edits, questions, a stop, a side dialog, a compaction and a course, each request of an epoch begins with the one before it [P1] [P20]', async () => {
  const { wires, moments } = await tellStory(60)
  for (const [moment, count] of Object.entries(moments)) assert.ok(count > 0, `the story has no ${moment}`)
  for (const { wire, pairs, prefixPairs, fault, bytes, sameBytes } of Object.values(wires)) {
    assert.equal(fault, null, wire)
    assert.equal(prefixPairs, pairs, wire)
    assert.ok(pairs > 100, `${wire}: only ${pairs} pairs`)
    assert.ok(sameBytes / bytes >= 0.95, `${wire}: ${sameBytes} of ${bytes} bytes were read before`)
  }
})

test('a clock in the system prompt is found: no request is a prefix of the next', async () => {
  const { wires } = await tellStory(3, (wire, request) => wire.replace('[', `[${request},`))
  for (const { prefixPairs, fault } of Object.values(wires)) {
    assert.equal(prefixPairs, 0)
    assert.match(fault ?? '', /differs from character 1/)
  }
})
