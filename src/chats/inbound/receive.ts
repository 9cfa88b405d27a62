import type { Channel, Inbound, RawInbound } from '../../ports/channel.ts'
import type { InboundMessage } from '../bindings/binding-events.ts'
import type { InboundParts } from './inbound-parts.ts'
import { type ReceiveMessageParts, receiveMessage } from './receive-message.ts'
import { type RecordTapParts, recordTap } from './taps.ts'

/** Everything is durable when a call resolves. The platform gets its acknowledgement only then. */
export type Receive = {
  /** The body of a webhook call. `forged` changed nothing; `unreadable` is genuine and not JSON. */
  raw(channel: Channel, raw: RawInbound): Promise<'kept' | 'forged' | 'unreadable'>
  /** Updates read from the platform by polling. */
  bodies(channel: Channel, bodies: readonly unknown[]): Promise<void>
  inbounds(channel: string, inbounds: readonly Inbound[]): Promise<void>
}

type ReceiveParts = ReceiveMessageParts & RecordTapParts & Pick<InboundParts, 'connections' | 'hooks'>

export function receiver(parts: ReceiveParts): Receive {
  const inbounds = (channel: string, batch: readonly Inbound[]): Promise<void> => receiveBatch(parts, channel, batch)
  return {
    inbounds,
    bodies: (channel, bodies) =>
      inbounds(
        channel.name,
        bodies.flatMap((body) => channel.parse(body)),
      ),
    async raw(channel, raw) {
      if (channel.verify(raw) === 'forged') return 'forged'
      const body = parseJson(raw.body)
      if (body === undefined) return 'unreadable'
      await inbounds(channel.name, channel.parse(body))
      return 'kept'
    },
  }
}

async function receiveBatch(parts: ReceiveParts, channel: string, batch: readonly Inbound[]): Promise<void> {
  const { connections, hooks, identities } = parts
  // Plugins see the messages of a batch before a tap of the same batch counts.
  for (const inbound of batch)
    if (inbound.type === 'message' && identities.admit(channel, inbound) !== 'refused')
      await hooks.messageReceived({ channel, kind: connections.getKind(channel), inbound })
  // Messages of one address are stored one after the other, so they keep their order.
  const byAddress = Map.groupBy(batch, ({ type, address, id }) => (type === 'tap' ? `tap/${id}` : address))
  await Promise.all(
    [...byAddress.values()].map(async (ordered) => {
      for (const inbound of ordered) {
        if (inbound.type === 'tap') await recordTap(parts, channel, inbound)
        else await receiveMessage(parts, channel, inbound.type === 'message' ? inbound : toCorrection(inbound))
      }
    }),
  )
}

/** An edited message is sent to the dialog again: the agent may have read the first version. */
const toCorrection = ({ type: _type, ...inbound }: Extract<Inbound, { type: 'edit' }>): InboundMessage => ({
  ...inbound,
  type: 'message',
  text: `✎ ${inbound.text}`,
  media: [],
})

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown
  } catch {
    return undefined
  }
}
