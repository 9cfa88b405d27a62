import { languageCodes } from '../language.ts'
import { z } from 'zod'
import type { BuildViewStatus } from '../../client/build-view.ts'
import { type TokenScope, tokenScopes } from '../../authority/capabilities.ts'
import { roles } from '../../authority/roles.ts'
import { list, named, page, when } from './component.ts'

export const buildIds = named(
  'BuildIds',
  z.object({
    build_id: z.uuid(),
    session_id: z.uuid().describe('The same for every turn of the agent.'),
  }),
)

export const buildStatuses = [
  'starting',
  'running',
  'waiting',
  'complete',
  'failed',
  'cancelled',
] as const satisfies readonly BuildViewStatus[]

export const build = named(
  'Build',
  buildIds.extend({
    agent: z.string(),
    language: z.enum(languageCodes),
    prompt: z.string(),
    status: z.enum(buildStatuses),
    step: z.int().describe('Place of the step under way, else of the last one reached; 0 before the first.'),
    openQuestions: z.int().describe('How many things the person is asked right now.'),
    question: z
      .object({
        id: z.string().describe('Of the question, or of the set.'),
        prompt: z.string(),
        isSet: z.boolean().optional().describe('Absent in a list.'),
        questions: z
          .array(
            z.object({
              id: z.string(),
              prompt: z.string(),
              input: z.enum(['single_choice', 'text']),
              options: z.array(z.object({ id: z.string(), label: z.string(), description: z.string().exactOptional() })),
            }),
          )
          .optional()
          .describe('Its parts; one question is its only part. Absent in a list.'),
      })
      .nullable()
      .describe('What they are asked.'),
    openedAt: when,
    updatedAt: when,
  }),
)

export const builds = page('BuildPage', build)

export const buildToken = named(
  'BuildToken',
  z.object({
    id: z.string(),
    build: z.string(),
    name: z.string().describe('Shown beside what its holder says and answers.'),
    by: z.string().describe('Name of its maker. It ends with the access of its maker.'),
    role: z.enum(roles),
    scopes: z.array(z.enum(Object.keys(tokenScopes) as TokenScope[])),
    createdAt: when,
    expiresAt: when,
    revokedAt: when.nullable(),
  }),
)

export const newBuildToken = named('NewBuildToken', z.object({ token: z.string().describe('Shown only here.'), view: buildToken }))

export const buildTokens = list('BuildTokenList', buildToken)

export const buildEvents = named(
  'BuildEventPage',
  z.object({
    events: z.array(
      z.object({
        seq: z.int().describe('Grows; numbers may be left out. Read on with `after`.'),
        at: when,
        type: z.string().describe('Of the build protocol, such as progress.step.started.'),
        payload: z.record(z.string(), z.unknown()),
      }),
    ),
    next: z.string().nullable().describe('The `after` of the next page; null when this was the last one.'),
  }),
)
