import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QuestionView } from '../../../src/shapes/wire.ts'
import { inboxGroups } from './inbox-rows.ts'
import type { LeavingRow } from './leaving-rows.ts'

function row(id: string, dialog: string, turn?: number): LeavingRow {
  const question = { id, dialog, ...(turn === undefined ? {} : { approval: { turn } }) } as unknown as QuestionView
  return { key: id, goneAt: null, item: { kind: 'question', question } }
}

test('inboxGroups: cards keep the order of the inbox, and the approvals of one card begin with the first call', () => {
  const rows = [row('q6', 'b', 1), row('q5', 'a', 2), row('q4', 'a', 2), row('q3', 'c'), row('q2', 'a', 1), row('q1', 'a', 1)]
  const drawn = inboxGroups(rows).map((group) => ('row' in group ? [group.row.key] : group.approvals.map(({ question }) => question.id)))
  assert.deepEqual(drawn, [['q6'], ['q4', 'q5'], ['q3'], ['q1', 'q2']])
})

test('inboxGroups: an approval that was decided keeps its position in the card', () => {
  const rows = [row('q3', 'a', 1), { ...row('q1', 'a', 1), goneAt: 5 }, row('q2', 'a', 1)]
  const [group] = inboxGroups(rows)
  assert.ok(group && 'approvals' in group)
  assert.deepEqual(
    group.approvals.map(({ question, isGone }) => [question.id, isGone]),
    [
      ['q1', true],
      ['q2', false],
      ['q3', false],
    ],
  )
})
