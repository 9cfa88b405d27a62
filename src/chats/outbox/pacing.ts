import type { CapabilitySheet, RateScope } from '../../ports/channel.ts'
import { deliveryLimits } from './delivery-limits.ts'

/** Where a request goes, as far as rates are concerned: a topic shares the limits of its group. */
export type Place = { place: string; isGroup: boolean }

type Rates = CapabilitySheet['delivery']['rates']

/**
 * Keeps to a platform's rates before the platform has to say so. Each window remembers when its last requests were made, so
 * no window ever holds more than its count: a bucket that refills would let twice as many through at its edge.
 *
 * It lives in memory. A process that has just started does not know what the one before it did, so a window begins as
 * if requests had been made evenly until then: it has one place free and gains the others one by one.
 */
export class Pace {
  #startedAt: number
  #latest: number
  readonly #windows = new Map<string, number[]>()
  readonly #held = new Map<string, number>()

  constructor(startedAt: number) {
    this.#startedAt = startedAt
    this.#latest = startedAt
  }

  /** The earliest time this place may be written to; with an operation, by that operation. */
  freeAt(channel: string, to: Place, rates: Rates, now: number, operation?: string): number {
    this.#followClock(now)
    const scopes: RateScope[] = operation === undefined ? ['address', 'account'] : ['address', 'account', 'method']
    let at = Math.max(now, ...scopes.map((scope) => this.#held.get(holdKey(channel, to, scope, operation)) ?? 0))
    for (const { key, count, perMs } of windowsFor(channel, to, rates)) {
      const window = this.#window(key, count, perMs, now)
      const oldest = window.length < count ? undefined : window[window.length - count]
      if (oldest !== undefined) at = Math.max(at, oldest + perMs)
    }
    return at
  }

  /** Takes a place now, before anything is awaited: two that look at the same moment must not both find it free. */
  take(channel: string, to: Place, rates: Rates, now: number): void {
    for (const { key, count, perMs } of windowsFor(channel, to, rates)) {
      const window = this.#window(key, count, perMs, now)
      window.push(now)
      if (window.length > count) window.splice(0, window.length - count)
    }
    if (this.#windows.size > deliveryLimits.windows) this.#forgetOld(now)
  }

  /** The request that took its place at `from` goes out only at `to`: that is when the platform counts it. */
  move(channel: string, to: Place, rates: Rates, from: number, at: number): void {
    for (const { key } of windowsFor(channel, to, rates)) {
      const window = this.#windows.get(key) ?? []
      const index = window.lastIndexOf(from)
      if (index === -1) continue
      window.splice(index, 1)
      window.push(at)
    }
  }

  /** The platform refuses further requests until then: to this chat, of the whole account, or by this operation. */
  hold(channel: string, to: Place, until: number, scope: RateScope = 'address', operation?: string): void {
    const key = holdKey(channel, to, scope, operation)
    this.#held.set(key, Math.max(until, this.#held.get(key) ?? 0))
  }

  get size(): number {
    return this.#windows.size
  }

  /** When the clock was set back, everything remembered moves with it; otherwise each place would be closed for as long. */
  #followClock(now: number): void {
    const stepMs = this.#latest - now
    this.#latest = now
    if (stepMs <= 0) return
    this.#startedAt -= stepMs
    for (const [key, window] of this.#windows)
      this.#windows.set(
        key,
        window.map((at) => at - stepMs),
      )
    for (const [key, until] of this.#held) this.#held.set(key, until - stepMs)
  }

  #window(key: string, count: number, perMs: number, now: number): number[] {
    const match = this.#windows.get(key)
    if (match) return match
    const gap = perMs / count
    const isYoung = now - this.#startedAt < perMs
    const window = isYoung ? Array.from({ length: count - 1 }, (_, index) => this.#startedAt - perMs + (index + 1) * gap) : []
    this.#windows.set(key, window)
    return window
  }

  #forgetOld(now: number): void {
    for (const [key, window] of this.#windows)
      if ((window.at(-1) ?? 0) + 60 * 60_000 < now || window.length === 0) this.#windows.delete(key)
    for (const [key, until] of this.#held) if (until < now) this.#held.delete(key)
    // Still too many places in use at once: the ones opened first leave, half of them, so that this look is rare.
    for (const key of this.#windows.keys()) {
      if (this.#windows.size <= deliveryLimits.windows / 2) break
      this.#windows.delete(key)
    }
  }
}

const holdKey = (channel: string, { place }: Place, scope: RateScope, operation = ''): string =>
  scope === 'address' ? `${channel}/${place}` : scope === 'account' ? `account:${channel}` : `method:${channel}/${operation}`

function windowsFor(channel: string, { place, isGroup }: Place, rates: Rates): { key: string; count: number; perMs: number }[] {
  return rates.flatMap(({ of, count, perMs }) => {
    if (of === 'group' && !isGroup) return []
    return [{ key: `${of}/${perMs}/${of === 'account' ? channel : `${channel}/${place}`}`, count, perMs }]
  })
}
