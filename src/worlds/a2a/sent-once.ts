import type { Store } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'

/** Where a message of a guest goes. It is noted before anything is done with it. */
export type Destination = { request: string; delivery: string | null; turn: number }

/**
 * A message id of a guest is used once. The second time the first destination is returned, so that a message that is sent again
 * goes to the same turn: it is found there, or written if the process ended before.
 */
export const sentOnce =
  ({ store, committer }: { store: Store; committer: Committer }) =>
  async (account: string, messageId: string, destination: Destination): Promise<Destination> => {
    const key = `a2a-message:${account}:${messageId}`
    const previous = await store.remembered(key)
    if (previous) return previous.value as Destination
    const result = await committer.commit({ once: [{ key, value: destination }] })
    return !result.ok && result.why === 'seen' ? (result.value as Destination) : destination
  }
