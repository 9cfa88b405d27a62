import { z } from 'zod'
import { askHuman, faultOf, type Question, questionLimits } from '../dialog/question.ts'
import type { Tool } from '../ports/agent-runtime.ts'
import { faultInWords } from './tool.ts'

const option = z.object({ value: z.string(), label: z.string().optional(), hint: z.string().optional() })

const asked = z.object({
  tellaskContent: z.string().describe('What you want to know and why, in one or two sentences.'),
  items: z
    .array(
      z.object({
        id: z.string().describe('A short name of this part, such as "budget".'),
        text: z.string().describe('The question of this part.'),
        kind: z.enum(['choice', 'text']),
        options: z
          // Small models often send bare words here; refusing them would cost a generation and teach nothing.
          .array(z.union([option, z.string()]))
          .optional()
          .describe(`For a choice: 2 to ${questionLimits.options} options.`),
      }),
    )
    .optional()
    .describe(`The parts, answered together (at most ${questionLimits.items}). Leave out for one free-text answer.`),
  to: z
    .enum(['owner', 'everyone'])
    .optional()
    .describe('Leave out to ask the people you talk to. owner: the owner alone. everyone: in a group, any member.'),
})

/** What the model wrote, as a question a person can answer, or what is wrong with it. */
export function readQuestion(input: unknown): { ask: Question; to?: 'owner' | 'everyone' } | { fault: string } {
  const parsed = asked.safeParse(withContent(input))
  if (!parsed.success) return { fault: faultInWords(parsed.error) }
  const { tellaskContent: text, items, to } = parsed.data
  const ask: Question = {
    text,
    items: (items?.length ? items : [{ id: 'answer', text: '', kind: 'text' as const }]).map(({ id, text: part, kind, options }) => {
      if (kind === 'text') return { id, text: part, kind }
      return { id, text: part, kind, options: (options ?? []).map(readOption) }
    }),
  }
  const fault = faultOf(ask)
  return fault === null ? { ask, ...(to === undefined ? {} : { to }) } : { fault }
}

/** The protocol's word for it is long, and models like to write `text`. */
function withContent(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('text' in input) || 'tellaskContent' in input) return input
  const { text, ...rest } = input
  return { tellaskContent: text, ...rest }
}

function readOption(given: z.output<typeof option> | string): { value: string; label: string; hint?: string } {
  const { value, label, hint } = typeof given === 'string' ? { value: given, label: undefined, hint: undefined } : given
  return { value, label: label ?? value, ...(hint === undefined ? {} : { hint }) }
}

/**
 * The tool by which a model asks a person. It never runs: a well-formed call becomes a question and the dialog waits,
 * a malformed one fails its check and the model is told why.
 */
export const askHumanTool: Tool = {
  name: askHuman,
  description:
    'Ask the human you work for and wait for the answer. Use it when a decision is theirs or when you cannot know; offer choices where you can. One call asks everything you need at this point.',
  inputSchema: z.toJSONSchema(asked, { io: 'input', target: 'draft-7' }),
  afterCrash: 'repeat',
  gate: { kind: 'talk' },
  check(input) {
    const read = readQuestion(input)
    return 'fault' in read ? read : { input }
  },
  async run() {
    throw new Error('A question is answered by a human, not run.')
  },
}
