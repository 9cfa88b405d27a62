import type { Cause } from '../authority/cause.ts'

/** For tests that call a tool directly: the owner made the turn happen. */
export const ownerCause: Cause = { by: [{ id: 'person:owner', name: 'owner', role: 'owner' }], role: 'owner', origin: 'message' }
