import type { Tokens } from './prepare-button.ts'

/** Tokens for looking at a message without sending it: the same value always gets the same one, and nothing is stored. */
export const previewTokens: Tokens = {
  tokenFor(value) {
    // FNV-1a over both halves: short and stable. A preview is never tapped.
    let hash = 0xcbf29ce484222325n
    for (let at = 0; at < value.length; at += 1) hash = BigInt.asUintN(64, (hash ^ BigInt(value.charCodeAt(at))) * 0x100000001b3n)
    return hash.toString(36)
  },
}
