import type { Refusal } from '../../errors.ts'
import type { Participant, Via } from './dialog-events.ts'
import type { EmergencyEvent } from './emergency-events.ts'
import type { EmergencyState } from './emergency-state.ts'

export type EmergencyCommand = { type: 'set-emergency' | 'lift-emergency'; at: number; by: Participant; via: Via | null }

/** Setting or lifting it twice is no error and leaves no event. */
export function decideEmergency(state: EmergencyState, command: EmergencyCommand): { events: EmergencyEvent[] } | { refused: Refusal } {
  const { type, at, by, via } = command
  if ((type === 'set-emergency') === (state.stop !== null)) return { events: [] }
  return { events: [{ type: type === 'set-emergency' ? 'emergency.set' : 'emergency.lifted', at, data: { by, via } }] }
}
