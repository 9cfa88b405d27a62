import type { Caller } from '../../src/shapes/parley.ts'
import type { Store } from '../../src/ports/store.ts'
import { ParleyError } from '../../src/errors.ts'
import { makePolicy } from '../../src/authority/test/samples.ts'
import { openParley, type OpenParley } from '../../src/app/library.ts'
import { countedIds } from '../../src/testing/counted-ids.ts'
import { crashingStore, SimulatedCrash } from '../../src/testing/crashing-store.ts'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { Chance } from './chance.ts'
import { type MakeGround, memoryGround } from './grounds.ts'
import { type Injected, injectionLimits, noInjections, steppingClock, unreliableStore } from './injections.ts'
import { randomTeam, type World } from './random-team.ts'
import { overspent, violations } from './rules.ts'

/** A fault between Parley and its store, to prove that the rules notice it. */
export type Sabotage = (store: Store) => Store

export type Simulated = {
  seed: number
  events: number
  dialogs: number
  tellasks: number
  crashes: number
  injected: Injected
  violations: string[]
}

const you: Caller = { by: { kind: 'human', name: 'owner', id: 'person:owner', role: 'owner' }, via: 'sim' }
const people: readonly Caller[] = [
  you,
  { by: { kind: 'human', name: 'mia', id: 'person:mia', role: 'operator' }, via: 'sim' },
  { by: { kind: 'human', name: 'tom', id: 'person:tom', role: 'operator' }, via: 'sim' },
]
/** She says what she likes, and tries to answer what is not hers to answer. */
const guest: Caller = { by: { kind: 'human', name: 'eve', id: 'telegram:main:9', role: 'guest' }, via: 'telegram' }
/** Noon when a run starts, so that it stays within one day. */
const timeZone = 'Etc/GMT-12'
const policy = makePolicy({ people: { mia: { role: 'operator' }, tom: { role: 'operator' } } })

/** One run: random agents, a random person, random crashes; then everything is let come to rest and looked at. */
export async function simulate(
  seed: number,
  sabotage: Sabotage = (store) => store,
  makeGround: MakeGround = memoryGround,
): Promise<Simulated> {
  const chance = new Chance(seed)
  const time = simulatedClock()
  const clock = steppingClock(time)
  const injected = noInjections()
  const ground = await makeGround(time, clock)
  const world: World = {
    chance,
    clock,
    injected,
    isWindingDown: false,
    thinking: new Map(),
    overlaps: [],
    effects: new Map(),
    read: new Set(),
    budget: null,
    dayBudget: null,
    metered: new Map(),
  }
  if (chance.happens(0.4)) world.budget = 1_000 + chance.below(20_000)
  else world.dayBudget = chance.happens(0.4) ? 2_000 + chance.below(30_000) : null
  const ids = countedIds()
  const acknowledged: { dialog: string; seq: number; text: string }[] = []
  const roots: string[] = []
  let messages = 0
  let crashes = 0
  let store!: Store & { readonly crashed?: boolean }
  let parley!: OpenParley

  async function start(): Promise<void> {
    const isCalm = (): boolean => world.isWindingDown
    const inside = unreliableStore(sabotage(await ground.open()), { chance, clock, injected, isCalm })
    const dies = !world.isWindingDown && chance.happens(0.7)
    store = dies ? crashingStore(inside, { when: chance.one(['before', 'after'] as const), commit: 1 + chance.below(30) }) : inside
    parley = openParley({
      store,
      team: randomTeam(world, crashes),
      clock,
      ids,
      policy: () => policy,
      timeZone,
      concurrency: 1 + chance.below(6),
    })
  }

  async function restart(): Promise<void> {
    crashes += 1
    void parley.driver.stop(0)
    await start()
  }

  /** One attempt of a person. A refusal is fine; after a crash it may or may not have happened. */
  async function attempt(wanted: (to: OpenParley) => Promise<void>): Promise<void> {
    try {
      await passing(wanted(parley))
    } catch (error) {
      if (error instanceof SimulatedCrash) await restart()
      else if (!(error instanceof ParleyError)) throw error
    }
  }

  /** Lets time pass until it is done: a slow commit waits for the clock. */
  async function passing(done: Promise<void>): Promise<void> {
    let isDone = false
    const watched = done.finally(() => (isDone = true))
    watched.catch(() => {})
    for (let rounds = 0; !isDone && rounds < 1_000; rounds += 1) await ground.pass(isDone ? 0 : 100)
    await watched
  }

  function stepClock(): void {
    const isForward = chance.happens(0.5)
    injected[isForward ? 'clockForward' : 'clockBack'] += 1
    clock.step((isForward ? 1 : -1) * chance.below(injectionLimits.clockStepMs))
  }

  const anyDialog = async (): Promise<string> => {
    const all = [...new Set((await readable.readAll(0, 100_000)).map(({ stream }) => stream))].filter((each) => each.startsWith('dlg_'))
    return chance.one(all.length > 0 ? all : ['dlg_0'])
  }

  async function act(): Promise<void> {
    const what = chance.below(20)
    if (roots.length === 0 || what === 0) {
      return attempt(async (to) => {
        const { id } = await to.dialogs.open({ text: 'start', agent: chance.one(['ada', 'bob']) }, you)
        roots.push(id)
      })
    }
    if (what <= 4) {
      const dialog = chance.happens(0.7) ? chance.one(roots) : await anyDialog()
      const speakers = chance.happens(0.2) ? people : [chance.happens(0.15) ? guest : chance.one(people)]
      return attempt(async (to) => {
        await together(speakers, async (by) => {
          const text = `message ${(messages += 1)}`
          const { seq } = await to.dialogs.say(dialog, text, by)
          acknowledged.push({ dialog, seq, text })
        })
      })
    }
    if (what <= 10) return settleOneQuestion()
    const dialog = await anyDialog()
    if (what === 11) return attempt(async (to) => void (await to.dialogs.stop(dialog, you)))
    if (what === 12) return attempt(async (to) => void (await to.dialogs.resume(dialog, you)))
    if (what === 13)
      return attempt(async (to) => void (await to.dialogs.declareDead(dialog, chance.happens(0.5) ? 'gone' : undefined, you)))
    if (what === 14 && chance.happens(0.3)) return attempt(async (to) => void (await to.dialogs.stopAll(you)))
    if (what === 15) return attempt(async (to) => void (await to.dialogs.resumeAll(you)))
    if (what === 16 && chance.happens(0.2)) await restart()
  }

  async function settleOneQuestion(): Promise<void> {
    await attempt(async (to) => {
      const { items } = await to.inbox()
      const question = items.length > 0 ? chance.one(items).question : undefined
      if (!question) return
      const answers = Object.fromEntries(
        question.ask.items.map((item) => [item.id, item.kind === 'choice' ? chance.one(item.options).value : 'so']),
      )
      const isAnswered = chance.happens(0.8)
      // Sometimes several people at once: one of them is first, the others are told.
      const isByGuest = !world.isWindingDown && chance.happens(0.1)
      await together(isByGuest ? [guest] : chance.happens(0.3) ? people : [chance.one(people)], async (by) => {
        if (isAnswered) await to.questions.answer(question.id, { answers }, by)
        else await to.questions.decline(question.id, undefined, by)
      })
    })
  }

  const readable = await ground.open()
  await start()
  const steps = 10 + chance.below(50)
  for (let step = 0; step < steps; step += 1) {
    await act()
    await ground.pass(chance.below(400))
    if (chance.happens(0.03)) stepClock()
    if (store.crashed) await restart()
  }

  // Everything comes to rest: no new work, a person who answers and continues until nothing is left.
  const early = await overspent(readable, world)
  world.isWindingDown = true
  await restart()
  for (let round = 0; round < 150; round += 1) {
    await attempt(async (to) => void (await to.dialogs.resumeAll(you)))
    for (let open = (await parley.inbox()).count; open > 0; open -= 1) await settleOneQuestion()
    await ground.pass(40_000)
    if (
      (await parley.inbox()).count === 0 &&
      (await parley.dialogs.resumeAll(you)).count === 0 &&
      parley.driver.runningTurns === 0 &&
      (await store.nextDue('turn')) === null
    )
      break
  }
  const match = await violations(readable, { acknowledged, world })
  const events = await readable.readAll(0, 1_000_000)
  await parley.close(0)
  await ground.close()
  return {
    seed,
    events: events.length,
    dialogs: new Set(events.map(({ stream }) => stream)).size,
    tellasks: events.filter(({ type }) => type === 'tellask.made').length,
    crashes,
    injected,
    violations: [...early, ...match],
  }
}

/** All at the same time. A crash is a crash for all of them; what the rules refuse one, the others may still get. */
async function together(who: readonly Caller[], wanted: (by: Caller) => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(who.map(wanted))
  const failed = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
  const worst = failed.find((error) => !(error instanceof ParleyError)) ?? failed[0]
  if (worst !== undefined) throw worst
}
