import { askHuman } from '../rules/question.ts'
import type { DialogState } from '../rules/dialog-state.ts'
import { isTreeTool, treeTools } from '../rules/tree-tools.ts'
import { ParleyError } from '../../errors.ts'
import type { Agent, Team, ToolSpec } from '../../ports/agent-runtime.ts'

/** Tools that the agent of a dialog may call in its next generation. */
export function offeredTools(state: DialogState, agent: Agent, team: Team): readonly ToolSpec[] {
  if (state.origin?.mode === 'reasoning') {
    checkIsolation(state)
    return []
  }
  const taken = agent.tools.find(({ name }) => isTreeTool(name) && name !== askHuman)
  if (taken) throw new ParleyError('agent_failed', { why: `its tool "${taken.name}" has a name that belongs to dialogs themselves` })
  return [
    ...agent.tools.filter(({ name }) => isOfUse(name, state)),
    ...treeTools({
      isSide: state.origin !== null,
      teammates: team.list().filter((member) => member.name !== agent.name).length,
      canReason: (agent.mind?.reasoningEffort ?? 3) > 0,
    }),
  ]
}

/** Tools of a task document are offered where there is one; only the root changes it. */
function isOfUse(tool: string, { taskdoc, origin }: DialogState): boolean {
  if (tool === 'change_mind') return taskdoc !== null && origin === null
  return tool !== 'recall_taskdoc' || taskdoc !== null
}

/**
 * A mind that only reasons has nothing but the text it was given. The rules see to it; should one ever fail, no
 * generation is made of what leaked in.
 */
function checkIsolation({ taskdoc, reminders, pending, questions, calls, assignments }: DialogState): void {
  const leaks = [
    taskdoc === null ? [] : ['a task document'],
    reminders.length === 0 ? [] : ['reminders'],
    Object.keys(pending).length === 0 ? [] : ['requests'],
    Object.values(questions).every(({ limit }) => limit) ? [] : ['questions'],
    Object.keys(calls).length === 0 ? [] : ['calls'],
    assignments.every((each) => each.mode === 'reasoning') ? [] : ['another request'],
  ].flat()
  if (leaks.length > 0) throw new ParleyError('agent_failed', { why: `a mind that only reasons was given ${leaks.join(', ')}` })
}
