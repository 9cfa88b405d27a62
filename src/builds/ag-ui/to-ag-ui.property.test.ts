import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { BuildEventView } from '../../client/build-view.ts'
import type { AgUiEvent } from './ag-ui-event.ts'
import { emptyPicture, pictureAfter } from './build-picture.ts'
import { anyBuild } from './test/any-build.ts'
import { applied, mustBeValid } from './test/oracle.ts'
import { shownRun, toAgUi } from './to-ag-ui.ts'

const run = { thread: 't', run: 'r', build: 'b1', after: 0, messages: [] }

const toPicture = (log: readonly BuildEventView[]) => log.reduce(pictureAfter, emptyPicture('b1'))

const getLast = (events: readonly AgUiEvent[]): AgUiEvent => events.at(-1) as AgUiEvent

/** The log cut into what each run of a thread shows: from one answer to the next question. */
function getRuns(log: readonly BuildEventView[]): { after: number; events: BuildEventView[] }[] {
  const begins = (event: BuildEventView): boolean =>
    event.type === 'build.answered' || (event.type === 'session.started' && (event.payload.round ?? 1) > 1)
  const answers = log.filter(begins).map(({ seq }) => seq)
  return [0, ...answers].map((after, index) => {
    const next = answers[index] ?? Infinity
    return { after, events: log.filter(({ seq }) => seq < next) }
  })
}

test('whatever happened in a build, each of its runs is valid for the official client', async (t) => {
  const ends = new Set<string>()
  await fc.assert(
    fc.asyncProperty(anyBuild, async (log) => {
      for (const { after, events } of getRuns(log)) {
        const sent = toAgUi(events, { ...run, after })
        await mustBeValid(sent)
        const last = getLast(sent)
        ends.add(last.type === 'RUN_FINISHED' ? `${last.type} ${last.outcome?.type}` : last.type === 'RUN_ERROR' ? last.type : 'under way')
      }
    }),
    { numRuns: 300 },
  )
  t.diagnostic([...ends].toSorted().join(', '))
  assert.deepEqual([...ends].toSorted(), [
    'RUN_ERROR',
    'RUN_FINISHED cancelled',
    'RUN_FINISHED interrupt',
    'RUN_FINISHED success',
    'under way',
  ])
})

test('a client that follows run after run has the whole picture: state, messages, what is asked', async () => {
  await fc.assert(
    fc.asyncProperty(anyBuild, async (log) => {
      let agent: Awaited<ReturnType<typeof applied>> | undefined
      for (const { after, events } of getRuns(log)) {
        agent = await applied(
          toAgUi(events, { ...run, after, messages: agent?.messages ?? [{ id: 'p', role: 'user', content: 'Build me a reading list' }] }),
          agent,
        )
        const { state, lines } = toPicture(events)
        assert.deepEqual(agent.state, state)
        const texts = agent.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)
        assert.deepEqual(
          texts,
          lines.filter(({ role }) => role === 'assistant').map(({ text }) => text),
        )
        if (state.question)
          assert.deepEqual(
            agent.pendingInterrupts.map(({ id }) => id),
            state.question.questions.map((one) => one.question_id),
          )
      }
    }),
    { numRuns: 100 },
  )
})

test('wherever the line is cut, a client that comes back ends with each message once', async () => {
  await fc.assert(
    fc.asyncProperty(anyBuild, fc.nat(), fc.integer({ min: 1, max: 5 }), async (log, cutAt, batch) => {
      const { answeredAt, lines } = toPicture(log)
      const whole = toAgUi(log, { ...run, after: answeredAt })
      const agent = await applied(whole.slice(0, 1 + (cutAt % whole.length)))
      agent.pendingInterrupts = []
      const before = toPicture(log.filter(({ seq }) => seq <= answeredAt))
      const again = shownRun({ ...run, after: answeredAt, messages: agent.messages }, before)
      const sent = [...again.opening]
      for (let at = 0; at < log.length; at += batch) sent.push(...again.take(log.slice(at, at + batch)))
      await mustBeValid(sent)
      await applied(sent, agent)
      // In small pieces the run ends at the question, and what was said after that comes with the next one.
      const shown = agent.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)
      const said = lines.filter(({ role }) => role === 'assistant').map(({ text }) => text)
      const last = getLast(sent)
      const isWaiting = last.type === 'RUN_FINISHED' && last.outcome?.type === 'interrupt'
      if (!isWaiting) return assert.deepEqual(shown, said)
      // The message that was cut may be among those that come with the next run.
      const newest = shown.at(-1)
      const cut = typeof newest === 'string' ? newest : ''
      assert.deepEqual(shown.slice(0, -1), said.slice(0, Math.max(0, shown.length - 1)))
      assert.ok(said[shown.length - 1]?.startsWith(cut) ?? shown.length === 0)
    }),
    { numRuns: 150 },
  )
})

test('the oracle does find faults: an open step, words after the end, a half message', async () => {
  const opened: AgUiEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
  const finished: AgUiEvent = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }
  await assert.rejects(mustBeValid([opened, { type: 'STEP_STARTED', stepName: 'parse' }, finished]), /steps are still active/)
  await assert.rejects(mustBeValid([opened, finished, { type: 'STATE_SNAPSHOT', snapshot: {} }]), /already finished/)
  await assert.rejects(mustBeValid([opened, { type: 'TEXT_MESSAGE_START', messageId: 'm' }, finished]), /still active/)
  await assert.rejects(mustBeValid([finished]), /First event/)
  await assert.rejects(mustBeValid([opened, { type: 'STEP_STARTED' } as unknown as AgUiEvent]))
})
