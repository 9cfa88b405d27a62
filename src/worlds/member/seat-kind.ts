import type { Consequences, StreamKind } from '../../streams/decider.ts'
import { decideSeat, type SeatCommand } from '../rules/decide-seat.ts'
import type { Timed } from '../rules/decision.ts'
import type { SeatEvent } from '../rules/seat-events.ts'
import { evolveSeat, initialSeat, seatSample, type SeatState } from '../rules/seat-state.ts'
import { seatKey } from './member-rows.ts'
import { memberWork } from './member-work.ts'

/** One side of one chat request as the stream handler runs it. */
export const seatKind: StreamKind<SeatState, Timed<SeatCommand>, SeatEvent> = {
  initial: initialSeat,
  decide: decideSeat,
  evolve: evolveSeat,
  consequences,
  sample: seatSample,
  weigh: (state) => 5_000 + [...state.peerTexts, ...state.ownerTexts].reduce((sum, text) => sum + text.length, 0) + 10_000,
}

/** Every event may make something due; the work looks at the state and does what is left. */
function consequences(_stream: string, events: readonly SeatEvent[], after: SeatState): Consequences {
  const at = events.at(-1)?.at ?? 0
  const key = seatKey(after.request, after.agent)
  const ended = events.some(({ type }) => type === 'seat.ended')
  return {
    wake: after.status === 'accepted' ? [{ kind: memberWork.seat, key, at }, ...(ended ? [{ kind: memberWork.report, key, at }] : [])] : [],
  }
}
