import { AsyncLocalStorage } from 'node:async_hooks'
import { ParleyError, errorMessage } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { pluginLimits } from './plugin-limits.ts'

/**
 * Stands between Parley and one plugin: its errors do not get out, and every call has a time limit.
 *
 * fine ──fails──▸ failing ──`failuresInARow` times the same part──▸ set aside until it is set up anew
 *   ◂──the same part works──┘
 */
export type Guard = {
  readonly plugin: string
  isAside(): boolean
  /** Null: it failed, and that was reported. */
  call<Value>(part: string, limitMs: number, act: () => Value | Promise<Value>): Promise<{ value: Value } | null>
  callNow<Value>(part: string, act: () => Value): { value: Value } | null
  /** It waits for Parley: what takes long here is not held against it. */
  lend<Value>(act: () => Promise<Value>): Promise<Value>
  /** Something that it left running went wrong. */
  stray(error: unknown): void
  /** In words; null while nothing is wrong. */
  problem(): string | null
}

/** Says whose code is running, also in what it left running. */
export const ofPlugin = new AsyncLocalStorage<Guard>()

export function guardFor(plugin: string, { clock, log }: { clock: Clock; log: Log }): Guard {
  const inARow = new Map<string, number>()
  let aside = false
  let lent = 0
  let last: { part: string; why: string } | null = null

  function failed(part: string, error: unknown): null {
    const why = toWords(error)
    // The store being busy, slow or full is not the plugin's fault, and mends itself.
    const isOurs = error instanceof ParleyError
    const count = isOurs ? (inARow.get(part) ?? 0) : (inARow.get(part) ?? 0) + 1
    if (!isOurs) inARow.set(part, count)
    last = { part, why }
    log('warn', 'a plugin failed and was passed over', { plugin, part, why, inARow: count })
    if (count >= pluginLimits.failuresInARow && !aside) {
      aside = true
      log('error', 'a plugin failed too often and is set aside until the configuration changes', { plugin, part })
    }
    return null
  }

  function worked(part: string): void {
    inARow.delete(part)
    if (last?.part === part) last = null
  }

  const guard: Guard = {
    plugin,
    isAside: () => aside,
    async call(part, limitMs, act) {
      if (aside) return null
      const { promise: late, reject } = Promise.withResolvers<never>()
      const takeBack = clock.after(limitMs, () =>
        reject(lent > 0 ? new ParleyError('busy') : new Error(`it took longer than ${limitMs} ms`)),
      )
      try {
        // In a microtask of its own, so that throwing and rejecting are the same; and raced against the time limit.
        const value = await Promise.race([ofPlugin.run(guard, async () => act()), late])
        worked(part)
        return { value }
      } catch (error) {
        return failed(part, error)
      } finally {
        takeBack()
        late.catch(() => {})
      }
    },
    callNow(part, act) {
      if (aside) return null
      try {
        const value = ofPlugin.run(guard, act)
        worked(part)
        return { value }
      } catch (error) {
        return failed(part, error)
      }
    },
    async lend(act) {
      lent += 1
      try {
        return await act()
      } finally {
        lent -= 1
      }
    },
    stray: (error) => void failed('background work', error),
    problem() {
      if (last === null) return null
      const { part, why } = last
      return aside
        ? `it failed ${pluginLimits.failuresInARow} times in a row and is set aside (${part}: ${why}). Fix it, then change or save parley.yaml.`
        : `its ${part} failed (${why}). It was passed over, and is asked again next time.`
    },
  }
  return guard
}

/** The first line of whatever was thrown, which may be anything. */
export function toWords(error: unknown): string {
  try {
    const text = errorMessage(error)
    return (text.split('\n', 1)[0] ?? '').replace(/(?<![.\s])[.\s]+$/, '').slice(0, 300) || 'no reason given'
  } catch {
    return 'no reason given'
  }
}
