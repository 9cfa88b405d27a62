import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AgentOutput, GenerationInput, Tool } from '../src/ports/agent-runtime.ts'
import type { Caller } from '../src/shapes/parley.ts'
import type { Store } from '../src/ports/store.ts'
import { openParley, type OpenParley } from '../src/app/library.ts'
import { memoryBacking, type MemoryBacking } from '../src/store/memory/memory-backing.ts'
import { memoryStore } from '../src/store/memory/memory-store.ts'
import { crashingStore, type CrashPoint, SimulatedCrash } from '../src/testing/crashing-store.ts'
import { simulatedClock } from '../src/testing/simulated-clock.ts'
import { teamOf } from '../src/testing/team-of.ts'
import { foldViews } from '../src/app/stream-kinds.ts'

// A dialog with everything in it: a plain reply, a tool, a question, a set, a stop and a continue.

const single = {
  text: 'Which?',
  items: [
    {
      id: 'which',
      text: 'Which?',
      kind: 'choice' as const,
      options: [
        { value: 'a', label: 'A' },
        { value: 'b', label: 'B' },
      ],
    },
  ],
}
const set = { text: 'Two more', items: [...single.items, { id: 'name', text: 'Name?', kind: 'text' as const }] }

async function* story({ context }: GenerationInput): AsyncGenerator<AgentOutput> {
  const last = context.at(-1)
  if (last?.kind === 'human' && last.text === 'start') {
    yield { type: 'delta', text: 'Let me ' }
    yield { type: 'delta', text: 'look.' }
    yield { type: 'call', call: 'c1', name: 'act', input: {} }
  } else if (last?.kind === 'call') {
    yield { type: 'text', text: `Looked: ${String(last.result?.output)}` }
    yield { type: 'question', ask: single }
  } else if (last?.kind === 'question' && last.outcome) {
    const { answers } = last.outcome
    if (Object.keys(answers ?? {}).length === 1) yield { type: 'question', ask: set }
    else yield { type: 'text', text: `You chose ${answers?.['which']} for ${answers?.['name']}.` }
  } else yield { type: 'text', text: 'Goodbye.' }
}

type Outcome = { said: string[]; ended: string[]; status: string; effects: Set<string>; crashes: number }

/** Plays the story, dying at each of the given points in turn and starting again on the same data. */
async function play(points: CrashPoint[]): Promise<Outcome> {
  const backing = memoryBacking()
  const clock = simulatedClock()
  const effects = new Set<string>()
  const act: Tool = {
    name: 'act',
    description: 'Acts.',
    inputSchema: {},
    afterCrash: 'repeat',
    gate: { kind: 'code', declared: 'allow-guests' },
    check: (input) => ({ input }),
    run: async (_input, { call }) => (effects.add(call), 'fine'),
  }
  let crashes = 0
  let store: Store & { readonly crashed?: boolean } = process()
  let parley = openParley({ store, team: teamOf(story, [act]), clock })

  function process(): Store & { readonly crashed?: boolean } {
    const inside = memoryStore({ clock, backing: backing satisfies MemoryBacking })
    const point = points[crashes]
    return point ? crashingStore(inside, point) : inside
  }

  async function restart(): Promise<void> {
    crashes += 1
    void parley.driver.stop(0)
    store = process()
    parley = openParley({ store, team: teamOf(story, [act]), clock })
  }

  /** A person who tries again with the same key until the server says it has it. */
  async function person<Result>(key: string, request: (parley: OpenParley, caller: Caller) => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await request(parley, { by: { kind: 'human', name: 'owner', role: 'owner' }, via: 'test', once: { key, request: key } })
      } catch (error) {
        if (!(error instanceof SimulatedCrash)) throw error
        await restart()
      }
    }
  }

  async function rest(dialog: string): Promise<void> {
    for (let waits = 0; waits < 400; waits += 1) {
      await clock.advance(200)
      if (store.crashed) {
        await restart()
        continue
      }
      try {
        const { status, failure } = await parley.dialogs.get(dialog)
        // Three crashes of one turn fail it; a person retries.
        if (failure?.code === 'turn_crashed') await person(`retry-${waits}`, (to, caller) => to.dialogs.resume(dialog, caller))
        else if (!['working', 'stopping'].includes(status)) return
      } catch (error) {
        if (!(error instanceof SimulatedCrash)) throw error
        await restart()
      }
    }
    assert.fail('the dialog is stuck')
  }

  async function answer(key: string, answers: Record<string, string>): Promise<void> {
    const open = await person(`look-${key}`, (to) => to.inbox())
    const question = open.items[0]?.question.id ?? assert.fail('no question is open')
    await person(key, (to, caller) => to.questions.answer(question, { answers }, caller))
  }

  const { id } = await person('open', (to, caller) => to.dialogs.open({ text: 'start' }, caller))
  await rest(id)
  await answer('first', { which: 'a' })
  await rest(id)
  await answer('second', { which: 'b', name: 'Mia' })
  await rest(id)
  await person('bye', (to, caller) => to.dialogs.say(id, 'bye', caller))
  await rest(id)

  const final = memoryStore({ clock, backing })
  const events = await final.read(id, 0, 500)
  const detail = await person('detail', (to) => to.dialogs.get(id))
  await checkViews(final)
  assert.equal(await final.nextDue('turn'), null, 'no work is left over')
  await parley.close(0)
  return {
    said: events.filter(({ type }) => type === 'message.said').map(({ data }) => (data as { text: string }).text),
    ended: events.filter(({ type }) => /^question\.(?!asked)/.test(type)).map(({ type }) => type),
    status: detail.status,
    effects,
    crashes,
  }
}

async function checkViews(store: Store): Promise<void> {
  const folded = await foldViews(store)
  assert.ok(folded.size >= 3)
  for (const row of folded.values()) assert.deepEqual(await store.row(row.view, row.key), row)
}

const expected = ['start', 'Let me look.', 'Looked: fine', 'You chose b for Mia.', 'bye', 'Goodbye.']

function checkOutcome({ said, ended, status, effects }: Outcome): void {
  assert.deepEqual(said, expected)
  assert.deepEqual(ended, ['question.answered', 'question.answered'])
  assert.equal(status, 'ready')
  assert.equal(effects.size, 1, 'a repeated effect carries the same key')
}

test('killed before or after any commit, the dialog always ends in the same state', async () => {
  checkOutcome(await play([]))
  let points = 0
  for (let commit = 1; ; commit += 1) {
    const runs = [await play([{ when: 'before', commit }]), await play([{ when: 'after', commit }])]
    if (runs.every(({ crashes }) => crashes === 0)) break
    for (const outcome of runs) checkOutcome(outcome)
    points += 1
  }
  assert.ok(points >= 8, `only ${points} commit points were met`)
})

test('killed again and again at random commits, it still ends in the same state', async () => {
  const point = fc.record({ when: fc.constantFrom('before' as const, 'after' as const), commit: fc.integer({ min: 1, max: 4 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(point, { maxLength: 4 }), async (points) => checkOutcome(await play(points))),
    { numRuns: 40 },
  )
})
