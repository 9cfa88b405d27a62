import { z } from 'zod'
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
   * Whether a call needs a person's approval: `allow` runs at once, except in turns of guests and groups, where
   * `{ guests: 'allow' }` is needed as well. Unset means ask. Parley's own tools name their subjects instead.
   */
  gate?: 'allow' | 'ask' | { guests: 'allow' } | ToolGate
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
    gate: gateOf(definition.gate),
    check(given) {
      const parsed = input.safeParse(given)
      return parsed.success ? { input: parsed.data } : { fault: faultInWords(parsed.error) }
    },
    async run(checked, context) {
      return definition.run(checked as z.output<Input>, context)
    },
  }
}

function gateOf(given: 'allow' | 'ask' | { guests: 'allow' } | ToolGate = 'ask'): ToolGate {
  if (typeof given === 'string') return { kind: 'code', declared: given }
  return 'kind' in given ? given : { kind: 'code', declared: 'allow-guests' }
}

/** What is wrong with an input, one clause for each fault, so that a model can mend its call. */
export function faultInWords(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) => (issue.path.length === 0 ? issue.message : `${issue.path.map(String).join('.')}: ${issue.message}`))
    .join('; ')
}
