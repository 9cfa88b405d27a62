import { z } from 'zod'
import { buildLimits } from '../rules/build-limits.ts'

/** Every bound of the AG-UI endpoint in one place; that of the body is the server's. */
export const agUiLimits = { idChars: 200, messages: 2_000, heartbeatMs: 15_000, pieceBytes: 64_000 } as const

const id = z
  .string()
  .min(1)
  .max(agUiLimits.idChars)
  .regex(/^[\x20-\x7e]*$/, 'holds more than printable ASCII characters')

/**
 * The input with which a client begins or continues a run, as far as it is read here. Tools and context are for other
 * kinds of agents; as the protocol asks, what is not known is passed over and not refused.
 */
export const runInput = z.looseObject({
  threadId: id.describe('The client’s own name for the build, or the id of a build that runs already.'),
  runId: id,
  messages: z
    .array(z.looseObject({ id: z.string().max(1_000), role: z.string().max(50) }))
    .max(agUiLimits.messages)
    .describe('The last one of the person is what is to be built.'),
  state: z.unknown().optional(),
  forwardedProps: z.unknown().optional().describe('`language` ("en" or "zh") and `agent` are taken from here when a build is opened.'),
  resume: z
    .array(
      z.looseObject({
        interruptId: z.string().max(buildLimits.idChars),
        status: z.enum(['resolved', 'cancelled']),
        payload: z.unknown().optional(),
      }),
    )
    .max(buildLimits.questionsInSet)
    .nullish()
    .describe('Answers to everything that is asked.'),
})

export type RunInput = z.output<typeof runInput>

export type Resume = { interruptId: string; status: 'resolved' | 'cancelled'; payload?: unknown }
