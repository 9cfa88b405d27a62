import { decideEmergency, type EmergencyCommand } from '../rules/decide-emergency.ts'
import type { EmergencyEvent } from '../rules/emergency-events.ts'
import { type EmergencyState, evolveEmergency, initialEmergency } from '../rules/emergency-state.ts'
import type { StreamKind } from '../../streams/decider.ts'

export const emergencyKind: StreamKind<EmergencyState, EmergencyCommand, EmergencyEvent> = {
  initial: initialEmergency,
  decide: decideEmergency,
  evolve: evolveEmergency,
  consequences: () => ({}),
  sample: { ...initialEmergency, stop: { by: '', at: 0 } },
  weigh: () => 200,
}
