import { realpathSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openHosts } from '../authority/open-hosts.ts'
import { defaultPolicy, type Policy } from '../authority/policy.ts'
import type { Role } from '../authority/roles.ts'
import type { Layout } from '../authority/subjects/protected-paths.ts'
import type { Problem } from '../app/config/problem.ts'
import type { Config, MemberConfig } from '../app/config/schema.ts'
import type { Agent, AgentRuntime, Team, Tool } from '../ports/agent-runtime.ts'
import { type Clock, systemClock } from '../ports/clock.ts'
import { isTreeTool } from '../dialogs/rules/tree-tools.ts'
import { askHumanTool } from './ask-human.ts'
import { showReplyTool } from './show-reply.ts'
import { mcpServers, type McpServers } from './mcp/mcp-servers.ts'
import { type Chats, type Equipment, equipment } from './equipment.ts'
import { learnedModels, type LearnedModels } from './models/learned-models.ts'
import { probeModel } from './models/find-window.ts'
import { promptSource } from './minds/prompt-source.ts'
import { readMind } from './minds/read-mind.ts'
import { toSpending } from './spending.ts'
import { commandBuilds, eventForm, plainForm } from './runtimes/build-command.ts'
import { scriptedBuilds } from './runtimes/build-script.ts'
import { withSurroundings } from './runtimes/given-surroundings.ts'
import { commandRuntime } from './runtimes/command.ts'
import { modelRuntime } from './runtimes/model.ts'
import { type ScriptedAgent, scriptedRuntime } from './runtimes/scripted.ts'
import { programConfinement, serverConfinement } from './sandbox/confinement.ts'
import type { Environment } from './sandbox/environment.ts'
import { programsNamed } from './sandbox/find-program.ts'
import type { Launcher } from './sandbox/launcher.ts'
import { sandboxLauncher } from './sandbox/sandbox.ts'
import { gatedTool } from './tool.ts'
import { projectProtection } from './workspace/project-protection.ts'

/** Dependencies of a team besides its file. */
export type TeamParts = {
  /** The configuration file: paths in it are relative to its folder, and problems name it. */
  file: string
  /** The data folder in use. Without it, the one that the configuration names. */
  dataDir?: string
  /** Answers while no member is configured, and in dialogs that were begun with it. */
  demo: ScriptedAgent
  /** Teammates of the demo agent, present while it is. */
  demoTeammates?: readonly ScriptedAgent[]
  /** Tools that members may name under `tools`. */
  readonly tools?: readonly Tool[]
  /** Members that need no entry in the file; one that the file names as well is the file's. */
  readonly agents?: readonly { name: string; about: string; runtime: AgentRuntime; tools?: readonly Tool[] }[]
  chats?: Chats
  clock?: Clock
  /** The environment of the server with the keys it keeps, by name. Programs and MCP servers get what is named for them. */
  env?: () => Environment
  /** Rules as they are now. Programs reach the hosts that `net` rules allow, and none that they forbid. */
  policy?: (() => Policy) | undefined
  /** Scripted agents speak without pauses. */
  fast?: boolean
  /** The start waits this long for MCP servers. */
  mcpWaitMs?: number
}

export type BuiltTeam = {
  team: Team
  /** As they are now: a server of tools may come and go. */
  readonly problems: readonly Problem[]
  /** Kept from one version of the team to the next, so that a change leaves servers alone that did not change. */
  mcp: McpServers | null
  /** Ends the servers of tools, and what programs needed. */
  close(): Promise<void>
}

type Member = Agent & { about: string }

/** The team of a configuration. A member that cannot be made is named in `problems` and skipped. */
export async function teamFrom(config: Config, parts: TeamParts, kept: McpServers | null = null): Promise<BuiltTeam> {
  const problems: Problem[] = []
  const members = new Map<string, Member>()
  const withOtherModel = new Map<string, Member>()
  const { file, clock = systemClock } = parts
  const folder = resolve(file, '..')
  const dataDir = parts.dataDir ?? resolve(folder, config.store.path ?? '.parley')
  const layout = projectProtection({ file, dataDir, config })
  const env = parts.env ?? (() => process.env)
  const launcher = sandboxLauncher({ mode: config.sandbox, env, clock })
  const learned = learnedModels(dataDir)
  const equipped = equipment(folder, {
    clock,
    layout,
    launcher,
    isSandboxed: config.sandbox === 'on',
    hasBash: () => programsNamed('bash', env()['PATH']).length > 0,
    policy: parts.policy,
    team: () => listed,
    chats: parts.chats,
  })
  const mcp = kept ?? (Object.keys(config.mcp).length > 0 ? serversFor(equipped, parts) : null)
  await mcp?.apply(config.mcp, (server, cwd) => ({ launcher, confinement: serverConfinement(cwd, server, layout) }))
  for (const [name, member] of Object.entries(config.team.members)) {
    const report = (path: string, why: string): void => {
      problems.push({
        kind: 'unusable',
        file: parts.file,
        path: `team.members.${name}${path}`,
        why: `${why} "${name}" is skipped.`,
        line: null,
      })
    }
    const making = { config, parts, equipped, mcp, launcher, layout, learned }
    const ready = await memberFrom(name, member, making, report)
    if (!ready) continue
    members.set(name, ready)
    for (const model of ready.models?.slice(1) ?? []) {
      const other = await memberFrom(name, { ...member, model } as MemberConfig, making, report)
      if (other) withOtherModel.set(`${name}\0${model}`, other)
    }
  }
  for (const { name, about, runtime, tools = [] } of parts.agents ?? [])
    if (!members.has(name)) members.set(name, { name, about, runtime, tools: [...tools.map((tool) => gatedTool(tool, '')), askHumanTool] })
  const demo = scriptedMember(parts.demo.name, parts.demo, parts)
  const demos = [demo, ...(parts.demoTeammates ?? []).map((agent) => scriptedMember(agent.name, agent, parts))]
  const written = new Set([...Object.keys(config.team.members), ...(config.team.skipped ?? [])])
  const listed = members.size > 0 || written.size > 0 ? [...members.values()] : demos
  // A demo agent never answers in place of a member that was written and cannot be used.
  const findAgent = (name: string): Member | undefined =>
    members.get(name) ?? (written.has(name) ? undefined : demos.find((each) => each.name === name))
  const defaultName = config.team.default ?? listed[0]?.name ?? demo.name
  if (!findAgent(defaultName)) {
    const why = written.has(defaultName)
      ? `the default agent "${defaultName}" cannot be used, so dialogs without a named agent are refused.`
      : unknownName('member', defaultName, [...members.keys()])
    problems.push({ kind: 'unusable', file: parts.file, path: 'team.default', why, line: null })
  }
  return {
    get problems() {
      return [...problems, ...(mcp?.problems() ?? []), ...runtimeProblems(members.values(), parts.file)]
    },
    mcp,
    async close() {
      await mcp?.close()
      await launcher.close()
    },
    team: {
      default: defaultName,
      agent: (name, model) => (model ? withOtherModel.get(`${name}\0${model}`) : undefined) ?? findAgent(name),
      list: () => listed.map(({ name, about }) => ({ name, about })),
      taskdocs: equipped.taskdocs,
    },
  }
}

/** Several members may have one model. */
function runtimeProblems(members: Iterable<Member>, file: string): Problem[] {
  const all = new Map<string, Problem>()
  for (const { name, runtime } of members)
    for (const why of runtime.problems?.() ?? [])
      if (!all.has(why)) all.set(why, { kind: 'at-work', file, path: `team.members.${name}.model`, why, line: null })
  return [...all.values()]
}

function serversFor(equipped: Equipment, { file, tools = [], clock = systemClock, env, mcpWaitMs }: TeamParts): McpServers {
  const reserved = new Set([...equipped.names(), ...tools.map(({ name }) => name)])
  return mcpServers({ file, reserved, clock, ...(env && { env }), ...(mcpWaitMs === undefined ? {} : { waitMs: mcpWaitMs }) })
}

type Report = (path: string, why: string) => void

type Making = {
  config: Config
  parts: TeamParts
  equipped: Equipment
  mcp: McpServers | null
  launcher: Launcher
  layout: Layout
  learned: LearnedModels
}

async function memberFrom(name: string, member: MemberConfig, making: Making, report: Report): Promise<Member | null> {
  const { config, parts, equipped, mcp, launcher, layout, learned } = making
  const named = toolsFor(member, parts.tools ?? [], report)
  if (named === null) return null
  const servers = Object.keys(config.mcp)
  for (const [index, server] of (member.mcp ?? []).entries()) {
    if (server !== '*' && !servers.includes(server)) return refuse(report, `.mcp.${index}`, unknownName('MCP server', server, servers))
  }
  const own = [...named, ...equipped.toolsFor(member, name)]
  const clash = own.find((tool, index) => own.findIndex(({ name: other }) => other === tool.name) !== index)
  if (clash) return refuse(report, '.tools', `two of its tools are called "${clash.name}".`)
  const clock = parts.clock ?? systemClock
  const about = member.about ?? ''
  const folder = resolve(parts.file, '..')
  switch (member.runtime) {
    case 'model': {
      const names = Object.keys(config.models)
      const chosen = member.model ?? (names.length === 1 ? names[0] : undefined)
      if (chosen === undefined)
        return refuse(
          report,
          '.model',
          names.length === 0 ? 'no model is set up (parley model set).' : `say which model: ${names.join(', ')}.`,
        )
      const model = Object.hasOwn(config.models, chosen) ? config.models[chosen] : undefined
      if (!model) return refuse(report, '.model', unknownName('model', chosen, names))
      const unknown = member.models?.find((one) => !Object.hasOwn(config.models, one))
      if (unknown !== undefined) return refuse(report, '.models', unknownName('model', unknown, names))
      const models = member.models && [...new Set([chosen, ...member.models])]
      const mind = readMind(member, model, folder, equipped.files)
      const options = { member, clock, learned, probe: probeModel }
      const other = model.fallback === undefined ? undefined : config.models[model.fallback]
      if (model.fallback !== undefined && !other) return refuse(report, '.model', unknownName('model', model.fallback, names))
      const runtime = modelRuntime({ ...options, model, fallback: other && modelRuntime({ ...options, model: other }) })
      const prompt = promptSource({ name, member, model, around: equipped.around, runtime, timeZone: config.server.timeZone })
      const spending = toSpending({ dialog: config.team.budget, ...config.budgets }, model, member.fbrModelParams, other)
      const { readTaskdocFloor } = equipped
      return withTools(
        { name, about, runtime, mind, prompt, models, spending, readTaskdocFloor },
        [askHumanTool, showReplyTool, ...own, ...equipped.taskdocTools],
        member,
        mcp,
      )
    }
    case 'command': {
      if (!member.command) return refuse(report, '.command', 'a command member needs a command, such as ["node", "agent.js"].')
      const { command, input, timeoutSeconds, maxOutputBytes } = member
      const cwd = resolve(folder, member.cwd ?? '.')
      if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
        return refuse(report, '.cwd', `there is no folder ${member.cwd ?? cwd}.`)
      const limits = { ...(input && { input }), ...(timeoutSeconds && { timeoutSeconds }), ...(maxOutputBytes && { maxOutputBytes }) }
      const mind = readMind(member, null, folder, equipped.files)
      const place = realpathSync(cwd)
      const { policy = () => defaultPolicy } = parts
      const hostsFor = (role: Role): string[] =>
        openHosts(policy(), { agent: name, role, now: clock.now() }, member.hosts ?? [], { hasRules: true })
      const confinement = programConfinement(place, member, layout)
      const options = { command, cwd: place, clock, launcher, confinement, hostsFor, ...limits }
      const runtime = withSurroundings(commandRuntime(options), equipped.around)
      const { readTaskdocFloor } = equipped
      const tools = [askHumanTool, ...own, ...equipped.taskdocTools]
      return withTools(
        { name, about, runtime, builds: commandBuilds(options, member.builds === 'plain' ? plainForm : eventForm), mind, readTaskdocFloor },
        tools,
        member,
        mcp,
      )
    }
    case 'scripted': {
      if (member.module === undefined) return { ...scriptedMember(name, parts.demo, parts), about: about || parts.demo.about }
      const agent = await scriptFrom(resolve(folder, member.module), report)
      if (!agent) return null
      const script = scriptedMember(name, agent, parts)
      const reserved = script.tools.find((tool) => isTreeTool(tool.name) && tool.name !== askHumanTool.name)
      if (reserved) return refuse(report, '.module', `its tool "${reserved.name}" has a name that belongs to Parley.`)
      const mind = readMind(member, null, folder, equipped.files)
      const runtime = withSurroundings(script.runtime, equipped.around)
      const { readTaskdocFloor } = equipped
      const asks = script.tools.some((tool) => tool.name === askHumanTool.name) ? [] : [askHumanTool]
      const tools = [...script.tools, ...asks, ...own, ...equipped.taskdocTools]
      return withTools({ ...script, runtime, mind, about: about || script.about, readTaskdocFloor }, tools, member, mcp)
    }
  }
}

/** Servers of tools come and go while a member stays, so its tools are looked up each time. */
function withTools(agent: Omit<Member, 'tools'>, fixed: readonly Tool[], member: MemberConfig, mcp: McpServers | null): Member {
  const servers = member.mcp ?? []
  if (!mcp || servers.length === 0) return { ...agent, tools: fixed }
  const { name, about, runtime, builds, mind, prompt, models, spending, readTaskdocFloor } = agent
  return {
    name,
    about,
    runtime,
    ...(builds && { builds }),
    ...(mind && { mind }),
    ...(prompt && { prompt }),
    ...(models && { models }),
    ...(spending && { spending }),
    ...(readTaskdocFloor && { readTaskdocFloor }),
    get tools() {
      return [...fixed, ...mcp.tools(servers).filter((tool) => !fixed.some((own) => own.name === tool.name))]
    },
  }
}

const scriptedMember = (name: string, agent: ScriptedAgent, { clock = systemClock, fast = false }: TeamParts): Member => ({
  name,
  about: agent.about,
  runtime: scriptedRuntime(agent, { clock, fast }),
  ...(agent.build && { builds: scriptedBuilds(agent.build, { clock, fast }) }),
  tools: agent.tools.map((tool) => gatedTool(tool, '')),
})

const unknownName = (what: string, given: string, known: readonly string[]): string =>
  `there is no ${what} "${given}"; ${known.length === 0 ? 'none is set up' : `there is ${known.join(', ')}`}.`

function refuse(report: Report, path: string, why: string): null {
  report(path, why)
  return null
}

function toolsFor(member: MemberConfig, known: readonly Tool[], report: Report): Tool[] | null {
  const tools: Tool[] = []
  for (const [index, name] of (member.tools ?? []).entries()) {
    if (isTreeTool(name))
      return refuse(report, `.tools.${index}`, `"${name}" is a name that belongs to Parley; no tool of a team may have it.`)
    const tool = known.find((one) => one.name === name)
    if (!tool)
      return refuse(
        report,
        `.tools.${index}`,
        unknownName(
          'tool',
          name,
          known.map((one) => one.name),
        ),
      )
    tools.push(gatedTool(tool, ''))
  }
  return tools
}

async function scriptFrom(file: string, report: Report): Promise<ScriptedAgent | null> {
  try {
    // A changed file is another module; without this, a reload would give the old one again.
    const changed = statSync(file).mtimeMs
    const module = (await import(`${pathToFileURL(file).href}?changed=${changed}`)) as { default?: unknown }
    const agent = module.default as Partial<ScriptedAgent> | undefined
    if (typeof agent?.reply !== 'function' || typeof agent.name !== 'string')
      return refuse(report, '.module', 'its default export is not an agent made with defineAgent.')
    const tools = (agent.tools ?? []).map((tool) => gatedTool(tool, basename(file)))
    return { about: '', ...agent, tools } as ScriptedAgent
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    return refuse(report, '.module', `it cannot be loaded: ${why}.`)
  }
}
