import { readLanguage } from '../../shapes/language.ts'
import { ParleyError } from '../../errors.ts'
import type { Settle } from '../../ports/store.ts'
import { pump, type Pump, type Work } from '../../streams/pump.ts'
import type { InboundMessage } from '../bindings/binding-events.ts'
import { inboundWork } from '../bindings/binding-kind.ts'
import type { BindingState } from '../bindings/binding-state.ts'
import type { ChatAddress } from '../bindings/chat-address.ts'
import type { BindingCommand } from '../bindings/decide-binding.ts'
import { inboundLimits } from '../bindings/inbound-limits.ts'
import { toMessageText } from '../bindings/inbound-text.ts'
import { isRefusal, toCaller } from './callers.ts'
import type { InboundParts } from './inbound-parts.ts'
import { type MediaParts, takeMedia } from './message-media.ts'
import { notice } from './notices.ts'
import { answerByText, type TypedAnswerParts } from './typed-answers.ts'

type PendingParts = TypedAnswerParts &
  MediaParts &
  Pick<InboundParts, 'committer' | 'bindings' | 'connections' | 'identities' | 'pairings' | 'clock' | 'log' | 'metrics'>

/** Works off the pending messages of each address in their order. */
export function pendingMessages(parts: PendingParts): Pump {
  const { store, clock, log, metrics } = parts
  const slots = inboundLimits.concurrentAddresses
  return pump({ store, clock, log, metrics, kind: inboundWork, slots, handle: (work) => handlePending(parts, work) })
}

async function handlePending(parts: PendingParts, work: Work): Promise<void> {
  for (;;) {
    const state = await parts.bindings.load(work.lease.key)
    if (work.signal.aborted) return settle(parts, work, { retryAt: parts.clock.now(), forgive: true })
    if (state.status === 'requested') return requestPairing(parts, work, state)
    const [next] = state.waiting
    if (!next || (state.status !== 'accepted' && state.status !== 'bound')) return settle(parts, work, 'done')
    if (!(await deliver(parts, work, state, next))) return
  }
}

const settle = async ({ committer }: Pick<PendingParts, 'committer'>, work: Work, how: Settle): Promise<void> =>
  void (await committer.commit({ lease: work.lease, settle: how }))

/** Sends the code to a stranger and the request to the owner, then waits until the request expires. */
async function requestPairing(parts: PendingParts, work: Work, { channel, address, pairing, waiting }: BindingState): Promise<void> {
  const { bindings, clock, pairings } = parts
  const stream = work.lease.key
  if (!pairing) return settle(parts, work, 'done')
  const { code, from, requestedAt, expiresAt } = pairing
  if (clock.now() >= expiresAt) {
    await bindings.handle(stream, [{ type: 'expire-pairing', at: clock.now() }], { lease: work.lease, settle: 'done' })
    return
  }
  await send(parts, { channel, address }, notice('pairing', from.language, code), `${stream}/pairing/${requestedAt}`)
  const [first] = waiting
  await pairings.notifyOwner({ stream, channel, from, code, text: first ? toMessageText(channel, first) : '', requestedAt })
  await settle(parts, work, { retryAt: expiresAt, forgive: true })
}

/** Hands one message to its dialog. True when the next one may follow. */
async function deliver(parts: PendingParts, work: Work, state: BindingState, inbound: InboundMessage): Promise<boolean> {
  const { bindings, clock, identities, parley } = parts
  const { channel } = state
  const stream = work.lease.key
  try {
    const dialog = state.dialog ?? (await bindToNewDialog(parts, work, state, inbound))
    if (dialog === null) return false
    const caller = toCaller(identities, channel, inbound)
    const isAnswer = await answerByText(parts, inbound, caller)
    if (!isAnswer) {
      const isLastTry = work.lease.attempts >= inboundLimits.tries
      const { files, rest } = await takeMedia(parts, channel, inbound, { caller, isLastTry })
      await parley.dialogs.say(dialog, toMessageText(channel, { ...inbound, media: rest }), caller, files)
    }
    // A message that arrived meanwhile woke the work again, so the last one may end it.
    const isLast = state.waiting.length === 1
    const handled = await bindings.handle(stream, [{ type: 'record-routed', at: clock.now(), id: inbound.id, dialog }], {
      lease: work.lease,
      ...(isLast && { settle: 'done' }),
      repeatable: true,
    })
    return handled.ok && !isLast
  } catch (error) {
    // Its dialog was deleted: the chat goes on in a new one.
    if (error instanceof ParleyError && error.code === 'dialog_deleted')
      return (await bindToNewDialog(parts, work, state, inbound)) !== null
    if (!isRefusal(error) && work.lease.attempts < inboundLimits.tries) throw error
    return moveToInbox(parts, work, state, inbound, error)
  }
}

/** Opens the dialog of an address. The address is bound before anything is said there, so that a quick reply finds it. */
async function bindToNewDialog(
  parts: PendingParts,
  work: Work,
  { channel, address, pairing }: BindingState,
  inbound: InboundMessage,
): Promise<string | null> {
  const { bindings, clock, connections, identities, parley } = parts
  const stream = work.lease.key
  const { agent, language = readLanguage(inbound.from.language) } = connections.connection(channel)?.config ?? {}
  const caller = toCaller(identities, channel, inbound, `open:${channel}:${inbound.id}`)
  const { id: dialog } = await parley.dialogs.open({ agent, language }, caller)
  const bind: BindingCommand = { type: 'bind-address', at: clock.now(), channel, address, dialog, by: 'first message' }
  const bound = await bindings.handle(stream, [bind], { lease: work.lease })
  if (!bound.ok) return null
  if (pairing)
    await send(parts, { channel, address }, notice('accepted', pairing.from.language), `${stream}/accepted/${pairing.requestedAt}`)
  return dialog
}

/** A message that no dialog took is shown to a person. */
async function moveToInbox(
  { bindings, clock, log, metrics }: PendingParts,
  work: Work,
  { channel, address }: BindingState,
  inbound: InboundMessage,
  error: unknown,
): Promise<boolean> {
  const { id, from } = inbound
  const why = error instanceof Error ? error.message : 'it could not be handed on'
  log('warn', 'a message was not delivered to a dialog; it is in the inbox', { channel, address, inbound: id, why })
  metrics.count('inbound_unclaimed_total', 1, { channel })
  const commands: BindingCommand[] = [{ type: 'record-unclaimed', at: clock.now(), id, from, text: toMessageText(channel, inbound), why }]
  // The next message opens another dialog.
  if (error instanceof ParleyError && error.code === 'dialog_not_found')
    commands.push({ type: 'unbind-address', at: clock.now(), by: 'the dialog is gone' })
  return (await bindings.handle(work.lease.key, commands, { lease: work.lease })).ok
}

const send = async ({ outbox }: Pick<PendingParts, 'outbox'>, at: ChatAddress, text: string, once: string): Promise<void> =>
  void (await outbox.plan({ ...at, message: { text }, once: `tell:${once}` }))
