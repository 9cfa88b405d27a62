import type { Participant, Via } from './dialog-events.ts'

/**
 * The emergency stop is one record for everything. While it is set no turn starts in any dialog or build, including those
 * opened later. Messages are accepted and wait.
 */
export const emergencyStream = 'emergency-stop'

export type EmergencyEvent =
  | { type: 'emergency.set'; at: number; data: { by: Participant; via: Via | null } }
  | { type: 'emergency.lifted'; at: number; data: { by: Participant; via: Via | null } }
