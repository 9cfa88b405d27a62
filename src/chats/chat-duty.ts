import type { Reading } from '../ports/channel-kind.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Hints, Store } from '../ports/store.ts'
import type { Committer } from '../streams/committer.ts'
import { pump, type Work } from '../streams/pump.ts'

/** Claimed for as long as a process serves the chats. It refers to no once-only name. */
export const chatDutyWork = 'chats'

export type ChatDuty = {
  readonly reading: Reading
  start(): void
  stop(graceMs: number): Promise<void>
}

type Parts = {
  store: Store
  committer: Committer
  clock: Clock
  log: Log
  metrics: Metrics
  /** Called when this process is the one that serves the chats. */
  begin(): void
  end(graceMs: number): Promise<void>
}

export const chatDutyLimits = { endMs: 5_000 } as const

/**
 * Of several processes on one store, one serves the chats: it reads the updates of accounts, sends what is due within the
 * rates of the platforms, and shows previews and typing signs. The duty is work under a lease, so another process takes it
 * over when this one ends or does not answer.
 */
export function chatDuty({ store, committer, clock, log, metrics, begin, end }: Parts): ChatDuty {
  let isOn = false
  let endMs: number = chatDutyLimits.endMs
  const waiting = new Set<() => void>()

  const change = (next: boolean): void => {
    isOn = next
    for (const resolve of waiting) resolve()
  }

  async function handle({ lease, signal }: Work): Promise<void> {
    change(true)
    begin()
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    })
    change(false)
    await end(endMs)
    await committer.commit({ lease, settle: { retryAt: clock.now(), forgive: true }, repeatable: true })
  }

  const duty = pump({ store, clock, log, metrics, kind: chatDutyWork, slots: 1, handle })

  async function offer(): Promise<void> {
    if ((await store.nextDue(chatDutyWork)) !== null) return
    await committer.commit({ wake: [{ kind: chatDutyWork, key: chatDutyWork, at: clock.now() }], repeatable: true })
  }

  return {
    reading: {
      get isOn() {
        return isOn
      },
      async until(wanted, signal) {
        while (isOn !== wanted && !signal.aborted) {
          await new Promise<void>((resolve) => {
            const finish = (): void => {
              waiting.delete(finish)
              signal.removeEventListener('abort', finish)
              resolve()
            }
            waiting.add(finish)
            signal.addEventListener('abort', finish)
          })
        }
      },
    },
    start() {
      offer().catch((error: unknown) => log('error', 'the chats could not be taken up', { error }))
      duty.start()
    },
    stop(graceMs) {
      // Running work ends early enough to give the duty back.
      endMs = graceMs * 0.8
      return duty.stop(graceMs)
    },
  }
}

/** Hints that arrive only while `isOn`. */
export const hintsWhile = (hints: Hints, isOn: () => boolean): Hints => ({
  onStream: (listen) => hints.onStream((...hint) => isOn() && listen(...hint)),
  onWork: (listen) => hints.onWork((kind) => isOn() && listen(kind)),
  onDelta: (listen) => hints.onDelta((delta) => isOn() && listen(delta)),
  publish: (delta) => hints.publish(delta),
})
