import { z } from 'zod'
import type { Access } from '../auth/access.ts'
import { mustBeAbleToGive } from '../auth/principal.ts'
import { scopes, tokenLimits, tokenRoles } from '../auth/tokens.ts'
import * as responses from '../../shapes/schemas/responses.ts'
import { byId, route } from './route.ts'
import { id, line } from '../text.ts'

const tokenLimit = z.union([z.strictObject({ dialog: id }), z.strictObject({ build: id })])

/** Tokens for programs and sign-in links for browsers. */
export const tokenRoutes = (access: Access, url: () => string) => [
  route({
    operation: 'tokens.create',
    summary: 'Create a token. It is shown only in this response',
    body: z.strictObject({
      name: line(tokenLimits.nameChars),
      scopes: z.array(z.enum(scopes)).min(1).max(scopes.length),
      role: z.enum(tokenRoles).default('member').describe('member sees and changes what it opened itself.'),
      limit: tokenLimit.optional().describe('The token sees nothing else.'),
    }),
    status: 201,
    response: responses.newToken,
    async handle({ body: { name, scopes: wanted, role, limit }, caller, principal, parley }) {
      mustBeAbleToGive(principal, role, wanted)
      if (limit && 'dialog' in limit) await parley.dialogs.get(limit.dialog)
      else if (limit) await parley.builds.get(limit.build)
      return access.createToken(name, wanted, { role, limit, once: caller.once })
    },
  }),
  route({
    operation: 'tokens.list',
    summary: 'All tokens, without their secrets',
    status: 200,
    response: responses.tokens,
    handle: async () => ({ items: await access.listTokens(), next: null }),
  }),
  route({
    operation: 'tokens.revoke',
    summary: 'Revoke a token',
    params: byId,
    status: 200,
    response: responses.token,
    handle: ({ params }) => access.revokeToken(params.id),
  }),
  route({
    operation: 'links.create',
    summary: 'Create a sign-in link that works once, for ten minutes',
    body: z.strictObject({
      name: line(tokenLimits.nameChars).optional(),
      for: line(64).optional().describe('Key of a person under people in parley.yaml; the owner unless set.'),
    }),
    status: 201,
    response: responses.link,
    async handle({ body: { name, for: person }, principal }) {
      mustBeAbleToGive(principal, person === undefined ? 'owner' : access.getRole(person))
      const { key, expiresAt } = access.signInKey({ name: name === '' ? undefined : name, person })
      return { url: signInUrl(url(), key), expiresAt }
    },
  }),
]

/** The key is behind the #, so that it reaches no log of any server or proxy. */
export const signInUrl = (url: string, key: string, path = '/o'): string => `${url}${path}#k=${key}`
