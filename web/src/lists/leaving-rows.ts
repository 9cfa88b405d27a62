import { useEffect, useState } from 'react'
import type { Inbox, InboxItem } from '../../../src/shapes/wire.ts'

/** Something that waits, or waited until a moment ago. */
export type LeavingRow = { key: string; item: InboxItem; goneAt: number | null }

const leavesAfterMs = 5_000

/** Rows decided elsewhere turn grey and disappear a little later: nothing jumps under the pointer. */
export function useLeavingRows(waiting: Inbox | null): LeavingRow[] | null {
  const [shown, setShown] = useState<LeavingRow[] | null>(null)
  useEffect(() => {
    if (waiting !== null) setShown((before) => withOpen(before ?? [], waiting.items, Date.now()))
  }, [waiting])
  const first =
    shown?.reduce<number | null>((least, { goneAt }) => (goneAt === null ? least : Math.min(least ?? goneAt, goneAt)), null) ?? null
  useEffect(() => {
    if (first === null) return
    const timer = setTimeout(
      () => setShown((before) => before?.filter(({ goneAt }) => goneAt !== first) ?? null),
      first + leavesAfterMs - Date.now(),
    )
    return () => clearTimeout(timer)
  }, [first])
  return shown
}

export function withOpen(before: readonly LeavingRow[], open: readonly InboxItem[], now: number): LeavingRow[] {
  const waiting = new Map(open.map((item) => [getKey(item), item]))
  const rows = before.map(({ key, item, goneAt }) => {
    const still = waiting.get(key)
    return { key, item: still ?? item, goneAt: still ? null : (goneAt ?? now) }
  })
  const knownKeys = new Set(rows.map(({ key }) => key))
  return [...[...waiting].filter(([key]) => !knownKeys.has(key)).map(([key, item]) => ({ key, item, goneAt: null })), ...rows]
}

function getKey(item: InboxItem): string {
  switch (item.kind) {
    case 'question':
      return item.question.id
    case 'failure':
      return `failure ${item.failure.dialog} ${item.failure.at}`
    case 'build':
      return item.build.build_id
    case 'chat-request':
      return [item.account, item.request.request].join(' ')
    case 'pairing':
      // A new request has another code.
      return [item.pairing.channel, item.pairing.address, item.pairing.pairing?.code].join(' ')
    case 'unclaimed':
      return [item.unclaimed.channel, item.unclaimed.id].join(' ')
    case 'delivery':
      return item.delivery.id
  }
}
