import type { EmergencyCommand } from '../rules/decide-emergency.ts'
import { emergencyStream } from '../rules/emergency-events.ts'
import { ParleyError } from '../../errors.ts'
import type { EmergencyStop } from '../../ports/emergency-stop.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { Store } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'
import { streamHandler } from '../../streams/stream-handler.ts'
import { emergencyKind } from './emergency-kind.ts'

export type EmergencyControl = EmergencyStop & {
  /** Resolves once the stop is on disk: from then on no turn starts. */
  set(caller: Caller, at: number): Promise<void>
  lift(caller: Caller, at: number): Promise<void>
}

export function emergencyControl(store: Store, committer: Committer): EmergencyControl {
  const streams = streamHandler(emergencyKind, store, committer)

  async function write(type: EmergencyCommand['type'], { by, via }: Caller, at: number): Promise<void> {
    // Loaded first: another process may have set or lifted it, and the handler decides on what it knows.
    await streams.load(emergencyStream)
    const handled = await streams.handle(emergencyStream, [{ type, at, by, via }])
    if (!handled.ok) throw new ParleyError('busy', {}, { retryable: true })
  }

  return {
    current: async () => (await streams.load(emergencyStream)).stop,
    onChange: (listen) => store.hints.onStream((stream) => stream === emergencyStream && listen()),
    set: (caller, at) => write('set-emergency', caller, at),
    lift: (caller, at) => write('lift-emergency', caller, at),
  }
}
