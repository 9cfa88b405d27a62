import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentOutput, GenerationInput, Tool } from '../../ports/agent-runtime.ts'
import type { Log } from '../../ports/log.ts'
import type { Caller } from '../../shapes/parley.ts'
import { openParley } from '../../app/library.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { teamOf } from '../../testing/team-of.ts'

const you: Caller = { by: { kind: 'human', name: 'Mia' }, via: 'test' }

type Line = { words: string; facts: Record<string, unknown> }

function scene(generate: (input: GenerationInput, signal: AbortSignal) => AsyncIterable<AgentOutput>, tools: Tool[] = []) {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const lines: Line[] = []
  const log: Log = (_level, words, facts = {}) => void lines.push({ words, facts })
  const parley = openParley({ store, team: teamOf(generate, tools), clock, log })
  const returned = async (dialog: string): Promise<unknown[]> =>
    (await store.read(dialog, 0, 200))
      .filter(({ type }) => type === 'tool.returned')
      .map(({ data }) => (data as { output: unknown }).output)
  return { clock, store, parley, lines, returned, late: () => lines.filter(({ words }) => words.includes('late')) }
}

/** A tool that never looks at its abort signal. */
function deafTool(): { tool: Tool; finish(): void } {
  const held = Promise.withResolvers<string>()
  const tool: Tool = {
    name: 'dig',
    description: '',
    inputSchema: {},
    afterCrash: 'ask',
    gate: { kind: 'code', declared: 'allow-guests' },
    check: (input) => ({ input }),
    run: () => held.promise,
  }
  return { tool, finish: () => held.resolve('gold') }
}

async function* digs(input: GenerationInput): AsyncGenerator<AgentOutput> {
  const last = input.context.at(-1)
  if (last?.kind === 'human') yield { type: 'call', call: 'c', name: 'dig', input: { where: 'a-secret-garden' } }
  else yield { type: 'text', text: last?.kind === 'call' ? String(last.result?.output) : 'nothing' }
}

test('a tool that ignores a stop is abandoned after 10 s; its late result is ignored and logged once', async () => {
  const { tool, finish } = deafTool()
  const { clock, store, parley, lines, returned, late } = scene(digs, [tool])
  const { id } = await parley.dialogs.open({ text: 'go' }, you)
  await clock.advance(100)
  await parley.dialogs.stop(id, you)
  await clock.advance(9_900)
  assert.equal((await parley.dialogs.get(id)).status, 'stopping')
  await clock.advance(200)
  assert.equal((await parley.dialogs.get(id)).status, 'stopped')
  assert.deepEqual(await returned(id), ['Stopped by Mia while running; it may have taken effect.'])
  assert.deepEqual(late(), [])
  finish()
  await clock.advance(100)
  assert.equal(late().length, 1)
  assert.equal(late()[0]?.facts['tool'], 'dig')
  assert.match(String(late()[0]?.facts['call']), /^call_/)
  assert.ok(!JSON.stringify(lines).includes('a-secret-garden'), 'no input in the log')
  assert.equal((await returned(id)).length, 1)
  await parley.close(0)
  await store.close()
})

test('a tool that ignores its time limit is abandoned, and its agent is told that it may have taken effect', async () => {
  const { tool } = deafTool()
  const { clock, store, parley, returned } = scene(digs, [tool])
  const { id } = await parley.dialogs.open({ text: 'go' }, you)
  await clock.advance(10 * 60_000 + 9_000)
  assert.equal((await parley.dialogs.get(id)).status, 'working')
  await clock.advance(2_000)
  assert.deepEqual(await returned(id), ['Stopped after 10 min. It may have taken effect.'])
  assert.equal((await parley.dialogs.get(id)).preview, 'Stopped after 10 min. It may have taken effect.')
  await parley.close(0)
  await store.close()
})

test('the text of a timed-out and of a stopped call is in the language of the dialog', async () => {
  const { tool } = deafTool()
  const { clock, store, parley, returned } = scene(digs, [tool])
  const slow = await parley.dialogs.open({ text: 'go', language: 'zh' }, you)
  const stopped = await parley.dialogs.open({ text: 'go', language: 'zh' }, you)
  await clock.advance(100)
  await parley.dialogs.stop(stopped.id, you)
  await clock.advance(11 * 60_000)
  assert.deepEqual(await returned(slow.id), ['运行 10 分钟 后超时停止，可能已经生效。'])
  assert.deepEqual(await returned(stopped.id), ['已被 Mia 停止，当时正在执行，可能已经生效。'])
  await parley.close(0)
  await store.close()
})

test('a runtime that ignores its abort signal is abandoned after 10 s, and what it says later is ignored', async () => {
  const held = Promise.withResolvers<void>()
  const { clock, store, parley, late } = scene(async function* () {
    yield { type: 'delta', text: 'Well' }
    await held.promise
    yield { type: 'text', text: 'too late' }
  })
  const { id } = await parley.dialogs.open({ text: 'go' }, you)
  await clock.advance(100)
  await parley.dialogs.stop(id, you)
  await clock.advance(9_900)
  assert.equal((await parley.dialogs.get(id)).status, 'stopping')
  await clock.advance(200)
  const detail = await parley.dialogs.get(id)
  assert.deepEqual([detail.status, detail.preview], ['stopped', 'Well'])
  held.resolve()
  await clock.advance(100)
  assert.equal(late().length, 1)
  assert.equal((await parley.dialogs.get(id)).preview, 'Well')
  await parley.close(0)
  await store.close()
})

test('a shutdown abandons a tool that ignores it before the grace period is over', async () => {
  const { tool } = deafTool()
  const { clock, store, parley } = scene(digs, [tool])
  const { id } = await parley.dialogs.open({ text: 'go' }, you)
  await clock.advance(100)
  const closed = parley.close(1_000)
  await clock.advance(900)
  await closed
  assert.equal(parley.driver.runningTurns, 0)
  assert.equal(await store.row('running', `turn/${id}`), null, 'it ended in order: this is no crash')
  await store.close()
})
