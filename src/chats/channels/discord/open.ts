import type { ChannelKind, Checked } from '../../../ports/channel-kind.ts'
import type { Channel } from '../../../ports/channel.ts'
import { connectLimits, openAccount } from '../open-account.ts'
import { discordChannel } from './channel.ts'
import type { DiscordClient } from './client.ts'
import type { DiscordConfig } from './config.ts'
import { readGateway } from './gateway.ts'
import { interactionTypes, toToast } from './interactions.ts'
import { type Known, parseEvent } from './parse.ts'
import { threads } from './threads.ts'
import { discordWebhook } from './webhook.ts'

export const openDiscord: ChannelKind<DiscordConfig>['open'] = ({ name, config }, parts) => {
  const { token, publicKey } = config
  const { take, readFile, cursor, clock, log, signal } = parts
  let client: DiscordClient | null = null
  let own: string | null = null

  async function load(): Promise<Channel> {
    const { discordClient } = await import('./client.ts')
    client = await discordClient(config, readFile)
    return discordChannel({ name, client })
  }

  const call: DiscordClient['call'] = async (request) => {
    if (!client) throw new Error('the client is used before it is loaded')
    return client.call(request, AbortSignal.timeout(connectLimits.checkMs))
  }
  const places = threads(call, clock, signal)
  const getKnown = (by: Known['by']): Known => ({ parentOf: (channel) => places.parentOf(channel), own, by, now: clock.now() })

  async function check(): Promise<Checked> {
    const answer = await call({ operation: 'get_my_user' })
    if ('failure' in answer) {
      const { why, retryable } = answer.failure
      return { problem: retryable ? why : `Discord refuses the token (${why}). ${nextStep}`, isPassing: retryable }
    }
    const { username = '' } = answer.result as { username?: string }
    return { account: `@${username}` }
  }

  return openAccount(
    {
      name,
      title: 'Discord',
      packages: '@discordjs/rest @discordjs/ws',
      missing: token === undefined ? `it has no token. ${nextStep}` : null,
      receives: 'socket',
      webhook:
        publicKey === undefined
          ? 'none'
          : discordWebhook(
              publicKey,
              () => clock.now(),
              (data) => {
                places.learn('INTERACTION_CREATE', data)
                return parseEvent({ name: 'INTERACTION_CREATE', data }, getKnown('http'))
              },
            ),
      load,
      check,
      async start(_channel, report) {
        if (!client) return { reader: null }
        const read = await readGateway({
          client,
          cursor,
          take,
          clock,
          log,
          signal,
          parse(event) {
            places.learn(event.name, event.data)
            return parseEvent(event, getKnown('gateway'))
          },
          onStored({ name: event, data }) {
            if (event !== 'INTERACTION_CREATE' || data['type'] !== interactionTypes.command) return
            // Without a response Discord tells the person that the command failed.
            const path = { interaction_id: String(data['id']), interaction_token: String(data['token']) }
            void call({ operation: 'create_interaction_response', path, body: toToast('✓') })
          },
          onSelf: (id) => (own = id),
          report: (problem) => report(problem === null ? { state: 'connected', problem } : { state: 'waiting', problem }),
        })
        return 'problem' in read ? read : { reader: read }
      },
    },
    parts,
  )
}

const nextStep = 'Copy the bot token of your application, and run "parley channels add discord".'
