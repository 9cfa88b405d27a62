import { z } from 'zod'
import type { Tool } from '../../ports/agent-runtime.ts'
import { defineTool } from '../tool.ts'
import type { Memories, Shelf } from './memory.ts'

const path = z.string().describe('A relative name, such as customers/acme.md.')
const content = z.string().describe('The whole text.')

/** A member's own memory, and the team's for one that may govern it. All may be repeated after a crash. */
export function memoryTools(memories: Memories, member: { governor?: boolean | undefined }): readonly Tool[] {
  const own = shelfTools(memories, 'memory', 'your own memory', (agent) => ({ member: agent }))
  return member.governor ? [...own, ...shelfTools(memories, 'team_memory', 'the memory the whole team shares', () => 'team')] : own
}

function shelfTools(memories: Memories, name: string, what: string, findShelf: (agent: string) => Shelf): Tool[] {
  return [
    defineTool({
      name: `add_${name}`,
      description: `Add a note to ${what}. You will read it in every dialog from now on.`,
      input: z.object({ path, content }),
      afterCrash: 'repeat',
      gate: { kind: 'memory' },
      run(given, { agent }) {
        memories.add(findShelf(agent), given.path, given.content)
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
        memories.replace(findShelf(agent), given.path, given.content)
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
        memories.drop(findShelf(agent), given.path)
        return 'Dropped.'
      },
    }),
    defineTool({
      name: `clear_${name}`,
      description: `Drop all notes from ${what}.`,
      input: z.object({}),
      afterCrash: 'repeat',
      gate: { kind: 'memory' },
      run: (_, { agent }) => `Dropped ${memories.clear(findShelf(agent))}.`,
    }),
  ]
}
