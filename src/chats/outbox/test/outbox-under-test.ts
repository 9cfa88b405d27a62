import { deliverySide, type DeliverySide } from '../delivery-side.ts'
import type { Preparing } from '../message-purpose.ts'
import { type SendingRules, usualRules } from '../sending-rules.ts'
import type { Outbox } from '../outbox.ts'
import type { Channel } from '../../../ports/channel.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Ids } from '../../../ports/ids.ts'
import { silentLog } from '../../../ports/log.ts'
import { noMetrics } from '../../../ports/metrics.ts'
import type { Store } from '../../../ports/store.ts'
import { memoryStore } from '../../../store/memory/memory-store.ts'
import { type Committer, groupCommitter } from '../../../streams/committer.ts'
import { countedIds } from '../../../testing/counted-ids.ts'

export type OutboxUnderTest = Outbox & DeliverySide & { store: Store; committer: Committer }

/** The outbox at work over one channel. */
export function openOutbox(parts: {
  channel: Channel
  clock: Clock
  store?: Store
  ids?: Ids
  rules?: Partial<SendingRules>
  preparing?: Preparing
}): OutboxUnderTest {
  const { channel, clock, store = memoryStore({ clock }), ids = countedIds(), rules = {}, preparing } = parts
  const committer = groupCommitter(store)
  const channels = new Map([[channel.name, channel]])
  const side = deliverySide({
    store,
    committer,
    channels,
    clock,
    ids,
    log: silentLog,
    metrics: noMetrics,
    rules: { ...usualRules, ...rules },
    ...(preparing && { preparing }),
  })
  side.deliverer.start()
  return { ...side.outbox, ...side, store, committer }
}
