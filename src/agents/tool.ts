import { z } from 'zod'
import { gateFrom, type GateDeclaration } from '../authority/declared-gate.ts'
import type { RepeatPolicy } from '../dialogs/rules/dialog-events.ts'
import type { Tool, ToolContext } from '../ports/agent-runtime.ts'
import type { ToolGate } from '../ports/tool-gate.ts'

/**
 * A tool for agents. `afterCrash` applies when Parley died between starting the tool
 * and storing its result. `repeat` is run again (with the same `context.call`, to be used as
 * an idempotency key), `ask` lets a human decide.
 */
export function defineTool<Input extends z.ZodType>(definition: {
  name: string
  description: string
  input: Input
  afterCrash: RepeatPolicy
  /**
   * Decides about a person's approval of a call. Rules in parley.yaml, such as `deny: tool(pay)`, come first.
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
  checkGateKeys(name, definition.gate)
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

/** A misplaced key would otherwise be dropped without a word, and `irreversible` with it. */
function checkGateKeys(name: string, gate: unknown): void {
  if (typeof gate !== 'object' || gate === null || 'kind' in gate) return
  const unknown = Object.keys(gate).find((key) => key !== 'guests')
  if (unknown === undefined) return
  const place =
    unknown === 'irreversible' ? 'Write irreversible: true beside gate, in the definition of the tool.' : "Known is guests: 'allow'."
  throw new TypeError(`The gate of the tool "${name}" has the unknown key "${unknown}". ${place}`)
}

/** A tool of a module or a library. Plain JavaScript may leave its gate out or write it in the short form. */
export function gatedTool(tool: Tool, server: string): Tool {
  const gate = gateFrom<ToolGate, unknown>(tool.gate)
  return gate === tool.gate ? tool : { ...tool, gate: { ...gate, ...(server !== '' && { server }) } }
}

/** The faults of an input, one clause each, so that a model can correct its call. */
export function faultInWords(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) => (issue.path.length === 0 ? issue.message : `${issue.path.map(String).join('.')}: ${issue.message}`))
    .join('; ')
}
