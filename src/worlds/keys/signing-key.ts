import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'

/** A private key in the form of RFC 8037. `x` is the public key, 32 bytes in base64url. */
export type PrivateJwk = { kty: 'OKP'; crv: 'Ed25519'; x: string; d: string }

/** The pair of one account. `publicKey` is how accounts, pins and share cards write it. */
export type SigningKey = { publicKey: string; privateKey: KeyObject }

const base64url32 = /^[\w-]{43}$/

export const isPublicKey = (text: string): boolean => base64url32.test(text) && isCanonical(text)

/** The last character may carry unused bits: only one spelling of the same bytes is accepted. */
export const isCanonical = (text: string): boolean => Buffer.from(text, 'base64url').toString('base64url') === text

export function makePrivateJwk(): PrivateJwk {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as { x: string; d: string }
  return { kty: 'OKP', crv: 'Ed25519', x, d }
}

/** Null for anything but a whole pair whose halves belong together. */
export function readSigningKey(value: unknown): SigningKey | null {
  if (typeof value !== 'object' || value === null) return null
  const { kty, crv, x, d } = value as Record<string, unknown>
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string' || typeof d !== 'string') return null
  if (!isPublicKey(x) || !isPublicKey(d)) return null
  const privateKey = createPrivateKey({ format: 'jwk', key: { kty, crv, x, d } })
  return createPublicKey(privateKey).export({ format: 'jwk' })['x'] === x ? { publicKey: x, privateKey } : null
}

export const importPublicKey = (publicKey: string): KeyObject =>
  createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: publicKey } })

/** Thumbprint of a key (RFC 7638). */
export const keyName = (publicKey: string): string =>
  createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${publicKey}"}`).digest('base64url')

/** 64 bits of the key's hash in groups of four, short enough for two people to compare aloud. */
export const fingerprint = (publicKey: string): string =>
  (createHash('sha256').update(publicKey).digest('hex').slice(0, 16).match(/.{4}/g) ?? []).join(' ')
