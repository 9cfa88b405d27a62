import { ParleyError } from '../../errors.ts'
import type { Inbound } from '../../ports/channel.ts'
import { bindingStream } from '../bindings/binding-kind.ts'
import type { BindingCommand } from '../bindings/decide-binding.ts'
import type { InboundParts } from './inbound-parts.ts'

type MoveParts = Pick<InboundParts, 'bindings' | 'clock'>

/** A chat keeps its dialog under its new address. A crash between the two commits is repaired when the platform repeats the event. */
export async function moveAddress(
  { bindings, clock }: MoveParts,
  channel: string,
  { address, to }: Extract<Inbound, { type: 'moved' }>,
): Promise<void> {
  const stream = bindingStream(channel, address)
  const { status, dialog } = await bindings.load(stream)
  const at = clock.now()
  const by = 'the chat has moved'
  const handle = async (where: string, command: BindingCommand): Promise<void> => {
    const handled = await bindings.handle(where, [command])
    if (!handled.ok && handled.why !== 'refused') throw new ParleyError('busy', {}, { retryable: true })
  }
  if (status === 'blocked') return handle(bindingStream(channel, to), { type: 'block-address', at, channel, address: to, by })
  if (dialog === null) return
  await handle(bindingStream(channel, to), { type: 'bind-address', at, channel, address: to, dialog, by })
  await handle(stream, { type: 'unbind-address', at, by })
}
