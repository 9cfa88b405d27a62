import type { Caller } from '../src/shapes/parley.ts'

export const caller: Caller = { by: { kind: 'human', name: 'ben' }, via: 'bench' }

/** The message of the human in a turn: as long as a short sentence, and different each time. */
export const words = (turn: number): string => `Number ${turn}: please look up the order from last week and tell me whether it fits.`
