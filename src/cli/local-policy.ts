import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { GateCall } from '../authority/decision.ts'
import { type Disk, isNamedKind, namedCall } from '../authority/named-call.ts'
import { defaultPolicy, type Policy } from '../authority/policy.ts'
import { explanationView } from '../authority/policy-view.ts'
import { toolSubject } from '../authority/subjects/tool-subjects.ts'
import { toolKindOf } from '../authority/tool-kinds.ts'
import type { ExplainRequest, PolicyExplanation } from '../client/wire.ts'
import type { Config } from '../config/schema.ts'
import type { Problem } from '../config/problem.ts'
import { ParleyError } from '../errors.ts'
import { UsageError } from './fault.ts'
import { placesOf, shortPath } from './places.ts'
import type { Terminal } from './terminal.ts'

export type LocalPolicy = { file: string; exists: boolean; policy: Policy; examples: readonly number[] }

/** The policy of the nearest parley.yaml, or everything that is wrong with it. */
export async function readLocalPolicy(terminal: Terminal): Promise<LocalPolicy | { file: string; problems: readonly Problem[] }> {
  const { config: file, exists } = await placesOf(terminal)
  if (!exists) return { file, exists, policy: defaultPolicy, examples: [] }
  const { loadPolicy } = await import('../config/load-policy.ts')
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
  const { tool, text = '', input, as = 'owner', language = 'en' } = request
  const { config, disk } = await projectOf(terminal, request.agent)
  const members = Object.keys(config.team.members)
  const agent = request.agent ?? config.team.default ?? members[0] ?? 'ada'
  if (members.length > 0 && !members.includes(agent)) throw new ParleyError('agent_not_found', { agent, known: members.join(', ') })
  const named = isNamedKind(tool) ? namedCall(tool, text, input, disk) : ownCall(tool, input)
  if ('fault' in named) throw new UsageError(`parley policy explain ${tool}: ${named.fault}.`, 'See: parley policy explain --help')
  const call: GateCall = {
    ...named,
    agent,
    toolHash: '',
    cause: { by: [], role: as, origin: 'message' },
    dialog: '',
    openApprovals: 0,
    now: Date.now(),
    ...(named.kind === 'run' && config.sandbox === 'on' && { isSandboxed: true }),
  }
  return { file, explanation: { agent, as, isByName: false, ...explanationView(policy, [], call, language) } }
}

/** A tool of Parley has its kind; any other is code of a plugin, a module or a program, whose declaration only a server knows. */
const ownCall = (tool: string, input: unknown): Pick<GateCall, 'tool' | 'kind' | 'subjects' | 'unsure'> => ({
  tool,
  kind: toolKindOf(tool) ?? 'code',
  subjects: [toolSubject(tool, input)],
  unsure: [],
})

async function projectOf(terminal: Terminal, agent: string | undefined): Promise<{ config: Config; disk: Disk }> {
  const { config: file, data } = await placesOf(terminal)
  const [{ loadConfig }, { projectProtection }, { realPath }, { directoryRules }] = await Promise.all([
    import('../config/load.ts'),
    import('../agents/workspace/project-protection.ts'),
    import('../agents/workspace/inside.ts'),
    import('../agents/workspace/directory-rules.ts'),
  ])
  const { config } = loadConfig(file, { optional: true, env: terminal.env })
  const layout = projectProtection({ file, dataDir: data, config })
  const member = Object.entries(config.team.members).find(([name]) => agent === undefined || name === agent)?.[1] ?? {}
  const rules = directoryRules(dirname(file), member, layout)
  return {
    config,
    disk: {
      layout,
      isInWriteDirs: (name) => rules.isOpen(name, 'write'),
      lookUp(absolute) {
        try {
          return { real: realPath(absolute), hardLinks: lstatSync(join(absolute), { throwIfNoEntry: false })?.nlink ?? 0 }
        } catch {
          return { real: null, hardLinks: 0 }
        }
      },
    },
  }
}
