import { z } from 'zod'
import { effects, presets } from '../../authority/policy.ts'
import { peopleLimits, personRoles } from '../../authority/parse-people.ts'
import { roles } from '../../authority/roles.ts'

const identity = z.union([z.string().min(1).max(200), z.int()])

/** One person. Every other field is a platform with the ids of this person there. */
const personSchema = z
  .object({
    name: z
      .string()
      .min(1)
      .max(peopleLimits.nameChars)
      .optional()
      .describe('Shown on cards and in sentences, such as Mia Chen. The key unless set.'),
    role: z.enum(personRoles).describe('owner and operator may approve; member may use the team; guest may talk to it.'),
  })
  .catchall(z.union([identity, z.array(identity).max(50)]))

const names = z.array(z.string().min(1)).max(100)

const scope = z
  .string()
  .regex(/^[a-z]+\([\s\S]*\)$/)
  .describe('run(git status *), read(docs/**), write(src/**), net(example.org), message(telegram:-500), mcp(server/tool) or tool(name).')

const ruleFields = {
  for: z
    .enum(roles)
    .optional()
    .describe('allow: this role and above, operator unless set. deny and ask: this role and below, all unless set.'),
  note: z.string().max(500).optional().describe('Shown to the agent and to those who approve.'),
  examples: z
    .strictObject({ match: z.array(z.string()).max(50).optional(), not: z.array(z.string()).max(50).optional() })
    .optional()
    .describe('Calls the rule must match and must not match; checked at every start.'),
  agent: z.string().optional().describe('Only for this agent.'),
  until: z.string().optional().describe('Last day of the rule, such as 2027-01-31.'),
  where: z
    .record(z.string(), z.union([z.string().max(200), z.number(), z.boolean()]))
    .optional()
    .describe('Fields of the input that must match, for mcp and tool; a value may end with *.'),
  irreversible: z.boolean().optional().describe('What it does cannot be undone: Deny is offered first, always is not.'),
}

const askFields = {
  keys: z.int().min(1).max(10).optional().describe('How many different people must approve. 1 unless set.'),
  approvers: names.optional().describe('People who are notified first and may approve.'),
  escalate: z
    .strictObject({
      after: z
        .string()
        .regex(/^\d{1,6}[mhd]$/)
        .describe('Such as 30m, 4h or 2d.'),
      to: names.min(1),
    })
    .optional()
    .describe('Notifies more people while there is no decision. It never decides.'),
}

const [allow, ask, deny] = effects

const ruleSchema = z.union([
  z.strictObject({ [allow]: scope, ...ruleFields }),
  z.strictObject({ [deny]: scope, ...ruleFields }),
  z.strictObject({ [ask]: scope, ...ruleFields, ...askFields }),
])

const policyFields = z.strictObject({
  preset: z
    .enum(presets)
    .optional()
    .describe(
      'ask: effects ask a person · workspace: owners and operators change writeDirs and run sandboxed commands freely · locked: what no rule allows is denied.',
    ),
  approvers: names.optional().describe('Members who may approve beside owners and operators.'),
  approvals: z.strictObject({ inGroup: z.boolean().optional().describe('Show approvals in the group they come from, too.') }).optional(),
  notifyFor: z.enum(['owner', 'all']).optional().describe('Which questions go to notify addresses: those to the owner, or all.'),
  rules: z.array(ruleSchema).max(1_000).optional(),
})

const peopleFields = z.record(z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u), personSchema)

/**
 * Only for editors, by way of parley.schema.json: the server reads these sections as they are written and leaves the check to
 * `parsePolicy`, which refuses the whole policy for one mistake.
 */
export const editorSections = {
  people: peopleFields.describe('People with a role, and who they are on chat platforms: mia: { role: owner, telegram: 42 }.'),
  policy: policyFields.describe('What agents may do without asking, and who decides when they ask.'),
}
