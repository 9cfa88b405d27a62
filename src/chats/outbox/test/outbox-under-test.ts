import { deliverySide, type DeliverySide } from '../../src/delivery/delivery-side.ts'
import type { Outbox } from '../../src/delivery/outbox.ts'
import type { Channel } from '../../src/ports/channel.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Ids } from '../../src/ports/ids.ts'
import { silentLog } from '../../src/ports/log.ts'
import { noMetrics } from '../../src/ports/metrics.ts'
import type { Store } from '../../src/ports/store.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { type Committer, groupCommitter } from '../../src/streams/committer.ts'
import { countedIds } from '../../src/testing/counted-ids.ts'

export type OutboxUnderTest = Outbox & DeliverySide & { store: Store; committer: Committer }

/** The outbox at work over one channel. */
export function openOutbox(parts: { channel: Channel; clock: Clock; store?: Store; ids?: Ids }): OutboxUnderTest {
  const { channel, clock, store = memoryStore({ clock }), ids = countedIds() } = parts
  const committer = groupCommitter(store)
  const channels = new Map([[channel.name, channel]])
  const side = deliverySide({ store, committer, channels, clock, ids, log: silentLog, metrics: noMetrics })
  side.deliverer.start()
  return { ...side.outbox, ...side, store, committer }
}
