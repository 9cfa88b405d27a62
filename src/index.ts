/**
 * Parley in your own process.
 *
 * ```ts
 * import { defineAgent, memoryStore, owner, parley, team } from 'parley-runtime'
 *
 * const echo = defineAgent({ name: 'echo', about: 'Says it back.', *reply({ context }) { yield { type: 'text', text: 'You spoke.' } } })
 * const here = parley({ store: memoryStore(), team: team([echo]) })
 * const dialog = await here.dialogs.open({ text: 'Hello' }, owner('Mia'))
 * ```
 */

import type { RunningParley, StartOptions } from './start.ts'

// Run it
export { openParley as parley } from './runtime.ts'
export type { OpenParley, ParleyParts } from './runtime.ts'
export type { RunningParley, StartOptions } from './start.ts'
export { owner } from './control/owner.ts'
export type { Caller, Parley } from './ports/parley.ts'

// Say who may cause what
export { parsePolicy } from './authority/parse-policy.ts'
export type { Policy } from './authority/policy.ts'
export type { Author, Role } from './authority/roles.ts'
export type { Cause } from './authority/cause.ts'
export type { ToolGate } from './ports/tool-gate.ts'

// Write an agent, or bring one
export { defineAgent, scriptedRuntime } from './agents/runtimes/scripted.ts'
export type { AgentScript, ScriptedAgent, Stage } from './agents/runtimes/scripted.ts'
export { team } from './agents/scripted-team.ts'
export { defineTool } from './agents/tool.ts'
export type { Agent, AgentOutput, AgentRuntime, GenerationInput, Team, Tool, ToolContext, ToolSpec } from './ports/agent-runtime.ts'

// Add to it
export { definePlugin } from './plugins/plugin.ts'
export type { Plugin, PluginHost, PluginParts, PluginStorage } from './plugins/plugin.ts'

// Keep it somewhere
export { memoryStore } from './store/memory/memory-store.ts'
export { sqliteStore } from './store/sqlite/sqlite-store.ts'
export type { Store } from './ports/store.ts'

// What is said about it
export { catalogue, describeError, ParleyError } from './errors.ts'
export type { ErrorCode, ErrorWords } from './errors.ts'
export type { DialogEvent, Language, Participant } from './dialog/events.ts'
export type { Answers, Question, QuestionItem } from './dialog/question.ts'
export type { Clock } from './ports/clock.ts'
export type { Ids } from './ports/ids.ts'
export type { Log } from './ports/log.ts'

/** A whole Parley with its server: what `parley serve` runs. Loaded when it is called, so the library alone starts faster. */
export const startParley = async (options: StartOptions): Promise<RunningParley> => (await import('./start.ts')).startParley(options)
