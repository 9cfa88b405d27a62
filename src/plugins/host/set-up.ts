import { gateFrom } from '../../authority/declared-gate.ts'
import { nearest } from '../../shapes/nearest.ts'
import type { Tool } from '../../ports/agent-runtime.ts'
import type { ChannelKind } from '../../ports/channel-kind.ts'
import type { ToolGate } from '../../ports/tool-gate.ts'
import { type Guard, ofPlugin } from './guard.ts'
import { type Plugin, type PluginAgent, pluginApi, type PluginHost, type PluginParts } from './plugin.ts'
import { pluginLimits } from './plugin-limits.ts'

/** Looks at the default export of a module and takes over what is there, so that it is looked at once. */
export function readPlugin(given: unknown): { plugin: Plugin } | { fault: string } {
  if (typeof given !== 'object' || given === null)
    return { fault: 'its default export is not a plugin. Write: export default { name, version, api: 1, about, setUp }' }
  const { name, version, about, api, defaults, checkConfig, setUp: begin } = given as Partial<Plugin>
  if (api !== pluginApi) {
    const older = Number(api) > pluginApi ? 'Update Parley' : 'Update the plugin'
    return {
      fault: `it was written for plugin API ${String(api)}, and this Parley has ${pluginApi}. ${older}, or leave it out with enabled: false`,
    }
  }
  if (typeof name !== 'string' || typeof version !== 'string' || typeof about !== 'string' || typeof begin !== 'function') {
    const missing = Object.entries({ name, version, about, setUp: begin }).find(([, value]) => value === undefined)?.[0] ?? 'name'
    return { fault: `its default export has no usable ${missing}. It needs name, version, api, about and setUp` }
  }
  return {
    plugin: {
      name,
      version,
      about,
      api,
      defaults: structuredClone({ ...defaults }),
      ...(checkConfig && { checkConfig: checkConfig.bind(given) }),
      setUp: begin.bind(given),
    },
  }
}

/** The plugin's defaults, overridden by parley.yaml. */
export const configFor = (plugin: Plugin, written: Record<string, unknown>): Record<string, unknown> =>
  structuredClone({ ...plugin.defaults, ...written })

/** Checks the configuration and sets the plugin up. Nothing it does gets out as an exception. */
export async function setUp(
  plugin: Plugin,
  written: Record<string, unknown>,
  host: PluginHost,
  guard: Guard,
): Promise<{ parts: PluginParts } | { fault: string; isConfig?: true }> {
  const checked = guard.callNow('checkConfig', () => {
    const config = configFor(plugin, written)
    const checkedConfig = plugin.checkConfig?.(config) ?? { config }
    return 'fault' in checkedConfig ? { fault: `its config does not fit: ${checkedConfig.fault}` } : { config: checkedConfig.config }
  })
  if (!checked) return { fault: getFault(guard) }
  if ('fault' in checked.value) return { fault: checked.value.fault, isConfig: true }
  const { config } = checked.value
  const outcome = await guard.call('setUp', pluginLimits.setUpMs, async () => readParts(await plugin.setUp(host, config), guard))
  if (!outcome) return { fault: getFault(guard) }
  return outcome.value
}

const getFault = (guard: Guard): string => guard.problem() ?? 'it could not be set up.'

const functions = [
  'prepareReply',
  'prepareMessage',
  'replyDelivered',
  'messageReceived',
  'transcribe',
  'saidInDialog',
  'onTap',
  'onAction',
  'turnNotes',
  'ownsData',
  'sweep',
  'close',
] as const satisfies readonly (keyof PluginParts)[]

const others = ['tools', 'agents', 'channels', 'sweepEveryMs'] as const satisfies readonly (keyof PluginParts)[]

function readParts(given: unknown, guard: Guard): { parts: PluginParts } | { fault: string } {
  if (typeof given !== 'object' || given === null) return { fault: 'its setUp returned no parts; an empty object is enough' }
  const parts = given as PluginParts
  for (const name of Object.keys(parts)) {
    const partNames: readonly string[] = [...functions, ...others]
    if (partNames.includes(name)) continue
    const near = nearest(name, partNames)
    return {
      fault: `it offers "${name}", which is no part of the plugin API. ${near === null ? `Known: ${partNames.join(', ')}` : `Did you mean "${near}"?`}`,
    }
  }
  for (const name of functions)
    if (parts[name] !== undefined && typeof parts[name] !== 'function') return { fault: `its ${name} is not a function` }
  if (parts.sweepEveryMs !== undefined && !(typeof parts.sweepEveryMs === 'number' && parts.sweepEveryMs > 0))
    return { fault: 'its sweepEveryMs is not a number of milliseconds' }
  const tools = parts.tools ?? []
  const agents = parts.agents ?? []
  const odd = [...tools, ...agents.flatMap((agent) => agent.tools ?? [])].find((tool) => !isTool(tool))
  if (odd) return { fault: `its tool ${odd.name} needs name, description, inputSchema, afterCrash, check and run` }
  const dumb = agents.find(({ name, runtime }) => typeof name !== 'string' || typeof runtime?.generate !== 'function')
  if (dumb) return { fault: `its agent ${dumb.name} needs name, about and runtime.generate` }
  const channels = parts.channels ?? []
  const incomplete = Array.isArray(channels) ? channels.find((kind) => !isChannelKind(kind)) : {}
  if (incomplete)
    return { fault: `its channel ${String(Object(incomplete).kind)} needs kind, title, renderer, config, secrets, address and open` }
  return {
    parts: {
      // Kept as it is, so that its parts still find each other by `this`.
      ...boundFunctions(parts),
      ...(parts.sweepEveryMs !== undefined && { sweepEveryMs: parts.sweepEveryMs }),
      tools: tools.map((tool) => guardedTool(tool, guard)),
      agents: agents.map((agent) => guardedAgent(agent, guard)),
      channels: [...channels],
    },
  }
}

function boundFunctions(parts: PluginParts): PluginParts {
  return Object.fromEntries(
    functions.flatMap((name) => {
      const part = parts[name]
      return part === undefined ? [] : [[name, part.bind(parts)]]
    }),
  )
}

const isChannelKind = (given: unknown): boolean => {
  const { kind, title, renderer, config, secrets, address, open } = Object(given) as Partial<ChannelKind>
  const isNamed = typeof kind === 'string' && typeof title === 'string' && Array.isArray(secrets)
  return (
    isNamed &&
    typeof renderer?.render === 'function' &&
    typeof config?.safeParse === 'function' &&
    Boolean(address) &&
    typeof open === 'function'
  )
}

const isTool = (tool: unknown): boolean => {
  const { name, description, inputSchema, afterCrash, check, run } = Object(tool) as Partial<Tool>
  const isNamed = typeof name === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(name) && typeof description === 'string'
  const isKnown = (afterCrash === 'repeat' || afterCrash === 'ask') && typeof inputSchema === 'object'
  return isNamed && isKnown && typeof check === 'function' && typeof run === 'function'
}

/** The driver already tells an agent about a tool that failed; this only says whose it is. */
const guardedTool = (tool: Tool, guard: Guard): Tool => ({
  ...tool,
  gate: guardedGate(tool.gate, guard),
  check: (input) => ofPlugin.run(guard, () => tool.check(input)),
  run: (input, context) => ofPlugin.run(guard, async () => tool.run(input, context)),
})

/** Cards name the plugin, whatever its gate says. */
function guardedGate(given: ToolGate | undefined, guard: Guard): ToolGate {
  const gate = gateFrom<ToolGate, unknown>(given)
  const { subjects, show, bound } = gate as ToolGate
  return {
    ...gate,
    server: guard.plugin,
    ...(subjects && { subjects: (input, scene) => ofPlugin.run(guard, async () => subjects.call(gate, input, scene)) }),
    ...(show && { show: (input, scene) => ofPlugin.run(guard, async () => show.call(gate, input, scene)) }),
    ...(bound && { bound: (input) => ofPlugin.run(guard, async () => bound.call(gate, input)) }),
  }
}

const guardedAgent = (agent: PluginAgent, guard: Guard): PluginAgent => ({
  ...agent,
  tools: (agent.tools ?? []).map((tool) => guardedTool(tool, guard)),
  runtime: {
    async *generate(input, signal) {
      const outputs = ofPlugin.run(guard, () => agent.runtime.generate(input, signal)[Symbol.asyncIterator]())
      try {
        for (;;) {
          const next = await ofPlugin.run(guard, () => outputs.next())
          if (next.done === true) return
          yield next.value
        }
      } finally {
        await outputs.return?.()
      }
    },
  },
})
