import type { GrantView } from '../../../src/shapes/wire.ts'

export const isInForce = ({ end, until }: Pick<GrantView, 'end' | 'until'>, now: number): boolean => end === null && until > now

/** A grant whose time is over has no event that says so. */
export const endedAt = ({ end, until }: Pick<GrantView, 'end' | 'until'>): number => end?.at ?? until
