import { z } from 'zod'
import { askHuman, findQuestionFault, type ItemField, type Question, questionKinds, questionLimits } from '../dialogs/rules/question.ts'
import type { Tool } from '../ports/agent-runtime.ts'
import { questionItem } from '../shapes/schemas/question-items.ts'
import { faultInWords } from './tool.ts'

const kinds = Object.keys(questionKinds) as [keyof typeof questionKinds, ...(keyof typeof questionKinds)[]]
const option = z.object({ value: z.string(), label: z.string().optional(), hint: z.string().optional() })

const number = z.number()
const types = {
  string: z.string(),
  number,
  integer: number,
  boolean: z.boolean(),
  // Small models often send bare words here; refusing them would cost a generation and teach nothing.
  options: z.array(z.union([option, z.string()])),
} satisfies Record<ItemField['type'], z.ZodType>

/** The fields of all kinds side by side: models fill in one flat object more reliably than a choice of several. */
function flatFields(): Record<string, z.ZodType> {
  const fields = new Map<string, { kind: string; field: ItemField }[]>()
  for (const kind of kinds)
    for (const [name, field] of Object.entries<ItemField>(questionKinds[kind].fields))
      fields.set(name, [...(fields.get(name) ?? []), { kind, field }])
  return Object.fromEntries(
    [...fields].map(([name, uses]) => {
      const [first, ...others] = [...new Set(uses.map(({ field }) => types[field.type]))]
      const type = others.length === 0 ? first : z.union([first as z.ZodType, ...others])
      const byAbout = Map.groupBy(uses, ({ field }) => field.about)
      const about = [...byAbout].map(([text, same]) => `${same.map(({ kind }) => kind).join(', ')}: ${text}.`).join(' ')
      return [name, (type as z.ZodType).optional().describe(about)]
    }),
  )
}

const inputSchema = z.object({
  tellaskContent: z.string().describe('What you want to know and why, in one or two sentences.'),
  items: z
    .array(
      z.object({
        id: z.string().describe('A short name of this part, such as "budget".'),
        text: z.string().describe('The question of this part.'),
        kind: z.enum(kinds).describe(kinds.map((kind) => `${kind}: ${questionKinds[kind].about}.`).join(' ')),
        ...flatFields(),
      }),
    )
    .optional()
    .describe(`The parts, answered together (at most ${questionLimits.items}). Leave out for one free-text answer.`),
  to: z
    .enum(['owner', 'everyone'])
    .optional()
    .describe('Leave out to ask the people you talk to. owner: the owner alone. everyone: in a group, any member.'),
})

/** The question in a model's input, or what is wrong with it. */
export function readQuestion(input: unknown): { ask: Question; to?: 'owner' | 'everyone' } | { fault: string } {
  const parsed = inputSchema.safeParse(withContent(input))
  if (!parsed.success) return { fault: faultInWords(parsed.error) }
  const { tellaskContent: text, items, to } = parsed.data
  const parts = z.array(questionItem).safeParse(items?.length ? items.map(readItem) : [{ id: 'answer', text: '', kind: 'text' }])
  if (!parts.success) return { fault: faultInWords(parts.error) }
  const ask: Question = { text, items: parts.data }
  const fault = findQuestionFault(ask)
  return fault === null ? { ask, ...(to === undefined ? {} : { to }) } : { fault }
}

/** The protocol's word for it is long, and models like to write `text`. They also like to fill optional fields with null. */
function withContent(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input
  const { text, items, ...rest } = input as Record<string, unknown>
  return {
    ...(text === undefined ? {} : { tellaskContent: text }),
    ...(items === null ? {} : { items: Array.isArray(items) ? items.map(withoutNulls) : items }),
    ...withoutNulls(rest),
  }
}

const withoutNulls = (value: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([, field]) => field !== null))

/** Only the fields of its own kind: models fill in others too. */
function readItem(item: { id: string; text: string; kind: (typeof kinds)[number]; [field: string]: unknown }): Record<string, unknown> {
  const { id, text, kind } = item
  const fields = Object.entries<ItemField>(questionKinds[kind].fields).flatMap(([name, { type }]) => {
    const value = item[name]
    if (type === 'options') return [[name, ((value ?? []) as (z.output<typeof option> | string)[]).map(readOption)]]
    if (value === undefined || value === '') return []
    const isNumber = (type === 'number' || type === 'integer') && typeof value === 'string'
    return [[name, isNumber && Number.isFinite(Number(value)) ? Number(value) : value]]
  })
  return { id, text, kind, ...Object.fromEntries(fields) }
}

function readOption(given: z.output<typeof option> | string): { value: string; label: string; hint?: string } {
  const { value, label, hint } = typeof given === 'string' ? { value: given, label: undefined, hint: undefined } : given
  return { value, label: label ?? value, ...(hint === undefined ? {} : { hint }) }
}

/**
 * The tool by which a model asks a person. It never runs: a well-formed call becomes a question and the dialog waits,
 * a malformed one fails its check and the model reads the reason.
 */
export const askHumanTool: Tool = {
  name: askHuman,
  description:
    'Ask the human you work for and wait for the answer. Use it when a decision is theirs or when you cannot know; offer choices where you can. One call asks everything you need at this point.',
  inputSchema: z.toJSONSchema(inputSchema, { io: 'input', target: 'draft-7' }),
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
