import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'
import { streamHandler } from '../../streams/stream-handler.ts'
import { transcriptStream } from '../rules/streams.ts'
import type { KeptHead } from '../rules/transcript-events.ts'
import { transcriptKind } from './transcript-kind.ts'

/** The latest signed head of each side, which the host hands to the other side. */
export type Heads = {
  /** False if it is no news or contradicts an earlier one. */
  keep(request: string, head: KeptHead): Promise<boolean>
  find(request: string, by: string): Promise<KeptHead | null>
}

const hostSide = 'host'

export function keptHeads({ store, committer, clock }: { store: Store; committer: Committer; clock: Clock }): Heads {
  const transcripts = streamHandler(transcriptKind, store, committer)
  const stream = (request: string): string => transcriptStream(request, hostSide)
  return {
    async keep(request, head) {
      const handled = await transcripts.handle(stream(request), [{ type: 'keep-head', at: clock.now(), head }])
      return handled.ok && handled.events.length > 0
    },
    async find(request, by) {
      const { heads } = await transcripts.known(stream(request))
      return (Object.hasOwn(heads, by) ? heads[by] : undefined) ?? null
    },
  }
}
