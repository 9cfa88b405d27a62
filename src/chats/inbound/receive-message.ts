import { ParleyError } from '../../errors.ts'
import type { Store } from '../../ports/store.ts'
import type { Caller } from '../../shapes/parley.ts'
import { requestKey } from '../../streams/asking.ts'
import type { InboundMessage } from '../bindings/binding-events.ts'
import { bindingStream, inboundViews } from '../bindings/binding-kind.ts'
import type { Admission } from '../bindings/decide-binding.ts'
import { inboundLimits } from '../bindings/inbound-limits.ts'
import { toMessageText } from '../bindings/inbound-text.ts'
import { inboundKey, isRefusal, toCaller } from './callers.ts'
import type { InboundParts } from './inbound-parts.ts'
import { hasOpenQuestions } from './typed-answers.ts'

export type ReceiveMessageParts = Pick<
  InboundParts,
  'store' | 'committer' | 'bindings' | 'connections' | 'identities' | 'parley' | 'clock' | 'metrics' | 'newCode'
>

/**
 * The path of a message:
 *
 * 1. `receiveMessage`: the owner's lists are applied.
 * 2. `sayDirectly`: a message with nothing to wait for is said in its dialog, in one commit. Most messages end here.
 * 3. `storePending`: every other message is stored at its address, which wakes the work `inbound`.
 * 4. `pendingMessages` (pending-messages.ts): the messages of one address in their order. A stranger gets a code; for an
 *    accepted sender the dialog is opened, and the message answers a question there (typed-answers.ts) or is said.
 */
export async function receiveMessage(parts: ReceiveMessageParts, channel: string, inbound: InboundMessage): Promise<void> {
  const admission = await admitWithChat(parts, channel, inbound, parts.identities.admit(channel, inbound))
  const isSaid = admission !== 'refused' && (await sayDirectly(parts, channel, inbound))
  const outcome = isSaid ? 'kept' : await storePending(parts, channel, inbound, admission)
  parts.metrics.count('inbound_total', 1, { channel, type: 'message', outcome })
}

/** A thread or topic follows the decision about its chat: accepted or blocked with it. Each has a dialog of its own. */
async function admitWithChat(
  { connections, bindings }: Pick<ReceiveMessageParts, 'connections' | 'bindings'>,
  channel: string,
  { address }: InboundMessage,
  admission: Admission,
): Promise<Admission> {
  const chat = connections.get(channel)?.address.parent(address) ?? null
  if (chat === null || admission === 'refused') return admission
  const { status } = await bindings.known(bindingStream(channel, chat))
  if (status === 'blocked') return 'refused'
  return status === 'accepted' || status === 'bound' ? 'allowed' : admission
}

/**
 * Says a private message in its dialog without storing it first. False when it has to wait: its address has no dialog yet,
 * earlier messages are pending, or it may answer a question. Both paths check the other's once-only key, so a repeated
 * update changes nothing.
 */
async function sayDirectly(
  parts: Pick<ReceiveMessageParts, 'store' | 'bindings' | 'identities' | 'parley'>,
  channel: string,
  inbound: InboundMessage,
): Promise<boolean> {
  const { store, bindings, identities, parley } = parts
  const { address, isPrivate, media } = inbound
  // Files are fetched after the message is stored, so that the platform does not wait.
  if (!isPrivate || media.length > 0) return false
  const caller = toCaller(identities, channel, inbound)
  const { status, dialog, waiting } = await bindings.load(bindingStream(channel, address))
  if (status !== 'bound' || dialog === null || waiting.length > 0) return wasSaid(store, caller)
  if ((await store.remembered(inboundKey(channel, inbound))) !== null) return true
  if (await hasOpenQuestions(store, { channel, address })) return wasSaid(store, caller)
  try {
    await parley.dialogs.say(dialog, toMessageText(channel, inbound), caller)
    return true
  } catch (error) {
    if (isRefusal(error)) return wasSaid(store, caller)
    throw error
  }
}

const wasSaid = async (store: Store, caller: Caller): Promise<boolean> => (await store.remembered(requestKey(caller))) !== null

async function storePending(
  parts: Pick<ReceiveMessageParts, 'store' | 'bindings' | 'clock' | 'newCode'>,
  channel: string,
  inbound: InboundMessage,
  admission: Admission,
): Promise<'kept' | 'seen'> {
  const { store, bindings, clock, newCode } = parts
  const { address } = inbound
  const stream = bindingStream(channel, address)
  // Only a stranger needs a code. The others are spared the read that looks for a free one.
  const isStranger =
    admission === 'must-ask' && !['bound', 'accepted', 'requested', 'blocked'].includes((await bindings.load(stream)).status)
  const { code, mayAsk } = isStranger ? await findFreeCode(store, newCode) : { code: '', mayAsk: true }
  const handled = await bindings.handle(
    stream,
    [{ type: 'receive-message', at: clock.now(), channel, address, inbound, admission, code: code || newCode(), mayAsk }],
    { once: { key: inboundKey(channel, inbound), value: () => clock.now() } },
  )
  if (!handled.ok && handled.why !== 'seen') throw new ParleyError('busy', {}, { retryable: true })
  return handled.ok ? 'kept' : 'seen'
}

async function findFreeCode(store: Store, newCode: () => string): Promise<{ code: string; mayAsk: boolean }> {
  if ((await store.countRows(inboundViews.bindings, 'requested')) >= inboundLimits.openPairings) return { code: '', mayAsk: false }
  for (let tries = 0; tries < 10; tries += 1) {
    const code = newCode()
    const [taken] = await store.rows({ view: inboundViews.bindings, group: 'requested', text: code, limit: 1 })
    if (!taken) return { code, mayAsk: true }
  }
  return { code: '', mayAsk: false }
}
