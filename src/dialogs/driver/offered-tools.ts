import { askHuman } from '../rules/question.ts'
import type { DialogState } from '../rules/dialog-state.ts'
import { type Declaration, declarations, declareTools, promptTools, type ToolFacts } from '../rules/prompt/tool-declarations.ts'
import { isTreeTool, showReply } from '../rules/tree-tools.ts'
import { ParleyError } from '../../errors.ts'
import type { Agent, Tool } from '../../ports/agent-runtime.ts'

export const getVariant = ({ origin }: Pick<DialogState, 'origin'>): ToolFacts['variant'] =>
  origin === null ? 'root' : origin.mode === 'reasoning' ? 'fresh-mind' : 'side'

const declared = new Set(Object.values(declarations).map(({ name }) => name))

/** Tools of the runtime that an agent has only with a tool of its own behind them. */
const backedBy: Readonly<Record<string, string>> = {
  [askHuman]: askHuman,
  [promptTools.withdraw]: askHuman,
  [promptTools.recallTaskdoc]: promptTools.recallTaskdoc,
  [promptTools.changeMind]: promptTools.changeMind,
}

/** Tools that the agent of a dialog may call in its next generation. */
export function declaredTools(state: DialogState, agent: Agent, teammates: number): readonly Declaration[] {
  const variant = getVariant(state)
  if (variant === 'fresh-mind') {
    checkIsolation(state)
    return []
  }
  const names = new Set(agent.tools.map(({ name }) => name))
  const reservedTool = agent.tools.find(({ name }) => isTreeTool(name) && name !== askHuman && name !== showReply)
  if (reservedTool)
    throw new ParleyError('agent_failed', { why: `its tool "${reservedTool.name}" has a name that belongs to dialogs themselves` })
  const own = agent.tools.filter(({ name }) => !declared.has(name) && name !== showReply)
  // People read the dialogs at the root; it comes last, so that side dialogs share the beginning.
  const shows = variant === 'root' ? agent.tools.filter(({ name }) => name === showReply) : []
  const facts = {
    variant,
    hasTeammates: teammates > 0,
    canReason: (agent.mind?.reasoningEffort ?? 3) > 0,
    hasTaskdoc: state.taskdoc !== null,
  }
  const offered = declareTools(own.map(toDeclaration), facts).filter(
    ({ name }) => backedBy[name] === undefined || names.has(backedBy[name]),
  )
  return [...offered, ...shows.map(toDeclaration)]
}

const toolDeclarations = new WeakMap<Tool, Declaration>()

/** The same object while the tool stays the same, so that what is computed from it is computed once. */
function toDeclaration(tool: Tool): Declaration {
  const { name, description, inputSchema } = tool
  const cachedDeclaration = toolDeclarations.get(tool)
  if (cachedDeclaration?.name === name && cachedDeclaration.description === description && cachedDeclaration.inputSchema === inputSchema)
    return cachedDeclaration
  const declaration = { name, description, inputSchema }
  toolDeclarations.set(tool, declaration)
  return declaration
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
