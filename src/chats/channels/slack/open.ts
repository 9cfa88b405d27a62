import type { ChannelKind, Checked } from '../../../ports/channel-kind.ts'
import type { Channel, Sender } from '../../../ports/channel.ts'
import { openAccount } from '../open-account.ts'
import { type Profile, senderNames } from '../sender-names.ts'
import { slackChannel } from './channel.ts'
import type { SlackClient } from './client.ts'
import type { SlackConfig } from './config.ts'
import { parseReport } from './parse.ts'
import { slackWebhook } from './webhook.ts'

export const openSlack: ChannelKind<SlackConfig>['open'] = ({ name, config }, parts) => {
  const { token, appToken, signingSecret } = config
  const { take, clock, log } = parts
  let client: SlackClient | null = null
  const names = senderNames(async ({ from }: { from: Sender }): Promise<Profile | null> => {
    const answer = await client?.call({ operation: 'users.info', body: { user: from.id, include_locale: true } })
    if (!answer || 'failure' in answer) return null
    const { real_name: realName, locale: language } = (answer.result['user'] ?? {}) as { real_name?: string; locale?: string }
    return { ...(realName && { name: realName }), ...(language && { language }) }
  }, clock)

  async function load(): Promise<Channel> {
    const { slackClient } = await import('./client.ts')
    client = await slackClient(config)
    return slackChannel({ name, client, addNames: names })
  }

  async function check(): Promise<Checked> {
    const answer = await client?.call({ operation: 'auth.test' })
    if (!answer) return { problem: 'the client is used before it is loaded', isPassing: true }
    if ('failure' in answer) {
      const { why, retryable } = answer.failure
      return { problem: retryable ? why : `Slack refuses the token (${why}). ${nextStep}`, isPassing: retryable }
    }
    const { user = '', team = '' } = answer.result as { user?: string; team?: string }
    return { account: `@${user} (${team})` }
  }

  return openAccount(
    {
      name,
      title: 'Slack',
      packages: '@slack/web-api @slack/socket-mode',
      missing:
        token === undefined
          ? `it has no token. ${nextStep}`
          : appToken === undefined && signingSecret === undefined
            ? 'it has neither an app-level token for socket mode nor a signing secret for HTTP. Run "parley channels add slack".'
            : null,
      receives: appToken === undefined ? 'webhook' : 'socket',
      webhook: appToken === undefined && signingSecret !== undefined ? slackWebhook(signingSecret, () => clock.now(), names) : 'none',
      load,
      check,
      async start(_channel, report) {
        if (appToken === undefined || !client) return { reader: null }
        try {
          const reader = await client.listen(
            async (received) => take(await names(parseReport(received, clock.now()))),
            (isConnected) =>
              report(
                isConnected ? { state: 'connected', problem: null } : { state: 'waiting', problem: 'the socket was closed. Retrying.' },
              ),
          )
          return { reader }
        } catch (error) {
          log('warn', `${name}: the socket could not be opened`, { error })
          return { problem: 'Slack does not accept the app-level token, or cannot be reached. Retrying.' }
        }
      },
    },
    parts,
  )
}

const nextStep = 'Copy the bot token of your Slack app, and run "parley channels add slack".'
