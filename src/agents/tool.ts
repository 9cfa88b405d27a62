import { z } from 'zod'
import { gateFrom, type GateDeclaration } from '../authority/declared-gate.ts'
import type { RepeatPolicy } from '../dialog/events.ts'
import type { Tool, ToolContext } from '../ports/agent-runtime.ts'
import type { ToolGate } from '../ports/tool-gate.ts'

/**
 * A tool for agents. `afterCrash` is its promise for the one moment nobody can see into: when Parley died between
 * starting the tool and writing down what came out. `repeat` is run again (with the same `context.call`, to be used as
 * an idempotency key), `ask` lets a human decide.
 */
export function defineTool<Input extends z.ZodType>(definition: {
  name: string
  description: string
  input: Input
  afterCrash: RepeatPolicy
  /**
   * Whether a call needs a person's approval. Rules in parley.yaml, such as `deny: tool(pay)`, come first.
   *
   * - `'allow'`: it runs at once; in turns of guests and groups a person is asked. For tools that change nothing, or only
   *   what the person who talks to the agent may change anyway.
   * - `{ guests: 'allow' }`: it runs at once for guests and groups as well.
   * - `'ask'`, or nothing: a person is asked each time, until they allow it for longer.
   * - a function: names the hosts or chats the call reaches, such as `({ url }) => ({ net: new URL(url).host })`; rules,
   *   grants and defaults for those decide. A function that throws refuses the call.
   */
  gate?: GateDeclaration<z.output<Input>> | ToolGate
  /** It cannot be undone: an approval then offers Deny first, and never "always". */
  irreversible?: boolean
  run(input: z.output<Input>, context: ToolContext): unknown
}): Tool {
  const { name, description, input, afterCrash } = definition
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    throw new TypeError(`The tool name "${name}" must be 1 to 64 letters, digits, "_" or "-": models accept no others.`)
  return {
    name,
    description,
    // Once, here: a schema built for every generation costs more than the generation's own bookkeeping.
    inputSchema: z.toJSONSchema(input, { io: 'input', target: 'draft-7' }),
    afterCrash,
    gate: { ...gateFrom<ToolGate, z.output<Input>>(definition.gate), ...(definition.irreversible && { isIrreversible: true }) },
    check(given) {
      const parsed = input.safeParse(given)
      return parsed.success ? { input: parsed.data } : { fault: faultInWords(parsed.error) }
    },
    async run(checked, context) {
      return definition.run(checked as z.output<Input>, context)
    },
  }
}

/** A tool of a module or a library. Plain JavaScript may leave its gate out or write it in the short form. */
export function gatedTool(tool: Tool, server: string): Tool {
  const gate = gateFrom<ToolGate, unknown>(tool.gate)
  return gate === tool.gate ? tool : { ...tool, gate: { ...gate, ...(server !== '' && { server }) } }
}

/** What is wrong with an input, one clause for each fault, so that a model can mend its call. */
export function faultInWords(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) => (issue.path.length === 0 ? issue.message : `${issue.path.map(String).join('.')}: ${issue.message}`))
    .join('; ')
}
