import { ClientError } from '../../../src/client/index.ts'
import type { ErrorWords } from '../../../src/client/wire.ts'
import { client } from './page-client.ts'

/** Takes the one-time key out of the address before anything else can see or keep it. */
export function takeKey(): string | null {
  const found = /^#k=(.+)$/.exec(location.hash)
  if (!found) return null
  history.replaceState(history.state, '', location.pathname + location.search)
  return decodeURIComponent(found[1] ?? '')
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
