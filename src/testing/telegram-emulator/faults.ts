import type { Params } from './request-body.ts'
import type { TelegramFault } from './telegram-fault.ts'

/** What goes wrong with a call. */
export type Trouble =
  | { does: 'answer'; fault: TelegramFault }
  /** The connection is cut and nothing happened. `first` is done before that, such as ending whoever called. */
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
  /** How many calls it meets; 1 unless told. */
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
      const found = planned.find(
        ({ fault, left }) =>
          left > 0 && (fault.method === undefined ? method !== 'getUpdates' : fault.method === method) && (fault.when?.(params) ?? true),
      )
      if (!found) return null
      found.left -= 1
      return found.fault
    },
  }
}
