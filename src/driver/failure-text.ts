import { ParleyError } from '../errors.ts'
import { ToolRefusal } from '../ports/tool-refusal.ts'

/** What an agent reads when a tool, or the gate of a tool, has thrown. */
export const failureText = (error: unknown): string =>
  error instanceof ParleyError || error instanceof ToolRefusal
    ? error.message
    : `It failed: ${error instanceof Error ? error.message : String(error)}`
