import { sideView } from '../dialogs/rows/dialog-rows.ts'
import type { Log } from '../ports/log.ts'
import type { Store, StoredEvent, WordEntry } from '../ports/store.ts'
import { listSaid, saidTypes } from './said.ts'
import { indexWords } from './words.ts'

export const wordIndexLimits = {
  /** Of one step, which other work waits for: some milliseconds. */
  eventsPerStep: 100,
  bytesPerStep: 200_000,
  /** Nothing was committed here for so long: what was said is indexed now. */
  quietMs: 1_000,
  /** While work goes on, after this time at the latest. */
  latestMs: 30_000,
  /** Time that one search waits for the index, between steps. */
  searchMs: 300,
  /** After a fault. */
  retryMs: 30_000,
} as const

/** `done` of `of` positions, while the index is not complete. */
export type IndexProgress = { done: number; of: number }

export type WordIndexer = {
  /** Indexes what was said since, for a bounded time. Null when the index is complete. */
  catchUp(): Promise<IndexProgress | null>
  start(): void
  stop(): Promise<void>
}

/** The words of an event, with the root of its tree. */
async function listWords(store: Store, event: StoredEvent, roots: Map<string, string>): Promise<WordEntry[]> {
  const words = indexWords(listSaid(event).map(({ text }) => text))
  if (words.length === 0) return []
  const known = roots.get(event.stream)
  const group = known ?? (await store.row(sideView, event.stream))?.group ?? event.stream
  roots.set(event.stream, group)
  return [{ position: event.position, group, words }]
}

/** Of events that are put back under their positions. */
export function wordsOfTree(root: string, events: readonly StoredEvent[]): WordEntry[] {
  const said = events.filter(({ type }) => (saidTypes as readonly string[]).includes(type))
  return said.flatMap((event) => {
    const words = indexWords(listSaid(event).map(({ text }) => text))
    return words.length > 0 ? [{ position: event.position, group: root, words }] : []
  })
}

/** Dialogs have words; builds, chats and worlds have streams of their own. */
const isDialog = ({ stream }: StoredEvent): boolean => stream.startsWith('dlg_')

/**
 * Writes the words of events after the events themselves, in the order of positions, so that a turn pays nothing for it: in its
 * own commit each message cost 80 µs more (decision 0061). A step commits words and progress together, so a crash loses nothing,
 * and a second process that does the same step changes nothing. A data folder of an earlier version begins at position 0.
 *
 * It runs when nothing was committed for a while, and before each search: what was just said is found.
 */
export function wordIndexer({ store, log }: { store: Store; log: Log }): WordIndexer {
  let running: Promise<boolean> | null = null
  let quiet: NodeJS.Timeout | undefined
  let latest: NodeJS.Timeout | undefined
  let stopListening: (() => void) | null = null
  let isStopped = false
  let isTold = false

  /** True when there may be more. */
  async function step(): Promise<boolean> {
    const done = await store.indexedTo()
    const of = await store.position()
    if (of <= done) return false
    const { eventsPerStep, bytesPerStep } = wordIndexLimits
    const events = await store.readAll(done, eventsPerStep, bytesPerStep, saidTypes)
    const last = events.at(-1)
    // Nothing that counts in between: the page may begin after `of`.
    const upTo = last ? last.position : of
    const roots = new Map<string, string>()
    const entries: WordEntry[] = []
    for (const event of events) if (isDialog(event)) entries.push(...(await listWords(store, event, roots)))
    const [result] = await store.commit([{ index: { entries, upTo }, repeatable: true }])
    if (result?.ok !== true) throw new Error('the words of events were refused')
    return last !== undefined
  }

  /** One step at a time in this process. */
  const takeStep = (): Promise<boolean> =>
    (running ??= step().finally(() => {
      running = null
    }))

  async function run(): Promise<void> {
    clearTimeout(quiet)
    clearTimeout(latest)
    quiet = latest = undefined
    const begun = performance.now()
    try {
      const [done, of] = [await store.indexedTo(), await store.position()]
      const isLong = of - done > 20 * wordIndexLimits.eventsPerStep
      if (isLong && !isTold) log('info', 'what was said before is made searchable', { done, of })
      isTold ||= isLong
      while (!isStopped) {
        const from = performance.now()
        if (!(await takeStep())) break
        // As long for others as for this.
        await new Promise((resolve) => setTimeout(resolve, performance.now() - from))
      }
      if (isTold && !isStopped)
        log('info', 'everything that was said is searchable', { seconds: Math.round((performance.now() - begun) / 1_000) })
      isTold = false
    } catch (error) {
      if (isStopped) return
      log('warn', 'what was said could not be made searchable; it is tried again', { error })
      latest ??= setTimeout(() => void run(), wordIndexLimits.retryMs).unref()
    }
  }

  function onCommit(): void {
    clearTimeout(quiet)
    quiet = setTimeout(() => void run(), wordIndexLimits.quietMs).unref()
    latest ??= setTimeout(() => void run(), wordIndexLimits.latestMs).unref()
  }

  return {
    async catchUp() {
      const until = performance.now() + wordIndexLimits.searchMs
      while (performance.now() < until) if (!(await takeStep())) return null
      const [done, of] = [await store.indexedTo(), await store.position()]
      return done < of ? { done, of } : null
    },
    start() {
      if (isStopped || stopListening) return
      stopListening = store.hints.onStream(onCommit)
      onCommit()
    },
    async stop() {
      isStopped = true
      stopListening?.()
      clearTimeout(quiet)
      clearTimeout(latest)
      await running?.catch(() => undefined)
    },
  }
}
