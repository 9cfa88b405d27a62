import { isTreeTool } from '../rules/tree-tools.ts'
import type { Tool } from '../../ports/agent-runtime.ts'

/**
 * Tools whose effect is an event of the dialog itself, as the gate sees them: talk. They are decided with the generation that
 * calls them and never run by themselves.
 */
export function treeToolNamed(name: string): Tool | undefined {
  if (!isTreeTool(name)) return undefined
  const tool = gateTools.get(name) ?? {
    name,
    description: '',
    inputSchema: {},
    afterCrash: 'repeat',
    gate: { kind: 'talk' },
    check: (input) => ({ input }),
    run: async () => Promise.reject(new Error(`${name} is an event of its dialog and is not run.`)),
  }
  gateTools.set(name, tool)
  return tool
}

const gateTools = new Map<string, Tool>()
