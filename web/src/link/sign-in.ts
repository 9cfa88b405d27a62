import { ClientError } from '../../../src/client/index.ts'
import type { ErrorWords } from '../../../src/client/wire.ts'
import { client } from './page-client.ts'

/**
 * Takes the one-time key out of the address before anything else can see or keep it. It stands behind `#k=` at any address,
 * and alone behind `#` at /sign-in, which is no page of its own.
 */
export function takeKey(): string | null {
  const isDoor = location.pathname === '/sign-in'
  const found = /^#k=(.+)$/.exec(location.hash) ?? (isDoor ? /^#(.+)$/.exec(location.hash) : null)
  if (found || isDoor) history.replaceState(history.state, '', (isDoor ? '/' : location.pathname) + location.search)
  return found ? decodeURIComponent(found[1] ?? '') : null
}

/** Why signing in did not work; null when it did. A stale link is no harm to somebody who is signed in already. */
export async function signIn(key: string): Promise<ErrorWords | null> {
  try {
    await client.signIn(key)
    return null
  } catch (error) {
    return asWords(error)
  }
}

export function asWords(error: unknown): ErrorWords {
  if (error instanceof ClientError) return { code: error.code, message: error.message, hint: error.hint }
  return { code: 'internal', message: error instanceof Error ? error.message : String(error), hint: '' }
}
