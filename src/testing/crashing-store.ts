import type { Store } from '../ports/store.ts'

/** A simulated crash: nothing the process does after it has any effect. */
export class SimulatedCrash extends Error {
  constructor() {
    super('The process died here (simulated).')
    this.name = 'SimulatedCrash'
  }
}

/** The n-th commit, counted from 1: `before` loses it, `after` stores it but the caller sees a crash. */
export type CrashPoint = { when: 'before' | 'after'; commit: number }

/**
 * A store whose process dies at one point. From then on every call is refused and no hint arrives; the store inside
 * is closed, as the operating system would do, so another store on the same data finds the work free.
 */
export function crashingStore(inside: Store, point: CrashPoint): Store & { readonly crashed: boolean } {
  let crashed = false
  let commits = 0

  function alive<Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>): (...args: Args) => Promise<Result> {
    return async (...args) => {
      if (crashed) throw new SimulatedCrash()
      const result = await call(...args)
      if (crashed) throw new SimulatedCrash()
      return result
    }
  }

  async function commit(...[units]: Parameters<Store['commit']>): ReturnType<Store['commit']> {
    if (crashed) throw new SimulatedCrash()
    if (++commits !== point.commit) {
      const results = await inside.commit(units)
      if (crashed) throw new SimulatedCrash()
      return results
    }
    // Dead before the commit is handed in, also for `after`: a listener called from within it must not act any more.
    crashed = true
    if (point.when === 'after') await inside.commit(units)
    await inside.close()
    throw new SimulatedCrash()
  }

  const hear =
    <Args extends unknown[]>(listen: (...args: Args) => void): ((...args: Args) => void) =>
    (...args) => {
      if (!crashed) listen(...args)
    }

  return {
    owner: inside.owner,
    get crashed() {
      return crashed
    },
    commit,
    read: alive(inside.read.bind(inside)),
    head: alive(inside.head.bind(inside)),
    readAll: alive(inside.readAll.bind(inside)),
    position: alive(inside.position.bind(inside)),
    snapshot: alive(inside.snapshot.bind(inside)),
    remembered: alive(inside.remembered.bind(inside)),
    onceNames: alive(inside.onceNames.bind(inside)),
    unfinishedSince: alive(inside.unfinishedSince.bind(inside)),
    row: alive(inside.row.bind(inside)),
    rows: alive(inside.rows.bind(inside)),
    findWords: alive(inside.findWords.bind(inside)),
    indexedTo: alive(inside.indexedTo.bind(inside)),
    countRows: alive(inside.countRows.bind(inside)),
    claim: alive(inside.claim.bind(inside)),
    extend: alive(inside.extend.bind(inside)),
    nextDue: alive(inside.nextDue.bind(inside)),
    check: alive(inside.check.bind(inside)),
    hints: {
      onStream: (listen) => inside.hints.onStream(hear(listen)),
      onWork: (listen) => inside.hints.onWork(hear(listen)),
      onDelta: (listen) => inside.hints.onDelta(hear(listen)),
      publish(delta) {
        if (!crashed) inside.hints.publish(delta)
      },
    },
    // Cleaning up after a crash must not report a second one.
    close: () => inside.close(),
  }
}
