import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { setImmediate as loopTurn } from 'node:timers/promises'
import type { BuildEventView } from '../../client/build-view.ts'
import { agUiRuns } from './ag-ui-runs.ts'
import { emptyPicture, pictureAfter } from './build-picture.ts'
import type { BuildsForAgUi } from './builds-for-ag-ui.ts'
import { agUiLimits, runInput } from './run-input.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const source = 'agent' as const
const caller = { by: { kind: 'human' as const, name: 'mia', id: 'person:mia', role: 'owner' as const }, via: 'test' }
const pageSize = 100
const count = 6_000

/** A build of many messages whose events are made anew for each page, so that what is held can be counted. */
function longBuild(seen: WeakRef<object>[]): BuildsForAgUi {
  const event = (seq: number): BuildEventView => {
    const made: BuildEventView =
      seq === 1
        ? { seq, at: seq, type: 'build.opened', payload: { prompt: 'A list' } }
        : { seq, at: seq, type: 'assistant.message.created', payload: { text: `Message ${seq}`, source } }
    seen.push(new WeakRef(made))
    return made
  }
  const page = (after: number): BuildEventView[] =>
    Array.from({ length: Math.max(0, Math.min(pageSize, count - after)) }, (_, at) => event(after + at + 1))
  const refuse = (): never => assert.fail('not called')
  return {
    open: refuse,
    get: async (build) => ({ build_id: build }),
    events: {
      read: async (_build, { after }) => page(after),
      follow: (_build, _query, signal) => ({
        [Symbol.asyncIterator]: () => ({
          next: () =>
            new Promise((resolve) => signal.addEventListener('abort', () => resolve({ done: true, value: undefined }), { once: true })),
        }),
      }),
    },
    answer: refuse,
    answerAll: refuse,
    instruct: refuse,
    cancel: refuse,
  }
}

test('a run that follows its build holds a page of its log, and not the log', async () => {
  const seen: WeakRef<object>[] = []
  const input = runInput.parse({
    threadId: 'b1',
    runId: 'r1',
    messages: [],
    tools: [],
    context: [],
  })
  const run = await agUiRuns(longBuild(seen))({ input, caller, need: () => {} })
  const over = new AbortController()
  const events = run.follow(over.signal)
  let starts = 0
  let largest = 0
  while (starts < count - 1) {
    const { value } = await events.next()
    assert.ok(value)
    largest = Math.max(largest, value.length)
    starts += value.filter(({ type }) => type === 'TEXT_MESSAGE_START').length
  }
  const waiting = events.next()
  await loopTurn()
  collect()
  await loopTurn()
  collect()
  const held = seen.filter((one) => one.deref() !== undefined).length
  assert.ok(seen.length > count, 'the whole log was read')
  assert.ok(held <= 2 * pageSize, `${held} of ${seen.length} events are held`)
  assert.ok(largest <= 3 * pageSize, `${largest} frames at once`)
  over.abort()
  assert.equal((await waiting).done, true)
})

test('pictureAfter: keeps the latest messages, as many as a client may send back', () => {
  let picture = emptyPicture('b1')
  for (let seq = 1; seq <= agUiLimits.messages + 10; seq += 1)
    picture = pictureAfter(picture, { seq, at: seq, type: 'assistant.message.created', payload: { text: `Message ${seq}`, source } })
  assert.equal(picture.lines.length, agUiLimits.messages)
  assert.equal(picture.lines.at(-1)?.text, `Message ${agUiLimits.messages + 10}`)
})
