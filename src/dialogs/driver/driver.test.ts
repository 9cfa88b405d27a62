import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParleyError } from '../../errors.ts'
import type { AgentOutput, GenerationInput, Team, Tool } from '../../ports/agent-runtime.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { Store } from '../../ports/store.ts'
import { openParley, type OpenParley } from '../../app/library.ts'
import { memoryBacking } from '../../store/memory/memory-backing.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { countedIds } from '../../testing/counted-ids.ts'
import { simulatedClock, type SimulatedClock } from '../../testing/simulated-clock.ts'
import { teamOf } from '../../testing/team-of.ts'

const you: Caller = { by: { kind: 'human', name: 'owner', role: 'owner' }, via: 'test' }

type Scene = { parley: OpenParley; store: Store; clock: SimulatedClock; types(dialog: string): Promise<string[]> }

async function withParley(team: Team, play: (scene: Scene) => Promise<void>): Promise<void> {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const parley = openParley({ store, team, clock, ids: countedIds() })
  try {
    await play({ parley, store, clock, types: async (dialog) => (await store.read(dialog, 0, 500)).map(({ type }) => type) })
  } finally {
    await parley.close(1_000)
    await store.close()
  }
}

const lastHuman = (input: GenerationInput): string => {
  const last = input.context.findLast((item) => item.kind === 'human')
  return last?.kind === 'human' ? last.text : ''
}

async function* echo(input: GenerationInput): AsyncGenerator<AgentOutput> {
  yield { type: 'delta', text: 'You said ' }
  yield { type: 'delta', text: lastHuman(input) }
}

test('a message gets a reply, and the whole exchange costs two commits with events', async () => {
  await withParley(teamOf(echo), async ({ parley, clock, types }) => {
    const { id } = await parley.dialogs.open({ text: 'hello' }, you)
    await clock.advance(100)
    assert.deepEqual(await types(id), [
      'dialog.opened',
      'message.said',
      'dialog.titled',
      'turn.started',
      'generation.finished',
      'message.said',
      'turn.finished',
    ])
    const detail = await parley.dialogs.get(id)
    assert.equal(detail.status, 'ready')
    assert.equal(detail.preview, 'You said hello')
    assert.equal(detail.title, 'hello')
  })
})

test('what is said while a turn runs starts the next one, and is never lost', async () => {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let runs = 0
  await withParley(
    teamOf(async function* (input) {
      runs += 1
      if (runs === 1) await held
      yield { type: 'text', text: `${input.context.filter((item) => item.kind === 'human').length} heard` }
    }),
    async ({ parley, clock, store }) => {
      const { id } = await parley.dialogs.open({ text: 'one' }, you)
      await clock.advance(50)
      await parley.dialogs.say(id, 'two', you)
      release()
      await clock.advance(50)
      const said = (await store.read(id, 0, 100))
        .filter(({ type }) => type === 'message.said')
        .map(({ data }) => (data as { text: string }).text)
      assert.deepEqual(said, ['one', 'two', '1 heard', '2 heard'])
    },
  )
})

test('a question ends the turn, its answer starts the next one with the answer in the context', async () => {
  await withParley(
    teamOf(async function* (input) {
      const asked = input.context.findLast((item) => item.kind === 'question')
      if (asked?.kind === 'question' && asked.outcome)
        yield { type: 'text', text: `${asked.outcome.outcome} ${asked.outcome.answers?.['size'] ?? ''}` }
      else
        yield {
          type: 'question',
          ask: {
            text: 'Which size?',
            items: [
              {
                id: 'size',
                text: 'Size',
                kind: 'choice',
                options: [
                  { value: 's', label: 'Small' },
                  { value: 'l', label: 'Large' },
                ],
              },
            ],
          },
        }
    }),
    async ({ parley, clock, store }) => {
      const { id } = await parley.dialogs.open({ text: 'hi' }, you)
      await clock.advance(50)
      const { items } = await parley.inbox()
      assert.equal(items.length, 1)
      assert.equal((await parley.dialogs.get(id)).status, 'waiting')
      assert.equal(await store.nextDue('turn'), null, 'waiting costs no work')
      const question = items[0]?.question.id ?? ''
      await assert.rejects(parley.questions.answer(question, { choice: 'xl' }, you), { code: 'not_a_choice' })
      await parley.questions.answer(question, { choice: 'l' }, you)
      await assert.rejects(parley.questions.answer(question, { choice: 's' }, you), { code: 'already_answered' })
      await clock.advance(50)
      assert.equal((await parley.dialogs.get(id)).preview, 'answered l')
      assert.equal((await parley.inbox()).count, 0)
    },
  )
})

test('a question with a time limit expires exactly then, survives an answer, and is not taken for a no', async () => {
  await withParley(
    teamOf(async function* (input) {
      const asked = input.context.findLast((item) => item.kind === 'question')
      if (asked?.kind === 'question' && asked.outcome) yield { type: 'text', text: asked.outcome.outcome }
      else yield { type: 'question', expiresInMs: 60_000, ask: { text: 'Name?', items: [{ id: 'name', text: 'Name', kind: 'text' }] } }
    }),
    async ({ parley, clock }) => {
      const first = await parley.dialogs.open({ text: 'a' }, you)
      const second = await parley.dialogs.open({ text: 'b' }, you)
      await clock.advance(1_000)
      const { items } = await parley.inbox()
      const mine = items.find(({ question }) => question.dialog === second.id)?.question.id ?? ''
      await parley.questions.answer(mine, { text: 'Mia' }, you)
      await clock.advance(58_000)
      assert.equal((await parley.dialogs.get(first.id)).status, 'waiting')
      await clock.advance(2_000)
      assert.equal((await parley.dialogs.get(first.id)).preview, 'expired')
      assert.equal((await parley.dialogs.get(second.id)).preview, 'answered')
    },
  )
})

test('stop ends a running turn for real, keeps its words, and continue goes on', async () => {
  let aborted = 0
  await withParley(
    teamOf(async function* (input, signal) {
      if (input.context.some((item) => item.kind === 'agent')) return yield { type: 'text', text: 'done now' }
      yield { type: 'delta', text: 'half a ' }
      await new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          aborted += 1
          reject(new Error('aborted'))
        }),
      )
    }),
    async ({ parley, clock, types }) => {
      const { id } = await parley.dialogs.open({ text: 'go' }, you)
      await clock.advance(100)
      await parley.dialogs.stop(id, you)
      await clock.advance(100)
      assert.equal(aborted, 1)
      const stopped = await parley.dialogs.get(id)
      assert.equal(stopped.status, 'stopped')
      assert.equal(stopped.preview, 'half a ')
      assert.equal((await parley.dialogs.stop(id, you)).head, stopped.head, 'a second stop changes nothing')
      await parley.dialogs.resume(id, you)
      await clock.advance(100)
      assert.equal((await parley.dialogs.get(id)).preview, 'done now')
      assert.equal((await types(id)).filter((type) => type === 'turn.stopped').length, 1)
    },
  )
})

test('a model that fails is tried again with growing pauses, then the dialog fails and can be continued', async () => {
  let tries = 0
  let isWell = false
  await withParley(
    teamOf(async function* () {
      tries += 1
      if (isWell) return yield { type: 'text', text: 'well again' }
      throw new ParleyError('model_overloaded', { status: 500 }, { retryable: true })
    }),
    async ({ parley, clock, types }) => {
      const { id } = await parley.dialogs.open({ text: 'go' }, you)
      await clock.advance(1_500)
      assert.equal(tries, 2)
      assert.equal((await parley.dialogs.get(id)).status, 'working')
      assert.notEqual((await parley.dialogs.get(id)).failure?.retryAt, null)
      await clock.advance(120_000)
      assert.equal(tries, 6)
      const failed = await parley.dialogs.get(id)
      assert.equal(failed.status, 'failed')
      assert.equal(failed.failure?.code, 'model_overloaded')
      isWell = true
      await parley.dialogs.resume(id, you)
      await clock.advance(100)
      assert.equal((await parley.dialogs.get(id)).preview, 'well again')
      assert.equal((await types(id)).filter((type) => type === 'generation.failed').length, 5)
    },
  )
})

test('retry-after is honoured, and a refusal for good is not tried again', async () => {
  const at: number[] = []
  await withParley(
    teamOf(async function* (input) {
      at.push(clockNow())
      if (lastHuman(input) === 'bad key') throw new ParleyError('model_key_refused', { status: 401 })
      if (at.length === 1) throw new ParleyError('model_rate_limited', {}, { retryable: true, retryAfterMs: 17_000 })
      yield { type: 'text', text: 'ok' }
    }),
    async ({ parley, clock }) => {
      clockNow = clock.now
      const start = clock.now()
      const { id } = await parley.dialogs.open({ text: 'go' }, you)
      await clock.advance(20_000)
      assert.equal((at[1] ?? 0) - start >= 17_000, true)
      const bad = await parley.dialogs.open({ text: 'bad key' }, you)
      await clock.advance(60_000)
      assert.equal((await parley.dialogs.get(bad.id)).failure?.code, 'model_key_refused')
      assert.equal(at.length, 3)
      assert.equal((await parley.dialogs.get(id)).status, 'ready')
    },
  )
})
let clockNow = (): number => 0

const tool = (afterCrash: Tool['afterCrash'], run: Tool['run']): Tool => ({
  name: 'act',
  description: 'Acts.',
  inputSchema: { type: 'object' },
  afterCrash,
  gate: { kind: 'code', declared: 'allow-guests' },
  check: (input) => ({ input }),
  run,
})

async function* actsOnce(input: GenerationInput): AsyncGenerator<AgentOutput> {
  const call = input.context.findLast((item) => item.kind === 'call')
  if (call?.kind === 'call') yield { type: 'text', text: `tool: ${call.result?.ok} ${String(call.result?.output)}` }
  else yield { type: 'call', call: 'c', name: 'act', input: {} }
}

test('a tool call is an event before it runs and its outcome one after', async () => {
  const order: string[] = []
  const team = teamOf(actsOnce, [tool('repeat', async () => (order.push('ran'), 'fine'))])
  await withParley(team, async ({ parley, clock, types, store }) => {
    store.hints.onStream((_stream, _head, events) => {
      for (const event of events ?? []) if (event.type.startsWith('tool.')) order.push(event.type)
    })
    const { id } = await parley.dialogs.open({ text: 'go' }, you)
    await clock.advance(100)
    assert.deepEqual(order, ['tool.called', 'ran', 'tool.returned'])
    assert.equal((await parley.dialogs.get(id)).preview, 'tool: true fine')
    assert.equal((await types(id)).at(-1), 'turn.finished')
  })
})

test('an unknown tool and a throwing tool become results the agent can read', async () => {
  const team = teamOf(
    async function* (input) {
      const calls = input.context.filter((item) => item.kind === 'call')
      if (calls.length === 0) yield { type: 'call', call: 'c', name: 'nothing', input: {} }
      else if (calls.length === 1) yield { type: 'call', call: 'c', name: 'act', input: {} }
      else yield { type: 'text', text: calls.map((item) => (item.kind === 'call' ? String(item.result?.output) : '')).join(' | ') }
    },
    [tool('repeat', () => Promise.reject(new Error('no luck')))],
  )
  await withParley(team, async ({ parley, clock }) => {
    const { id } = await parley.dialogs.open({ text: 'go' }, you)
    await clock.advance(100)
    assert.match((await parley.dialogs.get(id)).preview, /no tool nothing\. Tools: act, .*\| It f/)
  })
})

/** Two processes in a row over the same data: the first is cut off while its tool runs. */
async function crashDuringTool(
  afterCrash: Tool['afterCrash'],
): Promise<{ runs: () => number; parley: OpenParley; clock: SimulatedClock; id: string; end: () => Promise<void> }> {
  const clock = simulatedClock()
  const backing = memoryBacking()
  let runs = 0
  let isFirst = true
  const team = teamOf(actsOnce, [
    tool(afterCrash, async () => {
      runs += 1
      if (isFirst) await new Promise(() => {})
      return 'fine'
    }),
  ])
  const dead = openParley({ store: memoryStore({ clock, backing }), team, clock, ids: countedIds() })
  const { id } = await dead.dialogs.open({ text: 'go' }, you)
  await clock.advance(100)
  assert.equal(runs, 1)
  void dead.driver.stop(0)
  isFirst = false
  const store = memoryStore({ clock, backing })
  const parley = openParley({ store, team, clock })
  await clock.advance(60_000)
  return { runs: () => runs, parley, clock, id, end: () => parley.close(100) }
}

test('after a crash a tool that is safe to repeat is run again by itself', async () => {
  const { runs, parley, id, end } = await crashDuringTool('repeat')
  assert.equal(runs(), 2)
  assert.equal((await parley.dialogs.get(id)).preview, 'tool: true fine')
  await end()
})

test('after a crash a human decides about a tool that is not', async () => {
  for (const [decision, expected, total] of [
    ['again', 'tool: true fine', 2],
    ['skip', 'tool: false It was interrupted', 1],
    ['done', 'tool: true It had already been done', 1],
  ] as const) {
    const { runs, parley, clock, id, end } = await crashDuringTool('ask')
    assert.equal(runs(), 1)
    assert.equal((await parley.dialogs.get(id)).status, 'waiting')
    const { items } = await parley.inbox()
    await parley.questions.answer(items[0]?.question.id ?? '', { choice: decision }, you)
    await clock.advance(100)
    assert.equal((await parley.dialogs.get(id)).preview.startsWith(expected), true, decision)
    assert.equal(runs(), total)
    await end()
  }
})

test('turns of different dialogs run side by side, one at a time for each dialog, within the bound', async () => {
  const running = new Map<string, number>()
  let most = 0
  let mostOfOne = 0
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const team = teamOf(async function* ({ dialog }) {
    running.set(dialog, (running.get(dialog) ?? 0) + 1)
    most = Math.max(
      most,
      [...running.values()].reduce((sum, count) => sum + count, 0),
    )
    mostOfOne = Math.max(mostOfOne, running.get(dialog) ?? 0)
    await new Promise<void>((resolve) => clock.after(100, resolve))
    running.set(dialog, (running.get(dialog) ?? 0) - 1)
    yield { type: 'text', text: 'ok' }
  })
  const parley = openParley({ store, team, clock, concurrency: 4 })
  const opened = await Promise.all(Array.from({ length: 20 }, () => parley.dialogs.open({ text: 'a' }, you)))
  await Promise.all(opened.map(({ id }) => parley.dialogs.say(id, 'b', you)))
  await clock.advance(5_000)
  assert.equal(most, 4)
  assert.equal(mostOfOne, 1)
  for (const { id } of opened) assert.equal((await parley.dialogs.get(id)).status, 'ready')
  await parley.close()
})

test('a graceful stop gives back what runs, and another process takes it at once', async () => {
  const clock = simulatedClock()
  const backing = memoryBacking()
  const slow = teamOf(async function* (_input, signal) {
    yield { type: 'delta', text: 'thinking' }
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))))
  })
  const first = openParley({ store: memoryStore({ clock, backing }), team: slow, clock })
  const { id } = await first.dialogs.open({ text: 'go' }, you)
  await clock.advance(100)
  await first.close(1_000)
  const second = openParley({ store: memoryStore({ clock, backing }), team: teamOf(echo), clock })
  await clock.advance(1_100)
  assert.equal((await second.dialogs.get(id)).preview, 'You said go')
  await second.close()
})

test('a turn without end pauses after its limit and asks whether to continue', async () => {
  let generations = 0
  const clock = simulatedClock()
  const team = teamOf(async function* () {
    generations += 1
    yield { type: 'again' }
  })
  const parley = openParley({ store: memoryStore({ clock }), team, clock, generationsPerTurn: 7 })
  const { id } = await parley.dialogs.open({ text: 'go' }, you)
  await clock.advance(1_000)
  const [item] = (await parley.inbox()).items
  assert.match(item?.question.ask.text ?? '', /has taken 7 steps in one turn without finishing/)
  assert.equal(generations, 7)
  await parley.questions.answer(item?.question.id ?? '', { answers: { decision: 'continue' } }, you)
  await clock.advance(1_000)
  assert.equal(generations, 14)
  const [next] = (await parley.inbox()).items
  await parley.questions.answer(next?.question.id ?? '', { answers: { decision: 'leave' } }, you)
  await clock.advance(1_000)
  assert.equal((await parley.dialogs.get(id)).failure?.code, 'too_many_generations')
  assert.equal(generations, 14)
  await parley.close()
})

test('an agent that throws or asks nonsense fails its turn, not the process', async () => {
  await withParley(
    teamOf(async function* (input) {
      if (lastHuman(input) === 'throw') throw new TypeError('x is not a function')
      yield { type: 'question', ask: { text: '', items: [] } }
    }),
    async ({ parley, clock }) => {
      for (const [text, code] of [
        ['throw', 'agent_failed'],
        ['nonsense', 'agent_failed'],
      ] as const) {
        const { id } = await parley.dialogs.open({ text }, you)
        await clock.advance(1_000)
        for (let turns = 0; turns < 40 && (await parley.dialogs.get(id)).status === 'working'; turns += 1) await clock.advance(100)
        assert.equal((await parley.dialogs.get(id)).failure?.code, code)
      }
    },
  )
})

test('the same idempotency key gives the same result and changes nothing; another request under it is refused', async () => {
  await withParley(teamOf(echo), async ({ parley, clock, store }) => {
    const keyed = (request: string): Caller => ({ ...you, once: { key: 'k1', request } })
    const first = await parley.dialogs.open({ text: 'hello' }, keyed('a'))
    await clock.advance(50)
    const position = await store.position()
    const second = await parley.dialogs.open({ text: 'hello' }, keyed('a'))
    assert.equal(second.id, first.id)
    await assert.rejects(parley.dialogs.open({ text: 'other' }, keyed('b')), { code: 'key_reused' })
    assert.equal(await store.position(), position)
  })
})

test('deltas are gathered, a late reader gets what is written so far, and the end is told', async () => {
  const { promise: isRead, resolve: readOn } = Promise.withResolvers<void>()
  await withParley(
    teamOf(async function* (_input, signal) {
      for (const piece of ['a', 'b', 'c']) yield { type: 'delta', text: piece }
      await isRead
      signal.throwIfAborted()
      yield { type: 'delta', text: 'd' }
    }),
    async ({ parley, clock }) => {
      const { id } = await parley.dialogs.open({ text: 'go' }, you)
      await clock.advance(1)
      const got: { from: number; text: string; end?: boolean }[] = []
      parley.events.deltas(id, (delta) => got.push(delta))
      readOn()
      await clock.advance(100)
      assert.equal(got[0]?.from, 0)
      assert.equal(got[0]?.text, 'abc')
      assert.equal(got.at(-1)?.end, true)
      assert.equal((await parley.dialogs.get(id)).preview, 'abcd')
    },
  )
})

test('fifty dialogs with a model that never answers delay no other dialog', async () => {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const team = teamOf(async function* (input, signal) {
    if (lastHuman(input) === 'slow') await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))))
    yield { type: 'text', text: 'quick' }
  })
  const parley = openParley({ store, team, clock })
  await Promise.all(Array.from({ length: 50 }, () => parley.dialogs.open({ text: 'slow' }, you)))
  await clock.advance(100)
  const { id } = await parley.dialogs.open({ text: 'fast' }, you)
  await clock.advance(50)
  assert.equal((await parley.dialogs.get(id)).preview, 'quick')
  assert.equal(parley.driver.runningTurns, 50)
  await parley.close(100)
})
