import { z } from 'zod'
import { type Access, tokenStream } from '../access/access.ts'
import { scopes, tokenLimits } from '../access/tokens.ts'
import type { EventView, Page, ServerInfo } from '../client/wire.ts'
import { questionLimits } from '../dialog/question.ts'
import { dialogLimits } from '../dialog/state.ts'
import { ParleyError } from '../errors.ts'
import { type Log, silentLog } from '../ports/log.ts'
import type { Messaging } from '../ports/messaging.ts'
import type { Parley } from '../ports/parley.ts'
import { agUiRoute } from './ag-ui-route.ts'
import * as answers from './answers.ts'
import { buildRoutes } from './build-routes.ts'
import { controlRoutes, type ReplyControls } from './control-routes.ts'
import { eventStream } from './event-stream.ts'
import { mustExist } from './known-stream.ts'
import { fileRoutes } from './file-routes.ts'
import { messagingRoutes } from './messaging-routes.ts'
import { type Route, route } from './route.ts'
import type { Site } from './same-site.ts'
import { id, line, pageOf, text, whole } from './text.ts'
import { wholeInbox } from './whole-inbox.ts'

const byId = z.strictObject({ id })
const nothing = z.strictObject({})
const because = z.strictObject({ reason: text(questionLimits.text).optional() })
const ofRoot = z.strictObject({ root: id.optional() })

export const routeLimits = { eventsPage: 1_000, eventsDefault: 200 } as const

export type RouteParts = {
  parley: Parley
  /** The chat apps; without any, their routes say so. */
  messaging?: Messaging | undefined
  /** What plugins show below replies. */
  controls?: ReplyControls | undefined
  access: Access
  info: () => Promise<ServerInfo>
  site: Site
  url: () => string
  isClosing: () => boolean
  metricsText: () => string
  streamsOver: AbortSignal
  /** Draws a message for channels without sending it. */
  preview: (json: unknown, channels?: readonly string[]) => object
  log?: Log
}

/** The whole API. */
export function routes(parts: RouteParts): Route[] {
  const { parley, messaging, controls, access, info, site, url, isClosing, metricsText, streamsOver, preview, log = silentLog } = parts
  const { dialogs, questions, events } = parley
  return [
    route({
      method: 'get',
      path: '/healthz',
      scope: 'open',
      summary: 'The process lives',
      status: 200,
      answer: answers.fine,
      handle: async () => ({ ok: true }),
    }),
    route({
      method: 'get',
      path: '/readyz',
      scope: 'open',
      summary: 'It can take requests: the store answers and nobody is stopping it',
      status: 200,
      answer: answers.fine,
      async handle() {
        if (isClosing()) throw new ParleyError('shutting_down')
        await events.position()
        return { ok: true }
      },
    }),
    route({
      method: 'get',
      path: '/metrics',
      scope: 'read',
      summary: 'Numbers for Prometheus',
      status: 200,
      handle: async () => ({
        raw: new Response(metricsText(), { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } }),
      }),
    }),
    route({
      method: 'get',
      path: '/v1/info',
      scope: 'read',
      summary: 'Version, agents and what is not in order',
      status: 200,
      answer: answers.info,
      handle: info,
    }),

    route({
      method: 'post',
      path: '/v1/dialogs',
      scope: 'chat',
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
      handle: ({ body, caller }) => dialogs.open(body, caller),
    }),
    route({
      method: 'get',
      path: '/v1/dialogs',
      scope: 'read',
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
      handle: ({ query }) => dialogs.list(query),
    }),
    route({
      method: 'get',
      path: '/v1/dialogs/{id}',
      scope: 'read',
      summary: 'One dialog',
      params: byId,
      status: 200,
      answer: answers.dialog,
      handle: ({ params }) => dialogs.get(params.id),
    }),
    route({
      method: 'patch',
      path: '/v1/dialogs/{id}',
      scope: 'chat',
      summary: 'Give it another title',
      params: byId,
      body: z.strictObject({ title: line(dialogLimits.titleChars) }),
      status: 200,
      answer: answers.dialog,
      handle: ({ params, body, caller }) => dialogs.title(params.id, body.title, caller),
    }),
    route({
      method: 'post',
      path: '/v1/dialogs/{id}/messages',
      scope: 'chat',
      summary: 'Say something. It is on disk when this answers; the reply comes as events',
      params: byId,
      body: z.strictObject({ text: text(dialogLimits.textChars) }),
      status: 201,
      answer: answers.said,
      handle: ({ params, body, caller }) => dialogs.say(params.id, body.text, caller),
    }),
    route({
      method: 'post',
      path: '/v1/dialogs/{id}/stop',
      scope: 'chat',
      summary: 'Stop what runs',
      params: byId,
      body: nothing,
      status: 200,
      answer: answers.dialog,
      handle: ({ params, caller }) => dialogs.stop(params.id, caller),
    }),
    route({
      method: 'post',
      path: '/v1/dialogs/{id}/continue',
      scope: 'chat',
      summary: 'Go on after a stop or a failure',
      params: byId,
      body: nothing,
      status: 200,
      answer: answers.dialog,
      handle: ({ params, caller }) => dialogs.resume(params.id, caller),
    }),
    route({
      method: 'get',
      path: '/v1/dialogs/{id}/tree',
      scope: 'read',
      summary: 'The root it belongs to and every side dialog below that, oldest first',
      params: byId,
      status: 200,
      answer: answers.tree,
      handle: async ({ params }) => ({ items: await dialogs.tree(params.id) }),
    }),
    route({
      method: 'post',
      path: '/v1/dialogs/{id}/dead',
      scope: 'chat',
      summary: 'Give a side dialog up for good. Whoever waits for it is told',
      params: byId,
      body: z.strictObject({ note: text(questionLimits.text).optional() }),
      status: 200,
      answer: answers.dialog,
      handle: ({ params, body, caller }) => dialogs.declareDead(params.id, body.note, caller),
    }),
    route({
      method: 'post',
      path: '/v1/stop-all',
      scope: 'chat',
      summary: 'Stop everything that runs, or everything of one root',
      body: ofRoot,
      status: 200,
      answer: answers.counted,
      handle: ({ body, caller }) => dialogs.stopAll(caller, body.root),
    }),
    route({
      method: 'post',
      path: '/v1/resume-all',
      scope: 'chat',
      summary: 'Continue everything that was stopped or has failed, or everything of one root',
      body: ofRoot,
      status: 200,
      answer: answers.counted,
      handle: ({ body, caller }) => dialogs.resumeAll(caller, body.root),
    }),

    route({
      method: 'get',
      path: '/v1/questions',
      scope: 'read',
      summary: 'Questions to people',
      query: z.strictObject({ ...pageOf, state: z.enum(['open', 'answered', 'declined', 'cancelled', 'expired']).optional() }),
      status: 200,
      answer: answers.questions,
      handle: ({ query }) => questions.list(query),
    }),
    route({
      method: 'get',
      path: '/v1/questions/{id}',
      scope: 'read',
      summary: 'One question',
      params: byId,
      status: 200,
      answer: answers.question,
      handle: ({ params }) => questions.get(params.id),
    }),
    route({
      method: 'post',
      path: '/v1/questions/{id}/answer',
      scope: 'answer',
      summary: 'Answer it. The first answer counts',
      params: byId,
      body: z
        .strictObject({
          choice: text(questionLimits.value).optional(),
          text: text(questionLimits.answer).optional(),
          answers: z.record(text(questionLimits.value), text(questionLimits.answer)).optional(),
        })
        .refine((given) => Object.keys(given).length === 1, 'give one of choice, text or answers'),
      status: 200,
      answer: answers.question,
      handle: ({ params, body, caller }) => questions.answer(params.id, body, caller),
    }),
    route({
      method: 'post',
      path: '/v1/questions/{id}/decline',
      scope: 'answer',
      summary: 'Say that you will not answer',
      params: byId,
      body: because,
      status: 200,
      answer: answers.question,
      handle: ({ params, body, caller }) => questions.decline(params.id, body.reason, caller),
    }),
    route({
      method: 'post',
      path: '/v1/questions/{id}/cancel',
      scope: 'chat',
      summary: 'Take it back',
      params: byId,
      body: because,
      status: 200,
      answer: answers.question,
      handle: ({ params, body, caller }) => questions.cancel(params.id, body.reason, caller),
    }),
    route({
      method: 'get',
      path: '/v1/inbox',
      scope: 'read',
      summary: 'Everything that waits for a person',
      status: 200,
      answer: answers.inbox,
      handle: () => wholeInbox(parley, messaging),
    }),

    route({
      method: 'post',
      path: '/v1/messages/preview',
      scope: 'read',
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
    ...controlRoutes(parley, controls),

    ...buildRoutes(parley, access, streamsOver),
    agUiRoute(parley, access, streamsOver, log),

    route({
      method: 'get',
      path: '/v1/events',
      scope: 'read',
      summary: 'Events after a place: as JSON, or live with Accept: text/event-stream',
      query: z.strictObject({
        stream: id.optional(),
        after: whole(0, Number.MAX_SAFE_INTEGER).optional(),
        limit: whole(1, routeLimits.eventsPage).optional(),
      }),
      status: 200,
      answer: answers.events,
      async handle({ query: { stream, after, limit = routeLimits.eventsDefault }, header, signal, principal, live }) {
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
              open,
            }),
          }
        }
        return pageAfter(await events.read({ stream, after: after ?? 0, limit }), stream, await events.position(stream))
      },
    }),

    route({
      method: 'post',
      path: '/v1/session',
      scope: 'open',
      summary: 'Trade the key of a one-time link for a cookie',
      body: z.strictObject({ key: z.string().min(1).max(2_000) }),
      status: 200,
      answer: answers.fine,
      async handle({ body, header, setCookie }) {
        site.checkForeignOrigin(header)
        const { cookie, maxAgeMs } = await access.redeem(body.key, header('idempotency-key'))
        setCookie(cookieLine(access.cookieName, cookie, maxAgeMs, site.isHttps(header)))
        return { ok: true }
      },
    }),
    route({
      method: 'delete',
      path: '/v1/session',
      scope: 'open',
      summary: 'Sign out in this browser',
      status: 204,
      async handle({ header, setCookie }) {
        site.checkForeignOrigin(header)
        setCookie(cookieLine(access.cookieName, '', 0, site.isHttps(header)))
        return undefined
      },
    }),
    route({
      method: 'post',
      path: '/v1/tokens',
      scope: 'admin',
      summary: 'Make a token. It is shown in this answer only',
      body: z.strictObject({ name: line(tokenLimits.nameChars), scopes: z.array(z.enum(scopes)).min(1).max(scopes.length) }),
      status: 201,
      answer: answers.newToken,
      handle: ({ body, caller }) => access.createToken(body.name, body.scopes, caller.once),
    }),
    route({
      method: 'get',
      path: '/v1/tokens',
      scope: 'admin',
      summary: 'All tokens, without their secrets',
      status: 200,
      answer: answers.tokens,
      handle: async () => ({ items: await access.listTokens(), next: null }),
    }),
    route({
      method: 'delete',
      path: '/v1/tokens/{id}',
      scope: 'admin',
      summary: 'Revoke a token',
      params: byId,
      status: 200,
      answer: answers.token,
      handle: ({ params }) => access.revokeToken(params.id),
    }),
    route({
      method: 'post',
      path: '/v1/links',
      scope: 'admin',
      summary: 'Make a sign-in link that works once, for ten minutes',
      body: z.strictObject({ name: line(tokenLimits.nameChars).optional() }),
      status: 201,
      answer: answers.link,
      async handle({ body }) {
        const { key, expiresAt } = access.signInKey(body.name === '' ? undefined : body.name)
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
  return { items: read.filter((event) => event.stream !== tokenStream), next }
}

const cookieLine = (name: string, value: string, maxAgeMs: number, isHttps: boolean): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(maxAgeMs / 1000)}${isHttps ? '; Secure' : ''}`
