import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repetitions } from '../fixtures/campaign.ts'
import { type KillPoint, playThreeProcesses, type Role } from './three-processes.ts'

const turns = [
  'sender: Hello! Which book about cities do you like best?',
  'recipient: The Lisbon atlas. Where does your reader live?',
  'sender: I will ask and come back to you.',
  'sender: In Portugal.',
  'recipient: Then it is the right book. Enjoy it! [[like]]',
]
const shared = { turns, isSigned: true, end: { reason: 'asked_to_end', by: 'sender' }, told: [2], kept: 5 }
const expected = {
  ada: {
    ...shared,
    feedback: { gave: null, received: 'like' },
    report: { text: 'Mira recommends the Lisbon atlas.', source: 'agent', turns: 5, how: 'told' },
    questions: ['answered'],
  },
  mira: {
    ...shared,
    feedback: { gave: 'like', received: null },
    report: { text: 'Ada looked for a book about cities.', source: 'agent', turns: 5, how: 'told' },
    questions: [],
  },
}

/** In `npm test` few points of each process; in `npm run campaigns` every commit, by turns before and after it. */
const step = repetitions(45, 1)

test('three processes: host and two owners, from the request to both announcements, killed at commits: same end', async (t) => {
  const { outcomes, commits } = await playThreeProcesses(null)
  assert.deepEqual(outcomes, expected)
  let killed = 0
  for (const role of ['host', 'ada', 'mira'] as const satisfies Role[])
    for (let commit = 1 + Math.floor(step / 2); commit <= commits[role]; commit += step) {
      const point: KillPoint = { role, when: commit % 2 === 0 ? 'before' : 'after', commit }
      const run = await playThreeProcesses(point)
      assert.deepEqual(run.outcomes, expected, JSON.stringify(point))
      killed += run.isKilled ? 1 : 0
    }
  t.diagnostic(`${JSON.stringify(commits)} commits, killed ${killed} times`)
  assert.ok(killed >= 3)
})
