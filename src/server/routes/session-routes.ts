import { z } from 'zod'
import type { Access } from '../auth/access.ts'
import * as responses from '../../shapes/schemas/responses.ts'
import { byId, route } from './route.ts'
import type { Site } from '../auth/same-site.ts'
import { getCookie } from '../auth/sign-in.ts'

/** Signing in and out, and the browsers that did. */
export const sessionRoutes = (access: Access, site: Site) => [
  route({
    operation: 'session.signIn',
    summary: 'Exchange the key of a one-time link for a cookie',
    body: z.strictObject({ key: z.string().min(1).max(2_000) }),
    status: 200,
    response: responses.fine,
    async handle({ body, header, setCookie }) {
      site.checkForeignOrigin(header)
      const { cookie, maxAgeMs } = await access.redeem(body.key, header('idempotency-key'), header('user-agent'))
      setCookie(cookieLine(access.cookieName, cookie, maxAgeMs, site.isHttps(header)))
      return { ok: true }
    },
  }),
  route({
    operation: 'session.signOut',
    summary: 'Sign out in this browser. Its session is revoked, and its connections end',
    status: 204,
    async handle({ header, setCookie }) {
      site.checkForeignOrigin(header)
      const cookie = getCookie(header, access)
      if (cookie !== null) await access.signOut(cookie)
      setCookie(cookieLine(access.cookieName, '', 0, site.isHttps(header)))
      return undefined
    },
  }),
  route({
    operation: 'sessions.list',
    summary: 'Signed-in browsers, newest first; ended sessions are listed for 30 days',
    status: 200,
    response: responses.sessions,
    handle: async ({ principal }) => ({ items: await access.listSessions(principal), next: null }),
  }),
  route({
    operation: 'sessions.revoke',
    summary: 'Sign out a browser. Its connections end at once',
    params: byId,
    status: 200,
    response: responses.session,
    handle: ({ params, principal }) => access.revokeSession(params.id, principal),
  }),
  route({
    operation: 'sessions.revokeOthers',
    summary: 'Sign out every other browser; with a token, every browser',
    status: 200,
    response: responses.counted,
    handle: ({ principal }) => access.revokeOtherSessions(principal),
  }),
]

const cookieLine = (name: string, value: string, maxAgeMs: number, isHttps: boolean): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(maxAgeMs / 1000)}${isHttps ? '; Secure' : ''}`
