import { type ReactNode, useSyncExternalStore } from 'react'

let said = { text: '', turn: 0 }
const listeners = new Set<() => void>()

/** Says one thing to people who listen to the page. Events only: never the words of a reply as they come. */
export function announce(text: string): void {
  said = { text, turn: said.turn + 1 }
  for (const listen of listeners) listen()
}

export function Announcer(): ReactNode {
  const { text, turn } = useSyncExternalStore(
    (listen) => {
      listeners.add(listen)
      return () => void listeners.delete(listen)
    },
    () => said,
  )
  // The odd space makes the same sentence a change, so that it is read again.
  return (
    <div className="hidden-visually" role="status" aria-live="polite" aria-atomic="true">
      {turn % 2 === 1 ? text : `${text}\u00A0`}
    </div>
  )
}
