import type { Unit } from '../../src/ports/store.ts'
import type { Sabotage } from './simulate.ts'

/** A store in which every so many units something is left out or done twice. */
export const tampered =
  (every: number, applies: (unit: Unit) => boolean, change: (unit: Unit) => Unit | Unit[]): Sabotage =>
  (store) => {
    let met = 0
    const tamper = (unit: Unit): Unit[] => (applies(unit) && ++met % every === 0 ? [change(unit)].flat() : [unit])
    return {
      ...store,
      hints: store.hints,
      async commit(units) {
        const changed = units.map(tamper)
        const results = await store.commit(changed.flat())
        let next = 0
        return changed.map(({ length }) => results[(next += length) - length] as (typeof results)[number])
      },
    }
  }

export const hasEvent = (unit: Unit, type: string): boolean =>
  unit.append?.some(({ events }) => events.some((event) => event.type === type)) ?? false
