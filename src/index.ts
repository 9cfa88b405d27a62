/**
 * Parley in your own process.
 *
 * ```ts
 * import { agent, openai, parley, sqliteStore } from 'parley-runtime'
 *
 * const booker = agent({ name: 'booker', model: openai({ model: 'gpt-5' }), instructions: 'You book servers.' })
 * await using app = await parley({ store: sqliteStore({ path: './data' }), agents: [booker], as: 'Mia' })
 * const dialog = await app.dialogs.open('Please book a server.')
 * console.log(await dialog.reply())
 * ```
 */

import type { RunningParley, StartOptions } from './app/serve.ts'

// Run Parley
export { parley } from './app/parley.ts'
export type { ParleyApp, ParleyOptions } from './app/parley-app.ts'
export type { WebOptions } from './app/mounted-server.ts'
export type { As, Dialog } from './app/dialog-handle.ts'
export type { OpenParley, ParleyParts } from './app/library.ts'
export type { RunningParley, StartOptions } from './app/serve.ts'
export { owner } from './dialogs/control/owner.ts'
export type { Caller, GivenAnswer, Parley } from './shapes/parley.ts'
export type { DialogDetail, EventView, QuestionView } from './shapes/wire.ts'

// Permissions
export { parsePolicy } from './authority/parse-policy.ts'
export type { Policy } from './authority/policy.ts'
export type { Author, Role } from './authority/roles.ts'
export type { Cause } from './authority/cause.ts'
export type { ToolGate } from './ports/tool-gate.ts'

// Agents and tools
export { agent } from './agents/agent.ts'
export type { AgentOptions, CommandAgentOptions, DefinedAgent, ModelAgentOptions, ScriptedAgentOptions } from './agents/agent.ts'
export { anthropic, ollama, openai } from './app/models.ts'
export type { Model, ModelOptions } from './app/models.ts'
export { defineAgent, scriptedRuntime } from './agents/runtimes/scripted.ts'
export type { AgentScript, ScriptedAgent, Stage } from './agents/runtimes/scripted.ts'
export { team } from './agents/scripted-team.ts'
export { defineTool } from './agents/tool.ts'
export type { Agent, AgentOutput, AgentRuntime, GenerationInput, Team, Tool, ToolContext, ToolSpec } from './ports/agent-runtime.ts'

// Plugins
export { definePlugin } from './plugins/host/plugin.ts'
export type { Plugin, PluginHost, PluginParts, PluginStorage } from './plugins/host/plugin.ts'

// Choose a store
export { memoryStore } from './store/memory/memory-store.ts'
export { sqliteStore } from './store/sqlite/sqlite-store.ts'
export type { Store } from './ports/store.ts'

// Errors, events and ports
export { catalogue, describeError, ParleyError } from './errors.ts'
export type { ErrorCode, ErrorDetails, ErrorWords } from './errors.ts'
export type { DialogEvent, Participant } from './dialogs/rules/dialog-events.ts'
export type { Language } from './shapes/language.ts'
export type { Answers, Question, QuestionItem } from './dialogs/rules/question.ts'
export type { Clock } from './ports/clock.ts'
export type { Ids } from './ports/ids.ts'
export type { Log } from './ports/log.ts'

/** A whole Parley with its server: what `parley serve` runs. Loaded when it is called, so the library alone starts faster. */
export const startParley = async (options: StartOptions): Promise<RunningParley> => (await import('./app/serve.ts')).startParley(options)
