import { createHash } from 'node:crypto'
import { isPrivateHost } from '../shapes/private-host.ts'
import type { Subscription } from './subscriptions.ts'
import { encryptPush, type PushKeys, signPush } from './web-push.ts'

export const pushLimits = {
  /** Push services take 4,096 bytes with the header and the tag. */
  messageBytes: 3_500,
  sendTimeoutMs: 10_000,
  /** A browser that is off gets the message within this time, or not at all. */
  keptMs: 7 * 24 * 60 * 60_000,
  signedForMs: 12 * 60 * 60_000,
} as const

/** The outcome of one message. `gone`: the browser has unsubscribed, so nothing reaches it any more. */
export type Sent =
  | { how: 'sent' }
  | { how: 'gone' }
  | { how: 'retry'; why: string; afterMs: number | null }
  | { how: 'refused'; why: string }

export type PushSender = (to: Pick<Subscription, 'endpoint' | 'keys'>, text: string, about: string) => Promise<Sent>

/** The address comes from a browser, and this server writes to it: it must not reach into the network of the server. */
export const isPublicEndpoint = ({ protocol, hostname, username, port }: URL): boolean =>
  protocol === 'https:' && username === '' && port === '' && !isPrivateHost(hostname)

/** Sends encrypted messages to the push services of browsers. A later message about the same thing replaces one that still waits there. */
export function pushSender(parts: {
  keys: () => Promise<PushKeys>
  contact: () => string
  now: () => number
  mayReach: (endpoint: URL) => boolean
  signal: AbortSignal
}): PushSender {
  const { keys, contact, now, mayReach, signal } = parts
  return async ({ endpoint, keys: browser }, text, about) => {
    const url = new URL(endpoint)
    if (!mayReach(url)) return { how: 'refused', why: 'not a public address' }
    let response: Response
    try {
      response = await fetch(url, {
        method: 'POST',
        headers: {
          authorization: signPush(url, await keys(), contact(), now() + pushLimits.signedForMs),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(pushLimits.keptMs / 1_000),
          urgency: 'high',
          topic: createHash('sha256').update(about).digest('base64url').slice(0, 32),
        },
        body: encryptPush(text, browser),
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(pushLimits.sendTimeoutMs)]),
      })
    } catch {
      return { how: 'retry', why: 'unreachable', afterMs: null }
    }
    await response.body?.cancel()
    const { status, ok } = response
    if (ok) return { how: 'sent' }
    if (status === 404 || status === 410) return { how: 'gone' }
    const why = `HTTP ${status}`
    if (status !== 429 && status < 500) return { how: 'refused', why }
    const seconds = Number(response.headers.get('retry-after'))
    return { how: 'retry', why, afterMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null }
  }
}
