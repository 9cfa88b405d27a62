import { ClientError } from '../../../src/client/index.ts'
import type { ErrorWords } from '../../../src/shapes/wire.ts'
import { basePath } from './base-path.ts'
import { client } from './page-client.ts'
import { errorMessage } from '../../../src/errors/error-message.ts'

/**
 * Takes the one-time key out of the address before anything else can see or keep it. It stands behind `#k=` at any address,
 * and alone behind `#` at /sign-in, which is no page of its own.
 */
export function takeKey(): string | null {
  const isSignInPage = location.pathname === `${basePath}/sign-in`
  const match = /^#k=(.+)$/.exec(location.hash) ?? (isSignInPage ? /^#(.+)$/.exec(location.hash) : null)
  if (match || isSignInPage) history.replaceState(history.state, '', (isSignInPage ? `${basePath}/` : location.pathname) + location.search)
  return match ? decodeURIComponent(match[1] ?? '') : null
}

/** Why signing in did not work; null when it did. A stale link does no harm when the person is already signed in. */
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
  return { code: 'internal', message: errorMessage(error), hint: '' }
}
