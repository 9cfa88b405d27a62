import { type LiveState, parleyClient } from '../../../src/client/index.ts'
import { useSyncExternalStore } from 'react'

declare const __PARLEY_BUILD__: string

/** The one client of this page; every part of it shares its connection. */
export const client = parleyClient({ baseUrl: '', via: 'web' })

const connection = client.live()

export const useConnection = (): LiveState => useSyncExternalStore(connection.onState, () => connection.state)

let newVersion = false
const versionListeners = new Set<() => void>()
connection.onWelcome((build) => {
  // A server without a built page has no name for it; then there is nothing to compare.
  newVersion = /^[\da-f]{12}$/.test(build) && build !== __PARLEY_BUILD__
  for (const listen of versionListeners) listen()
})

/** The server carries another page than this one. */
export const useNewVersion = (): boolean =>
  useSyncExternalStore(
    (listen) => {
      versionListeners.add(listen)
      return () => void versionListeners.delete(listen)
    },
    () => newVersion,
  )
