import { z } from 'zod'
import type { PolicyExplanation, PolicyView } from '../../authority/policy-view.ts'
import { roles } from '../../authority/roles.ts'
import { named, page, when } from './component.ts'

const role = z.enum(roles)
const author = z.object({ id: z.string(), name: z.string(), role })
const where = z.record(z.string(), z.string())

export const grant = named(
  'Grant',
  z.object({
    id: z.string(),
    agent: z.string(),
    tool: z.string(),
    scope: z.string().describe('Such as run(git log *).'),
    where: where.exactOptional(),
    fields: z.array(z.string()).readonly().exactOptional().describe('A call with other fields is not covered.'),
    role: role.describe('It serves this role and above.'),
    author: z.string().nullable().describe('Set for a guest or a group: it serves this author only.'),
    dialog: z.string().nullable().describe('Null: all dialogs.'),
    madeIn: z.string(),
    toolHash: z.string(),
    scripts: z.record(z.string(), z.string()),
    anyContent: z.literal(true).exactOptional().describe('It allows its command whatever the files it runs contain.'),
    by: author,
    via: z.string().nullable(),
    madeAt: when,
    until: when,
    end: z.object({ at: when, by: z.string(), why: z.string() }).nullable(),
  }),
)

const effect = z.enum(['allow', 'ask', 'deny'])

export const policy = named(
  'Policy',
  z.object({
    preset: z.enum(['ask', 'workspace', 'locked']),
    approvers: z.array(z.string()),
    approvalsInGroup: z.boolean(),
    notifyFor: z.enum(['owner', 'all']),
    people: z.array(
      z.object({ key: z.string(), name: z.string(), role, identities: z.array(z.object({ platform: z.string(), id: z.string() })) }),
    ),
    rules: z.array(
      z.object({
        effect,
        scope: z.string(),
        where: where.exactOptional(),
        line: z.int().nullable(),
        role,
        agent: z.string().nullable(),
        until: when.nullable(),
        note: z.string().nullable(),
        keys: z.int(),
        approvers: z.array(z.string()),
        escalate: z.object({ afterMs: z.int(), to: z.array(z.string()) }).nullable(),
        irreversible: z.boolean(),
      }),
    ),
  }) satisfies z.ZodType<PolicyView>,
)

export const explanation = named(
  'PolicyExplanation',
  z.object({
    agent: z.string(),
    tool: z.string(),
    as: role,
    decision: effect,
    because: z.string(),
    onceOnly: z.boolean(),
    keys: z.int(),
    subjects: z.array(z.object({ subject: z.string(), decision: effect.nullable() })),
    unsure: z.array(z.string()),
    rules: z.array(z.object({ rule: z.string(), line: z.int().nullable() })),
    grants: z.array(z.object({ id: z.string(), scope: z.string(), by: z.string() })),
    lines: z.array(z.string()).describe('The same in words.'),
    isByName: z.boolean().describe('The agent has no such tool: paths were compared by name, and no grant could count.'),
  }) satisfies z.ZodType<PolicyExplanation>,
)

export const grants = page('GrantPage', grant)
