import { pump, type Pump, type Work } from '../streams/pump.ts'
import { decodeAction } from '../message/action-value.ts'
import type { MessagePresentationAction } from '../message/presentation.ts'
import type { Channel } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Store } from '../ports/store.ts'
import type { Committer } from '../streams/committer.ts'
import type { StreamHandler } from '../streams/stream-handler.ts'
import { bindingStream } from './binding-kind.ts'
import type { BindingState } from './binding-state.ts'
import type { BindingCommand } from './decide-binding.ts'
import { inboundLimits } from './inbound-limits.ts'
import type { InboundPorts, InboundTap, TappableControl, Tapped } from './inbound-ports.ts'
import { say, wordsOfTap } from './inbound-words.ts'
import { type TapPayload, tapWork } from './receive.ts'
import { callerFor, isRefusal } from './route.ts'

/** What a tap comes to: the words the person sees at once, and what is done afterwards. */
type Verdict = { toast: string | null; act: (() => Promise<void>) | null; outcome: 'taken' | 'forged' | 'stale' | 'foreign' | 'used' }

/**
 * Taps, each on its own. The order is always: known and allowed? → used up in the store → the person is told → acted on.
 * A crash anywhere starts it again: the same tap finds itself as the one that counted, and acting carries its name.
 */
export function taps(parts: {
  store: Store
  committer: Committer
  bindings: StreamHandler<BindingState, BindingCommand>
  channels: { get(name: string): Channel | undefined }
  ports: InboundPorts
  clock: Clock
  log: Log
  metrics: Metrics
}): Pump {
  const { store, committer, bindings, channels, ports, clock, log, metrics } = parts

  async function handle(work: Work): Promise<void> {
    const { channel: name, inbound, keptAt } = work.lease.payload as TapPayload
    const channel = channels.get(name)
    const isOver = clock.now() - keptAt > inboundLimits.tapAgeMs || work.lease.attempts > inboundLimits.tries
    if (!channel && !isOver)
      return void (await committer.commit({
        lease: work.lease,
        settle: { retryAt: clock.now() + inboundLimits.channelWaitMs, forgive: true },
      }))
    if (isOver) await giveUp(name, inbound)
    else if (channel) {
      const { toast, act: deed, outcome } = await judge(channel, inbound)
      if (work.lease.attempts === 1) metrics.count('taps_total', 1, { channel: name, outcome })
      await answer(channel, inbound, toast)
      if (deed) await deed()
    }
    await committer.commit({ lease: work.lease, settle: 'done', repeatable: true })
  }

  /** Nothing is lost without a trace: a person finds it in the inbox. */
  async function giveUp(channel: string, { id, address, from, value }: InboundTap): Promise<void> {
    const read = decodeAction(value)
    const control = 'token' in read ? await ports.controls.find(read.token) : null
    const why = 'the tap could not be acted on'
    log('error', 'a tap could not be acted on; it is in the inbox', { channel, address, tap: id })
    await bindings.handle(bindingStream(channel, address), [
      { type: 'record-unclaimed', at: clock.now(), id, from, text: control?.label ?? '', why },
    ])
  }

  /** Words above a button are a courtesy: when they come too late, that is no reason to forget the tap. */
  async function answer(channel: Channel, { tap }: InboundTap, toast: string | null): Promise<void> {
    const { tapDeadlineMs, maxToastLength } = channel.capabilities.delivery
    const tooLate = new AbortController()
    const takeBack = clock.after(tapDeadlineMs, () => tooLate.abort())
    try {
      const request = channel.operations.answerTap(tap, toast === null ? null : cut(toast, maxToastLength))
      const result = await channel.send(request, { key: `tap/${tap}`, signal: tooLate.signal })
      if ('failure' in result) log('info', 'a tap could not be answered in time', { channel: channel.name, why: result.failure.why })
    } finally {
      takeBack()
    }
  }

  async function judge(channel: Channel, inbound: InboundTap): Promise<Verdict> {
    const { language } = inbound.from
    const no = (outcome: 'forged' | 'stale' | 'foreign' | 'used', name = ''): Verdict => ({
      toast: say(outcome, language, name),
      act: null,
      outcome,
    })
    const read = decodeAction(inbound.value)
    if (!('token' in read)) {
      const claimed = await ports.claimTap?.(channel, inbound)
      return claimed ? { ...claimed, outcome: 'taken' } : no('forged')
    }
    const control = await ports.controls.find(read.token)
    if (!control || control.channel !== channel.name || control.address !== inbound.address) return no('forged')
    if (!mayTap(control, inbound) || ports.admit(channel.name, inbound) === 'refused') return no('foreign')
    if (control.expiresAt < clock.now()) return no('stale')
    const tapped = await tappedBy(channel.name, inbound, control)
    const meant = decodeAction(control.value)
    const action: MessagePresentationAction = 'action' in meant ? meant.action : { type: 'callback', value: control.value }
    // Before the control is used up: a tap by a person who may not decide leaves it for the one who may.
    const forbidden = (await ports.mayNotDecide?.(action, tapped)) ?? null
    if (forbidden !== null) return { toast: forbidden, act: null, outcome: 'foreign' }
    const { id, messageId, from } = inbound
    const used = await ports.controls.use(control, { tap: id, token: read.token, messageId, by: from.id, byName: from.name })
    if (!used.ok) return used.code === 'control_used' ? no('used', String(used.details['by'] ?? '')) : no('forged')
    const whyNot = (await ports.whyNot?.(action, tapped).catch(() => null)) ?? null
    if (whyNot !== null) return { toast: whyNot, act: null, outcome: 'stale' }
    const toast = ports.toastFor?.(action, tapped) ?? say('got', language, control.label)
    return { toast, act: () => act(action, tapped), outcome: 'taken' }
  }

  async function act(action: MessagePresentationAction, tapped: Tapped): Promise<void> {
    try {
      if (action.type === 'question') await ports.answerQuestion(action.questionId, action.optionValue, tapped)
      else if (action.type === 'approval') await ports.onDecision(action, tapped)
      else if (action.type === 'command') await sayIn(tapped, action.command)
      else if (action.type === 'callback' && !(await ports.onCallback(action.value, tapped)))
        await sayIn({ ...tapped, dialog: senderOf(tapped) ?? tapped.dialog }, wordsOfTap(tapped.label, action.value))
    } catch (error) {
      if (!isRefusal(error)) throw error
      log('info', 'a tap came too late for what it meant', { channel: tapped.channel, delivery: tapped.delivery, error })
    }
  }

  /** Nobody took the tap, so it is said in a dialog, or waits in the inbox. */
  async function sayIn(tapped: Tapped, text: string): Promise<void> {
    const { channel, address, dialog, by, caller } = tapped
    const leave = (why: string): Promise<unknown> =>
      bindings.handle(bindingStream(channel, address), [
        { type: 'record-unclaimed', at: clock.now(), id: caller.once?.key ?? '', from: by, text, why },
      ])
    if (dialog === null) return void (await leave('no dialog belongs to this place'))
    try {
      await ports.say(dialog, text, caller, null)
    } catch (error) {
      if (!isRefusal(error)) throw error
      await leave(error instanceof Error ? error.message : 'the dialog did not take it')
    }
  }

  async function tappedBy(channel: string, inbound: InboundTap, control: TappableControl): Promise<Tapped> {
    const { address, messageId, from, id } = inbound
    const { delivery, about, label } = control
    const { dialog } = await bindings.load(bindingStream(channel, address))
    return {
      channel,
      address,
      messageId,
      by: from,
      label,
      delivery,
      about,
      dialog,
      caller: callerFor(channel, ports.identify(channel, inbound), `inbound:${channel}:${id}`),
    }
  }

  return pump({ store, clock, log, metrics, kind: tapWork, slots: inboundLimits.concurrentTaps, handle })
}

const mayTap = ({ mayTap: who }: TappableControl, { from }: InboundTap): boolean => who === 'anyone' || who.includes(from.id)

/** The dialog whose agent sent the button: it is the one that wants to know. */
const senderOf = ({ about }: Tapped): string | null => (about?.startsWith('dialog:') ? about.slice('dialog:'.length) : null)

/** Toasts are short on every platform; the start of a long label says enough. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text
    .slice(0, longest - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}
