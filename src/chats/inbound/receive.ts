import type { TapVerdict, Webhook, WebhookRequest } from '../../ports/channel-kind.ts'
import type { Channel, Inbound } from '../../ports/channel.ts'
import type { InboundMessage } from '../bindings/binding-events.ts'
import { inboundLimits } from '../bindings/inbound-limits.ts'
import type { InboundParts } from './inbound-parts.ts'
import { moveAddress } from './move-address.ts'
import { type ReceiveMessageParts, receiveMessage } from './receive-message.ts'
import type { TapVerdicts } from './tap-verdicts.ts'
import { type RecordTapParts, recordTap } from './taps.ts'

/** Every event is durable when a call resolves. The platform gets its acknowledgement only then. */
export type Receive = {
  /** One call of a platform to the webhook of an account. `forged` and `unreadable` changed nothing. */
  request(account: { channel: Channel; webhook: Webhook }, request: WebhookRequest): Promise<Response | 'forged' | 'unreadable'>
  inbounds(channel: string, inbounds: readonly Inbound[]): Promise<void>
  /** Events of a socket whose platform shows the answer to a tap there. */
  verdict(channel: string, inbounds: readonly Inbound[]): Promise<TapVerdict | undefined>
}

type ReceiveParts = ReceiveMessageParts & RecordTapParts & Pick<InboundParts, 'connections' | 'hooks' | 'log'> & { verdicts: TapVerdicts }

export function receiver(parts: ReceiveParts): Receive {
  return {
    inbounds: async (channel, batch) => void (await receiveBatch(parts, channel, batch)),
    async verdict(name, batch) {
      const channel = parts.connections.get(name)
      if (channel) return storeAndJudge(parts, channel, batch, parts.clock.now())
      await receiveBatch(parts, name, batch)
      return undefined
    },
    async request({ channel, webhook }, request) {
      const since = parts.clock.now()
      const received = await webhook.receive(request)
      if ('forged' in received) return 'forged'
      if ('unreadable' in received) return 'unreadable'
      if ('inbounds' in received) return received.answer(await storeAndJudge(parts, channel, received.inbounds, since))
      return received.answer
    },
  }
}

/** Stores what came in. Where the platform shows the response to the person who tapped, it waits for the verdict. */
async function storeAndJudge(
  parts: ReceiveParts,
  channel: Channel,
  inbounds: readonly Inbound[],
  since: number,
): Promise<TapVerdict | undefined> {
  const { tapAnswer, tapDeadlineMs } = channel.capabilities.delivery
  const tap = tapAnswer === 'response' ? inbounds.find(({ type }) => type === 'tap') : undefined
  const expected = tap && parts.verdicts.expect(channel.name, tap.id)
  try {
    const receivedIds = await receiveBatch(parts, channel.name, inbounds)
    // A repeated call for a tap that is known already: its verdict went to the first call, or is shown by a request of its own.
    if (!tap || !expected || !receivedIds.has(tap.id)) return undefined
    return await expected.within(tapDeadlineMs - inboundLimits.responseReserveMs - (parts.clock.now() - since))
  } finally {
    expected?.cancel()
  }
}

/** Ids of the taps that were not known before. */
async function receiveBatch(parts: ReceiveParts, channel: string, batch: readonly Inbound[]): Promise<Set<string>> {
  const { connections, hooks, identities } = parts
  const newTaps = new Set<string>()
  // Plugins see the messages of a batch before a tap of the same batch counts.
  for (const inbound of batch)
    if (inbound.type === 'message' && identities.admit(channel, inbound) !== 'refused')
      await hooks.messageReceived({ channel, kind: connections.getKind(channel), inbound })
  // Messages of one address are stored one after the other, so they keep their order.
  const byAddress = Map.groupBy(batch, ({ type, address, id }) => (type === 'tap' ? `tap/${id}` : address))
  await Promise.all(
    [...byAddress.values()].map(async (ordered) => {
      for (const inbound of ordered) if ((await receiveOne(parts, channel, inbound)) === 'new-tap') newTaps.add(inbound.id)
    }),
  )
  return newTaps
}

async function receiveOne(parts: ReceiveParts, channel: string, inbound: Inbound): Promise<'new-tap' | null> {
  switch (inbound.type) {
    case 'tap':
      return (await recordTap(parts, channel, inbound)) === 'kept' ? 'new-tap' : null
    case 'message':
      await receiveMessage(parts, channel, inbound)
      return null
    case 'edit':
    case 'command':
      await receiveMessage(parts, channel, toMessage(inbound))
      return null
    case 'moved':
      await moveAddress(parts, channel, inbound)
      return null
    case 'deleted':
    case 'reaction':
    case 'membership':
      // Nothing follows from these: a dialog keeps what was said, and a chat that left refuses the next delivery.
      parts.metrics.count('inbound_total', 1, { channel, type: inbound.type, outcome: 'noted' })
      if (inbound.type === 'membership')
        parts.log('info', 'membership changed', { channel, address: inbound.address, change: inbound.change })
      return null
  }
}

/** An edited message is sent to the dialog again: the agent may have read the first version. A command is said as it is typed. */
function toMessage(inbound: Extract<Inbound, { type: 'edit' | 'command' }>): InboundMessage {
  const { id, address, isPrivate, from, at, order } = inbound
  const text = inbound.type === 'edit' ? `✎ ${inbound.text}` : `/${inbound.name} ${inbound.text}`.trimEnd()
  const common = { id, address, isPrivate, from, at, ...(order !== undefined && { order }) }
  return { ...common, type: 'message', messageId: inbound.messageId ?? id, text, media: [] }
}
