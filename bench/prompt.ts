import assert from 'node:assert/strict'
import { isQuick, many, print, short } from './figure.ts'
import { type Moments, tellStory } from './prompt-story.ts'

/**
 * Share of a model's input that it has read before: in a dialog of 200 turns, the bytes of each request that are a prefix of
 * the request before it. Within an epoch all of the older request must be.
 */
const { wires, moments } = await tellStory(many(200, 60))
const whole: Moments = {
  turns: 200,
  sides: 4,
  sideGenerations: 40,
  taskdocEdits: 30,
  reminderChanges: 40,
  interjections: 25,
  askBacks: 10,
  lateAnswers: 10,
  stops: 5,
  courses: 3,
  compactions: 2,
}
// A share of another story would be another figure.
if (!isQuick) assert.deepEqual(moments, whole)

for (const { wire, requests, bytes, sameBytes, pairs, prefixPairs, fault } of Object.values(wires)) {
  const share = (100 * sameBytes) / bytes
  print({
    bench: 'prompt',
    figure: `input read before, ${wire}`,
    value: share,
    unit: '%',
    aim: '≥ 95 %',
    met: share >= 95,
    requests,
    megabytes: short(bytes / 1e6),
    ...moments,
  })
  print({
    bench: 'prompt',
    figure: `pairs within an epoch that keep every byte, ${wire}`,
    value: (100 * prefixPairs) / pairs,
    unit: '%',
    aim: '100 %',
    met: prefixPairs === pairs,
    pairs,
    ...(fault === null ? {} : { fault }),
  })
}
