import { dirname } from 'node:path'
import type { GateCall } from '../authority/decision.ts'
import { type Disk, isNamedKind, namedCall, type NamedKind } from '../authority/named-call.ts'
import { defaultPolicy, type Policy } from '../authority/policy.ts'
import { outsideText } from '../authority/because-text.ts'
import { explanationView } from '../authority/policy-view.ts'
import { toolSubject } from '../authority/subjects/tool-subjects.ts'
import { getToolKind } from '../authority/tool-kinds.ts'
import type { ExplainRequest, PolicyExplanation } from '../shapes/wire.ts'
import type { Config } from '../app/config/schema.ts'
import type { Problem } from '../app/config/problem.ts'
import { ParleyError } from '../errors.ts'
import { UsageError } from './fault.ts'
import { listPlaces, shortPath } from './places.ts'
import type { Terminal } from './terminal.ts'

export type LocalPolicy = { file: string; exists: boolean; policy: Policy; examples: readonly number[] }

/** The policy of the nearest parley.yaml, or everything that is wrong with it. */
export async function readLocalPolicy(terminal: Terminal): Promise<LocalPolicy | { file: string; problems: readonly Problem[] }> {
  const { config: file, exists } = await listPlaces(terminal)
  if (!exists) return { file, exists, policy: defaultPolicy, examples: [] }
  const { loadPolicy } = await import('../app/config/load-policy.ts')
  return { file, exists, ...(await loadPolicy(file, terminal.env)) }
}

/** Throws the first problem: with one there is no policy at all. */
export async function localPolicy(terminal: Terminal): Promise<LocalPolicy> {
  const read = await readLocalPolicy(terminal)
  if (!('problems' in read)) return read
  const [first] = read.problems
  throw new ParleyError('config_invalid', {
    file: shortPath(read.file, terminal.cwd),
    where: first?.line === undefined || first.line === null ? (first?.path ?? '') : `line ${first.line}`,
    why: (first?.why ?? 'the policy cannot be read').replace(/\.$/, ''),
  })
}

/** `policy explain` without a server: the same gate, with the files of this folder and without grants. */
export async function explainLocally(
  terminal: Terminal,
  request: ExplainRequest,
): Promise<{ file: string; explanation: PolicyExplanation }> {
  const { policy, file } = await localPolicy(terminal)
  const { tool, as = 'owner', language = 'en' } = request
  const { config, agent, disk } = await getProject(terminal, request.agent)
  const members = Object.keys(config.team.members)
  if (members.length > 0 && !members.includes(agent)) throw new ParleyError('agent_not_found', { agent, known: members.join(', ') })
  const named = describeCall(request, disk)
  if ('fault' in named) throw new UsageError(`parley policy explain ${tool}: ${named.fault}.`, 'See: parley policy explain --help')
  const { outside, ...subject } = { outside: undefined, ...named }
  const call: GateCall = {
    ...subject,
    agent,
    toolHash: '',
    cause: { by: [], role: as, origin: 'message' },
    dialog: '',
    openApprovals: 0,
    now: Date.now(),
    ...(named.kind === 'run' && config.sandbox === 'on' && { isSandboxed: true }),
  }
  const refusal = outside === undefined ? undefined : outsideText(outside, language)
  return { file, explanation: { agent, as, isByName: false, ...explanationView(policy, [], call, language, refusal) } }
}

/** A tool of Parley has its kind; any other is code of a plugin, a module or a program, whose declaration only a server knows. */
const ownCall = (tool: string, input: unknown): Pick<GateCall, 'tool' | 'kind' | 'subjects' | 'unsure'> => ({
  tool,
  kind: getToolKind(tool) ?? 'code',
  subjects: [toolSubject(tool, input)],
  unsure: [],
})

/** Tools of Parley whose input names a command or a path: rules speak about that, not about the tool. */
const namedInput: Readonly<Record<string, { kind: NamedKind; field: string }>> = {
  run: { kind: 'run', field: 'command' },
  read_file: { kind: 'read', field: 'path' },
  write_file: { kind: 'write', field: 'path' },
  edit_file: { kind: 'write', field: 'path' },
}

function describeCall({ tool, text, input }: ExplainRequest, disk: Disk): ReturnType<typeof namedCall> | ReturnType<typeof ownCall> {
  const named = Object.hasOwn(namedInput, tool) ? namedInput[tool] : undefined
  const fieldValue = named ? input?.[named.field] : undefined
  if (named && typeof fieldValue === 'string') return namedCall(named.kind, fieldValue, input, disk)
  return isNamedKind(tool) ? namedCall(tool, text ?? '', input, disk) : ownCall(tool, input)
}

async function getProject(terminal: Terminal, asked: string | undefined): Promise<{ config: Config; agent: string; disk: Disk }> {
  const { config: file, data } = await listPlaces(terminal)
  const [{ loadConfig }, { projectProtection }, { diskFacts }, { directoryRules }] = await Promise.all([
    import('../app/config/load.ts'),
    import('../agents/workspace/project-protection.ts'),
    import('../agents/workspace/path-gate.ts'),
    import('../agents/workspace/directory-rules.ts'),
  ])
  const { config } = loadConfig(file, { optional: true, env: terminal.env })
  const { members, default: first = Object.keys(members)[0] } = config.team
  const agent = asked ?? first ?? 'ada'
  const layout = projectProtection({ file, dataDir: data, config })
  const rules = directoryRules(dirname(file), members[agent] ?? {}, layout)
  return { config, agent, disk: { layout, lookUp: diskFacts, isInWriteDirs: (name) => rules.isOpen(name, 'write') } }
}
