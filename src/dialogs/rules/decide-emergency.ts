import type { Refusal } from '../errors.ts'
import type { Participant, Via } from './events.ts'

/**
 * The emergency stop: one record for everything. While it is set no turn starts in any dialog or build, also not in those
 * opened later. Messages are taken and wait.
 */
export const emergencyStream = 'emergency-stop'

export type EmergencyEvent =
  | { type: 'emergency.set'; at: number; data: { by: Participant; via: Via | null } }
  | { type: 'emergency.lifted'; at: number; data: { by: Participant; via: Via | null } }

export type EmergencyCommand = { type: 'set-emergency' | 'lift-emergency'; at: number; by: Participant; via: Via | null }

export type EmergencyState = { seq: number; stop: { by: string; at: number } | null }

export const initialEmergency: EmergencyState = { seq: 0, stop: null }

/** Setting it twice or lifting it twice is no error and leaves no event. */
export function decideEmergency(state: EmergencyState, command: EmergencyCommand): { events: EmergencyEvent[] } | { refused: Refusal } {
  const { type, at, by, via } = command
  if ((type === 'set-emergency') === (state.stop !== null)) return { events: [] }
  return { events: [{ type: type === 'set-emergency' ? 'emergency.set' : 'emergency.lifted', at, data: { by, via } }] }
}

export function evolveEmergency(state: EmergencyState, event: EmergencyEvent): EmergencyState {
  const seq = state.seq + 1
  return event.type === 'emergency.set' ? { seq, stop: { by: event.data.by.name, at: event.at } } : { seq, stop: null }
}
