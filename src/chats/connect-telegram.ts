import type { ChannelConfig } from '../app/config/channels-schema.ts'
import { pauseFor } from '../ports/clock.ts'
import { telegramChannel } from './channels/telegram/channel.ts'
import { wantedUpdates } from './channels/telegram/parse.ts'
import { type Poll, pollUpdates } from './channels/telegram/poll.ts'
import type { Connection, ConnectParts } from './connections.ts'

export const connectLimits = { retryMs: 15_000, checkMs: 10_000 } as const

/** Connects one account and stays until it is closed: checks the token, then reads updates or sets the webhook. */
export function connectTelegram(
  { name, config }: { name: string; config: ChannelConfig },
  { take, readFile, reading, clock, log }: ConnectParts,
): Connection {
  const stopping = new AbortController()
  const loaded = Promise.withResolvers<void>()
  let poll: Poll | null = null
  const { token, apiRoot, webhook } = config
  const client = once(async () => {
    // The only place from which grammY is loaded, and only for an account that has a token.
    const { telegramClient } = await import('./channels/telegram/client.ts')
    return telegramClient({ token: token ?? '', readFile, ...(apiRoot !== undefined && { apiRoot }) })
  })

  const connection: Connection = {
    name,
    kind: 'telegram',
    config,
    channel: null,
    state: 'connecting',
    account: null,
    problem: null,
    ready: loaded.promise,
    async check() {
      if (token === undefined) return { problem: 'it has no token. Run "parley channels add telegram".' }
      const answer = await (await client()).call({ operation: 'getMe', body: {} }, AbortSignal.timeout(connectLimits.checkMs))
      if ('failure' in answer)
        return {
          problem:
            answer.failure.code === 'forbidden'
              ? 'Telegram refuses the token. Take the one that @BotFather shows, and run "parley channels add telegram".'
              : `${answer.failure.why}. Retrying.`,
        }
      const { username = '' } = answer.result as { username?: string }
      return { account: `@${username}` }
    },
    async close() {
      connection.state = 'off'
      connection.channel = null
      stopping.abort()
      await poll?.stop()
      await running
    },
  }

  async function begin(): Promise<void> {
    if (token === undefined) {
      connection.problem = 'it has no token. Run "parley channels add telegram".'
      connection.state = 'waiting'
      loaded.resolve()
      return
    }
    const opened = await client()
    const channel = telegramChannel({ name, client: opened, rates: config.rates, ...(webhook && { webhookSecret: webhook.secret }) })
    // Deliveries start at once; the account's name is only shown to people.
    if (!stopping.signal.aborted) connection.channel = channel
    loaded.resolve()
    while (!stopping.signal.aborted) {
      await connect(opened)
      if (stopping.signal.aborted) return
      if (webhook) return
      poll = pollUpdates({
        client: opened,
        store: (updates) => take(channel, updates),
        clock,
        log,
        onState(now) {
          connection.state = now.state === 'reading' ? 'connected' : 'waiting'
          connection.problem = now.state === 'reading' ? null : `${now.why}. ${now.next}`
        },
      })
      await reading.until(false, stopping.signal)
      await poll.stop()
    }
  }

  /** Resolves when this process may read updates and the account is checked. */
  async function connect(opened: Awaited<ReturnType<typeof client>>): Promise<void> {
    for (;;) {
      const checked = await connection.check()
      if (stopping.signal.aborted) return
      if ('account' in checked) {
        connection.account = checked.account
        if (!reading.isOn) {
          connection.state = 'connected'
          connection.problem = null
          await reading.until(true, stopping.signal)
          if (stopping.signal.aborted) return
          continue
        }
        const called = await opened.call(
          webhook
            ? {
                operation: 'setWebhook',
                body: { url: webhook.url, secret_token: webhook.secret, allowed_updates: [...wantedUpdates] },
              }
            : { operation: 'deleteWebhook', body: {} },
          AbortSignal.timeout(connectLimits.checkMs),
        )
        if (stopping.signal.aborted) return
        if ('result' in called) break
        connection.problem = `${called.failure.why}. Retrying.`
      } else {
        if (checked.problem !== connection.problem) log('warn', `${name}: ${checked.problem}`)
        connection.problem = checked.problem
      }
      connection.state = 'waiting'
      await pauseFor(clock, connectLimits.retryMs, stopping.signal)
      if (stopping.signal.aborted) return
    }
    connection.state = 'connected'
    connection.problem = null
    log('info', `${name} is connected as ${connection.account}`)
  }

  const running = begin().catch((error: unknown) => {
    connection.state = 'waiting'
    connection.problem = 'the library for Telegram could not be loaded. Run "npm install grammy".'
    log('error', `${name} could not be connected`, { error })
    loaded.resolve()
  })
  return connection
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let promise: Promise<Value> | null = null
  return () => (promise ??= make())
}
