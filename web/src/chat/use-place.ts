import { type RefObject, useEffect, useRef } from 'react'
import type { LogHandle } from './log.tsx'

/** Pages loaded to reach the target of a link. */
const mostPages = 20

/** Goes to the item the address names behind its #, loading earlier parts of the log until it is there. */
export function usePlace(log: RefObject<LogHandle | null>, isReady: boolean, hasEarlier: boolean, loadEarlier: () => Promise<void>): void {
  const more = useRef(hasEarlier)
  more.current = hasEarlier
  useEffect(() => {
    if (!isReady) return
    let isGone = false
    const go = async (): Promise<void> => {
      const item = decodeURIComponent(location.hash.slice(1))
      if (item === '') return
      for (let pages = 0; pages <= mostPages && !isGone; pages += 1) {
        // The log draws first; what it has not drawn it cannot show.
        await new Promise((resolve) => requestAnimationFrame(resolve))
        if (log.current?.show(item) || !more.current) return
        await loadEarlier()
      }
    }
    void go()
    const onHash = (): void => void go()
    addEventListener('hashchange', onHash)
    return () => {
      isGone = true
      removeEventListener('hashchange', onHash)
    }
  }, [log, isReady, loadEarlier])
}
