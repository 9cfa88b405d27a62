import {
  ClientError,
  type DialogView,
  emptyView,
  type ParleyClient,
  viewOfAll,
  withDelta,
  withoutQueued,
  withQueued,
  withSent,
} from '../../../src/client/index.ts'
import type { DeltaView, ErrorWords, EventView } from '../../../src/shapes/wire.ts'
import { asWords } from '../link/sign-in.ts'
import { type DialogWindow, firstView, viewOfWindow, windowEvents, getWindow, withoutTwins } from './dialog-window.ts'
import { perFrame } from './frames.ts'

export type DialogSnapshot = {
  view: DialogView
  /** Everything up to now was shown once; from here on changes are news. */
  isReady: boolean
  /** Why the dialog cannot be shown. */
  error: ErrorWords | null
  hasEarlier: boolean
  earlier: 'idle' | 'loading' | 'failed'
  /** Events of the log as far as they are loaded. */
  events: readonly EventView[]
}

export type DialogStore = {
  get(): DialogSnapshot
  subscribe(listen: () => void): () => void
  loadEarlier(): Promise<void>
  /** A letter left the outbox: it is shown until its event is here. */
  sent(letter: { key: string; text: string }, message: string): void
}

type News = { event: EventView } | { delta: DeltaView } | { live: true }

/** The state of one dialog on this page, while a component shows it. */
export function dialogStore(client: ParleyClient, dialog: string): DialogStore {
  const listeners = new Set<() => void>()
  let now: DialogSnapshot = { view: emptyView, isReady: false, error: null, hasEarlier: false, earlier: 'idle', events: [] }
  let window: DialogWindow | null = null
  let leave: (() => void) | null = null

  function tell(change: Partial<DialogSnapshot>): void {
    now = { ...now, ...change }
    for (const listen of listeners) listen()
  }

  const news = perFrame<News>((items) => {
    let { view, isReady } = now
    const events: EventView[] = []
    for (const item of items) {
      if ('event' in item) {
        events.push(item.event)
        view = viewOfAll(view, [item.event])
      } else if ('delta' in item) view = withDelta(view, item.delta)
      else isReady = true
    }
    if (window && events.length > 0) window = { ...window, events: [...window.events, ...events] }
    tell({ view: { ...view, questions: withoutTwins(view.questions) }, isReady, events: window?.events ?? [] })
  })

  async function enter(signal: AbortSignal): Promise<void> {
    try {
      const detail = await client.dialogs.get(dialog, { signal })
      signal.throwIfAborted()
      window = getWindow(detail)
      tell({ view: { ...firstView(window), queued: now.view.queued }, error: null, hasEarlier: window.start > 0, isReady: false })
      const unfollow = client.live().follow(dialog, window.start, {
        onEvents: (events) => {
          // Deleted elsewhere: the server says so, and what was shown goes.
          if (events.some(({ type }) => type === 'dialog.deleted')) return restart()
          for (const event of events) news.add({ event })
        },
        onDelta: (delta) => news.add({ delta }),
        onLive: () => news.add({ live: true }),
        onReset: () => restart(),
        onError: (error) => tell({ error }),
      })
      signal.addEventListener('abort', unfollow)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ClientError && error.isTransient)) return tell({ error: asWords(error) })
      // No way to the server: as soon as there is one, it says that things may have changed.
      const stop = client.live().onChanged(() => {
        stop()
        if (!signal.aborted) void enter(signal)
      })
      signal.addEventListener('abort', stop)
    }
  }

  function start(): void {
    const abort = new AbortController()
    leave = () => {
      abort.abort()
      news.stop()
    }
    void enter(abort.signal)
  }

  function restart(): void {
    leave?.()
    start()
  }

  return {
    get: () => now,
    subscribe(listen) {
      listeners.add(listen)
      if (listeners.size === 1) start()
      return () => {
        listeners.delete(listen)
        if (listeners.size > 0) return
        leave?.()
        leave = null
      }
    },
    async loadEarlier() {
      if (!window || window.start === 0 || now.earlier === 'loading') return
      tell({ earlier: 'loading' })
      const from = Math.max(0, window.start - windowEvents)
      try {
        const { items } = await client.events.read({ stream: dialog, after: from, limit: window.start - from })
        const before = items.filter(({ seq }) => window !== null && seq <= window.start)
        window = { ...window, start: from, events: [...before, ...window.events] }
        const { draft, queued } = now.view
        tell({ view: { ...viewOfWindow(window), draft, queued }, hasEarlier: from > 0, earlier: 'idle', events: window.events })
      } catch {
        tell({ earlier: 'failed' })
      }
    },
    sent({ key, text }, message) {
      const view = withSent(withQueued(now.view, { key, text, at: Date.now() }), key, message)
      tell({ view: now.isReady ? view : withoutQueued(view, key) })
    },
  }
}
