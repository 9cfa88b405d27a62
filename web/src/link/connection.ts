import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { LiveState } from '../../../src/client/index.ts'
import { client } from './page-client.ts'

declare const __PARLEY_BUILD__: string

export function useConnection(): LiveState {
  const connection = client.live()
  return useSyncExternalStore(
    useCallback((listen) => connection.onState(listen), [connection]),
    () => connection.state,
  )
}

/** The server carries another page than this one. */
export function useNewVersion(): boolean {
  const [isNew, setNew] = useState(false)
  useEffect(
    // A server without a built page has no name for it; then there is nothing to compare.
    () => client.live().onWelcome((build) => setNew(/^[\da-f]{12}$/.test(build) && build !== __PARLEY_BUILD__)),
    [],
  )
  return isNew
}
