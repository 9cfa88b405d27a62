import type { Fact } from './decision.ts'
import type { ChainedTurn } from './turn-chain.ts'

/** A turn with its signature and the key that made it; both are null for a peer without a key, such as a guest over A2A. */
export type KeptTurn = ChainedTurn & { hash: string; key: string | null; signature: string | null }

/** The signed statement of a side about the last turn it has seen. */
export type KeptHead = { by: string; turn: number; hash: string; key: string; signature: string }

/** The turns of one chat request as one side saw them. They are in the log only with a signature that was checked. */
export type TranscriptEvent = Fact<'turn.kept', KeptTurn> | Fact<'head.kept', KeptHead>
