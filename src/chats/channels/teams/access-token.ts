import type { Clock } from '../../../ports/clock.ts'
import { isRecord } from '../../../shapes/record.ts'
import type { TeamsConfig } from './config.ts'
import type { TeamsError } from './failure.ts'

export const accessTokenLimits = { reserveMs: 5 * 60_000, timeoutMs: 15_000 } as const

/** The token that requests to Teams carry. */
export type AccessToken = {
  /** Throws an error with the response of the login. */
  get(): Promise<string>
  /** The next one is fetched. */
  forget(): void
}

/** B rest-api/bot-framework-rest-connector-authentication: client credentials, scope of the connector. */
export function accessToken(config: TeamsConfig, clock: Clock): AccessToken {
  const { appId = '', appPassword = '', tenantId = 'botframework.com', loginRoot = 'https://login.microsoftonline.com' } = config
  let cachedToken: { token: string; expiresAt: number } | null = null
  let pending: Promise<string> | null = null

  async function fetchToken(): Promise<string> {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: appId,
      client_secret: appPassword,
      scope: 'https://api.botframework.com/.default',
    })
    const url = `${loginRoot.replace(/\/$/, '')}/${tenantId}/oauth2/v2.0/token`
    const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(accessTokenLimits.timeoutMs) })
    const data: unknown = await response.json().catch(() => null)
    const { access_token: token, expires_in: seconds } = isRecord(data) ? data : {}
    if (!response.ok || typeof token !== 'string')
      throw Object.assign(new Error('the login gave no token'), { response: { status: response.status, data } } satisfies TeamsError)
    cachedToken = { token, expiresAt: clock.now() + Number(seconds ?? 0) * 1_000 }
    return token
  }

  return {
    async get() {
      if (cachedToken && cachedToken.expiresAt - accessTokenLimits.reserveMs > clock.now()) return cachedToken.token
      pending ??= fetchToken().finally(() => (pending = null))
      return pending
    },
    forget: () => void (cachedToken = null),
  }
}
