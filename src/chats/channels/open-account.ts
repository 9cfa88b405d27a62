import type { AccountState, Checked, OpenAccount, OpenParts } from '../../ports/channel-kind.ts'
import type { Channel } from '../../ports/channel.ts'
import { pauseFor } from '../../ports/clock.ts'

export const connectLimits = { retryMs: 15_000, checkMs: 10_000 } as const

/** Reads events of the platform until it is stopped; null where the platform calls a webhook. */
export type Reader = { stop(): Promise<void> } | null

export type AccountSteps = Pick<OpenAccount, 'receives' | 'webhook'> & {
  name: string
  title: string
  /** A setting without which nothing can be done, in words for people; null when all are there. */
  missing: string | null
  /** The packages that `load` needs, for a person who has not installed them. */
  packages: string
  /** Loads the platform's library. Called once, on first use. */
  load(): Promise<Channel>
  check(channel: Channel): Promise<Checked>
  /** Prepares the account for reading, and reads. A failure is repeated after a pause. */
  start(channel: Channel, report: (state: Omit<AccountState, 'account'>) => void): Promise<{ reader: Reader } | { problem: string }>
}

/** The life of an account, the same on every platform: load the library, check the account, start reading; retry until closed. */
export function openAccount(
  steps: AccountSteps,
  { reading, clock, log, signal }: Pick<OpenParts, 'reading' | 'clock' | 'log' | 'signal'>,
): OpenAccount {
  const { name, title, missing, receives, webhook } = steps
  const loaded = Promise.withResolvers<void>()
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  let state: AccountState = { state: 'connecting', account: null, problem: null }
  let channel: Channel | null = null
  const load = once(async () => (channel = await steps.load()))

  async function check(): Promise<Checked> {
    if (missing !== null) return { problem: missing, isPassing: false }
    try {
      return await steps.check(await load())
    } catch (error) {
      log('error', `${name} could not be connected`, { error })
      return { problem: `the library for ${title} could not be loaded. Run "npm install ${steps.packages}".`, isPassing: false }
    }
  }

  function wait(problem: string): void {
    if (problem !== state.problem) log('warn', `${name}: ${problem}`)
    state = { ...state, state: 'waiting', problem }
  }

  /** Reads while it is this process that does; the account stays open for sending otherwise. */
  async function connect(open: Channel): Promise<void> {
    while (!stopping.signal.aborted) {
      const checked = await check()
      if (stopping.signal.aborted) return
      if ('account' in checked) {
        const { account } = checked
        if (!reading.isOn) {
          state = { state: 'connected', account, problem: null }
          await reading.until(true, stopping.signal)
          continue
        }
        state = { ...state, account }
        const started = await steps.start(open, (now) => (state = { ...now, account }))
        if ('reader' in started) {
          state = { state: 'connected', account, problem: null }
          log('info', `${name} is connected as ${account}`)
          if (started.reader === null) return
          await reading.until(false, stopping.signal)
          await started.reader.stop()
          continue
        }
        wait(started.problem)
      } else wait(checked.isPassing ? `${checked.problem}. Retrying.` : checked.problem)
      await pauseFor(clock, connectLimits.retryMs, stopping.signal)
    }
  }

  async function begin(): Promise<void> {
    if (missing !== null) return wait(missing)
    // Deliveries start at once; the name of the account is only shown to people.
    const open = await load()
    loaded.resolve()
    await connect(open)
  }

  const running = begin()
    .catch((error: unknown) => {
      log('error', `${name} could not be connected`, { error })
      wait(`the library for ${title} could not be loaded. Run "npm install ${steps.packages}".`)
    })
    .finally(loaded.resolve)
  let isClosed = false
  return {
    get channel() {
      return isClosed ? null : channel
    },
    get state() {
      return state
    },
    receives,
    webhook,
    ready: loaded.promise,
    check,
    async close() {
      isClosed = true
      signal.removeEventListener('abort', stop)
      stop()
      await running
    },
  }
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let promise: Promise<Value> | null = null
  return () => (promise ??= make())
}
