import type { GateCall } from '../../authority/decision.ts'
import type { Grant } from '../../authority/grants.ts'
import { isNamedKind, namedCall } from '../../authority/named-call.ts'
import type { Policy } from '../../authority/policy.ts'
import { explanationView, policyView } from '../../authority/policy-view.ts'
import { outsideText } from '../../authority/because-text.ts'
import { type Extraction, toolSubject } from '../../authority/subjects/tool-subjects.ts'
import type { ExplainRequest } from '../../shapes/wire.ts'
import { failureText } from '../driver/failure-text.ts'
import { hashOfTool } from '../driver/hash-of-tool.ts'
import { ParleyError } from '../../errors.ts'
import type { Agent, Team, Tool } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Parley } from '../../shapes/parley.ts'
import type { CallScene } from '../../ports/tool-gate.ts'

type Parts = { policy(): Policy; listGrants(agent: string): Promise<readonly Grant[]>; team: Team; clock: Clock }

/** `policy show` and `policy explain`: the policy in force, and the gate's decision about a hypothetical call. */
export function policyReader({ policy, listGrants, team, clock }: Parts): Parley['policy'] {
  return {
    show: async () => policyView(policy()),
    async explain(request) {
      const { agent: name = team.default, as = 'owner', dialog = '', language = 'en' } = request
      const agent = team.agent(name)
      if (!agent)
        throw new ParleyError('agent_not_found', {
          agent: name,
          known: team
            .list()
            .map((each) => each.name)
            .join(', '),
        })
      const { isByName, refusal, ...subject } = await getCall(agent, request, { dialog, language, role: as })
      const call: GateCall = {
        ...subject,
        agent: name,
        cause: { by: [], role: as, origin: 'message' },
        dialog,
        openApprovals: 0,
        now: clock.now(),
      }
      return { agent: name, as, isByName, ...explanationView(policy(), await listGrants(name), call, language, refusal) }
    },
  }
}

type Described = Omit<GateCall, 'agent' | 'cause' | 'dialog' | 'openApprovals' | 'now'> & { isByName: boolean; refusal?: string }
type Scene = Omit<CallScene, 'agent'>

/** The agent's own tool says what its input means, as it does before a call. Without one, the words of the request count. */
async function getCall(agent: Agent, { tool: name, text = '', input }: ExplainRequest, scene: Scene): Promise<Described> {
  const own = await ownTool(agent, name, text, input, scene)
  if (own) return own
  if (!isNamedKind(name)) throw new ParleyError('bad_request', { field: 'tool', why: `${agent.name} has no tool called ${name}` })
  const named = namedCall(name, text, input)
  if ('fault' in named) throw new ParleyError('bad_request', { field: 'text', why: named.fault })
  const { outside, ...call } = named
  return { ...call, toolHash: '', isByName: true, ...(outside === undefined ? {} : { refusal: outsideText(outside, scene.language) }) }
}

async function ownTool(agent: Agent, name: string, text: string, given: unknown, scene: Scene): Promise<Described | null> {
  const isNamed = isNamedKind(name)
  const [tool, input] =
    name === 'mcp'
      ? [await mcpTool(agent, text, given ?? {}, scene), given ?? {}]
      : [agent.tools.find((one) => one.name === (isNamed ? toolOfKind[name] : name)), isNamed ? inputs[name](text) : (given ?? {})]
  if (!tool) return null
  const checked = tool.check(input)
  if ('fault' in checked) {
    if (isNamed) return null
    throw new ParleyError('bad_request', { field: 'input', why: checked.fault })
  }
  const { gate } = tool
  const facts = { tool: tool.name, kind: gate?.kind ?? 'code', toolHash: hashOfTool(tool) }
  let extracted: Extraction
  let scripts: Readonly<Record<string, string>>
  try {
    extracted = (await gate?.subjects?.(checked.input, { ...scene, agent: agent.name })) ?? {
      subjects: [toolSubject(tool.name, checked.input)],
      unsure: [],
    }
    scripts = (await gate?.bound?.(checked.input)) ?? {}
  } catch (error) {
    // The gate denies a call that its tool refuses, such as a path outside of the project.
    return { ...facts, subjects: [], unsure: [], isByName: false, refusal: failureText(error) }
  }
  return {
    ...extracted,
    ...facts,
    scripts,
    ...(gate?.declared && { declared: gate.declared }),
    ...(gate?.isSandboxed && { isSandboxed: true }),
    ...(gate?.isIrreversible && { isIrreversible: true }),
    isByName: false,
  }
}

/** No tool is called like these kinds: a host is reached by `run`, and tools of MCP have names of their own. */
const toolOfKind = { run: 'run', read: 'read_file', write: 'write_file', net: null, message: null, mcp: null } as const

const inputs = {
  run: (command: string) => ({ command }),
  read: (path: string) => ({ path }),
  write: (path: string) => ({ path, content: '' }),
  net: () => ({}),
  message: () => ({}),
  mcp: () => ({}),
}

async function mcpTool(agent: Agent, text: string, input: unknown, scene: Scene): Promise<Tool | undefined> {
  for (const tool of agent.tools) {
    if (tool.gate?.kind !== 'mcp') continue
    const [subject] = (await tool.gate.subjects?.(input, { ...scene, agent: agent.name }))?.subjects ?? []
    if (subject?.kind === 'mcp' && `${subject.server}/${subject.tool}` === text) return tool
  }
  return undefined
}
