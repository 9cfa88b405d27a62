import { z } from 'zod'
import type { Access } from '../access/access.ts'
import { buildLimits } from '../build/build-limits.ts'
import { routeEffects } from '../authority/route-capabilities.ts'
import * as answers from './build-answers.ts'
import { buildEventStream } from './build-event-stream.ts'
import { type Route, route } from './route.ts'
import { id, line, text, whole } from './text.ts'

const byId = z.strictObject({ id })
const nothing = z.strictObject({})
const anyText = text(buildLimits.answerChars)
const anyId = line(buildLimits.idChars)

/** The routes of builds. Names in bodies are those of the build protocol. */
export function buildRoutes(access: Access, streamsOver: AbortSignal): Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/builds',
      summary: 'Start a build. It goes on by itself; follow its events',
      body: z.strictObject({
        prompt: text(buildLimits.promptChars),
        language: z.enum(['en', 'zh']).optional(),
        agent: line(64).optional(),
      }),
      status: 201,
      answer: answers.buildIds,
      handle: ({ body, caller, parley }) => parley.builds.open(body, caller),
    }),
    route({
      method: 'get',
      path: '/v1/builds',
      summary: 'Builds, the latest first; what ended long ago is left out',
      query: z.strictObject({
        limit: whole(1, 200).optional(),
        after: z
          .string()
          .max(300)
          .regex(/^[\w.~:-]*$/, 'is not the `next` of a page')
          .optional(),
        search: line(200).optional(),
        status: z.enum(answers.buildStatuses).optional(),
      }),
      status: 200,
      answer: answers.builds,
      handle: ({ query, parley }) => parley.builds.list(query),
    }),
    route({
      method: 'get',
      path: '/v1/builds/{id}',
      summary: 'One build',
      params: byId,
      status: 200,
      answer: answers.build,
      handle: ({ params, parley }) => parley.builds.get(params.id),
    }),
    route({
      method: 'get',
      path: '/v1/builds/{id}/events',
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
      answer: answers.buildEvents,
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
      method: 'post',
      path: '/v1/builds/{id}/answers',
      summary: 'Answer what is asked: one question by its id, or a set with an answer for each of its ids. The first answer counts',
      params: byId,
      body: z.union([
        z.strictObject({ question_id: anyId, answer: anyText }),
        z.strictObject({ question_set_id: anyId.optional(), answers: z.record(anyId, anyText) }),
      ]),
      status: 200,
      answer: answers.build,
      handle: ({ params, body, caller, parley }) =>
        'answer' in body
          ? parley.builds.answer(params.id, { question: body.question_id, answer: body.answer }, caller)
          : parley.builds.answerAll(params.id, { set: body.question_set_id, answers: body.answers }, caller),
    }),
    route({
      method: 'post',
      path: '/v1/builds/{id}/messages',
      summary: 'A further wish. The agent hears it with its next turn, after the answer if one is awaited',
      params: byId,
      body: z.strictObject({ text: text(buildLimits.promptChars) }),
      status: 201,
      answer: answers.build,
      handle: ({ params, body, caller, parley }) => parley.builds.instruct(params.id, body.text, caller),
    }),
    route({
      method: 'post',
      path: '/v1/builds/{id}/cancel',
      summary: 'Stop it for good',
      params: byId,
      body: nothing,
      status: 200,
      answer: answers.build,
      handle: ({ params, caller, parley }) => parley.builds.cancel(params.id, caller),
    }),
    route({
      method: 'post',
      path: '/v1/builds/{id}/retry',
      summary: 'Continue a build that failed or was cancelled, as a new round of the same session',
      params: byId,
      body: nothing,
      status: 201,
      answer: answers.build,
      handle: ({ params, caller, parley }) => parley.builds.retry(params.id, caller),
    }),
  ]
}
