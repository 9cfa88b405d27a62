import { z } from 'zod'
import { type Access, isPrivateStream } from '../access/access.ts'
import { can, mustBeAbleToGive } from '../access/principal.ts'
import { scopes, tokenLimits, tokenRoles } from '../access/tokens.ts'
import type { EventView, Page, ServerInfo } from '../client/wire.ts'
import { approvalDecisions } from '../authority/audience.ts'
import { scopeLimits } from '../authority/scope.ts'
import { approvalLimits } from '../dialog/approval.ts'
import { questionLimits } from '../dialog/question.ts'
import { dialogLimits } from '../dialog/state.ts'
import { ParleyError } from '../errors.ts'
import { type Log, silentLog } from '../ports/log.ts'
import type { Messaging } from '../ports/messaging.ts'
import { agUiRoute } from './ag-ui-route.ts'
import { authorityRoutes } from './authority-routes.ts'
import * as answers from './answers.ts'
import { buildRoutes } from './build-routes.ts'
import { controlRoutes, type ReplyControls } from './control-routes.ts'
import { eventStream } from './event-stream.ts'
import { mustExist } from './known-stream.ts'
import { fileRoutes } from './file-routes.ts'
import { messagingRoutes } from './messaging-routes.ts'
import { type Route, route } from './route.ts'
import type { Site } from './same-site.ts'
import { cookieOf } from './sign-in.ts'
import { id, line, pageOf, text, whole } from './text.ts'
import { wholeInbox } from './whole-inbox.ts'

const byId = z.strictObject({ id })
const nothing = z.strictObject({})
const because = z.strictObject({ reason: text(questionLimits.text).optional() })
const tokenLimit = z.union([z.strictObject({ dialog: id }), z.strictObject({ build: id })])
const ofRoot = z.strictObject({ root: id.optional() })

export const routeLimits = { eventsPage: 1_000, eventsDefault: 200 } as const

export type RouteParts = {
  /** The chat apps; without any, their routes say so. */
  messaging?: Messaging | undefined
  /** What plugins show below replies. */
  controls?: ReplyControls | undefined
  access: Access
  info: () => Promise<ServerInfo>
  site: Site
  url: () => string
  isClosing: () => boolean
  /** Rejects when nothing can be stored. */
  isReady: () => Promise<void>
  metricsText: () => string
  streamsOver: AbortSignal
  /** Draws a message for channels without sending it. */
  preview: (json: unknown, channels?: readonly string[]) => object
  log?: Log
}

/** The whole API. */
export function routes(parts: RouteParts): Route[] {
  const { messaging, controls, access, info, site, url, isClosing, metricsText, streamsOver, preview, log = silentLog } = parts
  const { isReady } = parts
  return [
    route({
      method: 'get',
      path: '/healthz',
      summary: 'The process lives',
      status: 200,
      answer: answers.fine,
      handle: async () => ({ ok: true }),
    }),
    route({
      method: 'get',
      path: '/readyz',
      summary: 'It can take requests: it is not stopping, and the store can be written to',
      status: 200,
      answer: answers.fine,
      async handle() {
        if (isClosing()) throw new ParleyError('shutting_down')
        await isReady()
        return { ok: true }
      },
    }),
    route({
      method: 'get',
      path: '/metrics',
      summary: 'Numbers for Prometheus',
      status: 200,
      handle: async () => ({
        raw: new Response(metricsText(), { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } }),
      }),
    }),
    route({
      method: 'get',
      path: '/v1/info',
      summary: 'Version, agents and what is not in order',
      status: 200,
      answer: answers.info,
      async handle({ principal, caller: { by } }) {
        const { id: person, name, role } = by
        const all = { ...(await info()), ...(person !== undefined && role !== undefined ? { caller: { id: person, name, role } } : {}) }
        if (principal.limit) return { ...all, agents: [], problems: [], emergency: null }
        return can(principal, 'read.all') ? all : { ...all, problems: [] }
      },
    }),

    route({
      method: 'post',
      path: '/v1/dialogs',
      summary: 'Open a dialog, with first words if you like',
      body: z.strictObject({
        agent: line(64).optional(),
        title: line(dialogLimits.titleChars).optional(),
        text: text(dialogLimits.textChars).optional(),
        language: z.enum(['en', 'zh']).optional(),
        taskdoc: line(500).optional().describe('Path of a task document (*.tsk) below the project.'),
      }),
      status: 201,
      answer: answers.dialog,
      handle: ({ body, caller, parley }) => parley.dialogs.open(body, caller),
    }),
    route({
      method: 'get',
      path: '/v1/dialogs',
      summary: 'Dialogs, the latest first',
      query: z.strictObject({
        ...pageOf,
        search: line(200).optional(),
        status: z.enum(answers.statuses).optional(),
        of: z
          .enum(['people', 'builds'])
          .optional()
          .describe('people: those people talk in · builds: those in which agents work on builds.'),
      }),
      status: 200,
      answer: answers.dialogs,
      handle: ({ query, parley }) => parley.dialogs.list(query),
    }),
    route({
      method: 'get',
      path: '/v1/dialogs/{id}',
      summary: 'One dialog',
      params: byId,
      status: 200,
      answer: answers.dialog,
      handle: ({ params, parley }) => parley.dialogs.get(params.id),
    }),
    route({
      method: 'patch',
      path: '/v1/dialogs/{id}',
      summary: 'Give it another title',
      params: byId,
      body: z.strictObject({ title: line(dialogLimits.titleChars) }),
      status: 200,
      answer: answers.dialog,
      handle: ({ params, body, caller, parley }) => parley.dialogs.title(params.id, body.title, caller),
    }),
    route({
      method: 'post',
      path: '/v1/dialogs/{id}/messages',
      summary: 'Say something. It is on disk when this answers; the reply comes as events',
      params: byId,
      body: z.strictObject({ text: text(dialogLimits.textChars) }),
      status: 201,
      answer: answers.said,
      handle: ({ params, body, caller, parley }) => parley.dialogs.say(params.id, body.text, caller),
    }),
    route({
      method: 'post',
      path: '/v1/dialogs/{id}/stop',
      summary: 'Stop the dialog and everything below it, until it is continued',
      params: byId,
      body: nothing,
      status: 200,
      answer: answers.dialog,
      handle: ({ params, caller, parley }) => parley.dialogs.stop(params.id, caller),
    }),
    route({
      method: 'post',
      path: '/v1/dialogs/{id}/continue',
      summary: 'Continue after a failure, or lift the stop here and everywhere below',
      params: byId,
      body: nothing,
      status: 200,
      answer: answers.dialog,
      handle: ({ params, caller, parley }) => parley.dialogs.resume(params.id, caller),
    }),
    route({
      method: 'get',
      path: '/v1/dialogs/{id}/tree',
      summary: 'The root it belongs to and every side dialog below that, oldest first',
      params: byId,
      status: 200,
      answer: answers.tree,
      handle: async ({ params, parley }) => ({ items: await parley.dialogs.tree(params.id) }),
    }),
    route({
      method: 'post',
      path: '/v1/dialogs/{id}/dead',
      summary: 'Give a side dialog and everything below it up for good. Callers that wait get a failed reply',
      params: byId,
      body: z.strictObject({ note: text(questionLimits.text).optional() }),
      status: 200,
      answer: answers.dialog,
      handle: ({ params, body, caller, parley }) => parley.dialogs.declareDead(params.id, body.note, caller),
    }),
    route({
      method: 'post',
      path: '/v1/stop-all',
      summary: 'Emergency stop: no turn starts until /v1/resume-all. With a root, stop its tree alone',
      body: ofRoot,
      status: 200,
      answer: answers.counted,
      handle: ({ body, caller, parley }) => parley.dialogs.stopAll(caller, body.root),
    }),
    route({
      method: 'post',
      path: '/v1/resume-all',
      summary: 'Lift the emergency stop and every other, and continue what has failed. With a root, in its tree alone',
      body: ofRoot,
      status: 200,
      answer: answers.counted,
      handle: ({ body, caller, parley }) => parley.dialogs.resumeAll(caller, body.root),
    }),

    route({
      method: 'get',
      path: '/v1/questions',
      summary: 'Questions to people',
      query: z.strictObject({ ...pageOf, state: z.enum(['open', 'answered', 'declined', 'cancelled', 'expired']).optional() }),
      status: 200,
      answer: answers.questions,
      handle: ({ query, parley }) => parley.questions.list(query),
    }),
    route({
      method: 'get',
      path: '/v1/questions/{id}',
      summary: 'One question',
      params: byId,
      status: 200,
      answer: answers.question,
      handle: ({ params, parley }) => parley.questions.get(params.id),
    }),
    route({
      method: 'post',
      path: '/v1/questions/{id}/answer',
      summary: 'Answer it, or decide an approval. The first answer counts',
      params: byId,
      body: z
        .strictObject({
          choice: text(questionLimits.value).optional(),
          text: text(questionLimits.answer).optional(),
          answers: z.record(text(questionLimits.value), text(questionLimits.answer)).optional(),
          decision: z.enum(approvalDecisions).optional().describe('For an approval.'),
          scope: text(scopeLimits.chars).optional().describe('With chat and always: instead of the proposed one, such as run(git log *).'),
          where: z.record(line(scopeLimits.whereChars), line(scopeLimits.whereChars)).optional(),
          until: z.int().min(0).optional().describe('With chat and always: an earlier end, in milliseconds since 1970.'),
          note: text(approvalLimits.noteChars).optional().describe('With deny: the agent reads it.'),
          isConfirmed: z.boolean().optional().describe('The scope covers everything of its kind, and the person confirmed that.'),
        })
        .refine(
          ({ choice, text: typed, answers: all, decision }) =>
            [choice, typed, all, decision].filter((one) => one !== undefined).length === 1,
          'give one of choice, text, answers or decision',
        )
        .refine(
          ({ decision, scope, where, until, note, isConfirmed }) =>
            decision !== undefined || [scope, where, until, note, isConfirmed].every((one) => one === undefined),
          'scope, where, until, note and isConfirmed need a decision',
        ),
      status: 200,
      answer: answers.question,
      handle: ({ params, body, caller, parley }) => parley.questions.answer(params.id, body, caller),
    }),
    route({
      method: 'post',
      path: '/v1/questions/{id}/decline',
      summary: 'Say that you will not answer',
      params: byId,
      body: because,
      status: 200,
      answer: answers.question,
      handle: ({ params, body, caller, parley }) => parley.questions.decline(params.id, body.reason, caller),
    }),
    route({
      method: 'post',
      path: '/v1/questions/{id}/cancel',
      summary: 'Take it back',
      params: byId,
      body: because,
      status: 200,
      answer: answers.question,
      handle: ({ params, body, caller, parley }) => parley.questions.cancel(params.id, body.reason, caller),
    }),
    route({
      method: 'get',
      path: '/v1/inbox',
      summary: 'Everything that waits for a person',
      status: 200,
      answer: answers.inbox,
      handle: ({ parley, principal, hidden }) =>
        wholeInbox(parley, can(principal, 'read.all') && !principal.limit ? messaging : undefined, hidden),
    }),

    route({
      method: 'post',
      path: '/v1/messages/preview',
      summary: 'A message as each channel would get it: the very requests, how it reads as text, and what is lost',
      body: z.strictObject({
        text: text(dialogLimits.textChars).optional(),
        presentation: z.record(z.string(), z.unknown()).optional(),
        media: z.union([z.string(), z.array(z.unknown())]).optional(),
        channels: z.array(line(50)).min(1).max(20).optional(),
      }),
      status: 200,
      handle: async ({ body: { channels, ...message } }) => preview(message, channels),
    }),
    ...messagingRoutes(messaging),
    ...fileRoutes(messaging),
    ...controlRoutes(controls),
    ...authorityRoutes(),

    ...buildRoutes(access, streamsOver),
    agUiRoute(access, streamsOver, log),

    route({
      method: 'get',
      path: '/v1/events',
      summary: 'Events after a place: as JSON, or live with Accept: text/event-stream',
      query: z.strictObject({
        stream: id.optional(),
        after: whole(0, Number.MAX_SAFE_INTEGER).optional(),
        limit: whole(1, routeLimits.eventsPage).optional(),
      }),
      status: 200,
      answer: answers.events,
      async handle({ query: { stream, after, limit = routeLimits.eventsDefault }, header, signal, principal, live, parley }) {
        if (stream !== undefined) await mustExist(parley, stream)
        if (header('accept')?.includes('text/event-stream')) {
          const resumed = header('last-event-id')
          const from = resumed !== undefined && /^\d{1,15}$/.test(resumed) ? Number(resumed) : (after ?? 0)
          const open = live('events')
          return {
            raw: eventStream({
              parley,
              stream,
              after: from,
              signal: AbortSignal.any([signal, streamsOver, open.signal]),
              isStillAllowed: () => access.isAlive(principal),
              onRevoked: (listen) => access.onRevoked(principal, listen),
              open,
            }),
          }
        }
        return pageAfter(await parley.events.read({ stream, after: after ?? 0, limit }), stream, await parley.events.position(stream))
      },
    }),

    route({
      method: 'post',
      path: '/v1/session',
      summary: 'Trade the key of a one-time link for a cookie',
      body: z.strictObject({ key: z.string().min(1).max(2_000) }),
      status: 200,
      answer: answers.fine,
      async handle({ body, header, setCookie }) {
        site.checkForeignOrigin(header)
        const { cookie, maxAgeMs } = await access.redeem(body.key, header('idempotency-key'), header('user-agent'))
        setCookie(cookieLine(access.cookieName, cookie, maxAgeMs, site.isHttps(header)))
        return { ok: true }
      },
    }),
    route({
      method: 'delete',
      path: '/v1/session',
      summary: 'Sign out in this browser. Its session is revoked, and what it has open ends',
      status: 204,
      async handle({ header, setCookie }) {
        site.checkForeignOrigin(header)
        const cookie = cookieOf(header, access)
        if (cookie !== null) await access.signOut(cookie)
        setCookie(cookieLine(access.cookieName, '', 0, site.isHttps(header)))
        return undefined
      },
    }),
    route({
      method: 'get',
      path: '/v1/sessions',
      summary: 'Browsers that signed in, newest first; those that ended stay for 30 days',
      status: 200,
      answer: answers.sessions,
      handle: async ({ principal }) => ({ items: await access.listSessions(principal), next: null }),
    }),
    route({
      method: 'delete',
      path: '/v1/sessions/{id}',
      summary: 'Sign a browser out. What it has open ends at once',
      params: byId,
      status: 200,
      answer: answers.session,
      handle: ({ params, principal }) => access.revokeSession(params.id, principal),
    }),
    route({
      method: 'delete',
      path: '/v1/sessions',
      summary: 'Sign every other browser out; with a token, every browser',
      status: 200,
      answer: answers.counted,
      handle: ({ principal }) => access.revokeOtherSessions(principal),
    }),
    route({
      method: 'post',
      path: '/v1/tokens',
      summary: 'Make a token. It is shown in this answer only',
      body: z.strictObject({
        name: line(tokenLimits.nameChars),
        scopes: z.array(z.enum(scopes)).min(1).max(scopes.length),
        role: z.enum(tokenRoles).default('member').describe('member sees and changes what it opened itself.'),
        limit: tokenLimit.optional().describe('Everything else does not exist for the token.'),
      }),
      status: 201,
      answer: answers.newToken,
      async handle({ body: { name, scopes: wanted, role, limit }, caller, principal, parley }) {
        mustBeAbleToGive(principal, role, wanted)
        if (limit && 'dialog' in limit) await parley.dialogs.get(limit.dialog)
        else if (limit) await parley.builds.get(limit.build)
        return access.createToken(name, wanted, { role, limit, once: caller.once })
      },
    }),
    route({
      method: 'get',
      path: '/v1/tokens',
      summary: 'All tokens, without their secrets',
      status: 200,
      answer: answers.tokens,
      handle: async () => ({ items: await access.listTokens(), next: null }),
    }),
    route({
      method: 'delete',
      path: '/v1/tokens/{id}',
      summary: 'Revoke a token',
      params: byId,
      status: 200,
      answer: answers.token,
      handle: ({ params }) => access.revokeToken(params.id),
    }),
    route({
      method: 'post',
      path: '/v1/links',
      summary: 'Make a sign-in link that works once, for ten minutes',
      body: z.strictObject({
        name: line(tokenLimits.nameChars).optional(),
        for: line(64).optional().describe('Key of a person under people in parley.yaml; the owner unless set.'),
      }),
      status: 201,
      answer: answers.link,
      async handle({ body: { name, for: person }, principal }) {
        mustBeAbleToGive(principal, person === undefined ? 'owner' : access.roleOf(person))
        const { key, expiresAt } = access.signInKey({ name: name === '' ? undefined : name, person })
        return { url: signInUrl(url(), key), expiresAt }
      },
    }),
  ]
}

/** After `#`: what stands there is sent to no server and stands in no log. */
/** The key is behind the #, so that it reaches no log of any server or proxy. */
export const signInUrl = (url: string, key: string, path = '/o'): string => `${url}${path}#k=${key}`

/** `head` is where the log ended after the page was read. A page may be cut by its bytes, so its length says nothing. */
function pageAfter(read: EventView[], stream: string | undefined, head: number): Page<EventView> {
  const last = read.at(-1)
  const at = last === undefined ? head : stream === undefined ? last.position : last.seq
  const next = at < head ? String(at) : null
  return { items: read.filter((event) => !isPrivateStream(event.stream)), next }
}

const cookieLine = (name: string, value: string, maxAgeMs: number, isHttps: boolean): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(maxAgeMs / 1000)}${isHttps ? '; Secure' : ''}`
