import type { ChannelKind, Checked } from '../../../ports/channel-kind.ts'
import type { Channel, Inbound } from '../../../ports/channel.ts'
import { openAccount } from '../open-account.ts'
import { senderNames, type Profile } from '../sender-names.ts'
import { lineChannel } from './channel.ts'
import type { LineClient } from './client.ts'
import type { LineConfig } from './config.ts'
import { replyTokens } from './reply-tokens.ts'
import { lineWebhook } from './webhook.ts'

export const openLine: ChannelKind<LineConfig>['open'] = ({ name, config }, parts) => {
  const { token, channelSecret, replyTokens: usesReplyTokens = true } = config
  const now = (): number => parts.clock.now()
  const tokens = replyTokens(now)
  let client: LineClient | null = null

  async function load(): Promise<Channel> {
    const { lineClient } = await import('./client.ts')
    client = await lineClient(config)
    return lineChannel({ name, client, tokens, now })
  }

  async function check(): Promise<Checked> {
    const answer = await client?.call({ operation: 'getBotInfo' })
    if (!answer) return { problem: 'the client is used before it is loaded', isPassing: true }
    if ('failure' in answer) {
      const { why, retryable } = answer.failure
      return { problem: retryable ? why : `LINE refuses the token (${why}). ${nextStep}`, isPassing: retryable }
    }
    const { basicId = '', displayName = '' } = answer.result as { basicId?: string; displayName?: string }
    return { account: `${basicId} (${displayName})` }
  }

  /** A person who left, or has blocked the bot, has no profile. */
  async function findProfile({ address, from }: Inbound): Promise<Profile | null> {
    if (from.isAnonymous) return {}
    const place = address.startsWith('C') ? { group: address } : address.startsWith('R') ? { room: address } : {}
    const operation = 'group' in place ? 'getGroupMemberProfile' : 'room' in place ? 'getRoomMemberProfile' : 'getProfile'
    const answer = await client?.call({ operation, path: { ...place, user: from.id } })
    if (!answer || 'failure' in answer) return null
    const { displayName, language } = answer.result as { displayName?: string; language?: string }
    return { ...(displayName && { name: displayName }), ...(language && { language }) }
  }

  const addNames = senderNames(findProfile, parts.clock)
  const keep: typeof tokens.keep = (one) => (usesReplyTokens ? tokens.keep(one) : undefined)
  return openAccount(
    {
      name,
      title: 'LINE',
      packages: '@line/bot-sdk',
      missing:
        token === undefined
          ? `it has no channel access token. ${nextStep}`
          : channelSecret === undefined
            ? `it has no channel secret. ${nextStep}`
            : null,
      receives: 'webhook',
      webhook: channelSecret === undefined ? 'none' : lineWebhook({ secret: channelSecret, now, name: addNames, keep }),
      load,
      check,
      start: async () => ({ reader: null }),
    },
    parts,
  )
}

const nextStep = 'Copy the token and the secret of your channel from the LINE Developers Console, and run "parley channels add line".'
