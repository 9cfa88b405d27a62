import type { Store } from '../src/ports/store.ts'

/**
 * Tells when a dialog's next turn has ended and is on disk. One listener for all, as the last event of a turn says so;
 * a turn that fails is a fault of the bench and not a fast turn.
 */
export function rest(store: Store): (dialog: string) => Promise<void> {
  const waiting = new Map<string, { resolve: () => void; reject: (error: Error) => void }>()
  store.hints.onStream((dialog, _head, events) => {
    const last = events?.at(-1)
    if (!last || !last.type.startsWith('turn.')) return
    const match = waiting.get(dialog)
    if (!match) return
    waiting.delete(dialog)
    if (last.type === 'turn.finished') match.resolve()
    else match.reject(new Error(`${last.type}: ${JSON.stringify(last.data)}`))
  })
  return (dialog) => new Promise((resolve, reject) => waiting.set(dialog, { resolve, reject }))
}
