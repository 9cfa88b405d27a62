import { z } from 'zod'
import type { BuildIds, BuildSummary } from '../client/builds.ts'
import type { Page } from '../client/wire.ts'

/** What the routes of builds answer, for the document of the API. */

const when = z.int().describe('Milliseconds since 1970.')

export const buildIds = z.object({
  build_id: z.uuid(),
  session_id: z.uuid().describe('The same for every turn of the agent.'),
}) satisfies z.ZodType<BuildIds>

export const buildStatuses = [
  'starting',
  'running',
  'waiting',
  'complete',
  'failed',
  'cancelled',
] as const satisfies readonly BuildSummary['status'][]

export const build = buildIds.extend({
  agent: z.string(),
  language: z.enum(['en', 'zh']),
  prompt: z.string(),
  status: z.enum(buildStatuses),
  step: z.int().describe('Place of the step under way, else of the last one reached; 0 before the first.'),
  openQuestions: z.int().describe('How many things the person is asked right now.'),
  question: z
    .object({ id: z.string().describe('Of the question, or of the set.'), prompt: z.string() })
    .nullable()
    .describe('What they are asked.'),
  openedAt: when,
  updatedAt: when,
}) satisfies z.ZodType<BuildSummary>

export const builds: z.ZodType<Page<BuildSummary>> = z.object({
  items: z.array(build),
  next: z.string().nullable().describe('Give it back as `after`; null at the end.'),
})

export const buildEvents = z.object({
  events: z.array(
    z.object({
      seq: z.int().describe('Grows; numbers may be left out. Read on with `after`.'),
      at: when,
      type: z.string().describe('Of the build protocol, such as progress.step.started.'),
      payload: z.record(z.string(), z.unknown()),
    }),
  ),
  next: z.string().nullable().describe('The `after` of the next page; null when this was the last one.'),
})
