import type { Params } from './request-body.ts'
import type { TelegramFault } from './telegram-fault.ts'

/** A fault injected into a call. */
export type Trouble =
  | { does: 'answer'; fault: TelegramFault }
  /** The connection is cut and nothing happened. `first` runs before that, such as ending the calling process. */
  | { does: 'drop-before'; first?: () => unknown }
  /** It happened, and the connection is cut before the answer. */
  | { does: 'drop-after'; first?: () => unknown }
  /** It happened and was answered; only then `act` is called. */
  | { does: 'afterwards'; act: () => unknown }
  /** Something on the way answers in HTML. */
  | { does: 'garbage'; status: number }
  /** Waits before it happens, or between the effect and the answer. */
  | { does: 'hold-before' | 'hold-after'; until: Promise<unknown> }
  | { does: 'slow'; delayMs: number }

export type PlannedFault = Trouble & {
  /** One method; without it, every method but getUpdates. */
  method?: string
  when?: (params: Params) => boolean
  /** Number of calls that fail; 1 by default. */
  times?: number
}

export function faultPlan() {
  let planned: { fault: PlannedFault; left: number }[] = []
  return {
    add(fault: PlannedFault): void {
      planned.push({ fault, left: fault.times ?? 1 })
    },
    clear(): void {
      planned = []
    },
    take(method: string, params: Params): Trouble | null {
      const match = planned.find(
        ({ fault, left }) =>
          left > 0 && (fault.method === undefined ? method !== 'getUpdates' : fault.method === method) && (fault.when?.(params) ?? true),
      )
      if (!match) return null
      match.left -= 1
      return match.fault
    },
  }
}
