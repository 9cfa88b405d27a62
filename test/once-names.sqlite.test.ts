import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import { team } from '../src/agents/scripted-team.ts'
import { defineAgent } from '../src/agents/runtimes/scripted.ts'
import { defineTool } from '../src/agents/tool.ts'
import { onceNameLimits, onceNames } from '../src/app/once-names.ts'
import type { Caller } from '../src/shapes/parley.ts'
import type { Store } from '../src/ports/store.ts'
import { openParley } from '../src/app/library.ts'
import { memoryBacking } from '../src/store/memory/memory-backing.ts'
import { memoryStore } from '../src/store/memory/memory-store.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { groupCommitter } from '../src/streams/committer.ts'
import { pruneLimits } from '../src/streams/pruner.ts'
import { simulatedClock, type SimulatedClock } from '../src/testing/simulated-clock.ts'

const dayMs = 24 * 60 * 60_000
const day = (number: number): number => Date.UTC(2026, 0, 1) + number * dayMs

const callerWith = (key: string): Caller => ({ by: { kind: 'human', name: 'mia' }, via: 'test', once: { key, request: key } })

/** Its first process dies in the tool, so that the next one asks whether to repeat it. */
const getAgent = (hangs: boolean) =>
  defineAgent({
    name: 'ada',
    about: '',
    tools: [
      defineTool({
        name: 'pay',
        description: '',
        input: z.object({}),
        afterCrash: 'ask',
        gate: { guests: 'allow' },
        run: () => (hangs ? new Promise<string>(() => {}) : 'paid'),
      }),
    ],
    async *reply({ context }) {
      const last = context.at(-1)
      if (last?.kind === 'human' && last.text === 'pay') return yield { type: 'call', call: 'c', name: 'pay', input: {} }
      if (last?.kind === 'human' && last.text === 'hang' && hangs) await new Promise(() => {})
      yield { type: 'text', text: 'done' }
    },
  })

const stores: Record<string, () => { open(clock: SimulatedClock): Store; remove(): void }> = {
  memory() {
    const backing = memoryBacking()
    return { open: (clock) => memoryStore({ clock, backing }), remove() {} }
  },
  SQLite() {
    const folder = mkdtempSync(join(tmpdir(), 'parley-once-'))
    return {
      open: (clock) => sqliteStore({ clock, path: join(folder, 'parley.db') }),
      remove: () => rmSync(folder, { recursive: true, force: true }),
    }
  },
}

for (const [name, make] of Object.entries(stores)) {
  const begin = (data: ReturnType<(typeof stores)[string]>, at: number, hangs = false) => {
    const clock = simulatedClock(at)
    const store = data.open(clock)
    const committer = groupCommitter(store)
    const parley = openParley({ store, committer, clock, team: team([getAgent(hangs)], { clock, fast: true }) })
    const task = onceNames({ store, committer, dialogs: parley.streams, builds: parley.buildStreams })
    return {
      clock,
      store,
      parley,
      async prune() {
        for (let cursor: string | null = ''; cursor !== null;) cursor = await task.batch(clock.now() - pruneLimits.keptMs, cursor)
      },
      names: async () => (await store.onceNames('', 1_000)).map(({ key }) => key),
      async end() {
        await parley.close(0)
        await store.close()
      },
    }
  }

  test(`${name}: a key is remembered for 30 days and free after that`, async (t) => {
    const data = make()
    t.after(data.remove)
    const first = begin(data, day(0))
    const opened = await first.parley.dialogs.open({ text: 'hello' }, callerWith('k'))
    await first.clock.advance(2_000)
    await first.end()

    const later = begin(data, day(29))
    await later.clock.advance(10)
    await later.prune()
    assert.equal((await later.parley.dialogs.open({ text: 'hello' }, callerWith('k'))).id, opened.id)
    await later.end()

    const last = begin(data, day(31))
    await last.clock.advance(10)
    await last.prune()
    assert.deepEqual(await last.names(), [])
    assert.notEqual((await last.parley.dialogs.open({ text: 'hello' }, callerWith('k'))).id, opened.id)
    await last.clock.advance(2_000)
    await last.end()
  })

  test(`${name}: names stay while work is unfinished that was there when they were used`, async (t) => {
    const data = make()
    t.after(data.remove)
    const first = begin(data, day(0), true)
    await first.parley.dialogs.open({ text: 'hang' }, callerWith('hangs'))
    await first.clock.advance(10)
    await first.store.commit([{ once: [{ key: 'inbound:telegram:update:7', value: null }] }])
    await first.end()

    // The server was off for a month. The cut turn runs again, and what it used before must still be known.
    const later = begin(data, day(31), true)
    await later.clock.advance(10)
    await later.prune()
    assert.deepEqual(await later.names(), ['inbound:telegram:update:7', 'request:mia:hangs'])
    await later.end()
    const last = begin(data, day(32))
    await last.clock.advance(2_000)
    await last.prune()
    assert.deepEqual(await last.names(), [])
    await last.end()
  })

  test(`${name}: names of a dialog stay while it has a call without a result, though it has no work`, async (t) => {
    const data = make()
    t.after(data.remove)
    const first = begin(data, day(0), true)
    const { id } = await first.parley.dialogs.open({ text: 'pay' }, callerWith('pays'))
    await first.clock.advance(10)
    await first.store.commit([{ once: [{ key: `request:ada:call:${id}:c`, value: null }] }])
    await first.end()
    const second = begin(data, day(0) + 1_000, true)
    await second.clock.advance(2_000)
    const [question] = (await second.parley.dialogs.get(id)).questions
    assert.ok(question, 'it asks whether to repeat the call')
    await second.store.commit([{ once: [{ key: `delivery:question:${question.id}:telegram:1`, value: null }] }])
    assert.equal(await second.store.unfinishedSince([]), null)
    await second.end()

    const later = begin(data, day(40))
    await later.prune()
    assert.deepEqual(await later.names(), [`delivery:question:${question.id}:telegram:1`, `request:ada:call:${id}:c`])
    await later.parley.questions.answer(
      question.id,
      { choice: 'again' },
      { by: { kind: 'human', name: 'mia', id: 'person:mia', role: 'owner' }, via: 'test' },
    )
    await later.clock.advance(2_000)
    assert.equal((await later.parley.dialogs.get(id)).status, 'ready')
    await later.prune()
    assert.deepEqual(await later.names(), [])
    await later.end()
  })

  test(`${name}: many names are forgotten in bounded batches; calls of builds of version 0.1 stay`, async (t) => {
    const data = make()
    t.after(data.remove)
    const first = begin(data, day(0))
    const keys = Array.from({ length: onceNameLimits.perBatch * 2 + 3 }, (_, index) => `request:mia:${index}`)
    await first.store.commit(keys.map((key) => ({ once: [{ key, value: null }] })))
    await first.store.commit([{ once: [{ key: 'build-call:call_1m7mnkxb20pq7v0h550zgxe6', value: 'Asked.' }] }])
    await first.end()
    const later = begin(data, day(31))
    await later.store.commit([{ once: [{ key: 'request:mia:fresh', value: null }] }])
    await later.prune()
    assert.deepEqual(await later.names(), ['build-call:call_1m7mnkxb20pq7v0h550zgxe6', 'request:mia:fresh'])
    await later.end()
  })
}
