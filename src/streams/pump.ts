import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Lease, Store } from '../ports/store.ts'

/**
 * Takes due work of one kind and hands it out, a bounded number at a time.
 *
 * | mode     | entered when                    | it claims                                            | left when            |
 * |----------|---------------------------------|------------------------------------------------------|----------------------|
 * | idle     | nothing is due                  | on a hint, at the next due time, on a slow backstop  | work is claimed      |
 * | busy     | work is claimed, slots are free | as idle, and each time a slot becomes free           | all slots are taken  |
 * | full     | all slots are taken             | not at all                                           | a slot becomes free  |
 * | stopping | stop() was called               | never again; what runs is told to end                | nothing runs any more|
 *
 * Leases are extended while work runs. A lost lease aborts its work: another process has it now.
 */
export type Pump = {
  start(): void
  /** Looks for due work now, without waiting for a hint. */
  look(): void
  /** Asks running work to end and waits for it, at most `graceMs`. */
  stop(graceMs: number): Promise<void>
  readonly running: number
}

export const pumpLimits = { leaseMs: 30_000, heartbeatMs: 10_000, backstopMs: 1_000, failedRetryMs: 5_000 } as const

export type StopReason = 'shutdown' | 'lost'

export type Work = {
  lease: Lease
  /** Aborts with a StopReason. */
  signal: AbortSignal
}

type Parts = {
  store: Store
  clock: Clock
  log: Log
  metrics: Metrics
  kind: string
  slots: number
  /** Does the work and settles it. What it throws is a fault of ours: logged, and tried again later. */
  handle(work: Work): Promise<void>
  /** Asked before each claim. While it says no, due work stays where it is. */
  mayClaim?(): Promise<boolean>
  /** Called with every heartbeat, for what must not depend on hints alone. */
  onHeartbeat?(): void
}

type Running = { lease: Lease; controller: AbortController; ended: Promise<void> }

export function pump({ store, clock, log, metrics, kind, slots, handle, mayClaim, onHeartbeat }: Parts): Pump {
  /** Not a `Map`: see `ChurnMap`. */
  const active: Running[] = []
  /** Between which times of the clock the leases of running work are known to hold. */
  let heldFrom = -Infinity
  let heldUntil = Infinity
  let mode: 'off' | 'on' | 'stopping' = 'off'
  const isOn = (): boolean => mode === 'on'
  let isClaiming = false
  let claim: Promise<void> = Promise.resolve()
  let again = false
  let scheduled = false
  let cancelTimer = (): void => {}
  let cancelHeartbeat = (): void => {}
  let stopListening = (): void => {}
  let onIdle: (() => void) | null = null

  // Several reasons to look within one turn of the loop are one look.
  const look = (): void => {
    if (scheduled || mode !== 'on') return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      if (isClaiming) again = true
      else claim = claimDue()
    })
  }

  async function claimDue(): Promise<void> {
    if (!isOn()) return
    const free = slots - active.length
    if (free <= 0) return
    isClaiming = true
    try {
      if (mayClaim && !(await mayClaim())) return setTimer(pumpLimits.backstopMs)
      // A clock that was set forward has let our own leases run out, and one that was set back has moved them.
      if (active.length > 0 && (clock.now() >= heldUntil || clock.now() < heldFrom)) await renew()
      const leases = await store.claim(kind, free, pumpLimits.leaseMs)
      // Stopped meanwhile: this work would run on a store that is about to close, and no stop would end it.
      if (!isOn()) return await giveBack(leases)
      if (active.length === 0) [heldFrom, heldUntil] = [-Infinity, Infinity]
      for (const { until } of leases) {
        heldFrom = Math.max(heldFrom, until - pumpLimits.leaseMs)
        heldUntil = Math.min(heldUntil, until)
      }
      for (const lease of leases) run(lease)
      if (leases.length === free) again = active.length < slots
      else await sleepUntilDue()
    } catch (error) {
      log('error', 'could not look for work', { kind, error })
      setTimer(pumpLimits.backstopMs)
    } finally {
      isClaiming = false
      if (again) {
        again = false
        look()
      }
    }
  }

  async function giveBack(leases: readonly Lease[]): Promise<void> {
    const settle = { retryAt: clock.now(), forgive: true }
    if (leases.length > 0) await store.commit(leases.map((lease) => ({ lease, settle })))
  }

  async function sleepUntilDue(): Promise<void> {
    const due = await store.nextDue(kind)
    setTimer(due === null ? pumpLimits.backstopMs : Math.min(Math.max(due - clock.now(), 0), pumpLimits.backstopMs))
  }

  function setTimer(delayMs: number): void {
    cancelTimer()
    if (mode === 'on') cancelTimer = clock.after(delayMs, look)
  }

  function run(lease: Lease): void {
    const controller = new AbortController()
    const earlier = active.filter((running) => running.lease.key === lease.key)
    for (const running of earlier) running.controller.abort('lost' satisfies StopReason)
    active.push({ lease, controller, ended: runAfter(earlier, lease, controller.signal) })
  }

  /** Work whose lease ran out while it ran here can be claimed again: its second run waits until the first has ended. */
  async function runAfter(earlier: readonly Running[], lease: Lease, signal: AbortSignal): Promise<void> {
    await Promise.all(earlier.map(({ ended }) => ended))
    try {
      await handle({ lease, signal })
    } catch (error) {
      metrics.count('work_faults_total', 1, { kind })
      log('error', 'work failed unexpectedly and is tried again', { kind, work: lease.key, attempts: lease.attempts, error })
      const retryAt = clock.now() + pumpLimits.failedRetryMs * Math.min(lease.attempts, 12)
      await store
        .commit([{ lease, settle: { retryAt } }])
        .catch((cause: unknown) => log('error', 'could not give work back', { kind, cause }))
    } finally {
      active.splice(
        active.findIndex((running) => running.lease === lease),
        1,
      )
      if (active.length === 0) onIdle?.()
      look()
    }
  }

  async function renew(): Promise<void> {
    const from = clock.now()
    const leases = active.map(({ lease }) => lease)
    for (const { key, epoch } of await store.extend(leases, pumpLimits.leaseMs))
      for (const { lease, controller } of active)
        if (lease.key === key && lease.epoch === epoch) controller.abort('lost' satisfies StopReason)
    heldFrom = from
    heldUntil = from + pumpLimits.leaseMs
  }

  async function heartbeat(): Promise<void> {
    if (active.length > 0) {
      onHeartbeat?.()
      try {
        await renew()
      } catch (error) {
        log('warn', 'could not extend leases', { kind, error })
      }
    }
    if (mode !== 'off') cancelHeartbeat = clock.after(pumpLimits.heartbeatMs, () => void heartbeat())
  }

  return {
    get running() {
      return active.length
    },
    look,
    start() {
      if (mode !== 'off') return
      mode = 'on'
      stopListening = store.hints.onWork((changed) => changed === kind && look())
      cancelHeartbeat = clock.after(pumpLimits.heartbeatMs, () => void heartbeat())
      look()
    },
    async stop(graceMs) {
      if (mode === 'off') return
      mode = 'stopping'
      stopListening()
      cancelTimer()
      if (isClaiming) await within(graceMs, claim)
      for (const { controller } of active) controller.abort('shutdown' satisfies StopReason)
      if (active.length > 0) {
        await new Promise<void>((resolve) => {
          const giveUp = setTimeout(resolve, graceMs)
          onIdle = () => {
            clearTimeout(giveUp)
            resolve()
          }
        })
      }
      mode = 'off'
      cancelHeartbeat()
    },
  }
}

/** Waits for work that ends by itself, or until the time is over. */
function within(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = setTimeout(resolve, ms)
    void work.finally(() => {
      clearTimeout(giveUp)
      resolve()
    })
  })
}
