import { languageCodes } from '../../shapes/language.ts'
import { z } from 'zod'
import type { Access } from '../auth/access.ts'
import { buildLimits } from '../../builds/rules/build-limits.ts'
import { tokenLimits } from '../auth/tokens.ts'
import { routeEffects } from '../../shapes/operations.ts'
import { counted } from '../../shapes/schemas/responses.ts'
import * as responses from '../../shapes/schemas/build-responses.ts'
import { buildEventStream } from '../live/build-event-stream.ts'
import { byId, nothing, route } from './route.ts'
import { line, pageQuery, text, whole } from '../text.ts'

const anyText = text(buildLimits.answerChars)
const anyId = line(buildLimits.idChars)

/** The routes of builds. Names in bodies are those of the build protocol. */
export function buildRoutes(access: Access, streamsOver: AbortSignal) {
  return [
    route({
      operation: 'builds.start',
      summary: 'Start a build. It runs in the background; follow its events',
      body: z.strictObject({
        prompt: text(buildLimits.promptChars),
        language: z.enum(languageCodes).optional(),
        agent: line(64).optional(),
      }),
      status: 201,
      response: responses.buildIds,
      handle: ({ body, caller, parley }) => parley.builds.open(body, caller),
    }),
    route({
      operation: 'builds.list',
      summary: 'Builds, the latest first; builds that ended long ago are not listed',
      query: z.strictObject({
        ...pageQuery,
        search: line(200).optional(),
        status: z.enum(responses.buildStatuses).optional(),
      }),
      status: 200,
      response: responses.builds,
      handle: ({ query, parley }) => parley.builds.list(query),
    }),
    route({
      operation: 'builds.get',
      summary: 'One build',
      params: byId,
      status: 200,
      response: responses.build,
      handle: ({ params, parley }) => parley.builds.get(params.id),
    }),
    route({
      operation: 'builds.events',
      summary: 'Its events after a number: as JSON, or live with Accept: text/event-stream',
      params: byId,
      query: z.strictObject({
        after: whole(0, Number.MAX_SAFE_INTEGER).optional(),
        include: z
          .enum(['public', 'person', 'all'])
          .optional()
          .describe(
            'public: those of the protocol · person: also what was asked for and answered · all: also what is for an operator (capability read.all).',
          ),
      }),
      status: 200,
      response: responses.buildEvents,
      async handle({ params, query: { after = 0, include = 'public' }, header, signal, principal, mustBeAllowedTo, live, parley }) {
        const { builds, events } = parley
        if (include === 'all') mustBeAllowedTo(routeEffects.allEvents)
        if (!header('accept')?.includes('text/event-stream')) {
          const page = await builds.events.read(params.id, { after, include })
          const last = page.at(-1)?.seq
          return { events: page, next: last === undefined || last >= (await events.position(params.id)) ? null : String(last) }
        }
        await builds.get(params.id)
        const resumed = header('last-event-id')
        const open = live('events')
        return {
          raw: buildEventStream({
            builds,
            build: params.id,
            include,
            after: resumed !== undefined && /^\d{1,15}$/.test(resumed) ? Number(resumed) : after,
            signal: AbortSignal.any([signal, streamsOver, open.signal]),
            isStillAllowed: () => access.isAlive(principal),
            onRevoked: (listen) => access.onRevoked(principal, listen),
            open,
          }),
        }
      },
    }),
    route({
      operation: 'builds.answer',
      summary: 'Answer the open question by its id, or a set with an answer for each of its ids. The first answer counts',
      params: byId,
      body: z.union([
        z.strictObject({ question_id: anyId, answer: anyText }),
        z.strictObject({ question_set_id: anyId.optional(), answers: z.record(anyId, anyText) }),
      ]),
      status: 200,
      response: responses.build,
      handle: ({ params, body, caller, parley }) =>
        'answer' in body
          ? parley.builds.answer(params.id, { question: body.question_id, answer: body.answer }, caller)
          : parley.builds.answerAll(params.id, { set: body.question_set_id, answers: body.answers }, caller),
    }),
    route({
      operation: 'builds.say',
      summary: 'Add a message. The agent receives it with its next turn, after the answer if one is pending',
      params: byId,
      body: z.strictObject({ text: text(buildLimits.promptChars) }),
      status: 201,
      response: responses.build,
      handle: ({ params, body, caller, parley }) => parley.builds.instruct(params.id, body.text, caller),
    }),
    route({
      operation: 'builds.createToken',
      summary: 'Create a token for this build alone, for 15 minutes. Ask again to renew it. It is shown only in this response',
      params: byId,
      body: z.strictObject({
        name: line(tokenLimits.nameChars).optional().describe('Shown beside what its holder says; your own name unless set.'),
        role: z.enum(['member', 'guest']).optional().describe('guest: what its holder writes is trusted less. member unless set.'),
      }),
      status: 201,
      response: responses.newBuildToken,
      async handle({ params, body, caller, principal, parley }) {
        await parley.builds.get(params.id)
        return access.ofBuilds.create({ build: params.id, maker: principal, ...body, once: caller.once })
      },
    }),
    route({
      operation: 'builds.tokens',
      summary: 'Tokens for this build that have not expired, newest first, without their secrets',
      params: byId,
      status: 200,
      response: responses.buildTokens,
      async handle({ params, parley }) {
        await parley.builds.get(params.id)
        return { items: await access.ofBuilds.list(params.id) }
      },
    }),
    route({
      operation: 'builds.revokeTokens',
      summary: 'Revoke all tokens for this build. Pages that use them are disconnected',
      params: byId,
      status: 200,
      response: counted,
      async handle({ params, parley }) {
        await parley.builds.get(params.id)
        return access.ofBuilds.revokeAll(params.id)
      },
    }),
    route({
      operation: 'builds.cancel',
      summary: 'Stop it permanently',
      params: byId,
      body: nothing,
      status: 200,
      response: responses.build,
      handle: ({ params, caller, parley }) => parley.builds.cancel(params.id, caller),
    }),
    route({
      operation: 'builds.retry',
      summary: 'Continue a build that failed or was cancelled, as a new round of the same session',
      params: byId,
      body: nothing,
      status: 201,
      response: responses.build,
      handle: ({ params, caller, parley }) => parley.builds.retry(params.id, caller),
    }),
  ]
}
