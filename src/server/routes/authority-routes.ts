import { z } from 'zod'
import { roles } from '../authority/roles.ts'
import { scopeLimits } from '../authority/scope.ts'
import type { GrantView, PolicyExplanation, PolicyView } from '../client/wire.ts'
import * as answers from './answers.ts'
import { type Route, route } from './route.ts'
import { id, line, text } from './text.ts'

const byId = z.strictObject({ id })
const nothing = z.strictObject({})
const when = z.int().describe('Milliseconds since 1970.')
const role = z.enum(roles)
const author = z.object({ id: z.string(), name: z.string(), role })
const where = z.record(z.string(), z.string())

const grant = z.object({
  id: z.string(),
  agent: z.string(),
  tool: z.string(),
  scope: z.string().describe('Such as run(git log *).'),
  where: where.exactOptional(),
  role: role.describe('It serves this role and above.'),
  author: z.string().nullable().describe('Set for a guest or a group: it serves this author only.'),
  dialog: z.string().nullable().describe('Null: all dialogs.'),
  madeIn: z.string(),
  toolHash: z.string(),
  scripts: z.record(z.string(), z.string()),
  by: author,
  via: z.string().nullable(),
  madeAt: when,
  until: when,
  end: z.object({ at: when, by: z.string(), why: z.string() }).nullable(),
}) satisfies z.ZodType<GrantView>

const effect = z.enum(['allow', 'ask', 'deny'])

const policy = z.object({
  preset: z.enum(['ask', 'workspace', 'locked']),
  approvers: z.array(z.string()),
  approvalsInGroup: z.boolean(),
  notifyFor: z.enum(['owner', 'all']),
  people: z.array(z.object({ key: z.string(), role, identities: z.array(z.object({ platform: z.string(), id: z.string() })) })),
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
}) satisfies z.ZodType<PolicyView>

const explanation = z.object({
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
}) satisfies z.ZodType<PolicyExplanation>

export const authorityRouteLimits = { inputFields: 50 } as const

/** Grants, the policy in force, and trust in the text of a dialog. */
export const authorityRoutes = (): Route[] => [
  route({
    method: 'get',
    path: '/v1/grants',
    summary: 'Standing permissions, the latest first; ended ones are included',
    query: z.strictObject({ agent: line(64).optional() }),
    status: 200,
    answer: z.object({ items: z.array(grant), next: z.null() }),
    handle: async ({ query, parley }) => ({ items: await parley.grants.list(query), next: null }),
  }),
  route({
    method: 'delete',
    path: '/v1/grants/{id}',
    summary: 'End a grant. Calls it covered ask again',
    params: byId,
    status: 200,
    answer: grant,
    handle: ({ params, caller, parley }) => parley.grants.revoke(params.id, caller),
  }),
  route({
    method: 'get',
    path: '/v1/policy',
    summary: 'Preset, rules and people in force',
    status: 200,
    answer: policy,
    handle: ({ parley }) => parley.policy.show(),
  }),
  route({
    method: 'post',
    path: '/v1/policy/explain',
    summary: 'What the gate would decide about a call, and why. Nothing runs and nothing is stored',
    body: z.strictObject({
      tool: line(200).describe('run, read, write, net, message, mcp, or the name of a tool of the agent.'),
      text: text(scopeLimits.chars).optional().describe('The command, path, host, address or server/tool.'),
      input: z
        .record(z.string(), z.unknown())
        .refine((fields) => Object.keys(fields).length <= authorityRouteLimits.inputFields, 'has too many fields')
        .optional()
        .describe('Input of the tool; for mcp the fields that `where` looks at.'),
      agent: line(64).optional(),
      as: role.optional().describe('The lowest role whose text the agent has read; owner unless set.'),
      dialog: id.optional().describe('Grants for this dialog count as well.'),
      language: z.enum(['en', 'zh']).optional(),
    }),
    status: 200,
    answer: explanation,
    handle: ({ body, parley }) => parley.policy.explain(body),
  }),
  route({
    method: 'post',
    path: '/v1/dialogs/{id}/trust',
    summary: 'Vouch for everything written in its tree so far: calls are judged by the role of the owner again',
    params: byId,
    body: nothing,
    status: 200,
    answer: answers.dialog,
    handle: ({ params, caller, parley }) => parley.dialogs.trust(params.id, caller),
  }),
]
