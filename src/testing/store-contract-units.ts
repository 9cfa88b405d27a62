import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lease, NewEvent, Store, StoredEvent, Unit, UnitResult, ViewRow } from '../ports/store.ts'

/** The data under test. Every case gets one of its own, empty. */
export type StoreSubject = {
  /** A further connection to the same data, as another process would have. */
  open(): Promise<Store>
  /** Ends a connection without any good-bye, as a dying process would. */
  kill(store: Store): Promise<void>
  /** The time leases and due times are measured by. */
  now(): number
  /** Lets time pass; a real clock sleeps, so cases use small times. */
  advance(ms: number): Promise<void>
  /** Sets the clock back, as a person or a time server does. */
  stepBack(ms: number): void
}

export type StoreCase = {
  id: string
  behaviour: string
  run(subject: StoreSubject): Promise<void>
}

/** Longer than any case runs. */
export const longLeaseMs = 60_000
export const shortLeaseMs = 40

export const appendTo = (stream: string, expect: number, ...words: string[]): { stream: string; expect: number; events: NewEvent[] } => ({
  stream,
  expect,
  events: words.map((word) => ({ type: 'word.said', at: 1, data: { word } })),
})

export const say = (stream: string, expect: number, ...words: string[]): Unit => ({ append: [appendTo(stream, expect, ...words)] })

export const row = (key: string, more: Partial<ViewRow> = {}): ViewRow => ({
  view: 'list',
  key,
  group: 'g',
  sort: 1,
  text: key,
  body: { key },
  ...more,
})

export async function commit(store: Store, unit: Unit): Promise<UnitResult> {
  const [result, ...more] = await store.commit([unit])
  assert.ok(result)
  assert.equal(more.length, 0)
  return result
}

export async function accepted(store: Store, unit: Unit): Promise<StoredEvent[]> {
  const result = await commit(store, unit)
  if (!result.ok) assert.fail(`expected the unit to be accepted, but: ${JSON.stringify(result)}`)
  return result.events
}

export async function wake(store: Store, key: string, at: number, payload?: unknown): Promise<void> {
  await accepted(store, { wake: [{ kind: 'turn', key, at, ...(payload === undefined ? {} : { payload }) }] })
}

export async function claimOne(store: Store, leaseMs: number = longLeaseMs): Promise<Lease> {
  const [lease, ...more] = await store.claim('turn', 1, leaseMs)
  assert.ok(lease, 'expected work to be claimable')
  assert.equal(more.length, 0)
  return lease
}

export async function claimKeys(store: Store, most: number = 100): Promise<string[]> {
  return (await store.claim('turn', most, longLeaseMs)).map(({ key }) => key)
}

export const words = (events: readonly StoredEvent[]): unknown[] => events.map(({ data }) => (data as { word: unknown }).word)

export const seqs = (events: readonly StoredEvent[]): number[] => events.map(({ seq }) => seq)

/** For what another process notices a little later. */
export async function eventually(subject: StoreSubject, what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000
  while (Date.now() < end) {
    if (await holds()) return
    await subject.advance(10)
    await sleep(5)
  }
  assert.fail(`never happened: ${what}`)
}

/** Appends by reading the head and retrying on conflict, as a writer without a lease does. */
export async function insist(store: Store, stream: string, word: string): Promise<void> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    const result = await commit(store, say(stream, await store.head(stream), word))
    if (result.ok) return
    assert.equal(result.why, 'conflict')
  }
  assert.fail('never got through')
}
