import type { ChannelKind, Checked } from '../../../ports/channel-kind.ts'
import type { Channel } from '../../../ports/channel.ts'
import { connectLimits, openAccount } from '../open-account.ts'
import { telegramChannel } from './channel.ts'
import type { TelegramClient } from './client.ts'
import type { TelegramConfig } from './config.ts'
import { parseUpdates, wantedUpdates } from './parse.ts'
import { pollUpdates } from './poll.ts'
import { telegramWebhook } from './webhook.ts'

export const openTelegram: ChannelKind<TelegramConfig>['open'] = ({ name, config }, parts) => {
  const { token = '', apiRoot, webhook, rates } = config
  const { take, readFile, clock, log } = parts
  let client: TelegramClient | null = null

  async function load(): Promise<Channel> {
    const { telegramClient } = await import('./client.ts')
    client = await telegramClient({ token, readFile, ...(apiRoot !== undefined && { apiRoot }) })
    return telegramChannel({ name, client, rates })
  }

  const call: TelegramClient['call'] = async (request) => {
    if (!client) throw new Error('the client is used before it is loaded')
    return client.call(request, AbortSignal.timeout(connectLimits.checkMs))
  }

  async function check(): Promise<Checked> {
    if (!/^\d+:[\w-]+$/.test(token)) return { problem: 'this is not the form of a token (digits, a colon, letters)', isPassing: false }
    const answer = await call({ operation: 'getMe' })
    if ('failure' in answer) {
      const { code, why, retryable } = answer.failure
      const isRefused = code === 'forbidden' || !retryable
      return { problem: isRefused ? `Telegram refuses the token (${why}). ${nextStep}` : why, isPassing: !isRefused }
    }
    const { username, first_name: called } = answer.result as { username?: string; first_name?: string }
    return { account: username === undefined ? (called ?? 'a nameless account') : `@${username}` }
  }

  return openAccount(
    {
      name,
      title: 'Telegram',
      packages: 'grammy',
      missing: token === '' ? `it has no token. ${nextStep}` : null,
      receives: webhook ? 'webhook' : 'polling',
      webhook: webhook ? telegramWebhook(webhook.secret) : 'none',
      load,
      check,
      async start(_channel, report) {
        const body = { url: webhook?.url, secret_token: webhook?.secret, allowed_updates: [...wantedUpdates] }
        const called = await call(webhook ? { operation: 'setWebhook', body } : { operation: 'deleteWebhook', body: {} })
        if ('failure' in called) return { problem: `${called.failure.why}. Retrying.` }
        if (webhook || !client) return { reader: null }
        const reader = pollUpdates({
          client,
          store: (updates) => take(parseUpdates(updates)),
          clock,
          log,
          onState(now) {
            if (now.state === 'reading') report({ state: 'connected', problem: null })
            else report({ state: 'waiting', problem: `${now.why}. ${now.next}` })
          },
        })
        return { reader }
      },
    },
    parts,
  )
}

const nextStep = 'Copy the one that @BotFather shows, and run "parley channels add telegram".'
