import { z } from 'zod'
import { defineTool } from '../../agents/tool.ts'
import type { Tool } from '../../ports/agent-runtime.ts'
import { worldOwnerTexts } from '../../words/index.ts'
import { worldLimits } from '../rules/world-limits.ts'

export const channelTool = { report: 'report_to_owner', ask: 'ask_owner', end: 'end_conversation' } as const

export const reportInput: z.ZodObject<{
  text: z.ZodString
  nextStep: z.ZodOptional<z.ZodString>
  kind: z.ZodOptional<z.ZodEnum<{ final: 'final'; progress: 'progress' }>>
  announce: z.ZodOptional<z.ZodEnum<{ required: 'required'; skip: 'skip'; default: 'default' }>>
}> = z.object({
  text: z.string().min(1).max(worldLimits.reportChars).describe('What your owner should know, in plain words, without ids.'),
  nextStep: z
    .string()
    .max(worldLimits.nextStepChars)
    .optional()
    .describe('What your owner can decide or do next, in one or two sentences. Leave out if nothing is open.'),
  kind: z
    .enum(['final', 'progress'])
    .optional()
    .describe('final (default): the one report of this conversation. progress: a note in between.'),
  announce: z
    .enum(['required', 'skip', 'default'])
    .optional()
    .describe('Whether your owner is told at once. Leave out unless Policy says so.'),
})

export const askInput: z.ZodObject<{ question: z.ZodString }> = z.object({
  question: z
    .string()
    .min(1)
    .max(worldLimits.ownerQuestionChars)
    .describe('One concrete question to your owner, with what they need to decide.'),
})

/**
 * The three tools of an agent that talks with a peer. They only record what the agent wants: what it did is read from the log when
 * its run is over, so running one twice does nothing more.
 */
export const channelTools: readonly Tool[] = [
  defineTool({
    name: channelTool.report,
    description: 'File a report to your owner about this conversation. The peer never sees it.',
    input: reportInput,
    afterCrash: 'repeat',
    gate: { kind: 'peer' },
    run: ({ kind }, { language = 'en' }) => worldOwnerTexts[language].tools[kind === 'progress' ? 'noted' : 'reported'],
  }),
  defineTool({
    name: channelTool.ask,
    description: 'Ask your owner something that no approved text says. The conversation waits for the answer, also for days.',
    input: askInput,
    afterCrash: 'repeat',
    gate: { kind: 'peer' },
    run: (_, { language = 'en' }) => worldOwnerTexts[language].tools.asked,
  }),
  defineTool({
    name: channelTool.end,
    description: 'Say that you want to end this conversation.',
    input: z.object({}),
    afterCrash: 'repeat',
    gate: { kind: 'peer' },
    run: (_, { language = 'en' }) => worldOwnerTexts[language].tools.ending,
  }),
]
