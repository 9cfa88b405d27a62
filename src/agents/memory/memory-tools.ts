import { z } from 'zod'
import type { Tool } from '../../ports/agent-runtime.ts'
import { defineTool } from '../tool.ts'
import type { Memories, Shelf } from './memory.ts'

const path = z.string().describe('A relative name, such as customers/acme.md.')
const content = z.string().describe('The whole text.')

/** A member's own memory, and the team's for one that may govern it. All may be repeated after a crash. */
export function memoryTools(kept: Memories, member: { governor?: boolean | undefined }): readonly Tool[] {
  const own = toolsOf(kept, 'memory', 'your own memory', (agent) => ({ member: agent }))
  return member.governor ? [...own, ...toolsOf(kept, 'team_memory', 'the memory the whole team shares', () => 'team')] : own
}

function toolsOf(kept: Memories, name: string, what: string, shelfOf: (agent: string) => Shelf): Tool[] {
  return [
    defineTool({
      name: `add_${name}`,
      description: `Add a note to ${what}. You will read it in every dialog from now on.`,
      input: z.object({ path, content }),
      afterCrash: 'repeat',
      gate: { kind: 'memory' },
      run(given, { agent }) {
        kept.add(shelfOf(agent), given.path, given.content)
        return 'Kept.'
      },
    }),
    defineTool({
      name: `replace_${name}`,
      description: `Replace a note in ${what}.`,
      input: z.object({ path, content }),
      afterCrash: 'repeat',
      gate: { kind: 'memory' },
      run(given, { agent }) {
        kept.replace(shelfOf(agent), given.path, given.content)
        return 'Replaced.'
      },
    }),
    defineTool({
      name: `drop_${name}`,
      description: `Drop a note from ${what}.`,
      input: z.object({ path }),
      afterCrash: 'repeat',
      gate: { kind: 'memory' },
      run(given, { agent }) {
        kept.drop(shelfOf(agent), given.path)
        return 'Dropped.'
      },
    }),
    defineTool({
      name: `clear_${name}`,
      description: `Drop all notes from ${what}.`,
      input: z.object({}),
      afterCrash: 'repeat',
      gate: { kind: 'memory' },
      run: (_, { agent }) => `Dropped ${kept.clear(shelfOf(agent))}.`,
    }),
  ]
}
