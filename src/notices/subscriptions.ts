import type { Language } from '../shapes/language.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store, Unit } from '../ports/store.ts'
import type { QuietHours } from './quiet-hours.ts'
import { type BrowserKeys, makePushKeys, type PushKeys } from './web-push.ts'

export const subscriptionLimits = { listed: 1_000, page: 500, endpointChars: 2_000, lookAgainMs: 60_000, conflictRetries: 20 } as const

/** One browser that shows notifications. It lasts as long as the session the browser signed in with. */
export type Subscription = {
  session: string
  /** Where its push service takes messages. */
  endpoint: string
  keys: BrowserKeys
  language: Language
  timeZone: string
  /** Text that a locked screen may show: the words of agents and people, or only that something waits. */
  shows: 'words' | 'nothing'
  quiet: QuietHours | null
  createdAt: number
  sentAt: number | null
  /** The last message did not arrive. */
  failure: { at: number; why: string } | null
}

/** Rows that no event says: what was sent to which browser, and the keys of this server. */
export const noticeViews = { subscription: 'push-subscription', keys: 'push-keys' } as const

/** Changes are events as well: their hint tells every process whether anyone is notified at all. */
export const pushStream = 'push'

const keysRow = 'server'

export type Subscriptions = {
  /** Made when they are first asked for, once for all processes. A browser that subscribed with others is not reached. */
  keys(): Promise<PushKeys>
  get(session: string): Promise<Subscription | null>
  list(): Promise<Subscription[]>
  put(subscription: Subscription): Promise<void>
  /** Changes one that is still there. */
  change(session: string, change: Partial<Subscription>): Promise<void>
  remove(session: string): Promise<void>
  /** False where no browser is subscribed, as far as this process knows. */
  isAny(): boolean
  start(): Promise<void>
  close(): void
}

export function subscriptions({ store, clock }: { store: Store; clock: Clock }): Subscriptions {
  let count = 0
  let cancelTimer = (): void => {}
  let stopListening = (): void => {}

  async function look(): Promise<void> {
    cancelTimer()
    cancelTimer = clock.after(subscriptionLimits.lookAgainMs, lookAgain)
    count = await store.countRows(noticeViews.subscription)
  }
  // A store that does not answer changes nothing: the next look comes.
  const lookAgain = (): void => void look().catch(() => {})

  /** Rows together with an event, so that other processes hear of them. */
  async function write(
    type: string,
    data: object,
    rows: Unit['rows'] & object,
    isFree = async (): Promise<boolean> => true,
  ): Promise<void> {
    for (let tries = 0; tries < subscriptionLimits.conflictRetries; tries += 1) {
      const expect = await store.head(pushStream)
      if (!(await isFree())) return
      const [result] = await store.commit([{ append: [{ stream: pushStream, expect, events: [{ type, at: clock.now(), data }] }], rows }])
      if (result?.ok) return look()
    }
    throw new Error('the subscriptions are written by too many at once')
  }

  const toRow = (one: Subscription): NonNullable<Unit['rows']>[number] => ({
    view: noticeViews.subscription,
    key: one.session,
    group: '',
    sort: one.createdAt,
    text: '',
    body: one,
  })
  const get = async (session: string): Promise<Subscription | null> =>
    ((await store.row(noticeViews.subscription, session))?.body as Subscription | undefined) ?? null
  const readKeys = async (): Promise<PushKeys | null> =>
    ((await store.row(noticeViews.keys, keysRow))?.body as PushKeys | undefined) ?? null

  return {
    async keys() {
      const known = await readKeys()
      if (known) return known
      const made = makePushKeys()
      const row = { view: noticeViews.keys, key: keysRow, group: '', sort: clock.now(), text: '', body: made }
      await write('push.keys-made', { publicKey: made.publicKey }, [row], async () => (await readKeys()) === null)
      return (await readKeys()) ?? made
    },
    get,
    async list() {
      const found: Subscription[] = []
      for (let before: { sort: number; key: string } | undefined; found.length < subscriptionLimits.listed;) {
        const rows = await store.rows({ view: noticeViews.subscription, limit: subscriptionLimits.page, ...(before && { before }) })
        found.push(...rows.map(({ body }) => body as Subscription))
        const last = rows.at(-1)
        if (rows.length < subscriptionLimits.page || !last) break
        before = { sort: last.sort, key: last.key }
      }
      return found
    },
    put: (subscription) => write('push.subscribed', { session: subscription.session }, [toRow(subscription)]),
    async change(session, change) {
      const latest = await get(session)
      if (latest) await store.commit([{ rows: [toRow({ ...latest, ...change })], repeatable: true }])
    },
    remove: (session) =>
      write(
        'push.unsubscribed',
        { session },
        [{ view: noticeViews.subscription, key: session, body: null }],
        async () => (await get(session)) !== null,
      ),
    isAny: () => count > 0,
    async start() {
      stopListening = store.hints.onStream((stream) => {
        if (stream === pushStream) lookAgain()
      })
      await look()
    },
    close() {
      stopListening()
      cancelTimer()
    },
  }
}
