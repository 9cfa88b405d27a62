import { isAtLeast } from '../../authority/roles.ts'
import type { AgentRuntime, AgentSurroundings, GenerationInput } from '../../ports/agent-runtime.ts'
import type { Surroundings } from '../minds/surroundings.ts'

/** A program or script that reads the same about its team, its task and its past as a model does. */
export const withSurroundings = (runtime: AgentRuntime, around: Surroundings): AgentRuntime => ({
  ...runtime,
  generate: (input, signal) => runtime.generate({ ...input, surroundings: readSurroundings(input, around) }, signal),
})

function readSurroundings(input: GenerationInput, around: Surroundings): AgentSurroundings {
  const { agent, language, role, taskdoc } = input
  // A fresh mind has nothing but the request, and nothing to call.
  if (input.isSide && input.tools.length === 0) return { teammates: [], background: [], memories: null, taskdoc: null }
  // Memories and task documents come from outside this dialog, and people below member have no right to read those.
  const isKnownPerson = isAtLeast(role, 'member')
  return {
    teammates: [...around.teammates(agent)].map(({ name, about }) => ({ name, about })),
    background: [...around.notes(agent, language)],
    memories: isKnownPerson ? around.memories(agent, language) : null,
    taskdoc: isKnownPerson && taskdoc !== null ? around.taskdoc(taskdoc, language) : null,
  }
}
