import { pump, type Work } from '../../streams/pump.ts'
import type { Channel, Editing, PlatformRequest, Receipt, SendFailure } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Settle, Store } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'
import { type StreamHandler, streamHandler } from '../../streams/stream-handler.ts'
import { callChannel, placeOn } from './call-channel.ts'
import { decideDelivery, type DeliveryCommand } from './decide-delivery.ts'
import { deliverWork, deliveryKind, deliveryStream } from './delivery-kind.ts'
import { deliveryLimits } from './delivery-limits.ts'
import { deliveryViews } from './delivery-rows.ts'
import { type DeliveryState, evolveDelivery, findShown } from './delivery-state.ts'
import { nextStep, type Step } from './next-step.ts'
import { Pace } from './pacing.ts'
import { preparePart, prepareStrip } from './prepare.ts'
import { type SendingRules, usualRules, withoutButtons } from './sending-rules.ts'

/**
 * Sends what is due, the deliveries of one address one after the other.
 *
 * | state of a part | is in the store as   | a crash now means                                                         |
 * |-----------------|----------------------|---------------------------------------------------------------------------|
 * | waiting         | planned              | it is sent later                                                          |
 * | at the platform | intended under a key | a change, or a channel with keys: asked again; otherwise «unknown», never again by itself |
 * | there           | sent, with receipt   | the next part follows                                                     |
 */
export type Deliverer = {
  start(): void
  stop(graceMs: number): Promise<void>
  readonly running: number
}

/** The connected channels by name; a Map is one. */
export type Channels = { get(name: string): Channel | undefined }

export type DelivererParts = {
  store: Store
  committer: Committer
  channels: Channels
  clock: Clock
  log: Log
  metrics: Metrics
  deliveries?: StreamHandler<DeliveryState, DeliveryCommand>
  pace?: Pace
  /** Data in a button that its author signed: it is sent as it is. */
  isSigned?: (value: string) => boolean
  rules?: SendingRules
  /**
   * Called before a delivery is stored as finished, so that a listener knows of every message that the store knows. After a
   * crash it may be called again, or the delivery is unknown.
   */
  onSettled?: (state: DeliveryState) => Promise<void>
  concurrency?: number
}

type Outcome = 'again' | 'settled'
type Call = (request: PlatformRequest, key: string) => Promise<{ receipt: Receipt } | { failure: SendFailure }>

export function deliverer(parts: DelivererParts): Deliverer {
  const { store, committer, channels, clock, log, metrics, isSigned = () => false, rules = usualRules, onSettled } = parts
  const deliveries = parts.deliveries ?? streamHandler(deliveryKind, store, committer)
  const pace = parts.pace ?? new Pace(clock.now())

  async function handle(work: Work): Promise<void> {
    for (let steps = 0; steps < deliveryLimits.stepsPerClaim && !work.signal.aborted; steps += 1) {
      const queue = await store.rows({ view: deliveryViews.outbox, group: work.lease.key, limit: 2 })
      const [head] = queue
      if (!head) return settle(work, 'done')
      const state = await deliveries.load(deliveryStream(head.key))
      if ((await act(work, state, queue.length === 1)) === 'settled') return
    }
    await settle(work, { retryAt: clock.now(), forgive: true })
  }

  async function act(work: Work, state: DeliveryState, isLast: boolean): Promise<Outcome> {
    const now = clock.now()
    const step = nextStep(state, now, isLast)
    if (step.does === 'rest') return tidy(work, state)
    if (step.does === 'wait') return wait(work, step.until)
    if (step.does === 'give-up') return told(work, state, { type: 'give-up-part', at: now }, isLast)
    if (step.does === 'park') return told(work, state, { type: 'park-delivery', at: now }, isLast)
    const channel = channels.get(state.channel)
    if (!channel) return wait(work, now + deliveryLimits.channelWaitMs)
    const place = placeOn(channel, state.address)
    const { rates } = channel.capabilities.delivery
    const freeAt = pace.freeAt(state.channel, place, rates, now)
    if (freeAt > now) return wait(work, freeAt)
    pace.take(state.channel, place, rates, now)
    const call: Call = async (request, key) => {
      const at = clock.now()
      // An operation of its own may be held while others of the account are not.
      const retryAfterMs = pace.freeAt(state.channel, place, [], at, request.operation) - at
      if (retryAfterMs > 0)
        return {
          failure: {
            code: 'rate_limited',
            why: 'the platform asked to wait',
            retryable: true,
            retryAfterMs,
            scope: 'method',
            maybeSent: false,
          },
        }
      pace.move(state.channel, place, rates, now, at)
      return callChannel(channel, request, { key, place, pace, clock })
    }
    return step.does === 'part'
      ? sendPart(work, state, channel, call, { again: step.again, isLast })
      : change(work, state, channel, call, step, isLast)
  }

  async function sendPart(
    work: Work,
    state: DeliveryState,
    channel: Channel,
    call: Call,
    how: { again: boolean; isLast: boolean },
  ): Promise<Outcome> {
    const { idempotency, editing } = channel.capabilities.delivery
    if (!canShowTo(channel, state)) {
      const why = 'this channel cannot show a message to one person alone'
      return told(work, state, { type: 'refuse-part', at: clock.now(), why }, how.isLast)
    }
    const shownOn = (await rules.hasButtons(state)) ? channel : withoutButtons(channel)
    const prepared = preparePart(state, shownOn, isSigned)
    const shownPart = findShown(state, state.done)
    const isNameless = shownPart?.messageId === ''
    if (!prepared || isNameless || (shownPart && !canEdit(editing, shownPart.sentAt, clock.now()))) {
      const why = !prepared
        ? 'the message has nothing that this channel could show'
        : isNameless
          ? 'the platform did not say which message it is'
          : 'this channel cannot change what it sent'
      return told(work, state, { type: 'refuse-part', at: clock.now(), why }, how.isLast)
    }
    const { request, isEdit, ...intention } = prepared
    const isRepeated = rules.repeatsUnknown(state.channel)
    const hasKey = isRepeated || (idempotency !== null && !request.isOneTime)
    const keyForMs = isRepeated ? deliveryLimits.staleAfterMs : idempotency?.keyForMs
    const intended = await deliveries.handle(
      deliveryStream(state.delivery),
      [
        {
          type: 'intend-part',
          at: clock.now(),
          ...intention,
          revision: state.revision,
          isRepeatable: isEdit || hasKey,
          ...(keyForMs !== undefined && { keyForMs }),
          controlsUntil: clock.now() + controlsForMs(state),
          ...(how.again && { again: true as const }),
        },
      ],
      // The same change of a message twice is one, but controls must be known before they can be tapped.
      { lease: work.lease, ...(isEdit && intention.controls.length === 0 && { repeatable: true }) },
    )
    // Refused: it was changed in this moment, so it is looked at again.
    if (!intended.ok) return intended.why === 'fenced' ? 'settled' : 'again'
    const result = await call(request, prepared.key)
    const at = clock.now()
    const command: DeliveryCommand =
      'receipt' in result
        ? {
            type: 'record-receipt',
            at,
            key: prepared.key,
            messageIds: isEdit ? [state.shown[prepared.part]?.messageId ?? ''] : result.receipt.messageIds,
            sentAt: result.receipt.at,
          }
        : { type: 'record-failure', at, key: prepared.key, failure: result.failure, hasKey }
    const before = findShown(state, prepared.part)
    const isGivenUp = before !== undefined && foldCommand(intended.state, command).shown[prepared.part] === undefined
    const outcome = await told(work, intended.state, command, how.isLast)
    // The older copy would stand beside the new one. Taking it away may fail: often it is gone already.
    if (isGivenUp && channel.capabilities.delivery.removeSentMessage)
      await call(channel.operations.remove({ address: state.address, messageId: before.messageId }), `${prepared.key}/clean`)
    return outcome
  }

  async function change(
    work: Work,
    state: DeliveryState,
    channel: Channel,
    call: Call,
    { does, messageId }: Extract<Step, { messageId: string }>,
    isLast: boolean,
  ): Promise<Outcome> {
    const request = toChange(state, channel, { does, messageId }, isSigned)
    // Controls that stay are refused when they are tapped, so a platform without editing has nothing to fail at.
    const isNothing = does === 'strip' && request === null
    const result = request ? await call(request, `${state.delivery}/${does}/${messageId}`) : isNothing ? null : { failure: cannot(does) }
    const failure = result && 'failure' in result && !isDone(does, result.failure) ? result.failure : null
    const now = clock.now()
    if (failure && !failure.retryable)
      log('warn', `a message was sent, but ${does} failed`, { delivery: state.delivery, channel: state.channel, why: failure.why })
    const command: DeliveryCommand =
      does === 'pin'
        ? { type: 'record-pin', at: now, failure }
        : { type: does === 'strip' ? 'record-strip' : 'record-removal', at: now, messageId, failure }
    return told(work, state, command, isLast)
  }

  /** Commits an outcome, together with the end of the work or its next time where that is clear already. */
  async function told(work: Work, state: DeliveryState, command: DeliveryCommand, isLast: boolean): Promise<Outcome> {
    const after = foldCommand(state, command)
    if (after.status !== 'open') await onSettled?.(after)
    const settle = settleAfter(after, isLast, clock.now())
    const handled = await deliveries.handle(deliveryStream(state.delivery), [command], {
      lease: work.lease,
      ...(settle && { settle }),
      // A receipt that only a power cut can take back leaves an honest «maybe sent», and controls can be taken away twice.
      ...((command.type === 'record-receipt' || command.type === 'record-strip') && { repeatable: true }),
    })
    if (handled.ok && handled.state.status !== 'open') {
      metrics.count('deliveries_total', 1, { channel: state.channel, outcome: handled.state.status })
      metrics.observe('delivery_seconds', (clock.now() - state.plannedAt) / 1_000, { channel: state.channel })
      if (handled.state.status !== 'sent')
        log('warn', 'a delivery needs a person', {
          delivery: state.delivery,
          channel: state.channel,
          state: handled.state.status,
          why: handled.state.why,
        })
    }
    if (!handled.ok) return handled.why === 'fenced' ? 'settled' : 'again'
    return settle ? 'settled' : 'again'
  }

  async function wait(work: Work, until: number): Promise<Outcome> {
    await settle(work, { retryAt: until, forgive: true })
    return 'settled'
  }

  /** Nothing is left to do for a row that is still in the queue: only a fault of ours could leave it there. */
  async function tidy(work: Work, { delivery }: DeliveryState): Promise<Outcome> {
    await committer.commit({ lease: work.lease, rows: [{ view: deliveryViews.outbox, key: delivery, body: null }] })
    return 'again'
  }

  const settle = async (work: Work, how: Settle): Promise<void> => void (await committer.commit({ lease: work.lease, settle: how }))

  const works = pump({
    store,
    clock,
    log,
    metrics,
    kind: deliverWork,
    slots: parts.concurrency ?? deliveryLimits.concurrentAddresses,
    handle,
  })
  metrics.gauge('deliveries_running', () => works.running)
  return {
    get running() {
      return works.running
    },
    start: works.start,
    stop: works.stop,
  }
}

/** An approval waits as long as it takes, and its buttons with it. */
const controlsForMs = ({ about }: DeliveryState): number =>
  about?.startsWith('approvals:') ? deliveryLimits.approvalControlsForMs : deliveryLimits.controlsForMs

function foldCommand(state: DeliveryState, command: DeliveryCommand): DeliveryState {
  const decision = decideDelivery(state, command)
  return 'events' in decision ? decision.events.reduce(evolveDelivery, state) : state
}

function settleAfter({ status, notBefore }: DeliveryState, isLast: boolean, now: number): Settle | null {
  if (status !== 'open') return isLast ? 'done' : null
  return notBefore > now ? { retryAt: notBefore, forgive: true } : null
}

function toChange(
  state: DeliveryState,
  channel: Channel,
  { does, messageId }: Pick<Extract<Step, { messageId: string }>, 'does' | 'messageId'>,
  isSigned: (value: string) => boolean,
): PlatformRequest | null {
  const { operations, capabilities } = channel
  if (messageId === '') return null
  const { removeSentMessage, pinSentMessage = false } = capabilities.delivery
  const at = { address: state.address, messageId }
  if (does === 'pin') return pinSentMessage ? operations.pin(at, readPin(state).notify) : null
  if (does === 'remove') return removeSentMessage ? operations.remove(at) : null
  return toStrip(state, channel, messageId, { isSigned })
}

/** The request that removes the controls of a sent message; null where nothing can be changed any more. */
export function toStrip(
  state: DeliveryState,
  channel: Channel,
  messageId: string,
  how: { isSigned: (value: string) => boolean; marker?: string | undefined },
): PlatformRequest | null {
  const { editing } = channel.capabilities.delivery
  if (editing.ability === 'controls-alone') return channel.operations.stripControls({ address: state.address, messageId }, how.marker)
  return editing.ability === 'whole' ? prepareStrip(state, channel, messageId, how) : null
}

/** A message for one person goes to their own chat, or to a chat that can hide it from the others. */
export const canShowTo = (
  { capabilities }: Pick<Channel, 'capabilities'>,
  { address, message }: Pick<DeliveryState, 'address' | 'message'>,
): boolean => {
  const { onlyFor } = message.send ?? {}
  return onlyFor === undefined || onlyFor === address || capabilities.delivery.showsToOne === true
}

const canEdit = (editing: Editing, sentAt: number, now: number): boolean =>
  editing.ability !== 'none' && (editing.withinMs === undefined || now - sentAt < editing.withinMs)

/** The controls or the message are gone already: that is what was wanted. */
const isDone = (does: 'remove' | 'strip' | 'pin', { code }: SendFailure): boolean =>
  code === 'not_modified' || (code === 'gone' && does !== 'pin')

function readPin({ message }: DeliveryState): { notify: boolean } {
  const pin = message.delivery?.pin
  return { notify: typeof pin === 'object' && (pin.notify ?? false) }
}

const cannot = (does: 'remove' | 'strip' | 'pin'): SendFailure => ({
  code: 'refused',
  why: `this channel cannot ${does === 'pin' ? 'pin' : does === 'strip' ? 'take controls away' : 'remove messages'}`,
  retryable: false,
  maybeSent: false,
})
