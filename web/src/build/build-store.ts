import {
  type BuildEventView,
  type BuildFeed,
  type BuildSummary,
  type BuildView,
  buildViewOfAll,
  ClientError,
  emptyBuild,
  type ParleyClient,
} from '../../../src/client/index.ts'
import type { ErrorWords } from '../../../src/shapes/wire.ts'
import { perFrame } from '../chat/frames.ts'
import { asWords } from '../link/sign-in.ts'

export type BuildSnapshot = {
  summary: BuildSummary | null
  view: BuildView
  /** Everything up to now was shown once; from here on changes are news. */
  isReady: boolean
  /** Why the build cannot be shown. */
  error: ErrorWords | null
}

export type BuildStore = { get(): BuildSnapshot; subscribe(listen: () => void): () => void }

/** A hidden tab closes its event stream: a browser has six per host, and people keep more tabs open. */
const hiddenMs = 15_000

/** The state of one build on this page, while a component shows it. */
export function buildStore(client: ParleyClient, build: string): BuildStore {
  const listeners = new Set<() => void>()
  let now: BuildSnapshot = { summary: null, view: emptyBuild, isReady: false, error: null }
  let leave: (() => void) | null = null

  function tell(change: Partial<BuildSnapshot>): void {
    now = { ...now, ...change }
    for (const listen of listeners) listen()
  }

  const news = perFrame<BuildEventView>((events) => tell({ view: buildViewOfAll(now.view, events) }))

  async function enter(signal: AbortSignal): Promise<void> {
    try {
      const [summary, events] = await Promise.all([
        client.builds.get(build, { signal }),
        client.builds.events(build, now.view.seq, { signal }),
      ])
      signal.throwIfAborted()
      tell({ summary, view: buildViewOfAll(now.view, events), isReady: true, error: null })
      stayInTouch(signal)
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

  function stayInTouch(signal: AbortSignal): void {
    let feed: BuildFeed | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const open = (): void => {
      if (signal.aborted || feed) return
      feed = client.builds.follow(build, now.view.seq, {
        onEvents: (events) => {
          for (const event of events) news.add(event)
        },
        // The way is open again: what waits for it, such as an answer, need not wait for the page's own next try.
        onState: (state) => void (state === 'live' && client.live().retryNow()),
        onRefused: (error) => tell({ error: asWords(error) }),
      })
    }
    const close = (): void => {
      feed?.close()
      feed = null
    }
    const onVisible = (): void => {
      clearTimeout(timer)
      if (document.visibilityState === 'hidden') timer = setTimeout(close, hiddenMs)
      else if (feed) feed.retryNow()
      else open()
    }
    const onChanged = (): void => {
      if (feed) return feed.retryNow()
      if (document.visibilityState !== 'hidden') return open()
      client.builds.events(build, now.view.seq, { signal }).then(
        (events) => tell({ view: buildViewOfAll(now.view, events) }),
        // The next change, or the next look at the tab, asks again.
        () => {},
      )
    }
    const stop = client.live().onChanged(onChanged)
    document.addEventListener('visibilitychange', onVisible)
    signal.addEventListener('abort', () => {
      stop()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
      close()
    })
    open()
  }

  return {
    get: () => now,
    subscribe(listen) {
      listeners.add(listen)
      if (listeners.size === 1) {
        const abort = new AbortController()
        leave = () => {
          abort.abort()
          news.stop()
        }
        void enter(abort.signal)
      }
      return () => {
        listeners.delete(listen)
        if (listeners.size > 0) return
        leave?.()
        leave = null
      }
    },
  }
}
