import { currentReader } from './current-reader.ts'
import { useEffect, useSyncExternalStore } from 'react'
import { ClientError } from '../../../src/client/index.ts'
import type { ErrorWords } from '../../../src/shapes/wire.ts'
import { client } from './page-client.ts'
import { asWords } from './sign-in.ts'

export type Refreshed<Value> = { value: Value | null; error: ErrorWords | null }

export type Refreshing<Value> = { get(): Refreshed<Value>; subscribe(listen: () => void): () => void; refresh(): void }

/** Something the server keeps, fetched again whenever it says that something changed. What is shown stays until the new is there. */
export function refreshing<Value>(fetch: (signal: AbortSignal) => Promise<Value>): Refreshing<Value> {
  const listeners = new Set<() => void>()
  let now: Refreshed<Value> = { value: null, error: null }
  let abort: AbortController | null = null
  let isStale = false
  let stopListening: (() => void) | null = null

  function tell(next: Refreshed<Value>): void {
    now = next
    for (const listen of listeners) listen()
  }

  function refresh(): void {
    if (abort) {
      isStale = true
      return
    }
    const mine = new AbortController()
    abort = mine
    fetch(mine.signal).then(
      (value) => settle(mine, { value, error: null }),
      (error: unknown) => {
        // Without a way to the server the pill says so, and the reconnect fetches again.
        const transient = error instanceof ClientError && error.isTransient
        settle(mine, { value: now.value, error: mine.signal.aborted || transient ? null : asWords(error) })
      },
    )
  }

  function settle(mine: AbortController, next: Refreshed<Value>): void {
    if (abort !== mine) return
    abort = null
    tell(next)
    if (!isStale) return
    isStale = false
    refresh()
  }

  return {
    get: () => now,
    refresh,
    subscribe(listen) {
      listeners.add(listen)
      if (listeners.size === 1) {
        stopListening = client.live().onChanged(refresh)
        refresh()
      }
      return () => {
        listeners.delete(listen)
        if (listeners.size > 0) return
        stopListening?.()
        abort?.abort()
        abort = null
      }
    },
  }
}

export function useRefreshing<Value>(source: Refreshing<Value>): Refreshed<Value> {
  return useSyncExternalStore(source.subscribe, source.get)
}

/** Version, agents and the reader's own name and role. */
export const serverInfo = refreshing(async (signal) => {
  const info = await client.info({ signal })
  currentReader.name = info.caller?.name ?? null
  currentReader.id = info.caller?.id ?? null
  return info
})

export const inbox = refreshing((signal) => client.inbox({ signal }))

/** Shows the number of open items in the title of the tab. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    document.title = count > 0 ? `(${count}) Parley` : 'Parley'
  }, [count])
}
