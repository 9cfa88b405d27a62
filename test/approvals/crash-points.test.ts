import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ApprovalDecision } from '../../src/authority/audience.ts'
import { makePolicy } from '../../src/authority/test/samples.ts'
import { ParleyError } from '../../src/errors.ts'
import type { AgentOutput, GenerationInput, Tool } from '../../src/ports/agent-runtime.ts'
import type { Caller } from '../../src/shapes/parley.ts'
import type { Store } from '../../src/ports/store.ts'
import { foldViews } from '../../src/app/stream-kinds.ts'
import { openParley, type OpenParley } from '../../src/app/library.ts'
import { memoryBacking } from '../../src/store/memory/memory-backing.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { crashingStore, type CrashPoint, SimulatedCrash } from '../../src/testing/crashing-store.ts'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { teamOf } from '../../src/testing/team-of.ts'

// A guest asks for a payment; an operator approves it. The process dies at any commit in between.

const policy = makePolicy({ people: { mia: { role: 'owner' }, ann: { role: 'operator' } } })
const eve: Caller = { by: { kind: 'human', name: 'eve', id: 'telegram:main:9', role: 'guest' }, via: 'telegram' }
const ann: Caller = { by: { kind: 'human', name: 'ann', id: 'person:ann', role: 'operator' }, via: 'web' }

async function* pays({ context }: GenerationInput): AsyncGenerator<AgentOutput> {
  const last = context.at(-1)
  if (last?.kind === 'human') yield { type: 'call', call: 'c', name: 'pay', input: { to: 'Eve' } }
  else {
    const call = context.findLast((item) => item.kind === 'call')
    yield { type: 'text', text: call?.kind === 'call' ? String(call.result?.output) : 'nothing' }
  }
}

type Outcome = {
  said: string
  effects: number
  approvals: number
  refused: number
  crashes: number
}

/** Plays the story, dying at each of the points in turn. Every approval that is asked gets `decision`. */
async function play(points: readonly CrashPoint[], decision: ApprovalDecision, afterCrash: Tool['afterCrash']): Promise<Outcome> {
  const backing = memoryBacking()
  const clock = simulatedClock()
  let effects = 0
  const pay: Tool = {
    name: 'pay',
    description: 'Pays.',
    inputSchema: {},
    afterCrash,
    gate: { kind: 'code' },
    check: (input) => ({ input }),
    async run() {
      effects += 1
      return 'paid'
    },
  }
  let crashes = 0
  let store = process()
  let parley = open()

  function process(): Store & { readonly crashed?: boolean } {
    const inside = memoryStore({ clock, backing })
    const point = points[crashes]
    return point ? crashingStore(inside, point) : inside
  }
  function open(): OpenParley {
    return openParley({ store, team: teamOf(pays, [pay]), clock, policy: () => policy })
  }
  async function restart(): Promise<void> {
    crashes += 1
    void parley.driver.stop(0)
    store = process()
    parley = open()
  }
  async function retrying<Result>(act: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await act()
      } catch (error) {
        if (!(error instanceof SimulatedCrash)) throw error
        await restart()
      }
    }
  }

  const keyed = (caller: Caller, key: string): Caller => ({ ...caller, once: { key, request: key } })
  const { id } = await retrying(() => parley.dialogs.open({ text: 'pay me' }, keyed(eve, 'open')))
  for (let waits = 0; waits < 100; waits += 1) {
    await clock.advance(500)
    if (store.crashed) {
      await restart()
      continue
    }
    const { items } = await retrying(() => parley.inbox())
    const [item] = items
    if (item?.kind === 'question') {
      const { id: question, approval } = item.question
      // The question whether to run it once more offers no standing permission.
      const given = decision === 'always' && approval?.onceOnly ? 'once' : decision
      // The guest tries first, with the same key at each try, and is refused.
      await retrying(() => assert.rejects(parley.questions.answer(question, { decision: 'once' }, keyed(eve, `e${question}`)), isRefusal))
      await retrying(() => parley.questions.answer(question, { decision: given }, keyed(ann, `a${question}`)))
      continue
    }
    const { status, failure } = await retrying(() => parley.dialogs.get(id))
    if (failure?.code === 'turn_crashed') await retrying(() => parley.dialogs.resume(id, keyed(ann, `r${waits}`)))
    else if (status === 'ready') break
  }

  const final = memoryStore({ clock, backing })
  const events = await final.read(id, 0, 500)
  for (const row of (await foldViews(final)).values()) assert.deepEqual(await final.row(row.view, row.key), row)
  await parley.close(0)
  const count = (type: string): number => events.filter((event) => event.type === type).length
  const words = events.filter((event) => event.type === 'message.said').map(({ data }) => (data as { text: string }).text)
  return { said: words.at(-1) ?? '', effects, approvals: count('question.answered'), refused: count('answer.refused'), crashes }
}

/** Anything but a crash; a SimulatedCrash has to reach `retrying`. */
const isRefusal = (error: unknown): boolean => {
  if (error instanceof SimulatedCrash) throw error
  return error instanceof ParleyError && error.code === 'not_addressed'
}

function checkAllowed({ said, effects, approvals, refused }: Outcome): void {
  assert.equal(said, 'paid')
  assert.ok(effects >= 1 && effects <= approvals, `${effects} effects, ${approvals} approvals`)
  assert.equal(refused, approvals, 'each approval records one refusal of the guest')
}

/** With a standing permission a rule would allow the call after the crash, so only the record of its start makes Parley ask. */
const stories = [
  ['ask', 'once', 'must not be repeated'],
  ['repeat', 'once', 'may be repeated'],
  ['ask', 'always', 'must not be repeated and is always allowed'],
] as const

for (const [afterCrash, decision, name] of stories)
  test(`A15, A16: an approved call that ${name} runs at most once per approval, killed at any commit`, async () => {
    checkAllowed(await play([], decision, afterCrash))
    let points = 0
    for (let commit = 1; ; commit += 1) {
      const runs = [
        await play([{ when: 'before', commit }], decision, afterCrash),
        await play([{ when: 'after', commit }], decision, afterCrash),
      ]
      if (runs.every(({ crashes }) => crashes === 0)) break
      for (const outcome of runs) checkAllowed(outcome)
      points += 1
    }
    assert.ok(points >= 6, `only ${points} commit points were met`)
  })

test('A16: a denied call never runs, killed at any commit', async () => {
  let points = 0
  for (let commit = 1; ; commit += 1) {
    const runs = [await play([{ when: 'before', commit }], 'deny', 'ask'), await play([{ when: 'after', commit }], 'deny', 'ask')]
    for (const { effects, said } of runs) {
      assert.equal(effects, 0)
      assert.match(said, /^ann denied this call/)
    }
    if (runs.every(({ crashes }) => crashes === 0)) break
    points += 1
  }
  assert.ok(points >= 6, `only ${points} commit points were met`)
})

test('A16: killed again and again at random commits, an approval is still used once', async () => {
  const point = fc.record({ when: fc.constantFrom('before' as const, 'after' as const), commit: fc.integer({ min: 1, max: 5 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(point, { maxLength: 5 }), fc.constantFrom('ask' as const, 'repeat' as const), async (points, afterCrash) =>
      checkAllowed(await play(points, 'once', afterCrash)),
    ),
    { numRuns: 40 },
  )
})
