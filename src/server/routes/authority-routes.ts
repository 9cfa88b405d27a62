import { languageCodes } from '../../shapes/language.ts'
import { z } from 'zod'
import { roles } from '../../authority/roles.ts'
import { scopeLimits } from '../../authority/scope.ts'
import { explanation, grant, grants, policy } from '../../shapes/schemas/authority-responses.ts'
import { dialog } from '../../shapes/schemas/responses.ts'
import { byId, route } from './route.ts'
import { id, line, text } from '../text.ts'

const role = z.enum(roles)
export const authorityRouteLimits = { inputFields: 50 } as const

/** Grants, the policy in force, and trust in the text of a dialog. */
export const authorityRoutes = () => [
  route({
    operation: 'grants.list',
    summary: 'Standing permissions, the latest first; ended ones are included',
    query: z.strictObject({ agent: line(64).optional() }),
    status: 200,
    response: grants,
    handle: async ({ query, parley }) => ({ items: await parley.grants.list(query), next: null }),
  }),
  route({
    operation: 'grants.revoke',
    summary: 'Revoke a grant. Calls it covered ask again',
    params: byId,
    status: 200,
    response: grant,
    handle: ({ params, caller, parley }) => parley.grants.revoke(params.id, caller),
  }),
  route({
    operation: 'policy.show',
    summary: 'Preset, rules and people in force',
    status: 200,
    response: policy,
    handle: ({ parley }) => parley.policy.show(),
  }),
  route({
    operation: 'policy.explain',
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
      dialog: id.optional().describe('Include grants for this dialog.'),
      language: z.enum(languageCodes).optional(),
    }),
    status: 200,
    response: explanation,
    handle: ({ body, parley }) => parley.policy.explain(body),
  }),
  route({
    operation: 'dialogs.trust',
    summary: 'Vouch for everything written in its tree up to an event: calls are judged by the role of the owner again',
    params: byId,
    body: z.strictObject({ upTo: z.int().min(1).describe('`seq` of the last event of the dialog that the person has seen.') }),
    status: 200,
    response: dialog,
    handle: ({ params, body, caller, parley }) => parley.dialogs.trust(params.id, body, caller),
  }),
]
