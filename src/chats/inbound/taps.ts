import { pump, type Pump, type Work } from '../../streams/pump.ts'
import { decodeAction } from '../message/action-value.ts'
import type { Channel } from '../../ports/channel.ts'
import { bindingStream } from '../bindings/binding-kind.ts'
import { inboundLimits } from '../bindings/inbound-limits.ts'
import type { KnownControl } from '../outbox/control-tokens.ts'
import { inboundKey, toCaller } from './callers.ts'
import type { ControlTap, InboundTap } from './control-tap.ts'
import type { InboundParts } from './inbound-parts.ts'
import { notice } from './notices.ts'
import { explainLateTap, performTap, refuseTap, type TapActionParts, toTapToast } from './tap-actions.ts'
import { readTapMeaning } from './tap-meaning.ts'
import type { TapVerdicts } from './tap-verdicts.ts'

const tapWork = 'tap'

/** Before there were handles, a tap had only the id that its platform gave it. */
type TapPayload = { channel: string; inbound: Omit<InboundTap, 'tap'> & { tap: InboundTap['tap'] | string }; keptAt: number }

export type RecordTapParts = Pick<InboundParts, 'committer' | 'clock' | 'metrics'>

type TapParts = TapActionParts &
  RecordTapParts &
  Pick<InboundParts, 'connections' | 'identities' | 'outbox' | 'signals' | 'hooks'> & { verdicts: TapVerdicts }

/** The toast for the person, and what is done after it is shown. */
type Verdict = { toast: string | null; act: (() => Promise<void>) | null; outcome: 'taken' | 'forged' | 'stale' | 'foreign' | 'used' }

export async function recordTap(
  { committer, clock, metrics }: RecordTapParts,
  channel: string,
  inbound: InboundTap,
): Promise<'kept' | 'seen'> {
  const at = clock.now()
  const payload: TapPayload = { channel, inbound, keptAt: at }
  const result = await committer.commit({
    once: [{ key: inboundKey(channel, inbound), value: at }],
    wake: [{ kind: tapWork, key: `${channel}/${inbound.id}`, at, payload }],
  })
  const outcome = result.ok ? 'kept' : 'seen'
  metrics.count('inbound_total', 1, { channel, type: 'tap', outcome })
  return outcome
}

/**
 * Handles recorded taps, each on its own, in this order: known and allowed, used up in the store, toast, action. After a
 * crash the same tap is handled again: its control knows it as the tap that counted, and the action has its once-only key.
 */
export function pendingTaps(parts: TapParts): Pump {
  const { store, clock, log, metrics } = parts
  const slots = inboundLimits.concurrentTaps
  return pump({ store, clock, log, metrics, kind: tapWork, slots, handle: (work) => handleTap(parts, work) })
}

async function handleTap(parts: TapParts, work: Work): Promise<void> {
  const { connections, committer, clock, metrics } = parts
  const { channel: name, inbound: stored, keptAt } = work.lease.payload as TapPayload
  const inbound: InboundTap = { ...stored, tap: toHandle(stored.tap, keptAt) }
  const channel = connections.get(name)
  const isOver = clock.now() - keptAt > inboundLimits.tapAgeMs || work.lease.attempts > inboundLimits.tries
  if (!channel && !isOver)
    return void (await committer.commit({
      lease: work.lease,
      settle: { retryAt: clock.now() + inboundLimits.channelWaitMs, forgive: true },
    }))
  if (isOver) await moveToInbox(parts, name, inbound)
  else if (channel) {
    const { toast: full, act, outcome } = await judge(parts, channel, inbound)
    const toast = full === null ? null : shorten(full, channel.capabilities.delivery.maxToastLength)
    if (work.lease.attempts === 1) metrics.count('taps_total', 1, { channel: name, outcome })
    if (!parts.verdicts.give(name, inbound.id, { toast })) await showToast(parts, channel, inbound, toast)
    if (act) await act()
  }
  await committer.commit({ lease: work.lease, settle: 'done', repeatable: true })
}

const toHandle = (tap: TapPayload['inbound']['tap'], keptAt: number): InboundTap['tap'] =>
  typeof tap === 'string' ? { data: { id: tap }, expiresAt: keptAt + inboundLimits.tapAgeMs } : tap

async function moveToInbox({ outbox, bindings, clock, log }: TapParts, channel: string, tap: InboundTap): Promise<void> {
  const { id, address, from, value } = tap
  const decoded = decodeAction(value)
  const control = 'token' in decoded ? await outbox.controls.find(decoded.token) : null
  const why = 'the tap could not be acted on'
  log('error', 'a tap could not be acted on; it is in the inbox', { channel, address, tap: id })
  await bindings.handle(bindingStream(channel, address), [
    { type: 'record-unclaimed', at: clock.now(), id, from, text: control?.label ?? '', why },
  ])
}

/** A toast that comes too late is no reason to forget the tap. */
async function showToast({ clock, log, signals }: TapParts, channel: Channel, inbound: InboundTap, toast: string | null): Promise<void> {
  const { id, address, tap } = inbound
  const { tapDeadlineMs } = channel.capabilities.delivery
  const request = channel.operations.answerTap(tap, toast)
  if (!request || tap.expiresAt < clock.now()) return
  const result = await signals.send(channel, address, request, { key: id, withinMs: tapDeadlineMs, isUrgent: true })
  if ('failure' in result) log('info', 'a tap could not be answered in time', { channel: channel.name, why: result.failure.why })
}

async function judge(parts: TapParts, channel: Channel, inbound: InboundTap): Promise<Verdict> {
  const { connections, identities, outbox, hooks, clock } = parts
  const { id, messageId, from } = inbound
  const reject = (outcome: 'forged' | 'stale' | 'foreign' | 'used', name = ''): Verdict => ({
    toast: notice(outcome, from.language, name),
    act: null,
    outcome,
  })
  const decoded = decodeAction(inbound.value)
  if (!('token' in decoded)) {
    // Data without a token of Parley's own may belong to a plugin.
    const claimed = await hooks.tapped({ channel, kind: connections.getKind(channel.name), tap: inbound })
    return claimed ? { toast: claimed.toast, act: () => claimed.act(), outcome: 'taken' } : reject('forged')
  }
  const control = await outbox.controls.find(decoded.token)
  if (!control || control.channel !== channel.name || control.address !== inbound.address) return reject('forged')
  if (!mayTap(control, inbound) || identities.admit(channel.name, inbound) === 'refused') return reject('foreign')
  if (control.expiresAt < clock.now()) return reject('stale')
  const tap = await toControlTap(parts, channel.name, inbound, control)
  const meaning = readTapMeaning(control.value, control.about)
  // Checked before the control is used up: a tap by a person who may not decide leaves it for a person who may.
  const refusal = await refuseTap(parts, meaning, tap)
  if (refusal !== null) return { toast: refusal, act: null, outcome: 'foreign' }
  const use = { tap: id, token: decoded.token, messageId, by: from.id, byName: from.name }
  const used = await outbox.controls.use(control, use, { answers: meaning.type === 'answer' })
  if (!used.ok) return used.code === 'control_used' ? reject('used', String(used.details['by'] ?? '')) : reject('forged')
  if (meaning.type === 'plugin') {
    const { dialog, address } = tap
    const kind = connections.getKind(channel.name)
    const { plugin, value } = meaning
    const { isPrivate } = inbound
    const outcome = await hooks.actionTapped({
      plugin,
      value,
      channel: channel.name,
      kind,
      address,
      messageId,
      dialog,
      tap: id,
      from,
      isPrivate,
    })
    return outcome ? { toast: outcome.toast, act: () => outcome.act(), outcome: 'taken' } : reject('stale')
  }
  const late = await explainLateTap(parts, meaning, tap).catch(() => null)
  if (late !== null) return { toast: late, act: null, outcome: 'stale' }
  return { toast: toTapToast(parts, meaning, tap), act: () => performTap(parts, meaning, tap), outcome: 'taken' }
}

async function toControlTap(
  { bindings, identities }: Pick<TapParts, 'bindings' | 'identities'>,
  channel: string,
  inbound: InboundTap,
  { delivery, about, label, isReusable }: KnownControl,
): Promise<ControlTap> {
  const { address, messageId, from: by } = inbound
  const { dialog } = await bindings.load(bindingStream(channel, address))
  return { channel, address, messageId, by, label, isReusable, delivery, about, dialog, caller: toCaller(identities, channel, inbound) }
}

const mayTap = ({ mayTap: who }: KnownControl, { from }: InboundTap): boolean => who === 'anyone' || who.includes(from.id)

/** Toasts are short on every platform; the start of a long label says enough. */
function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${text
    .slice(0, maxLength - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}
