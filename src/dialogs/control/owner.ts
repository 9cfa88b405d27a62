import { ownerId } from '../../authority/people.ts'
import type { Caller } from '../../shapes/parley.ts'

/**
 * The caller for a program in which the owner acts. A caller without a role is trusted less: what such a caller wants asks for
 * approval like what a guest wants, and they approve nothing.
 */
export const owner = (name = 'owner', via = 'library'): Caller => ({ by: { kind: 'human', name, id: ownerId, role: 'owner' }, via })
