import { type RefObject, useEffect, useRef } from 'react'
import type { DialogView } from '../../../src/client/index.ts'
import type { LogHandle } from './log.tsx'

/** Pages loaded to reach the target of a link. */
const mostPages = 40

export type Place = { item: string } | { course: number }

/** The item or the course that the address names: `#item`, or `?course=2`. */
export function readPlace({ hash, search }: Pick<Location, 'hash' | 'search'>): Place | null {
  const course = new URLSearchParams(search).get('course') ?? ''
  if (hash.length > 1) {
    try {
      return { item: decodeURIComponent(hash.slice(1)) }
    } catch {
      return { item: hash.slice(1) }
    }
  }
  return /^[1-9]\d{0,5}$/.test(course) ? { course: Number(course) } : null
}

/** Null while it is not in the view. The first course begins with the first item. */
function findItem(place: Place, { items }: Pick<DialogView, 'items'>, hasEarlier: boolean): string | null {
  if ('item' in place) return place.item
  if (place.course === 1) return hasEarlier ? null : (items[0]?.id ?? null)
  return items.find((item) => item.kind === 'course' && item.course === place.course)?.id ?? null
}

type Parts = {
  log: RefObject<LogHandle | null>
  isReady: boolean
  view: DialogView
  hasEarlier: boolean
  loadEarlier(): Promise<void>
  onMissing(place: Place): void
}

/** Goes to what the address names, loading earlier parts of the log until it is there. Links within the page and Back count too. */
export function usePlace({ log, isReady, view, hasEarlier, loadEarlier, onMissing }: Parts): void {
  const now = useRef({ view, hasEarlier, onMissing })
  now.current = { view, hasEarlier, onMissing }
  useEffect(() => {
    if (!isReady) return
    let run = 0
    const go = async (): Promise<void> => {
      const mine = (run += 1)
      const place = readPlace(location)
      if (!place) return
      for (let pages = 0; pages <= mostPages && mine === run; pages += 1) {
        // The log draws first; what it has not drawn it cannot show.
        await new Promise((resolve) => requestAnimationFrame(resolve))
        const item = findItem(place, now.current.view, now.current.hasEarlier)
        if (item !== null && log.current?.show(item)) return
        if (!now.current.hasEarlier) break
        await loadEarlier()
      }
      if (mine === run) now.current.onMissing(place)
    }
    void go()
    const again = (): void => void go()
    const events = ['hashchange', 'pushState', 'popstate'] as const
    for (const event of events) addEventListener(event, again)
    return () => {
      run = -1
      for (const event of events) removeEventListener(event, again)
    }
  }, [log, isReady, loadEarlier])
}
