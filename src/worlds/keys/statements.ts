import { createHash } from 'node:crypto'
import { CompactSign, compactVerify } from 'jose'
import { canonicalJson } from '../../authority/tool-hash.ts'
import { type ChainedTurn, turnBytes } from '../rules/turn-chain.ts'
import { importPublicKey, isCanonical, isPublicKey, type SigningKey } from './signing-key.ts'

/** The last turn of an intent that a side has seen. Each side keeps the latest of the other: a transcript that ends earlier was cut. */
export type Head = { by: string; intent: string; turn: number; hash: string }

/**
 * Proof that a connection or a request comes from the holder of a key. `name` is the lasting name of the account, the
 * thumbprint of its first key. `host` keeps the proof from being used at another host, `nonce` from being used for anything
 * else: it is the challenge of a connection or the hash of a request.
 */
export type Proof = { host: string; name: string; key: string; nonce: string; at: number }

/** Each kind has a type of its own in the signed header, so a signature is valid for one kind alone. */
type Statement = { kind: 'turn'; value: ChainedTurn } | { kind: 'head'; value: Head } | { kind: 'proof'; value: Proof }

const encodeStatement = ({ kind, value }: Statement): string => (kind === 'turn' ? turnBytes(value) : canonicalJson(value))

const formatType = (kind: Statement['kind']): string => `parley-${kind}`

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export const statementLimits = { signatureChars: 400 } as const

/** A JWS with detached content (RFC 7515, appendix F): `header..signature`. */
export async function signStatement(statement: Statement, { publicKey, privateKey }: SigningKey): Promise<string> {
  const compact = await new CompactSign(Buffer.from(encodeStatement(statement)))
    .setProtectedHeader({ alg: 'Ed25519', kid: publicKey, typ: formatType(statement.kind) })
    .sign(privateKey)
  const [header, , signature] = compact.split('.')
  return `${header}..${signature}`
}

/** True only for a signature by exactly this key. The key comes from a pin, never from the signature. */
export async function verifyStatement(statement: Statement, signature: string, publicKey: string): Promise<boolean> {
  if (signature.length > statementLimits.signatureChars || !isPublicKey(publicKey)) return false
  const [header, gap, proof = '', ...rest] = signature.split('.')
  if (gap !== '' || rest.length > 0 || !isCanonical(proof)) return false
  const content = Buffer.from(encodeStatement(statement)).toString('base64url')
  try {
    const { protectedHeader } = await compactVerify(`${header}.${content}.${proof}`, importPublicKey(publicKey), {
      algorithms: ['Ed25519'],
    })
    return protectedHeader.typ === formatType(statement.kind) && protectedHeader.kid === publicKey
  } catch {
    return false
  }
}
