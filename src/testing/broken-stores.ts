import type { Lease, RowQuery, Store, StoredEvent, Unit, UnitResult } from '../ports/store.ts'

/** A store with one fault, and a case of the contract that must notice it. */
export type BrokenStore = { fault: string; noticedBy: string; spoil(inside: Store): Store }

/** The good store with some of its calls replaced. */
function altered(inside: Store, changes: Partial<Store>): Store {
  return { ...inside, ...changes }
}

const workId = ({ kind, key }: { kind: string; key: string }): string => `${kind}/${key}`

/** Commits unit by unit; where `amend` gives another unit after a failure, that one is tried in its place. */
async function commitEach(
  inside: Store,
  units: readonly Unit[],
  amend: (unit: Unit, result: UnitResult) => Unit | null,
): Promise<UnitResult[]> {
  const results: UnitResult[] = []
  for (const unit of units) {
    for (const result of await inside.commit([unit])) {
      const other = amend(unit, result)
      results.push(...(other ? await inside.commit([other]) : [result]))
    }
  }
  return results
}

/** Each of these is a mistake a store could really make. If the contract lets one pass, the contract is too weak. */
export const brokenStores: readonly BrokenStore[] = [
  {
    fault: 'ignores the bounds of sums',
    noticedBy: 'rows:sums',
    spoil: (inside) =>
      altered(inside, {
        commit: (units) =>
          commitEach(inside, units, (unit, result) =>
            !result.ok && result.why === 'over' ? { ...unit, sums: (unit.sums ?? []).map((sum) => ({ ...sum, bounds: [] })) } : null,
          ),
      }),
  },
  {
    fault: 'trims the last event of a stream',
    noticedBy: 'log:trim',
    spoil(inside) {
      const gone = new Set<string>()
      return altered(inside, {
        commit(units) {
          for (const { trim = [] } of units) for (const { stream } of trim) gone.add(stream)
          return inside.commit(units)
        },
        read: async (stream, after, limit) => (gone.has(stream) ? [] : inside.read(stream, after, limit)),
      })
    },
  },
  {
    fault: 'ignores the expected head',
    noticedBy: 'log:conflict',
    spoil: (inside) =>
      altered(inside, {
        commit: (units) =>
          commitEach(inside, units, (unit, result) =>
            !result.ok && result.why === 'conflict'
              ? { ...unit, append: (unit.append ?? []).map((append) => ({ ...append, expect: result.head })) }
              : null,
          ),
      }),
  },
  {
    fault: 'keeps the rows and wakes of a unit that failed',
    noticedBy: 'log:conflict',
    spoil: (inside) =>
      altered(inside, {
        async commit(units) {
          const results = await inside.commit(units)
          for (const [i, { wake, rows }] of units.entries())
            if (results[i]?.ok === false) await inside.commit([{ ...(wake && { wake }), ...(rows && { rows }) }])
          return results
        },
      }),
  },
  {
    fault: 'appends to the streams of a unit one by one',
    noticedBy: 'log:many-streams',
    spoil: (inside) =>
      altered(inside, {
        async commit(units) {
          const parts = units.flatMap((unit) => (unit.append ?? []).slice(0, -1).map((append) => ({ append: [append] })))
          await inside.commit(parts)
          return inside.commit(units)
        },
      }),
  },
  {
    fault: 'lets one failed unit fail all that follow',
    noticedBy: 'log:batch-independence',
    spoil: (inside) =>
      altered(inside, {
        async commit(units) {
          const results: UnitResult[] = []
          for (const unit of units) {
            const failed = results.find(({ ok }) => !ok)
            results.push(...(failed ? [failed] : await inside.commit([unit])))
          }
          return results
        },
      }),
  },
  {
    fault: 'repeats the last event of a page at the start of the next',
    noticedBy: 'log:paging',
    spoil: (inside) => altered(inside, { read: (stream, after, limit) => inside.read(stream, Math.max(after - 1, 0), limit) }),
  },
  {
    fault: 'fills a page whatever its bytes',
    noticedBy: 'log:byte-page',
    spoil: (inside) => altered(inside, { read: (stream, after, limit) => inside.read(stream, after, limit) }),
  },
  {
    fault: 'shows a later position before an earlier one, so that a reader passes over it',
    noticedBy: 'log:read-all-never-skips',
    spoil(inside) {
      let calls = 0
      return altered(inside, {
        async readAll(after, limit) {
          const page = await inside.readAll(after, limit)
          return page.length > 1 && ++calls % 3 === 0 ? page.slice(1) : page
        },
      })
    },
  },
  {
    fault: 'hands out its own objects',
    noticedBy: 'data:independent',
    spoil(inside) {
      const byKey = new Map<string, StoredEvent[]>()
      return altered(inside, {
        async read(stream, after, limit) {
          const id = JSON.stringify([stream, after, limit])
          const events = byKey.get(id) ?? (await inside.read(stream, after, limit))
          byKey.set(id, events)
          return events
        },
      })
    },
  },
  {
    fault: 'hands claimed work to other claimers',
    noticedBy: 'work:exclusive',
    spoil(inside) {
      const leasesNow: Lease[] = []
      return altered(inside, {
        async claim(kind, most, leaseMs) {
          const leases = await inside.claim(kind, most, leaseMs)
          const twice = leases.length > 0 ? leasesNow.slice(0, 1) : []
          leasesNow.push(...leases)
          return [...leases, ...twice]
        },
      })
    },
  },
  {
    fault: 'forgets wakes that come while the work is claimed',
    noticedBy: 'work:again',
    spoil: (inside) =>
      altered(inside, {
        async commit(units) {
          const keptUnits: Unit[] = []
          for (const unit of units) {
            const wake = []
            // Claimed work has its due time in the future: the end of its lease.
            for (const entry of unit.wake ?? []) if (((await inside.nextDue(entry.kind)) ?? 0) <= entry.at) wake.push(entry)
            keptUnits.push({ ...unit, wake })
          }
          return inside.commit(keptUnits)
        },
      }),
  },
  {
    fault: 'lets the last wake win instead of the earliest',
    noticedBy: 'work:earliest-wins',
    spoil: (inside) =>
      altered(inside, {
        commit: (units) => inside.commit(units.map((unit) => ({ ...unit, cancel: [...(unit.cancel ?? []), ...(unit.wake ?? [])] }))),
      }),
  },
  {
    fault: 'lets a holder commit that was replaced',
    noticedBy: 'fencing:whole-unit',
    spoil: (inside) =>
      altered(inside, {
        commit: (units) =>
          commitEach(inside, units, ({ lease: _lease, settle: _settle, ...rest }, result) =>
            !result.ok && result.why === 'fenced' ? rest : null,
          ),
      }),
  },
  {
    fault: 'counts epochs for each piece of work, so that they repeat',
    noticedBy: 'fencing:epochs',
    spoil(inside) {
      const real = new Map<string, number>()
      return altered(inside, {
        commit: (units) =>
          inside.commit(
            units.map((unit) => (unit.lease ? { ...unit, lease: { ...unit.lease, epoch: real.get(workId(unit.lease)) ?? 0 } } : unit)),
          ),
        async claim(kind, most, leaseMs) {
          const leases = await inside.claim(kind, most, leaseMs)
          for (const lease of leases) real.set(workId(lease), lease.epoch)
          return leases.map((lease) => ({ ...lease, epoch: lease.attempts }))
        },
      })
    },
  },
  {
    fault: 'does not notice lost leases in a heartbeat',
    noticedBy: 'fencing:extend-lost',
    spoil: (inside) => altered(inside, { extend: async () => [] }),
  },
  {
    fault: 'rounds the next due time up',
    noticedBy: 'work:next-due',
    spoil: (inside) => altered(inside, { nextDue: async (kind) => ((await inside.nextDue(kind)) ?? -1) + 1 || null }),
  },
  {
    fault: 'forgets names that may be used once',
    noticedBy: 'once:second',
    spoil: (inside) => altered(inside, { commit: (units) => inside.commit(units.map((unit) => ({ ...unit, once: [] }))) }),
  },
  {
    fault: 'keeps names that may be used once in memory only',
    noticedBy: 'once:reopen',
    spoil(inside) {
      const used = new Map<string, unknown>()
      return altered(inside, {
        async commit(units) {
          const results: UnitResult[] = []
          for (const { once = [], ...unit } of units) {
            const usedKey = once.find(({ key }) => used.has(key))
            const refused = usedKey && { ok: false as const, why: 'seen' as const, key: usedKey.key, value: used.get(usedKey.key) }
            results.push(...(refused ? [refused] : await inside.commit([unit])))
            if (!refused) for (const { key, value } of once) used.set(key, value)
          }
          return results
        },
      })
    },
  },
  {
    fault: 'pages lists by sort alone',
    noticedBy: 'rows:paging',
    spoil: (inside) =>
      altered(inside, {
        rows: (query: RowQuery) => inside.rows(query.before ? { ...query, before: { ...query.before, key: '' } } : query),
      }),
  },
  {
    fault: 'takes % in a search as "anything"',
    noticedBy: 'rows:search',
    spoil: (inside) =>
      altered(inside, { rows: (query: RowQuery) => inside.rows({ ...query, text: (query.text ?? '').replaceAll('%', '') }) }),
  },
  {
    fault: 'never tells a listener',
    noticedBy: 'hints:stream-here',
    spoil: (inside) =>
      altered(inside, { hints: { onStream: () => () => {}, onWork: () => () => {}, onDelta: () => () => {}, publish() {} } }),
  },
]
