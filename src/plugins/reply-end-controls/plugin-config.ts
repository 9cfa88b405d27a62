import { z } from 'zod'

/** Schema of `plugins.reply-end-controls.config` in parley.yaml. */
const schema = z.strictObject({
  channels: z.array(z.string().min(1)).max(50),
  groups: z.enum(['off', 'asker']),
  labels: z.enum(['full', 'short']),
  locale: z.enum(['auto', 'en', 'zh-Hant']),
  marker: z.boolean(),
  expireAfterHours: z
    .number()
    .positive()
    .max(24 * 365),
})

export type ReplyEndConfig = z.output<typeof schema>

export const replyEndDefaults: ReplyEndConfig = {
  channels: ['telegram', 'web'],
  groups: 'off',
  labels: 'full',
  locale: 'auto',
  marker: false,
  expireAfterHours: 24,
}

export function readReplyEndConfig(given: Record<string, unknown>): { config: ReplyEndConfig } | { fault: string } {
  const read = schema.safeParse(given)
  if (read.success) return { config: read.data }
  const [issue] = read.error.issues
  if (!issue) return { fault: 'it cannot be read' }
  const why = inWords(issue)
  return { fault: issue.path.length === 0 ? why : `${issue.path.map(String).join('.')}: ${why}` }
}

function inWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `there is no setting ${issue.keys.join(', ')}`
  if (issue.code === 'invalid_value') return `it must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
  return issue.message
}
