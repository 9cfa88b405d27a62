import { createHash } from 'node:crypto'
import { CompactSign, compactVerify } from 'jose'
import { canonicalJson } from '../../authority/tool-hash.ts'
import { type ChainedTurn, turnBytes } from '../rules/turn-chain.ts'
import { importPublicKey, isCanonical, isPublicKey, type SigningKey } from './signing-key.ts'

/** The last turn of an intent that a side has seen. Each side keeps the latest of the other: a transcript that ends earlier was cut. */
export type Head = { by: string; intent: string; turn: number; hash: string }

/** The owner of `previous` names the key that follows it. */
export type Rotation = { agent: string; key: string; previous: string }

/** Proof that whoever registers or connects has the private key. `host` and `at` keep it from being used elsewhere or later. */
export type Proof = { purpose: 'register' | 'connect'; host: string; key: string; at: number; tokenHash: string }

/** Each kind has a type of its own in the signed header, so a signature is valid for one kind alone. */
type Statement =
  | { kind: 'turn'; value: ChainedTurn }
  | { kind: 'head'; value: Head }
  | { kind: 'rotation'; value: Rotation }
  | { kind: 'proof'; value: Proof }

const bytesOf = ({ kind, value }: Statement): string => (kind === 'turn' ? turnBytes(value) : canonicalJson(value))

const typeOf = (kind: Statement['kind']): string => `parley-${kind}`

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export const statementLimits = { signatureChars: 400 } as const

/** A JWS with detached content (RFC 7515, appendix F): `header..signature`. */
export async function signStatement(statement: Statement, { publicKey, privateKey }: SigningKey): Promise<string> {
  const compact = await new CompactSign(Buffer.from(bytesOf(statement)))
    .setProtectedHeader({ alg: 'Ed25519', kid: publicKey, typ: typeOf(statement.kind) })
    .sign(privateKey)
  const [header, , signature] = compact.split('.')
  return `${header}..${signature}`
}

/** True only for a signature by exactly this key. The key comes from a pin, never from the signature. */
export async function verifyStatement(statement: Statement, signature: string, publicKey: string): Promise<boolean> {
  if (signature.length > statementLimits.signatureChars || !isPublicKey(publicKey)) return false
  const [header, gap, proof = '', ...rest] = signature.split('.')
  if (gap !== '' || rest.length > 0 || !isCanonical(proof)) return false
  const content = Buffer.from(bytesOf(statement)).toString('base64url')
  try {
    const { protectedHeader } = await compactVerify(`${header}.${content}.${proof}`, importPublicKey(publicKey), {
      algorithms: ['Ed25519'],
    })
    return protectedHeader.typ === typeOf(statement.kind) && protectedHeader.kid === publicKey
  } catch {
    return false
  }
}
