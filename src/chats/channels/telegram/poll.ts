import type { SendFailure } from '../../../ports/channel.ts'
import { type Clock, pauseFor } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { TelegramClient } from './client.ts'
import { wantedUpdates } from './parse.ts'
import { backOffMs } from '../../../shapes/back-off.ts'

export const telegramPollLimits = {
  longPollSeconds: 30,
  batch: 100,
  firstRetryMs: 500,
  longestRetryMs: 30_000,
  /** Another reader, or a refused token: only a person can change that, so it is asked for less often. */
  personRetryMs: 15_000,
} as const

export type PollState = { state: 'reading' } | { state: 'waiting'; why: string; next: string }

export type Poll = {
  /** Resolves when nothing of the loop is left. */
  stop(): Promise<void>
}

type Update = { update_id: number }

/**
 * Reads what is new and hands it on, batch by batch. Telegram forgets an update when a later one is asked for, so the
 * next call is made only after `store` has kept the whole batch: a crash anywhere means the batch comes again.
 */
export function pollUpdates(options: {
  client: TelegramClient
  store: (updates: unknown[]) => Promise<void>
  clock: Clock
  log: Log
  onState?: (state: PollState) => void
}): Poll {
  const { client, store, clock, log, onState } = options
  const stopping = new AbortController()
  let last: string | null = null

  const say = (state: PollState): void => {
    const key = JSON.stringify(state)
    if (key === last) return
    last = key
    onState?.(state)
    if (state.state === 'waiting') log('warn', `Telegram: ${state.why}. ${state.next}`)
  }

  async function read(): Promise<void> {
    let position = 0
    let failures = 0
    while (!stopping.signal.aborted) {
      const body = {
        offset: position,
        limit: telegramPollLimits.batch,
        timeout: telegramPollLimits.longPollSeconds,
        allowed_updates: [...wantedUpdates],
      }
      const got = await client.call({ operation: 'getUpdates', body }, stopping.signal)
      if (stopping.signal.aborted) return
      if ('failure' in got) {
        const { why, next, waitMs } = inWords(got.failure)
        say({ state: 'waiting', why, next })
        await pauseFor(clock, waitMs ?? backOffMs(telegramPollLimits, failures++), stopping.signal)
        continue
      }
      const updates = got.result as Update[]
      try {
        if (updates.length > 0) await store(updates)
      } catch (error) {
        log('error', 'Telegram: what came in could not be kept; it is asked for again.', { error })
        await pauseFor(clock, backOffMs(telegramPollLimits, failures++), stopping.signal)
        continue
      }
      failures = 0
      say({ state: 'reading' })
      // A repeated update may have a low id; the place never goes back.
      for (const { update_id: id } of updates) position = Math.max(position, id + 1)
    }
  }

  const reading = read()
  return {
    stop() {
      stopping.abort()
      return reading
    },
  }
}

function inWords({ code, why, retryAfterMs }: SendFailure): { why: string; next: string; waitMs?: number } {
  const waitMs = telegramPollLimits.personRetryMs
  if (/webhook is active/.test(why))
    return {
      why: 'a webhook is set for this account, so nothing can be read by polling',
      next: 'Remove the webhook, or configure this channel to use it.',
      waitMs,
    }
  if (/terminated by other getUpdates/.test(why))
    return { why: 'another program reads the messages of this account', next: 'Stop the other one; only one may read at a time.', waitMs }
  if (code === 'forbidden')
    return { why: `Telegram refuses the token (${why})`, next: 'Set the token that @BotFather shows for this account.', waitMs }
  return { why, next: 'Retrying.', ...(retryAfterMs !== undefined && { waitMs: retryAfterMs }) }
}
