import type { Channel } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Store } from '../ports/store.ts'
import type { Committer } from '../streams/committer.ts'
import { type StreamHandler, streamHandler } from '../streams/stream-handler.ts'
import { bindingKind } from './binding-kind.ts'
import type { BindingState } from './binding-state.ts'
import type { BindingCommand } from './decide-binding.ts'
import type { InboundPorts } from './inbound-ports.ts'
import { type Bindings, bindingsOver } from './pairings.ts'
import { type Receive, receiving } from './receive.ts'
import { router } from './route.ts'
import { taps } from './taps.ts'

/** Everything that comes from chat apps: kept first, then handed on. */
export type InboundSide = {
  readonly receive: Receive
  readonly bindings: Bindings
  /** The addresses themselves, for parts that look into them. */
  readonly streams: StreamHandler<BindingState, BindingCommand>
  start(): void
  stop(graceMs: number): Promise<void>
}

export function inboundSide(parts: {
  store: Store
  committer: Committer
  channels: { get(name: string): Channel | undefined }
  ports: InboundPorts
  clock: Clock
  log: Log
  metrics: Metrics
  newCode?: () => string
}): InboundSide {
  const bindings = streamHandler(bindingKind, parts.store, parts.committer)
  const routes = router({ ...parts, bindings })
  const tapped = taps({ ...parts, bindings })
  return {
    receive: receiving({ ...parts, bindings }),
    bindings: bindingsOver({ ...parts, bindings }),
    streams: bindings,
    start() {
      routes.start()
      tapped.start()
    },
    async stop(graceMs) {
      await Promise.all([routes.stop(graceMs), tapped.stop(graceMs)])
    },
  }
}
