import type { KeptHead, KeptTurn } from '../../rules/transcript-events.ts'
import { chainStart, turnHash } from '../../rules/turn-chain.ts'
import { makePrivateJwk, readSigningKey, type SigningKey } from '../signing-key.ts'
import { sha256, signStatement } from '../statements.ts'

export function newKey(): SigningKey {
  const key = readSigningKey(makePrivateJwk())
  if (!key) throw new Error('a new key cannot be read')
  return key
}

export type Participant = { code: string; key: SigningKey }

/** A whole chain; the participants write in turn. */
export async function signTalk(intent: string, [one, other]: [Participant, Participant], texts: readonly string[]): Promise<KeptTurn[]> {
  const turns: KeptTurn[] = []
  for (const [index, text] of texts.entries()) {
    const [writer, reader] = index % 2 === 0 ? [one, other] : [other, one]
    const previous = turns.at(-1)?.hash ?? chainStart(intent, sha256)
    const value = { from: writer.code, to: reader.code, intent, turn: index + 1, previous, text }
    const signature = await signStatement({ kind: 'turn', value }, writer.key)
    turns.push({ ...value, hash: turnHash(value, sha256), key: writer.key.publicKey, signature })
  }
  return turns
}

export async function signHead(intent: string, { code, key }: Participant, turn: number, hash: string): Promise<KeptHead> {
  const signature = await signStatement({ kind: 'head', value: { by: code, intent, turn, hash } }, key)
  return { by: code, turn, hash, key: key.publicKey, signature }
}
