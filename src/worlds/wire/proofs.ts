import type { Refusal } from '../../errors.ts'
import { refuse } from '../../errors.ts'
import type { Identity } from '../keys/identity-file.ts'
import { isPublicKey, keyName } from '../keys/signing-key.ts'
import { type Proof, sha256, signStatement, verifyStatement } from '../keys/statements.ts'
import type { WireLimits } from './wire-limits.ts'

export type SignedProof = Proof & { signature: string }

export async function makeProof(identity: Identity, host: string, nonce: string, at: number): Promise<SignedProof> {
  const proof: Proof = { host, name: identity.name, key: identity.key.publicKey, nonce, at }
  return { ...proof, signature: await signStatement({ kind: 'proof', value: proof }, identity.key) }
}

/** The request that a proof over HTTP belongs to. */
export const requestNonce = (operation: string, body: string): string => sha256(`${operation}\n${body}`)

type Expected = { hosts: readonly string[]; nonce: string; now: number; limits: WireLimits }

/** That the sender holds the key it names. Whether the key belongs to the account is decided by the caller. */
export async function checkProof({ signature, ...proof }: SignedProof, expected: Expected): Promise<{ refused: Refusal } | null> {
  const { hosts, nonce, now, limits } = expected
  if (!isPublicKey(proof.key)) return refuse('account_not_proven', { why: 'the key cannot be read' })
  if (!hosts.includes(proof.host)) return refuse('account_not_proven', { why: 'it was made for another host' })
  if (proof.nonce !== nonce) return refuse('account_not_proven', { why: 'it was made for another request' })
  if (Math.abs(now - proof.at) > limits.proofAgeMs) return refuse('account_not_proven', { why: 'it is too old or from the future' })
  const isValid = await verifyStatement({ kind: 'proof', value: proof }, signature, proof.key)
  return isValid ? null : refuse('account_not_proven', { why: 'the signature does not fit' })
}

/** Only the key that an account was opened with can open it; later ones follow by rotation. */
export const isFirstKey = ({ name, key }: Proof): boolean => keyName(key) === name
