import type { Store } from '../../src/ports/store.ts'

/** Counts commits and kills this process at the one that `PARLEY_DIE` names, such as `before:12`. */
export function killAt(store: Store): Store {
  const [when, number] = (process.env['PARLEY_DIE'] ?? 'never:0').split(':')
  let commits = 0
  const die = (): never => {
    process.kill(process.pid, 'SIGKILL')
    throw new Error('unreachable')
  }
  return new Proxy(store, {
    get(target, name) {
      if (name !== 'commit') {
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      }
      return async (units: Parameters<Store['commit']>[0]) => {
        commits += 1
        const isDue = commits === Number(number)
        if (isDue && when === 'before') die()
        const results = await target.commit(units)
        if (isDue && when === 'after') die()
        process.send?.({ commits })
        return results
      }
    },
  })
}
