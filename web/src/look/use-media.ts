import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query matches, for parts that a narrow screen does not have at all. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    useCallback(
      (listen) => {
        const list = matchMedia(query)
        list.addEventListener('change', listen)
        return () => list.removeEventListener('change', listen)
      },
      [query],
    ),
    () => matchMedia(query).matches,
  )
}
