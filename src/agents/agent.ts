import type { BudgetLimits } from '../dialogs/rules/budget-scopes.ts'
import type { Language } from '../shapes/language.ts'
import { resolve } from 'node:path'
import type { MemberConfig, ModelConfig } from '../app/config/schema.ts'
import type { Policy } from '../authority/policy.ts'
import type { Role } from '../authority/roles.ts'
import type { Agent, Team, Tool } from '../ports/agent-runtime.ts'
import type { Clock } from '../ports/clock.ts'
import { askHumanTool } from './ask-human.ts'
import { showReplyTool } from './show-reply.ts'
import { scriptedBuilds } from './runtimes/build-script.ts'
import { type AgentScript, type ScriptedAgent, scriptedRuntime } from './runtimes/scripted.ts'
import { gatedTool } from './tool.ts'

type Common = {
  name: string
  /** One sentence for teammates and for people who choose an agent. */
  about?: string
  tools?: readonly Tool[]
}

/** An agent that is a language model. It can ask people questions without a tool of yours. */
export type ModelAgentOptions = Common & {
  /** Made with `openai()`, `anthropic()` or `ollama()`. */
  model: ModelConfig
  instructions?: string
  /** The language it answers in; without it, that of the person. */
  language?: Language
}

/** An agent written by hand; see `AgentScript`. */
export type ScriptedAgentOptions = Common & Pick<AgentScript, 'reply' | 'build'>

/** An agent that is a program, started for each generation in a sandbox. */
export type CommandAgentOptions = Common &
  Pick<MemberConfig, 'noReadDirs' | 'noWriteDirs' | 'hosts' | 'env'> & {
    /** Program and arguments. No shell is involved. */
    command: readonly string[]
    /** The folder the program runs in and may write to. The current one unless set. */
    cwd?: string
    /** `text`: the latest message. `json`: the whole input as one document. */
    input?: 'text' | 'json'
    timeoutSeconds?: number
    maxOutputBytes?: number
    /** `off` runs the program with all rights of this process. */
    sandbox?: 'on' | 'off'
  }

export type AgentOptions = ModelAgentOptions | ScriptedAgentOptions | CommandAgentOptions

/** Dependencies of an agent. */
export type AgentParts = {
  clock: Clock
  policy: () => Policy
  team: () => Team
  budgets?: BudgetLimits | undefined
  /** Scripted agents speak without pauses. */
  fast?: boolean | undefined
}

/** An agent for `parley({ agents })`. */
export type DefinedAgent = {
  readonly name: string
  readonly about: string
  start(parts: AgentParts): Promise<{ agent: Agent; close?: () => Promise<void> }>
}

/** An agent: a model with instructions, a script, or a program. */
export function agent(options: ScriptedAgentOptions): DefinedAgent & ScriptedAgent
export function agent(options: AgentOptions): DefinedAgent
export function agent(options: AgentOptions): DefinedAgent {
  const { name, about = '' } = options
  if ('model' in options) return { name, about, start: (parts) => startModel(options, parts) }
  if ('command' in options) return { name, about, start: (parts) => startCommand(options, parts) }
  const { reply, build, tools = [] } = options
  const script: ScriptedAgent = { name, about, tools, reply, ...(build && { build }) }
  // With the script itself, so that a module named in parley.yaml can export it.
  return { ...script, start: async (parts) => startScript(script, parts) }
}

/** Accepts agents of `defineAgent` as well. */
export const toDefinedAgent = (given: DefinedAgent | ScriptedAgent): DefinedAgent => ('start' in given ? given : agent(given))

const gatedTools = (tools: readonly Tool[] = []): Tool[] => tools.map((tool) => gatedTool(tool, ''))

function startScript(script: ScriptedAgent, { clock, fast = false }: AgentParts): { agent: Agent } {
  const { name, tools, build } = script
  const pace = { clock, fast }
  const runtime = scriptedRuntime(script, pace)
  return { agent: { name, tools: gatedTools(tools), runtime, ...(build && { builds: scriptedBuilds(build, pace) }) } }
}

/** The runtime is loaded here, so that a program with other agents does not pay for it. */
async function startModel(options: ModelAgentOptions, { clock, team, budgets = {} }: AgentParts): Promise<{ agent: Agent }> {
  const { name, about, model, instructions, language, tools } = options
  const [{ modelRuntime }, { probeModel }, { promptSource }, { noSurroundings }, { defaultEffort }, { toSpending }] = await Promise.all([
    import('./runtimes/model.ts'),
    import('./models/find-window.ts'),
    import('./minds/prompt-source.ts'),
    import('./minds/surroundings.ts'),
    import('./minds/read-mind.ts'),
    import('./spending.ts'),
  ])
  const member = {
    ...(about !== undefined && { about }),
    ...(instructions !== undefined && { prompt: instructions }),
    ...(language && { language }),
  }
  const around = noSurroundings(() => team().list())
  const runtime = modelRuntime({ model, member: {}, clock, probe: probeModel })
  return {
    agent: {
      name,
      runtime,
      prompt: promptSource({ name, member, model, around, runtime }),
      tools: [askHumanTool, showReplyTool, ...gatedTools(tools)],
      mind: { reasoningEffort: defaultEffort },
      spending: toSpending(budgets, model),
    },
  }
}

async function startCommand(options: CommandAgentOptions, { clock, policy }: AgentParts): ReturnType<DefinedAgent['start']> {
  const { name, tools, command, input, timeoutSeconds, maxOutputBytes, hosts = [] } = options
  const [
    { commandRuntime },
    { commandBuilds },
    { sandboxLauncher },
    { programConfinement },
    { projectProtection },
    { realPath },
    hostRules,
  ] = await Promise.all([
    import('./runtimes/command.ts'),
    import('./runtimes/build-command.ts'),
    import('./sandbox/sandbox.ts'),
    import('./sandbox/confinement.ts'),
    import('./workspace/project-protection.ts'),
    import('./workspace/inside.ts'),
    import('../authority/open-hosts.ts'),
  ])
  const cwd = realPath(resolve(options.cwd ?? '.'))
  const members = { [name]: { runtime: 'command' as const, command: [...command], cwd } }
  const layout = projectProtection({
    file: resolve(cwd, 'parley.yaml'),
    dataDir: resolve(cwd, '.parley'),
    config: { team: { members }, plugins: {} },
  })
  const launcher = sandboxLauncher({ mode: options.sandbox ?? 'on', env: () => process.env, clock })
  const program = {
    command,
    cwd,
    clock,
    launcher,
    confinement: programConfinement(cwd, options, layout),
    hostsFor: (role: Role) => hostRules.openHosts(policy(), { agent: name, role, now: clock.now() }, hosts, { hasRules: true }),
    ...(input && { input }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(maxOutputBytes !== undefined && { maxOutputBytes }),
  }
  return {
    agent: { name, tools: gatedTools(tools), runtime: commandRuntime(program), builds: commandBuilds(program) },
    close: () => launcher.close(),
  }
}
