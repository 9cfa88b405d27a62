import type { KeyObject } from 'node:crypto'
import type { ChannelKind, Checked } from '../../../ports/channel-kind.ts'
import type { Channel, Sender } from '../../../ports/channel.ts'
import { connectLimits, openAccount } from '../open-account.ts'
import { type Profile, senderNames } from '../sender-names.ts'
import { mattermostChannel } from './channel.ts'
import type { MattermostClient } from './client.ts'
import type { MattermostConfig } from './config.ts'
import { type ChannelFacts, isId, type Known, parseEvent, parseMissed } from './parse.ts'
import type { RenderAccount } from './render.ts'
import { contextSigner, readPublicKey } from './signature.ts'
import { readSocket } from './socket.ts'
import { mattermostWebhook } from './webhook.ts'

export const mattermostOpenLimits = { channels: 10_000 } as const

/** Facts about the server: its version of posts, its key, and the bot. */
type ServerFacts = { shape: 'blocks' | 'attachments'; publicKey: KeyObject | null; own: Known['own'] }

export const openMattermost: ChannelKind<MattermostConfig>['open'] = ({ name, config }, parts) => {
  const { url = '', token = '' } = config
  const { take, readFile, cursor, clock, log, signal, publicUrl } = parts
  const callbackUrl = config.callbackUrl ?? publicUrl
  const sign = contextSigner(token)
  let client: MattermostClient | null = null
  let server: ServerFacts | null = null
  const channels = new Map<string, ChannelFacts>()

  const call: MattermostClient['call'] = async (request, given) => {
    if (!client) throw new Error('the client is used before it is loaded')
    return client.call(request, given ?? AbortSignal.timeout(connectLimits.checkMs))
  }

  async function load(): Promise<Channel> {
    const { mattermostClient } = await import('./client.ts')
    client = await mattermostClient(config, readFile)
    const account = (): RenderAccount => ({
      format: { shape: server?.shape ?? 'blocks', hasControls: callbackUrl !== null },
      callbackUrl: callbackUrl ?? '',
      sign,
    })
    const ownId = async (): Promise<string | null> => {
      if (!server) await check()
      return server?.own.id ?? null
    }
    return mattermostChannel({ name, client, account, ownId, addNames })
  }

  async function check(): Promise<Checked> {
    const user = await call({ operation: 'GetUser', path: { user_id: 'me' } })
    const settings = 'failure' in user ? user : await call({ operation: 'GetClientConfig', query: { format: 'old' } })
    if ('failure' in user || 'failure' in settings) {
      const { why, retryable } = 'failure' in user ? user.failure : 'failure' in settings ? settings.failure : { why: '', retryable: true }
      return { problem: retryable ? why : `Mattermost refuses the token (${why}). ${nextStep}`, isPassing: retryable }
    }
    const { id, username = '' } = user.result as { id?: string; username?: string }
    if (!isId(id)) return { problem: `this is not the address of a Mattermost server. ${nextStep}`, isPassing: false }
    const { AsymmetricSigningPublicKey: key, FeatureFlagMmBlocksEnabled: hasBlocks } = settings.result
    server = {
      shape: hasBlocks === 'true' ? 'blocks' : 'attachments',
      publicKey: typeof key === 'string' ? readPublicKey(key) : null,
      own: { id, username: username.toLowerCase() },
    }
    return { account: `@${username}` }
  }

  async function publicKey(): Promise<KeyObject | null> {
    if (!server && client) await check()
    return server?.publicKey ?? null
  }

  function learn(channel: Record<string, unknown>): ChannelFacts | null {
    const { id, type, name: title } = channel
    if (typeof id !== 'string' || typeof type !== 'string' || typeof title !== 'string') return null
    if (channels.size >= mattermostOpenLimits.channels) channels.clear()
    const facts = { type, name: title }
    channels.set(id, facts)
    return facts
  }

  /** A channel that the bot may not see any more is unknown. Without an answer the event is read again later. */
  async function findChannel(id: string): Promise<ChannelFacts | null> {
    const channel = channels.get(id)
    if (channel) return channel
    const answer = await call({ operation: 'GetChannel', path: { channel_id: id } })
    if (!('failure' in answer)) return learn(answer.result)
    if (answer.failure.retryable) throw new Error(answer.failure.why)
    return null
  }

  const getKnown = (own: Known['own']): Known => ({ channel: findChannel, own, now: clock.now() })

  async function findProfile({ from }: { from: Sender }): Promise<Profile | null> {
    const answer = await call({ operation: 'GetUser', path: { user_id: from.id } })
    if ('failure' in answer) return null
    const { nickname = '', first_name = '', last_name = '', username = '', locale } = answer.result as Record<string, string | undefined>
    const displayName = nickname || `${first_name} ${last_name}`.trim() || username
    return { ...(displayName && { name: displayName }), ...(locale && { language: locale }) }
  }
  const addNames = senderNames(findProfile, clock)

  return openAccount(
    {
      name,
      title: 'Mattermost',
      packages: '@mattermost/client',
      missing: url === '' ? `it has no address of a server. ${nextStep}` : token === '' ? `it has no token. ${nextStep}` : null,
      receives: 'socket',
      webhook: token === '' ? 'none' : mattermostWebhook({ sign, publicKey, now: () => clock.now(), name: addNames }),
      load,
      check,
      async start(_channel, report) {
        if (!server) return { problem: 'the server is not known yet. Retrying.' }
        const { own } = server
        const read = await readSocket({
          url: `${url.replace(/(?<!\/)\/+$/, '').replace(/^http/, 'ws')}/api/v4/websocket`,
          token,
          cursor,
          clock,
          log,
          signal,
          call,
          take,
          async parse(event) {
            if (event.event === 'posted') {
              const { channel_type: type, channel_name: title } = event.data
              learn({ id: event.broadcast['channel_id'], type, name: title })
            }
            return addNames(await parseEvent(event, getKnown(own)))
          },
          parseMissed: async (post, times) => addNames(await parseMissed(post, times, getKnown(own))),
          onChannel: learn,
          report: (problem) => report(problem === null ? { state: 'connected', problem } : { state: 'waiting', problem }),
        })
        return 'problem' in read ? read : { reader: read }
      },
    },
    parts,
  )
}

const nextStep = 'Create a bot account, copy its access token, and run "parley channels add mattermost".'
