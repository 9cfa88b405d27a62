import { pump, type Pump, type Work } from '../streams/pump.ts'
import type { Participant } from '../dialog/events.ts'
import { catalogue, ParleyError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Caller } from '../ports/parley.ts'
import type { Settle, Store } from '../ports/store.ts'
import type { Committer } from '../streams/committer.ts'
import type { StreamHandler } from '../streams/stream-handler.ts'
import type { InboundMessage } from './binding-events.ts'
import { inboundWork } from './binding-kind.ts'
import type { BindingState } from './binding-state.ts'
import type { BindingCommand } from './decide-binding.ts'
import { inboundLimits } from './inbound-limits.ts'
import type { InboundPorts } from './inbound-ports.ts'
import { say, wordsOf } from './inbound-words.ts'

/** Hands on what was received: messages of one address in their order, to its dialog; strangers are told their code. */
export function router(parts: {
  store: Store
  committer: Committer
  bindings: StreamHandler<BindingState, BindingCommand>
  ports: Pick<InboundPorts, 'identify' | 'openDialog' | 'say' | 'tell' | 'askOwner'>
  clock: Clock
  log: Log
  metrics: Metrics
}): Pump {
  const { store, committer, bindings, ports, clock, log, metrics } = parts

  async function handle(work: Work): Promise<void> {
    const stream = work.lease.key
    for (;;) {
      const state = await bindings.load(stream)
      if (work.signal.aborted) return settle(work, { retryAt: clock.now(), forgive: true })
      if (state.status === 'requested') return ask(work, state)
      const [next] = state.waiting
      if (!next || (state.status !== 'accepted' && state.status !== 'bound')) return settle(work, 'done')
      if (!(await handOn(work, state, next))) return
    }
  }

  /** Tells a stranger the code, and stays until the time for a decision is over. */
  async function ask(work: Work, { channel, address, pairing, waiting }: BindingState): Promise<void> {
    if (!pairing) return settle(work, 'done')
    if (clock.now() >= pairing.expiresAt) {
      await bindings.handle(work.lease.key, [{ type: 'expire-pairing', at: clock.now() }], { lease: work.lease, settle: 'done' })
      return
    }
    await ports.tell(
      { channel, address },
      say('pairing', pairing.from.language, pairing.code),
      `${work.lease.key}/pairing/${pairing.requestedAt}`,
    )
    const [first] = waiting
    await ports.askOwner?.({
      stream: work.lease.key,
      channel,
      from: pairing.from,
      code: pairing.code,
      text: first ? wordsOf(channel, first) : '',
      requestedAt: pairing.requestedAt,
    })
    await settle(work, { retryAt: pairing.expiresAt, forgive: true })
  }

  async function handOn(work: Work, state: BindingState, inbound: InboundMessage): Promise<boolean> {
    const { channel, address, pairing } = state
    const stream = work.lease.key
    try {
      const dialog = state.dialog ?? (await openFor(state, inbound))
      if (state.dialog === null) {
        // Bound before anything is said there: the reply must know where to go, however quick it is.
        const bound = await bindings.handle(
          stream,
          [{ type: 'bind-address', at: clock.now(), channel, address, dialog, by: 'first message' }],
          { lease: work.lease },
        )
        if (!bound.ok) return false
        if (pairing)
          await ports.tell({ channel, address }, say('accepted', pairing.from.language), `${stream}/accepted/${pairing.requestedAt}`)
      }
      await ports.say(dialog, wordsOf(channel, inbound), callerOf(channel, inbound, ports), inbound)
      // What came in meanwhile woke the work anew, so the last one may end it.
      const isLast = state.waiting.length === 1
      const handled = await bindings.handle(stream, [{ type: 'record-routed', at: clock.now(), id: inbound.id, dialog }], {
        lease: work.lease,
        ...(isLast && { settle: 'done' }),
        repeatable: true,
      })
      return handled.ok && !isLast
    } catch (error) {
      const isLast = work.lease.attempts >= inboundLimits.tries
      if (!isRefusal(error) && !isLast) throw error
      const why = error instanceof Error ? error.message : 'it could not be handed on'
      log('warn', 'nobody took a message; it is in the inbox', { channel, address, inbound: inbound.id, why })
      metrics.count('inbound_unclaimed_total', 1, { channel })
      const { id, from } = inbound
      const unclaimed: BindingCommand[] = [{ type: 'record-unclaimed', at: clock.now(), id, from, text: wordsOf(channel, inbound), why }]
      // A dialog that is not there any more takes no further message either: the next one opens another.
      if (error instanceof ParleyError && error.code === 'dialog_not_found')
        unclaimed.push({ type: 'unbind-address', at: clock.now(), by: 'the dialog is gone' })
      return (await bindings.handle(stream, unclaimed, { lease: work.lease })).ok
    }
  }

  const openFor = ({ channel, address }: BindingState, inbound: InboundMessage): Promise<string> =>
    ports.openDialog(
      { channel, address, from: inbound.from },
      callerFor(channel, ports.identify(channel, inbound), `open:${channel}:${inbound.id}`),
    )

  const settle = async (work: Work, how: Settle): Promise<void> => void (await committer.commit({ lease: work.lease, settle: how }))

  return pump({ store, clock, log, metrics, kind: inboundWork, slots: inboundLimits.concurrentAddresses, handle })
}

/** The rules said no: asking again changes nothing. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ParleyError && !error.retryable && catalogue[error.code][0] === 'refused'

export const callerFor = (channel: string, by: Participant, key: string): Caller => ({
  by,
  via: channel,
  once: { key, request: key },
})

export const callerOf = (channel: string, inbound: InboundMessage, { identify }: Pick<InboundPorts, 'identify'>): Caller =>
  callerFor(channel, identify(channel, inbound), `inbound:${channel}:${inbound.id}`)
