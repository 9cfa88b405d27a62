import { isPrivateStream } from '../auth/access.ts'
import { ParleyError } from '../../errors.ts'
import type { Parley } from '../../shapes/parley.ts'

/** Throws for a stream without events, and for the internal one. */
export async function mustExist(parley: Parley, stream: string): Promise<void> {
  if (isPrivateStream(stream) || (await parley.events.position(stream)) === 0) throw new ParleyError('dialog_not_found', { dialog: stream })
}
