import type { ChannelKind, Checked } from '../../../ports/channel-kind.ts'
import type { Channel, Inbound, Sender } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { connectLimits, openAccount } from '../open-account.ts'
import { type Profile, senderNames } from '../sender-names.ts'
import { feishuChannel } from './channel.ts'
import type { FeishuClient } from './client.ts'
import type { FeishuConfig } from './config.ts'
import { readLongConnection } from './long-connection.ts'
import { parseEvent } from './parse.ts'
import { feishuWebhook } from './webhook.ts'

export const openFeishu: ChannelKind<FeishuConfig>['open'] = ({ name, config }, parts) => {
  const { appId, appSecret, encryptKey, verificationToken } = config
  const { readFile, clock } = parts
  let client: FeishuClient | null = null
  let own: string | null = null

  async function load(): Promise<Channel> {
    const { feishuClient } = await import('./client.ts')
    client = await feishuClient(config, readFile)
    return feishuChannel({ name, appId: appId ?? '', client, addNames })
  }

  async function check(): Promise<Checked> {
    const answer = await client?.call({ operation: 'bot.info' }, AbortSignal.timeout(connectLimits.checkMs))
    if (!answer) return { problem: 'the client is used before it is loaded', isPassing: true }
    if ('failure' in answer) {
      const { why, retryable } = answer.failure
      return { problem: retryable ? why : `Feishu refuses the app (${why}). ${nextStep}`, isPassing: retryable }
    }
    const { app_name: title = '', open_id: id = null } = (answer.result['bot'] ?? {}) as { app_name?: string; open_id?: string }
    own = id
    return { account: title }
  }

  /** Names need the permission to read contacts; without it the id is shown. */
  const addNames = senderNames(async ({ from }: { from: Sender }): Promise<Profile | null> => {
    const query = { user_id_type: 'open_id' }
    const answer = await client?.call({ operation: 'contact.user.get', path: { user_id: from.id }, query })
    if (!answer || ('failure' in answer && answer.failure.retryable)) return null
    const user = 'failure' in answer ? {} : answer.result['user']
    return isRecord(user) && typeof user['name'] === 'string' ? { name: user['name'] } : {}
  }, clock)
  const read = (report: unknown): Promise<Inbound[]> => addNames(parseEvent(report, { own, now: clock.now() }))

  return openAccount(
    {
      name,
      title: 'Feishu',
      packages: '@larksuiteoapi/node-sdk',
      missing: appId === undefined || appSecret === undefined ? `it has no App ID or no App Secret. ${nextStep}` : null,
      receives: encryptKey === undefined ? 'socket' : 'webhook',
      webhook: encryptKey === undefined ? 'none' : feishuWebhook({ encryptKey, verificationToken, now: () => clock.now(), read }),
      load,
      check,
      async start(_channel, report) {
        if (encryptKey !== undefined || !client) return { reader: null }
        return readLongConnection({
          client,
          read,
          ...parts,
          report: (problem) => report(problem === null ? { state: 'connected', problem } : { state: 'waiting', problem }),
        })
      },
    },
    parts,
  )
}

const nextStep = 'Copy App ID and App Secret of your app, and run "parley channels add feishu".'
