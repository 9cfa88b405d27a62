import { type Household, openHousehold } from '../../../src/app/household.ts'
import { ParleyError } from '../../../src/errors.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { RequestView } from '../../../src/ports/worlds.ts'
import type { Caller } from '../../../src/shapes/parley.ts'
import { memoryBacking } from '../../../src/store/memory/memory-backing.ts'
import { memoryStore } from '../../../src/store/memory/memory-store.ts'
import { countedIds } from '../../../src/testing/counted-ids.ts'
import { crashingStore, SimulatedCrash } from '../../../src/testing/crashing-store.ts'
import { simulatedClock } from '../../../src/testing/simulated-clock.ts'
import { Chance } from '../chance.ts'
import type { Sabotage } from '../simulate.ts'
import { households, type Name, randomHousehold, type Scene } from './random-household.ts'
import { type Written, worldViolations } from './world-rules.ts'

export type SimulatedWorlds = {
  seed: number
  events: number
  requests: number
  turns: number
  reports: number
  crashes: number
  violations: string[]
}

const owner: Caller = { by: { kind: 'human', name: 'Lia', id: 'person:lia', role: 'owner' }, via: 'sim' }
const world = 'wld_sim'

/** One run: three owners with random agents, requests, moderation and crashes; then everything comes to rest and is checked. */
export async function simulateWorlds(seed: number, sabotage: Sabotage = (store) => store): Promise<SimulatedWorlds> {
  const chance = new Chance(seed)
  const clock = simulatedClock()
  const backing = memoryBacking()
  const ids = countedIds()
  const scene: Scene = { chance, isWindingDown: false, said: 0 }
  const written: Written[] = []
  let crashes = 0
  let texts = 0
  let store!: Store & { readonly crashed?: boolean }
  let house: Household | null = null

  async function start(): Promise<void> {
    for (;;) {
      const inside = sabotage(memoryStore({ clock, backing }))
      const dies = !scene.isWindingDown && chance.happens(0.7)
      store = dies ? crashingStore(inside, { when: chance.one(['before', 'after'] as const), commit: 1 + chance.below(60) }) : inside
      try {
        house = await openHousehold({ store, clock, team: randomHousehold(scene), ids })
        return await settle(house)
      } catch (error) {
        if (!store.crashed) throw error
        await leave()
      }
    }
  }

  async function leave(): Promise<void> {
    crashes += 1
    await house?.close().catch(() => {})
    house = null
    // Leases of the dead process run out.
    await clock.advance(31_000)
  }

  async function restart(): Promise<void> {
    await leave()
    await start()
  }

  /** Names, profiles and a world of all three. Done again after each start: it may have been interrupted. */
  async function settle({ worlds }: Household): Promise<void> {
    for (const name of households) await worlds.changeAccount(name, { displayName: name, profile: `${name} reads.` }, owner)
    const { items } = await worlds.worlds.list('mira', {})
    const known = items.find(({ role }) => role === 'owner')?.world
    if (known === undefined) {
      const made = await worlds.worlds.create('mira', { displayName: 'Club', text: 'Talk.', joinText: 'Mira.' }, owner)
      const facts = { ...made.facts, broadcast: { ...made.facts.broadcast, enabled: true } }
      await worlds.worlds.moderate('mira', made.world, { do: 'edit-facts', facts }, owner)
    }
  }

  /** One attempt of a person. A refusal is fine; after a crash it may or may not have happened. */
  async function attempt(act: (at: Household) => Promise<unknown>): Promise<void> {
    if (!house) return
    try {
      await act(house)
    } catch (error) {
      if (error instanceof SimulatedCrash) await restart()
      else if (!(error instanceof ParleyError)) throw error
    }
  }

  const findWorld = async ({ worlds }: Household): Promise<string> =>
    (await worlds.worlds.list('mira', {})).items.find(({ role }) => role === 'owner')?.world ?? world
  const findCode = async ({ worlds }: Household, name: Name): Promise<string> => (await worlds.account(name)).account.identity.agentCode
  const other = (name: Name): Name => chance.one(households.filter((each) => each !== name))

  async function someRequest({ worlds }: Household, name: Name, isWanted: (view: RequestView) => boolean): Promise<RequestView | null> {
    const { items } = await worlds.requests.list(name, {})
    const wanted = items.filter(isWanted)
    return wanted.length > 0 ? chance.one(wanted) : null
  }
  const isPending = ({ status }: RequestView): boolean => status === 'pending'
  const isInbound = (view: RequestView): boolean => isPending(view) && view.direction === 'inbound'
  const isLive = ({ status, end }: RequestView): boolean => status === 'accepted' && end === null

  async function send(at: Household, name: Name): Promise<void> {
    const to = other(name)
    const inWorld = chance.happens(0.5)
    const draft = {
      to: `${to}#${await findCode(at, to)}`,
      brief: `Private goal ${(texts += 1)} of this owner, which nobody else may read.`,
      purpose: `Purpose ${texts}`,
      ...(inWorld ? { world: await findWorld(at) } : {}),
    }
    await at.worlds.requests.send(name, draft, owner)
  }

  async function write(at: Household, name: Name): Promise<void> {
    const talk = await someRequest(at, name, isLive)
    if (!talk) return
    await at.worlds.conversations.takeOver(name, talk.request, owner)
    const text = `The owner writes line ${(texts += 1)}.`
    const before = (await at.worlds.conversations.get(name, talk.request)).turns.length
    await at.worlds.conversations.write(name, talk.request, { text }, owner)
    // Accepted is not sent yet: only a turn that was seen must stay.
    await clock.advance(500)
    const { turns } = await at.worlds.conversations.get(name, talk.request)
    if (turns.length > before && turns.some((turn) => turn.text === text)) written.push({ request: talk.request, text })
    if (chance.happens(0.7)) await at.worlds.conversations.handBack(name, talk.request, owner)
  }

  async function moderate(at: Household): Promise<void> {
    const id = await findWorld(at)
    const agentCode = await findCode(at, other('mira'))
    const reason = 'Too loud.'
    const acts = [
      { do: 'mute', agentCode, reason },
      { do: 'unmute', agentCode },
      { do: 'remove', agentCode, reason },
      { do: 'ban', agentCode, reason },
      { do: 'unban', agentCode },
      { do: 'invite', agentCode },
    ] as const
    await at.worlds.worlds.moderate('mira', id, chance.one(acts), owner)
  }

  async function join(at: Household, name: Name): Promise<void> {
    const { version, world: id } = await at.worlds.worlds.get(name, await findWorld(at))
    await at.worlds.worlds.join(name, id, { text: `${name} joins.`, version }, owner)
  }

  async function settleQuestions({ parley }: Household): Promise<void> {
    const { items } = await parley.questions.list({ state: 'open' })
    for (const { id, ask } of items) {
      const [item] = ask.items
      if (item?.kind === 'choice') await parley.questions.answer(id, { answers: { [item.id]: chance.one(item.options).value } }, owner)
      else if (chance.happens(0.7)) await parley.questions.answer(id, { text: 'Yes, a little.' }, owner)
      else await parley.questions.decline(id, undefined, owner)
    }
  }

  const acts: readonly ((at: Household, name: Name) => Promise<unknown>)[] = [
    send,
    send,
    send,
    join,
    join,
    write,
    (at) => settleQuestions(at),
    (at) => moderate(at),
    async (at, name) => {
      const view = await someRequest(at, name, isInbound)
      if (view)
        await at.worlds.requests.accept(
          name,
          view.request,
          chance.happens(0.5) ? `Own goal ${(texts += 1)} of the recipient.` : undefined,
          owner,
        )
    },
    async (at, name) => {
      const view = await someRequest(at, name, isInbound)
      if (view) await at.worlds.requests.accept(name, view.request, undefined, owner)
    },
    async (at, name) => {
      const view = await someRequest(at, name, isPending)
      if (view) await at.worlds.requests[view.direction === 'inbound' ? 'reject' : 'withdraw'](name, view.request)
    },
    async (at, name) => {
      const view = await someRequest(at, name, isLive)
      if (view && chance.happens(0.4)) await at.worlds.conversations.close(name, view.request)
    },
    async (at, name) => at.worlds.changeAccount(name, { mode: chance.one(['manual_review', 'open', 'world_only', 'reject_all']) }, owner),
    async (at, name) => (chance.happens(0.3) ? at.worlds.stop(name, owner) : at.worlds.resume(name, owner)),
    async (at) =>
      at.worlds.worlds.broadcast('mira', await findWorld(at), { purpose: 'Evening?', brief: `Broadcast goal ${(texts += 1)}.` }, owner),
  ]

  await start()
  const steps = 30 + chance.below(40)
  for (let step = 0; step < steps; step += 1) {
    const name = chance.one(households)
    const act = chance.one(acts)
    await attempt((at) => act(at, name))
    await clock.advance(chance.below(8_000))
    if (store.crashed) await restart()
  }

  scene.isWindingDown = true
  await restart()
  for (let round = 0; round < 60; round += 1) {
    await attempt(settleQuestions)
    let open = 0
    for (const name of households)
      await attempt(async (at) => {
        await at.worlds.resume(name, owner)
        for (const view of (await at.worlds.requests.list(name, { limit: 100 })).items) {
          if (isInbound(view)) await at.worlds.requests.reject(name, view.request)
          if (isLive(view)) await at.worlds.conversations.close(name, view.request)
          if (isPending(view) || isLive(view)) open += 1
        }
      })
    await clock.advance(40_000)
    if (open === 0 && round > 3) break
  }
  const readable = memoryStore({ clock, backing })
  const violations = await worldViolations(readable, written)
  const events = await readable.readAll(0, 1_000_000)
  await (house as Household | null)?.close()
  const count = (type: string): number => events.filter((event) => event.type === type).length
  return {
    seed,
    events: events.length,
    requests: count('request.submitted'),
    turns: count('turn.added'),
    reports: count('report.announced'),
    crashes,
    violations,
  }
}
