import { canonicalJson } from '../../authority/tool-hash.ts'

/** A turn as it is hashed and signed. `previous` is the hash of the turn before it, of the first turn the hash of its intent. */
export type ChainedTurn = { from: string; to: string; intent: string; turn: number; previous: string; text: string }

/** Hexadecimal SHA-256 of UTF-8 text; it comes in as a parameter because this folder uses nothing of Node. */
export type Sha256 = (text: string) => string

/** The bytes that are hashed and signed: JSON with sorted keys, without spaces. Refuse text that is not well formed before. */
export const turnBytes = ({ from, to, intent, turn, previous, text }: ChainedTurn): string =>
  canonicalJson({ from, to, intent, turn, previous, text })

export const turnHash = (turn: ChainedTurn, sha256: Sha256): string => sha256(turnBytes(turn))

export const chainStart = (intent: string, sha256: Sha256): string => sha256(`parley worlds ${intent}`)

export type ChainFault = { turn: number; why: 'number' | 'intent' | 'previous' | 'hash' | 'head' }

/** The first turn that was edited, dropped or moved; null if the chain is whole and ends at `head`. */
export function findChainFault(
  turns: readonly (ChainedTurn & { hash: string })[],
  intent: string,
  head: string,
  sha256: Sha256,
): ChainFault | null {
  let previous = chainStart(intent, sha256)
  for (const [index, turn] of turns.entries()) {
    const number = index + 1
    if (turn.turn !== number) return { turn: number, why: 'number' }
    if (turn.intent !== intent) return { turn: number, why: 'intent' }
    if (turn.previous !== previous) return { turn: number, why: 'previous' }
    if (turnHash(turn, sha256) !== turn.hash) return { turn: number, why: 'hash' }
    previous = turn.hash
  }
  return previous === head ? null : { turn: turns.length, why: 'head' }
}
