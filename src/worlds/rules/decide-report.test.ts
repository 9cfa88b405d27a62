import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deciderSpecification } from '../../testing/decider-specification.ts'
import { decideReport } from './decide-report.ts'
import type { ReportEvent, ReportFacts } from './report-events.ts'
import { evolveReport, initialReport, nextReportStep } from './report-state.ts'

const { given } = deciderSpecification({ initial: initialReport, decide: decideReport, evolve: evolveReport })
const facts: ReportFacts = {
  peer: 'Mira#8K4TQZ',
  world: null,
  turns: 6,
  money: 0.1,
  endedBy: 'peer',
  reason: 'both_agreed',
  likes: { given: 'like', received: null },
}
const filed = (announce: 'required' | 'default' = 'default'): ReportEvent => ({
  type: 'report.filed',
  at: 1,
  data: { request: 'crq_1', agent: 'agt_a', text: 'Three books.', source: 'agent', announce },
})
const completed: ReportEvent = { type: 'report.completed', at: 2, data: { facts } }
const stored: ReportEvent = { type: 'report.stored', at: 3, data: { dialog: 'dlg_1', message: 'm1' } }
const file = {
  type: 'file-report',
  at: 9,
  request: 'crq_1',
  agent: 'agt_a',
  text: 'Three books. ',
  source: 'agent',
  announce: 'default',
} as const

test('report: there is one; the same text again changes nothing, another is refused', () => {
  given().when(file).thenTypes('report.filed')
  given()
    .when({ ...file, text: ' ' })
    .thenRefused('empty_text')
  given(filed()).when(file).thenTypes()
  given(filed())
    .when({ ...file, text: 'Four books.' })
    .thenRefused('report_exists')
  given(filed())
    .when({ ...file, text: 'stub', source: 'runtime' })
    .thenTypes()
  given(filed()).when({ type: 'note-progress', at: 9, request: 'crq_1', agent: 'agt_a', turn: 2, text: 'x' }).thenRefused('report_exists')
  given().when({ type: 'note-progress', at: 9, request: 'crq_1', agent: 'agt_a', turn: 2, text: 'x' }).thenTypes('report.noted')
})

test('report: is complete only in the main dialog and told or skipped', () => {
  assert.deepEqual(
    [
      [],
      [filed()],
      [filed(), completed],
      [filed(), completed, stored],
      [filed(), completed, stored, { type: 'report.announced' as const, at: 4, data: { outcome: 'told' as const } }],
    ].map((events) => nextReportStep(given(...events).state)),
    ['file', 'complete', 'store', 'announce', null],
  )
  given(filed()).when({ type: 'complete-report', at: 9, facts }).thenTypes('report.completed')
  given(filed(), completed).when({ type: 'complete-report', at: 9, facts }).thenTypes()
  given().when({ type: 'store-report', at: 9, dialog: 'd', message: 'm' }).thenRefused('turn_over')
  given(filed(), completed).when({ type: 'store-report', at: 9, dialog: 'd', message: 'm' }).thenTypes('report.stored')
})

test('report: a required announcement is told', () => {
  given(filed('required'), completed, stored)
    .when({ type: 'end-announcement', at: 9, outcome: 'skipped' })
    .then({ type: 'report.announced', data: { outcome: 'told' } })
  given(filed(), completed, stored)
    .when({ type: 'end-announcement', at: 9, outcome: 'skipped' })
    .then({ type: 'report.announced', data: { outcome: 'skipped' } })
})
