import { admit, type AllowList } from '../../src/inbound/allow-list.ts'
import { type InboundSide, inboundSide } from '../../src/inbound/inbound.ts'
import type { InboundPorts } from '../../src/inbound/inbound-ports.ts'
import type { Channel, Inbound } from '../../src/ports/channel.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Ids } from '../../src/ports/ids.ts'
import { silentLog } from '../../src/ports/log.ts'
import { noMetrics } from '../../src/ports/metrics.ts'
import type { Store } from '../../src/ports/store.ts'
import { openOutbox, type OutboxUnderTest } from './outbox-under-test.ts'

/** The rest of Parley, as a person would see it: what was said where, which questions were answered, and how often really. */
export type World = {
  said: { dialog: string; text: string; by: string }[]
  answers: { question: string; option: string; by: string }[]
  callbacks: string[]
  seen: Set<string>
  dialogs: Map<string, string>
  /** Errors that the next wishes meet. */
  faults: Error[]
  claims: boolean
}

export const newWorld = (): World => ({
  said: [],
  answers: [],
  callbacks: [],
  seen: new Set(),
  dialogs: new Map(),
  faults: [],
  claims: true,
})

/** Does each wish once for each name, as the real one does. */
function portsOf(world: World, box: OutboxUnderTest, list: AllowList): InboundPorts {
  const once = (key: string, act: () => void): void => {
    const fault = world.faults.shift()
    if (fault) throw fault
    if (world.seen.has(key)) return
    world.seen.add(key)
    act()
  }
  const keyOf = (caller: { once?: { key: string } }): string => caller.once?.key ?? ''
  return {
    admit: (_channel, inbound) => admit(list, inbound),
    identify: (_channel, { from }) => ({ kind: 'human', name: from.name, id: `test:${from.id}`, role: 'guest' }),
    async openDialog({ address }, caller) {
      const key = keyOf(caller)
      if (!world.dialogs.has(key)) world.dialogs.set(key, `dlg_${address}_${world.dialogs.size + 1}`)
      return world.dialogs.get(key) ?? ''
    },
    async say(dialog, text, caller) {
      once(keyOf(caller), () => world.said.push({ dialog, text, by: caller.by.name }))
    },
    tell: async ({ channel, address }, text, name) => void (await box.plan({ channel, address, message: { text }, once: name })),
    async answerQuestion(question, option, { caller }) {
      once(keyOf(caller), () => world.answers.push({ question, option, by: caller.by.name }))
    },
    async onCallback(value, { caller }) {
      if (!world.claims) return false
      once(keyOf(caller), () => world.callbacks.push(value))
      return true
    },
    onDecision: async () => {},
    controls: box.controls,
  }
}

export type SideUnderTest = InboundSide & { box: OutboxUnderTest }

export function openSide(parts: {
  channel: Channel
  clock: Clock
  world: World
  store?: Store
  ids?: Ids
  list?: AllowList
  ports?: Partial<InboundPorts>
}): SideUnderTest {
  const { channel, clock, world, list = { people: ['*'] } } = parts
  const box = openOutbox(parts)
  let codes = 123_455
  const side = inboundSide({
    store: box.store,
    committer: box.committer,
    channels: new Map([[channel.name, channel]]),
    ports: { ...portsOf(world, box, list), ...parts.ports },
    clock,
    log: silentLog,
    metrics: noMetrics,
    newCode: () => String(++codes),
  })
  side.start()
  return { ...side, box }
}

const mia = { id: '7', name: 'Mia' }

export const messageFrom = (id: string, text: string, more: Partial<Inbound> = {}): Inbound => {
  const message = { id: `update:${id}`, type: 'message', address: 'a', isPrivate: true, from: mia, at: 1, messageId: id, text, media: [] }
  return { ...message, ...more } as Inbound
}

export const tapOn = (id: string, messageId: string, value: string, more: Partial<Inbound> = {}): Inbound => {
  const tap = { id: `tap:${id}`, type: 'tap', tap: id, address: 'a', isPrivate: true, from: mia, at: 1, messageId, value }
  return { ...tap, ...more } as Inbound
}
