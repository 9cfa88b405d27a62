import type { PlatformRequest, SendFailure } from '../../../ports/channel.ts'
import { type Clock, pauseFor } from '../../../ports/clock.ts'
import { isRecord } from '../../../shapes/record.ts'

export const threadLimits = { channels: 20_000, tries: 5, retryMs: 1_000 } as const

/** D resources/channel: announcement, public and private threads. */
const threadTypes = new Set<unknown>([10, 11, 12])

type Call = (request: PlatformRequest) => Promise<{ result: unknown } | { failure: SendFailure }>

/** The channel that each thread belongs to. Messages name only the thread. */
export type Threads = {
  /** From an event that describes channels. */
  learn(name: string, data: Record<string, unknown>): void
  /** Null for a channel that is no thread. Throws when Discord does not tell. */
  parentOf(channel: string): Promise<string | null>
}

export function threads(call: Call, clock: Clock, signal: AbortSignal): Threads {
  const parents = new Map<string, string | null>()

  function note(value: unknown): string | null | undefined {
    if (!isRecord(value) || typeof value['id'] !== 'string' || typeof value['type'] !== 'number') return undefined
    const { parent_id: parent } = value
    const isThread = threadTypes.has(value['type'])
    if (isThread && typeof parent !== 'string') return undefined
    const parentId = isThread && typeof parent === 'string' ? parent : null
    if (parents.size >= threadLimits.channels) parents.clear()
    parents.set(value['id'], parentId)
    return parentId
  }

  async function ask(channel: string): Promise<string | null> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await call({ operation: 'get_channel', path: { channel_id: channel } })
      if ('result' in answer) return note(answer.result) ?? null
      const { why, retryable, retryAfterMs } = answer.failure
      // A channel that the bot may not see has no threads for it.
      if (!retryable) return null
      if (attempt >= threadLimits.tries || signal.aborted) throw new Error(`the channel ${channel} is not known: ${why}`)
      await pauseFor(clock, retryAfterMs ?? threadLimits.retryMs, signal)
    }
  }

  return {
    learn(name, data) {
      if (/^(CHANNEL|THREAD)_(CREATE|UPDATE)$/.test(name)) note(data)
      if (name === 'INTERACTION_CREATE') note(data['channel'])
      if (name === 'GUILD_CREATE' || name === 'THREAD_LIST_SYNC')
        for (const one of [...listed(data['channels']), ...listed(data['threads'])]) note(one)
    },
    parentOf: async (channel) => parents.get(channel) ?? (parents.has(channel) ? null : ask(channel)),
  }
}

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])
