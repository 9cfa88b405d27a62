import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import styles from './announcer.module.css'

const noToast = { text: '', turn: 0 }
let announcement = { text: '', turn: 0, toast: noToast }
const listeners = new Set<() => void>()

function change(next: typeof announcement): void {
  announcement = next
  for (const listen of listeners) listen()
}

const shownMs = 10_000

/**
 * Says one thing to people who listen to the page, and with `isShown` also to people who look at it. Events only: never the words
 * of a reply as they come.
 */
export function announce(text: string, { isShown = false } = {}): void {
  const turn = announcement.turn + 1
  change({ text, turn, toast: isShown ? { text, turn } : announcement.toast })
}

export function Announcer(): ReactNode {
  const { text, turn, toast } = useSyncExternalStore(
    (listen) => {
      listeners.add(listen)
      return () => void listeners.delete(listen)
    },
    () => announcement,
  )
  useEffect(() => {
    if (toast === noToast) return
    const timer = setTimeout(() => change({ ...announcement, toast: noToast }), shownMs)
    return () => clearTimeout(timer)
  }, [toast])
  // The odd space makes the same sentence a change, so that it is read again.
  return (
    <>
      <div className="hidden-visually" role="status" aria-live="polite" aria-atomic="true">
        {turn % 2 === 1 ? text : `${text}\u00A0`}
      </div>
      {toast !== noToast && (
        <div className={styles['toast']} data-part="toast" dir="auto">
          {toast.text}
        </div>
      )}
    </>
  )
}
