import type { ChannelKind, Checked } from '../../../ports/channel-kind.ts'
import type { Channel } from '../../../ports/channel.ts'
import { openAccount } from '../open-account.ts'
import { accessToken } from './access-token.ts'
import { teamsChannel } from './channel.ts'
import type { TeamsConfig } from './config.ts'
import { serviceUrls } from './service-urls.ts'
import { toFailure } from './failure.ts'
import { tokenVerifier } from './verify.ts'
import { teamsWebhook } from './webhook.ts'

export const openTeams: ChannelKind<TeamsConfig>['open'] = ({ name, config }, parts) => {
  const { appId, appPassword, apiRoot, openIdUrl } = config
  const now = (): number => parts.clock.now()
  const secrets = [appPassword ?? '']
  const token = accessToken(config, parts.clock)
  const urls = serviceUrls(parts.cursor, apiRoot)

  async function load(): Promise<Channel> {
    const { teamsClient } = await import('./client.ts')
    const client = await teamsClient({ token, secrets })
    return teamsChannel({ name, client, serviceUrls: urls, now })
  }

  /** Teams has no call that names the bot; a login with the secret proves both settings. */
  async function check(): Promise<Checked> {
    try {
      token.forget()
      await token.get()
      return { account: appId ?? '' }
    } catch (error) {
      const { why, retryable } = toFailure(error, 'login', secrets)
      return { problem: retryable ? why : `Microsoft refuses the login of the bot (${why}). ${nextStep}`, isPassing: retryable }
    }
  }

  return openAccount(
    {
      name,
      title: 'Microsoft Teams',
      packages: '@microsoft/teams.api',
      missing:
        appId === undefined
          ? `it has no application ID. ${nextStep}`
          : appPassword === undefined
            ? `it has no client secret. ${nextStep}`
            : null,
      receives: 'webhook',
      webhook: appId === undefined ? 'none' : teamsWebhook({ verify: tokenVerifier({ appId, openIdUrl, now }), serviceUrls: urls, now }),
      load,
      check,
      start: async () => ({ reader: null }),
    },
    parts,
  )
}

const nextStep = 'Copy the application ID and a client secret of your bot from the Azure portal, and run "parley channels add teams".'
