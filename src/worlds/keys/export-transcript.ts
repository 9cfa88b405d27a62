import { canonicalJson } from '../../authority/tool-hash.ts'
import type { KeptHead, KeptTurn } from '../rules/transcript-events.ts'
import { chainStart } from '../rules/turn-chain.ts'
import { sha256, signStatement } from './statements.ts'
import type { SigningKey } from './signing-key.ts'

type Transcript = { intent: string; you: string; peer: string; turns: readonly KeptTurn[]; peerHead: KeptHead | null }

/** One head on a line, as a side hands it out to show how far the other has come. */
export const headLine = (intent: string, { by, turn, hash, key, signature }: KeptHead): string =>
  `${canonicalJson({ type: 'head', by, intent, turn, hash, key, signature })}\n`

/**
 * The transcript as lines of canonical JSON for `scripts/verify-transcript.mjs`: what was signed and nothing else. The
 * exporter signs the end, so that a shorter file needs the exporter's own key.
 */
export async function exportTranscript({ intent, you, peer, turns, peerHead }: Transcript, key: SigningKey): Promise<string> {
  const head = turns.at(-1)?.hash ?? chainStart(intent, sha256)
  const own = { by: you, intent, turn: turns.length, hash: head }
  const signature = await signStatement({ kind: 'head', value: own }, key)
  const heads = [{ ...own, key: key.publicKey, signature }, ...(peerHead ? [peerHead] : [])]
  return [
    `${canonicalJson({ type: 'transcript', v: 1, intent, you, peer })}\n`,
    ...turns.map(
      (turn) =>
        `${canonicalJson({
          type: 'turn',
          from: turn.from,
          to: turn.to,
          intent: turn.intent,
          turn: turn.turn,
          previous: turn.previous,
          text: turn.text,
          hash: turn.hash,
          key: turn.key,
          signature: turn.signature,
        })}\n`,
    ),
    ...heads.map((each) => headLine(intent, each)),
    `${canonicalJson({ type: 'end', turns: turns.length, head, heads: heads.map(({ by }) => by) })}\n`,
  ].join('')
}
