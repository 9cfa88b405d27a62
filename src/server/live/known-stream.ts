import { isPrivateStream } from '../access/access.ts'
import { ParleyError } from '../errors.ts'
import type { Parley } from '../ports/parley.ts'

/** Throws for a stream that has no events, and for the one that is nobody's to read. */
export async function mustExist(parley: Parley, stream: string): Promise<void> {
  if (isPrivateStream(stream) || (await parley.events.position(stream)) === 0) throw new ParleyError('dialog_not_found', { dialog: stream })
}
