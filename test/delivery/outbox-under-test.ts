import { type Deliverer, deliverer } from '../../src/delivery/deliverer.ts'
import { deliveryKind } from '../../src/delivery/delivery-kind.ts'
import { type Outbox, outbox } from '../../src/delivery/outbox.ts'
import type { Place } from '../../src/delivery/pacing.ts'
import type { Channel } from '../../src/ports/channel.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Ids } from '../../src/ports/ids.ts'
import { silentLog } from '../../src/ports/log.ts'
import { noMetrics } from '../../src/ports/metrics.ts'
import type { Store } from '../../src/ports/store.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { groupCommitter } from '../../src/streams/committer.ts'
import { streamHandler } from '../../src/streams/stream-handler.ts'
import { countedIds } from '../../src/testing/counted-ids.ts'

export type OutboxUnderTest = Outbox & {
  store: Store
  deliverer: Deliverer
  deliveries: ReturnType<typeof openDeliveries>
  committer: ReturnType<typeof groupCommitter>
}

const openDeliveries = (store: Store, committer: ReturnType<typeof groupCommitter>) => streamHandler(deliveryKind, store, committer)

export function openOutbox(parts: {
  channel: Channel
  clock: Clock
  store?: Store
  ids?: Ids
  placeOf?: (channel: string, address: string) => Place
}): OutboxUnderTest {
  const { channel, clock, store = memoryStore({ clock }), ids = countedIds(), placeOf } = parts
  const committer = groupCommitter(store)
  const deliveries = openDeliveries(store, committer)
  const works = deliverer({
    store,
    committer,
    deliveries,
    channels: new Map([[channel.name, channel]]),
    clock,
    log: silentLog,
    metrics: noMetrics,
    ...(placeOf && { placeOf }),
  })
  works.start()
  return { ...outbox({ store, deliveries, clock, ids }), store, deliverer: works, deliveries, committer }
}
