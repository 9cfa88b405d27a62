import { randomInt } from 'node:crypto'
import { ParleyError } from '../errors.ts'
import type { Channel, Inbound, RawInbound } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Store } from '../ports/store.ts'
import type { Committer } from '../streams/committer.ts'
import type { StreamHandler } from '../streams/stream-handler.ts'
import type { InboundMessage } from './binding-events.ts'
import { bindingStream, inboundViews } from './binding-kind.ts'
import type { BindingState } from './binding-state.ts'
import type { BindingCommand } from './decide-binding.ts'
import { inboundLimits } from './inbound-limits.ts'
import { wordsOf } from './inbound-words.ts'
import { callerOf } from './route.ts'
import type { InboundPorts, InboundTap } from './inbound-ports.ts'

export const tapWork = 'tap'

export type TapPayload = { channel: string; inbound: InboundTap; keptAt: number }

/** Taking in: whatever resolved is on disk and is taken in once, so only then may the platform be told that it arrived. */
export type Receive = {
  /** What a platform called us with. `forged` changed nothing; `unreadable` is genuine and not JSON. */
  raw(channel: Channel, raw: RawInbound): Promise<'kept' | 'forged' | 'unreadable'>
  /** What we read from the platform ourselves. */
  bodies(channel: Channel, bodies: readonly unknown[]): Promise<void>
  inbounds(channel: string, inbounds: readonly Inbound[]): Promise<void>
}

export function receiving(parts: {
  store: Store
  committer: Committer
  bindings: StreamHandler<BindingState, BindingCommand>
  clock: Clock
  metrics: Metrics
  ports: Pick<InboundPorts, 'admit' | 'identify' | 'beforeKept' | 'sayNow' | 'wasSaid'>
  /** Six digits; tests hand in their own. */
  newCode?: () => string
}): Receive {
  const { store, committer, bindings, clock, metrics, ports, newCode = randomCode } = parts
  const onceKey = (channel: string, { id }: Inbound): string => `inbound:${channel}:${id}`

  async function message(channel: string, inbound: InboundMessage): Promise<void> {
    const { address } = inbound
    const stream = bindingStream(channel, address)
    const admission = ports.admit(channel, inbound)
    if (admission !== 'refused' && (await sayNow(channel, stream, inbound)))
      return metrics.count('inbound_total', 1, { channel, type: 'message', outcome: 'kept' })
    // Only a stranger needs a code; looking for a free one costs a read that all others are spared.
    const isStranger =
      admission === 'must-ask' && !['bound', 'accepted', 'requested', 'blocked'].includes((await bindings.load(stream)).status)
    const { code, mayAsk } = isStranger ? await freeCode() : { code: '', mayAsk: true }
    const command: BindingCommand = {
      type: 'receive-message',
      at: clock.now(),
      channel,
      address,
      inbound,
      admission,
      code: code || newCode(),
      mayAsk,
    }
    const handled = await bindings.handle(stream, [command], { once: { key: onceKey(channel, inbound), value: () => clock.now() } })
    if (!handled.ok && handled.why !== 'seen') throw new ParleyError('busy', {}, { retryable: true })
    metrics.count('inbound_total', 1, { channel, type: 'message', outcome: handled.ok ? 'kept' : 'seen' })
  }

  /**
   * The quick way: in a private chat that has its dialog, with nothing waiting before it, keeping a message and saying it
   * in the dialog are one commit. Both ways know of each other, so an update that comes again finds the one that was taken.
   */
  async function sayNow(channel: string, stream: string, inbound: InboundMessage): Promise<boolean> {
    if (!ports.sayNow || !ports.wasSaid || !inbound.isPrivate) return false
    const { status, dialog, waiting } = await bindings.known(stream)
    const caller = callerOf(channel, inbound, ports)
    if (status !== 'bound' || dialog === null || waiting.length > 0) return ports.wasSaid(caller)
    if ((await store.remembered(onceKey(channel, inbound))) !== null) return true
    return (await ports.sayNow(dialog, wordsOf(channel, inbound), caller, inbound)) || ports.wasSaid(caller)
  }

  async function freeCode(): Promise<{ code: string; mayAsk: boolean }> {
    if ((await store.countRows(inboundViews.bindings, 'requested')) >= inboundLimits.openPairings) return { code: '', mayAsk: false }
    for (let tries = 0; tries < 10; tries += 1) {
      const code = newCode()
      const [taken] = await store.rows({ view: inboundViews.bindings, group: 'requested', text: code, limit: 1 })
      if (!taken) return { code, mayAsk: true }
    }
    return { code: '', mayAsk: false }
  }

  async function tap(channel: string, inbound: InboundTap): Promise<void> {
    const at = clock.now()
    const payload: TapPayload = { channel, inbound, keptAt: at }
    const result = await committer.commit({
      once: [{ key: onceKey(channel, inbound), value: at }],
      wake: [{ kind: tapWork, key: `${channel}/${inbound.id}`, at, payload }],
    })
    metrics.count('inbound_total', 1, { channel, type: 'tap', outcome: result.ok ? 'kept' : 'seen' })
  }

  async function inbounds(channel: string, given: readonly Inbound[]): Promise<void> {
    // Whoever wants to know of a message before it is kept knows of it before a tap of the same batch counts.
    if (ports.beforeKept)
      for (const inbound of given)
        if (inbound.type === 'message' && ports.admit(channel, inbound) !== 'refused') await ports.beforeKept(channel, inbound)
    // Messages of one address are handed in one after the other, so that they keep their order.
    const byAddress = Map.groupBy(given, ({ type, address, id }) => (type === 'tap' ? `tap/${id}` : address))
    await Promise.all(
      [...byAddress.values()].map(async (together) => {
        for (const inbound of together) {
          if (inbound.type === 'tap') await tap(channel, inbound)
          else if (inbound.type === 'message') await message(channel, inbound)
          else await message(channel, corrected(inbound))
        }
      }),
    )
  }

  return {
    inbounds,
    bodies: (channel, bodies) =>
      inbounds(
        channel.name,
        bodies.flatMap((body) => channel.parse(body)),
      ),
    async raw(channel, raw) {
      if (channel.verify(raw) === 'forged') return 'forged'
      const body = readJson(raw.body)
      if (body === undefined) return 'unreadable'
      await inbounds(channel.name, channel.parse(body))
      return 'kept'
    },
  }
}

/** What somebody wrote and then changed is said again: the agent may already have read the first wording. */
const corrected = ({ type: _type, ...inbound }: Extract<Inbound, { type: 'edit' }>): InboundMessage => ({
  ...inbound,
  type: 'message',
  text: `✎ ${inbound.text}`,
  media: [],
})

const randomCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown
  } catch {
    return undefined
  }
}
