import type { z } from 'zod'
import type { Tool, ToolContext } from '../../ports/agent-runtime.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { Worlds } from '../../shapes/worlds.ts'

/** Makes a tool of worlds. `readAction` says what a call without `action` does; it decides whether the owner is asked. */
export type MakeTool = <Input extends z.ZodObject>(
  name: string,
  description: string,
  input: Input,
  run: (worlds: Worlds, input: z.output<Input>, caller: Caller, context: ToolContext) => Promise<object>,
  action?: string,
  readAction?: (input: z.output<Input>) => string,
) => Tool
