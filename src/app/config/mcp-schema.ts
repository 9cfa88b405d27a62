import { z } from 'zod'

/** A literal, or the name of a variable that is read when the server is started: then no secret is in the file. */
const valueOrVariable = z.union([z.string(), z.strictObject({ env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/) })])

const patterns = z.array(z.string().min(1).max(200)).max(200)

const host = z.stringFormat('host', /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(?::\d{1,5})?$/)

const affix = z.string().regex(/^[a-zA-Z0-9_-]{0,40}$/)

const common = {
  whitelist: patterns.optional().describe('Only tools whose name fits one of these; * stands for anything.'),
  blacklist: patterns.optional().describe('No tool whose name fits one of these.'),
  prefix: affix.default('').describe('Put before the name of each tool.'),
  suffix: affix.default('').describe('Put after it.'),
  trust: z
    .literal('annotations')
    .optional()
    .describe(
      'annotations: its own word that a tool only reads counts at the gate. Unset, every tool asks unless a rule or grant allows it.',
    ),
  startSeconds: z.number().positive().max(600).default(30).describe('How long it may take to answer when it is started.'),
  callSeconds: z.number().positive().max(600).default(300).describe('How long one call of a tool may take.'),
}

/** A server of the Model Context Protocol. Its tools are given to members that name it under `mcp`. */
export const mcpServerSchema = z.discriminatedUnion('transport', [
  z.strictObject({
    transport: z.literal('stdio'),
    command: z.string().min(1).describe('The program. No shell is involved.'),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), valueOrVariable).default({}).describe('Besides PATH, HOME and the like, the program sees only these.'),
    cwd: z.string().optional().describe('Where it runs, relative to this file.'),
    sandbox: z
      .boolean()
      .default(false)
      .describe('true: it runs in the sandbox, reads the project without what is hidden, and writes and reaches only what is named here.'),
    writeDirs: patterns.optional().describe('With sandbox: what it may change in the project. Nothing unless set.'),
    hosts: z.array(host).max(100).optional().describe('With sandbox: hosts it may reach. None unless set.'),
    ...common,
  }),
  z.strictObject({
    transport: z.literal('streamable_http'),
    url: z.url({ protocol: /^https?$/ }),
    headers: z.record(z.string(), valueOrVariable).default({}),
    ...common,
  }),
])

export type McpServerConfig = z.output<typeof mcpServerSchema>
