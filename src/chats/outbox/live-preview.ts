import type { ReplyPayload } from '../message/reply-payload.ts'
import type { Clock } from '../../ports/clock.ts'
import { adapt } from '../presentation/adapt.ts'
import { callChannel, placeOn } from './call-channel.ts'
import type { Channels } from './deliverer.ts'
import { deliveryLimits } from './delivery-limits.ts'
import type { Preparing } from './message-purpose.ts'
import type { DeliveryPlan, Outbox } from './outbox.ts'
import type { Pace } from './pacing.ts'

/** A reply that can be read while it is written, and is the same message when it is finished. */
export type LivePreview = {
  /** Everything written so far. Comes as often as it likes; people see it at a bounded rate. */
  show(text: string): void
  /** The finished words, in place; as a new message where that is not possible. Durable when it resolves. */
  finish(message: ReplyPayload): Promise<{ delivery: string }>
  /** Ends the preview. Resolves when no change is in flight, so that the finished text can be sent. */
  stop(): Promise<void>
}

/**
 * The first words are a delivery like any other. What follows is shown without being kept, because the finished message is
 * what counts: a crash leaves a half text that the finish (under the same name) replaces.
 */
export function livePreview(
  parts: { outbox: Outbox; channels: Channels; preparing: Preparing; clock: Clock; pace: Pace },
  plan: Omit<DeliveryPlan, 'message'>,
): LivePreview {
  const { outbox, channels, preparing, clock, pace } = parts
  let planned: Promise<{ delivery: string }> | null = null
  let latest = ''
  let output = ''
  let finished = false
  let running: Promise<void> = Promise.resolve()
  let takeBack: (() => void) | null = null

  function later(): void {
    if (takeBack || finished) return
    takeBack = clock.after(deliveryLimits.previewEveryMs, () => {
      takeBack = null
      running = refresh().catch(() => {})
    })
  }

  async function refresh(): Promise<void> {
    if (finished || !planned || latest === output) return
    const { delivery } = await planned
    const view = await outbox.get(delivery)
    const channel = channels.get(plan.channel)
    const [receipt] = view.receipts
    if (view.state === 'waiting' || !channel || !receipt) return later()
    if (view.state !== 'sent' || channel.capabilities.delivery.streaming === 'none') return
    const place = placeOn(channel, plan.address)
    const { rates } = channel.capabilities.delivery
    const now = clock.now()
    if (pace.freeAt(plan.channel, place, rates, now) > now) return later()
    const text = latest
    const { adapted } = adapt(await draft(text), channel.capabilities.presentation, { tokenFor: () => '' })
    // A text longer than one message is shown when it is finished.
    if (adapted.parts.length !== 1) return
    const [request] = channel.render(adapted, { address: plan.address, edit: [receipt.messageId] })?.requests ?? []
    if (!request) return
    pace.take(plan.channel, place, rates, now)
    await callChannel(channel, request, { key: `${delivery}/preview`, place, pace, clock })
    output = text
    if (latest !== output) later()
  }

  /** Asked only for what is shown. Its buttons come with the finished text. */
  async function draft(text: string): Promise<ReplyPayload> {
    const { channel, address, reply } = plan
    if (!preparing.isOn()) return { text }
    return preparing.prepare({ purpose: 'draft', channel, address, dialog: reply?.dialog ?? null, message: { text } })
  }

  /** An edit that is still under way must not overwrite the finished words. */
  async function stop(): Promise<void> {
    finished = true
    takeBack?.()
    await running
    await planned?.catch(() => {})
  }

  return {
    show(text) {
      if (finished || text.trim() === '') return
      latest = text
      if (planned) return later()
      output = text
      planned = outbox.plan({ ...plan, message: { text } })
      // `finish` reports the error; a preview that could not start does not stop the agent.
      planned.catch(() => {})
    },
    stop,
    async finish(message) {
      await stop()
      const { delivery, isNew } = planned ? { ...(await planned), isNew: false } : await outbox.plan({ ...plan, message })
      if (!isNew) await outbox.edit(delivery, message, { orSend: true })
      return { delivery }
    },
  }
}
