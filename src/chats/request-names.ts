import { ParleyError } from '../errors.ts'
import type { Caller } from '../shapes/parley.ts'
import type { Store } from '../ports/store.ts'
import type { Committer } from '../streams/committer.ts'

export type NameRequest = (what: string, caller: Caller) => Promise<{ once?: string }>

/**
 * Gives the once-only name that a request with an Idempotency-Key is handled under; nothing for a request without one.
 * Refuses a key that was used for a different request of the same kind.
 */
export function requestNames(store: Store, committer: Committer): NameRequest {
  return async (what, { by, once }) => {
    if (!once) return {}
    const name = `${what}:${by.name}:${once.key}`
    const key = `asked:${name}`
    const first = await store.remembered(key)
    if (first && first.value !== once.request) throw new ParleyError('key_reused', {})
    if (!first) await committer.commit({ once: [{ key, value: once.request }] })
    return { once: name }
  }
}
