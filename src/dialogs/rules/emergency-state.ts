import type { EmergencyEvent } from './emergency-events.ts'

export type EmergencyState = { seq: number; stop: { by: string; at: number } | null }

export const initialEmergency: EmergencyState = { seq: 0, stop: null }

export function evolveEmergency(state: EmergencyState, event: EmergencyEvent): EmergencyState {
  const seq = state.seq + 1
  return event.type === 'emergency.set' ? { seq, stop: { by: event.data.by.name, at: event.at } } : { seq, stop: null }
}
