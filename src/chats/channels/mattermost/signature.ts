import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import { mattermostLimits } from './limits.ts'

/**
 * The context of an action, which Mattermost shows to no client and returns with a tap. It names the address, because a tap
 * does not tell the thread of its post. `value` is missing for a select, whose chosen option the client sends.
 */
export type ActionContext = { address: string; value?: string; signature: string }

export type SignContext = (address: string, value: string | null) => ActionContext

/** Signs with a key that follows from the token, so an account needs no further secret. */
export function contextSigner(token: string): SignContext {
  const key = createHmac('sha256', token).update('parley: context of actions').digest()
  return (address, value) => ({
    address,
    ...(value !== null && { value }),
    signature: createHmac('sha256', key)
      .update(JSON.stringify([address, value]))
      .digest('base64url'),
  })
}

export function isOwnContext({ address, value, signature }: ActionContext, sign: SignContext): boolean {
  const expected = Buffer.from(sign(address, value ?? null).signature)
  const actual = Buffer.from(signature)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** The key in the `AsymmetricSigningPublicKey` of the server's client configuration; null for one that cannot be read. */
export function readPublicKey(base64: string): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
  } catch {
    return null
  }
}

/**
 * The id of a tap, if the server signed it for this person a short time ago; null otherwise. A `trigger_id` is base64 of
 * `id:user:milliseconds:signature`, where the signature covers what stands before it: server/public/model/integration_action.go.
 */
export function readTrigger(triggerId: string, user: string, key: KeyObject, now: number): string | null {
  const text = Buffer.from(triggerId, 'base64').toString('latin1')
  const [, signed = '', id = '', by = '', time = '', signature = ''] =
    /^(([a-z0-9]{26}):([a-z0-9]{26}):(\d{1,15}):)([A-Za-z0-9+/=]{1,200})$/.exec(text) ?? []
  if (id === '' || by !== user || Math.abs(now - Number(time)) > mattermostLimits.replayMs) return null
  return verify('sha256', Buffer.from(signed), key, Buffer.from(signature, 'base64')) ? id : null
}
