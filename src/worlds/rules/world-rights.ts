import { type Refusal, refuse } from '../../errors.ts'
import type { WorldState } from './world-state.ts'

/** Null for the owner of the world, who alone may change it. */
export const refuseOthers = (state: WorldState, by: string): { refused: Refusal } | null =>
  by === state.owner ? null : refuse('world_owner_only', { world: state.world })
