import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { teamsLimits } from './limits.ts'

export const verifyLimits = { metadataMs: 24 * 60 * 60_000, timeoutMs: 5_000 } as const

const metadataUrl = 'https://login.botframework.com/v1/.well-known/openidconfiguration'

/** `unknown`: the keys could not be fetched. */
export type Verdict = 'genuine' | 'forged' | 'unknown'

/** Checks the token of a call, which names its sender, the bot and the service URL. It does not cover the rest of the body. */
export type Verify = (authorization: string, activity: Record<string, unknown>) => Promise<Verdict>

type Keys = { set: ReturnType<typeof createRemoteJWKSet>; since: number }

/** All requirements of B rest-api/bot-framework-rest-connector-authentication, "Connector to Bot". */
export function tokenVerifier({
  appId,
  openIdUrl = metadataUrl,
  now,
}: {
  appId: string
  openIdUrl?: string | undefined
  now: () => number
}): Verify {
  let latestKeys: Promise<Keys> | null = null

  async function fetchKeys(): Promise<Keys> {
    const response = await fetch(openIdUrl, { signal: AbortSignal.timeout(verifyLimits.timeoutMs) })
    const { jwks_uri: uri } = (await response.json()) as { jwks_uri?: string }
    return { set: createRemoteJWKSet(new URL(uri ?? ''), { timeoutDuration: verifyLimits.timeoutMs }), since: now() }
  }

  async function getKeys(): Promise<Keys['set']> {
    const before = await latestKeys?.catch(() => null)
    if (before && now() - before.since < verifyLimits.metadataMs) return before.set
    latestKeys = fetchKeys()
    return (await latestKeys).set
  }

  return async (authorization, activity) => {
    const [, token] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization) ?? []
    if (token === undefined) return 'forged'
    try {
      const keys = await getKeys()
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        algorithms: ['RS256'],
        issuer: 'https://api.botframework.com',
        audience: appId,
        requiredClaims: ['exp'],
        clockTolerance: teamsLimits.clockSeconds,
        currentDate: new Date(now()),
      })
      const key = keys.jwks()?.keys.find(({ kid }) => kid === protectedHeader.kid) as { endorsements?: unknown } | undefined
      const isEndorsed = Array.isArray(key?.endorsements) && key.endorsements.includes('msteams') && activity['channelId'] === 'msteams'
      const claim = payload['serviceurl'] ?? payload['serviceUrl']
      return isEndorsed && typeof claim === 'string' && claim === activity['serviceUrl'] ? 'genuine' : 'forged'
    } catch (error) {
      const isTokenWrong =
        error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) && !/Expected 200 OK|parse the JSON/.test(error.message)
      return isTokenWrong ? 'forged' : 'unknown'
    }
  }
}
