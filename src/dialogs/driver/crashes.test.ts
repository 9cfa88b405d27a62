import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { AgentOutput, GenerationInput, Tool } from '../../ports/agent-runtime.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { Store } from '../../ports/store.ts'
import { openParley, type OpenParley } from '../../app/library.ts'
import { memoryBacking } from '../../store/memory/memory-backing.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { simulatedClock, type SimulatedClock } from '../../testing/simulated-clock.ts'
import { teamOf } from '../../testing/team-of.ts'

const you: Caller = { by: { kind: 'human', name: 'Mia' }, via: 'test' }

type Server = { parley: OpenParley; store: Store }

/** Servers one after the other on the same data. `poison` in a message kills the process that runs it. */
function machine(
  generate: (input: GenerationInput, signal: AbortSignal, die: () => Promise<never>) => AsyncIterable<AgentOutput>,
  tools: (die: () => Promise<never>) => Tool[] = () => [],
) {
  const clock: SimulatedClock = simulatedClock()
  const backing = memoryBacking()
  let server: Server
  let isDead = true
  let deaths = 0
  const die = async (): Promise<never> => {
    isDead = true
    deaths += 1
    await server.store.close()
    return new Promise<never>(() => {})
  }
  const team = teamOf((input, signal) => generate(input, signal, die), tools(die))
  const start = (): Server => {
    isDead = false
    const store = memoryStore({ clock, backing })
    server = { store, parley: openParley({ store, team, clock }) }
    return server
  }
  return {
    clock,
    get parley() {
      return server.parley
    },
    get store() {
      return server.store
    },
    get deaths() {
      return deaths
    },
    start,
    die,
    /** Starts the server again after each death, with `pauseMs` between, until it stays up. */
    async run(pauseMs = 1_000, most = 20) {
      for (let round = 0; round < most; round += 1) {
        if (isDead) start()
        await clock.advance(pauseMs)
        if (!isDead) return
      }
    },
    async end() {
      await server.parley.close(0).catch(() => {})
      await server.store.close()
    },
  }
}

const lastHuman = (input: GenerationInput): string => {
  const last = input.context.findLast((item) => item.kind === 'human')
  return last?.kind === 'human' ? last.text : ''
}

const toFailure = async (parley: OpenParley, dialog: string): Promise<string | null> =>
  (await parley.dialogs.get(dialog)).failure?.code ?? null

test('a claim that never started anything is not blamed, however often its holder dies', async () => {
  const scene = machine(async function* () {
    yield { type: 'text', text: 'ok' }
  })
  const { parley } = scene.start()
  await parley.driver.stop(0)
  const { id } = await parley.dialogs.open({ text: 'go' }, you)
  await scene.store.close()
  for (let death = 0; death < 8; death += 1) {
    const backing = scene.start()
    await backing.parley.driver.stop(0)
    assert.equal((await backing.store.claim('turn', 10, 30_000)).length, 1)
    await backing.store.close()
  }
  scene.start()
  await scene.clock.advance(1_100)
  const detail = await scene.parley.dialogs.get(id)
  assert.deepEqual([detail.status, detail.preview], ['ready', 'ok'])
  await scene.end()
})

test('three crashes within ten minutes fail the turn that caused them, and Retry runs it with a cleared count', async () => {
  let isPoisoned = true
  const scene = machine(async function* (_input, _signal, die) {
    if (isPoisoned) await die()
    yield { type: 'text', text: 'recovered' }
  })
  scene.start()
  const { id } = await scene.parley.dialogs.open({ text: 'go' }, you)
  await scene.run()
  assert.equal(scene.deaths, 3)
  assert.equal(await toFailure(scene.parley, id), 'turn_crashed')
  assert.equal((await scene.parley.dialogs.get(id)).status, 'failed')

  await scene.parley.dialogs.resume(id, you)
  await scene.run()
  assert.equal(scene.deaths, 6, 'the count starts again')
  assert.equal(await toFailure(scene.parley, id), 'turn_crashed')

  isPoisoned = false
  await scene.parley.dialogs.resume(id, you)
  await scene.run()
  assert.equal((await scene.parley.dialogs.get(id)).preview, 'recovered')
  await scene.end()
})

test('crashes that are further apart than ten minutes do not fail a turn', async () => {
  let left = 5
  const scene = machine(async function* (_input, _signal, die) {
    left -= 1
    if (left >= 0) await die()
    yield { type: 'text', text: 'at last' }
  })
  scene.start()
  const { id } = await scene.parley.dialogs.open({ text: 'go' }, you)
  await scene.run(6 * 60_000)
  const detail = await scene.parley.dialogs.get(id)
  assert.deepEqual([detail.status, detail.preview, scene.deaths], ['ready', 'at last', 5])
  await scene.end()
})

test('of many turns that run together only the one that kills the process is failed', async () => {
  const scene = machine(async function* (input, _signal, die) {
    // All of them are running when the process dies.
    await new Promise<void>((resolve) => scene.clock.after(300, resolve))
    if (lastHuman(input) === 'poison') await die()
    await new Promise<void>((resolve) => scene.clock.after(50, resolve))
    yield { type: 'text', text: 'fine' }
  })
  scene.start()
  const before = await Promise.all(Array.from({ length: 6 }, () => scene.parley.dialogs.open({ text: 'work' }, you)))
  const guilty = await scene.parley.dialogs.open({ text: 'poison' }, you)
  const after = await Promise.all(Array.from({ length: 6 }, () => scene.parley.dialogs.open({ text: 'work' }, you)))
  await scene.run(20_000)
  assert.equal(scene.deaths, 3)
  assert.equal(await toFailure(scene.parley, guilty.id), 'turn_crashed')
  for (const { id } of [...before, ...after]) {
    const detail = await scene.parley.dialogs.get(id)
    assert.deepEqual([detail.status, detail.preview], ['ready', 'fine'])
  }
  await scene.end()
})

test('a tool that kills the process is counted like a generation', async () => {
  const scene = machine(
    async function* (input) {
      if (input.context.at(-1)?.kind === 'human') yield { type: 'call', call: 'c', name: 'boom', input: {} }
      else yield { type: 'text', text: 'survived' }
    },
    (die) => [
      {
        name: 'boom',
        description: '',
        inputSchema: {},
        afterCrash: 'repeat',
        gate: { kind: 'code', declared: 'allow-guests' },
        check: (input) => ({ input }),
        run: () => die(),
      },
    ],
  )
  scene.start()
  const { id } = await scene.parley.dialogs.open({ text: 'go' }, you)
  await scene.run()
  assert.equal(scene.deaths, 3)
  assert.equal(await toFailure(scene.parley, id), 'turn_crashed')
  await scene.end()
})

test('a finished generation clears the count', async () => {
  const deadly = new Set([1, 2, 4, 5])
  let generations = 0
  const scene = machine(async function* (_input, _signal, die) {
    generations += 1
    if (deadly.has(generations)) await die()
    if (generations < 6) yield { type: 'again' }
    else yield { type: 'text', text: 'done' }
  })
  scene.start()
  const { id } = await scene.parley.dialogs.open({ text: 'go' }, you)
  await scene.run()
  const detail = await scene.parley.dialogs.get(id)
  assert.deepEqual([detail.status, detail.preview, scene.deaths], ['ready', 'done', 4])
  await scene.end()
})

test('a crash during the answer to a person in a stopped dialog does not lose the answer', async () => {
  const scene = machine(async function* (input, signal, die) {
    if (lastHuman(input) === 'go') await once(signal, 'abort')
    else if (scene.deaths === 0) await die()
    yield { type: 'text', text: `read: ${lastHuman(input)}` }
  })
  scene.start()
  const { id } = await scene.parley.dialogs.open({ text: 'go' }, you)
  await scene.run()
  await scene.parley.dialogs.stop(id, you)
  await scene.parley.dialogs.say(id, 'and?', you)
  await scene.run()
  assert.equal(scene.deaths, 1)
  const { status, preview } = await scene.parley.dialogs.get(id)
  assert.deepEqual([status, preview], ['stopped', 'read: and?'])
  const events = await scene.store.read(id, 0, 100)
  const since = events.findLastIndex(({ type }) => type === 'turn.started')
  assert.deepEqual(
    events.slice(since).map(({ type }) => type),
    ['turn.started', 'turn.cut', 'generation.finished', 'message.said', 'turn.finished'],
  )
  assert.deepEqual(new Map(Object.entries(events[since]?.data ?? {})).get('alone'), { by: 'Mia', dialog: id })
  await scene.end()
})
