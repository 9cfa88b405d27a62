import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, tableHead } from './campaign.ts'
import { faultKinds } from './faults.ts'

/** A pause past a lease takes longer than this whole test; `npm run chaos` has it. */
const kinds = faultKinds.filter((kind) => kind !== 'pause worker past its lease')

test('chaos: a web process and three workers lose, repeat and overlap nothing under faults', { timeout: 600_000 }, async (t) => {
  const rows: string[] = []
  const report = await campaign({ faults: 8, seed: 16, kinds, everyMs: 1_500, people: 3, chats: 1, onRow: (row) => rows.push(row) })
  assert.deepEqual(report.verdict.violations, [], [tableHead, ...rows].join('\n'))
  assert.ok(report.acknowledged > 10 && report.verdict.counts.turns > 10, 'too little happened to say anything')
  assert.ok(report.readings > 5)
  t.diagnostic(JSON.stringify({ ...report, verdict: undefined, ...report.verdict.counts }))
})
