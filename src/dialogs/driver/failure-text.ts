import { ParleyError, errorMessage } from '../../errors.ts'
import { ToolRefusal } from '../../ports/tool-refusal.ts'

/** Text for an agent whose tool, or the gate of a tool, threw an error. */
export const failureText = (error: unknown): string =>
  error instanceof ParleyError || error instanceof ToolRefusal ? error.message : `It failed: ${errorMessage(error)}`
