import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Takes the same time whatever differs. */
export function isSame(one: string, other: string): boolean {
  const firstDigest = createHash('sha256').update(one).digest()
  const right = createHash('sha256').update(other).digest()
  return timingSafeEqual(firstDigest, right)
}

/** `purpose` keeps what was signed for one thing from being used for another. */
export const sign = (secret: string, purpose: string, text: string): string =>
  createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url')

/** Data that only this server can have made, as text for a link or a cookie. */
export function seal(secret: string, purpose: string, data: object): string {
  const body = Buffer.from(JSON.stringify(data)).toString('base64url')
  return `${body}.${sign(secret, purpose, body)}`
}

/** The sealed value, or null when it was not sealed here for this purpose. */
export function unseal(secret: string, purpose: string, sealed: string): unknown {
  if (sealed.length > 2_000) return null
  const [body, signature, ...more] = sealed.split('.')
  if (body === undefined || signature === undefined || more.length > 0 || !isSame(signature, sign(secret, purpose, body))) return null
  return JSON.parse(Buffer.from(body, 'base64url').toString())
}
