import { openHosts } from '../authority/open-hosts.ts'
import { defaultPolicy, type Policy } from '../authority/policy.ts'
import type { Layout } from '../authority/subjects/protected-paths.ts'
import type { MemberConfig } from '../config/schema.ts'
import type { Tool } from '../ports/agent-runtime.ts'
import type { Clock } from '../ports/clock.ts'
import { confinementOf } from './sandbox/confinement.ts'
import type { Launcher } from './sandbox/launcher.ts'
import { messageTool } from './message-tool.ts'
import { memories } from './memory/memory.ts'
import { memoryTools } from './memory/memory-tools.ts'
import { type Surroundings, surroundings } from './minds/surroundings.ts'
import { type TextFiles, textFiles } from './minds/text-files.ts'
import { taskdocs } from './taskdoc/taskdoc.ts'
import { taskdocTools } from './taskdoc/taskdoc-tools.ts'
import { directoryRules } from './workspace/directory-rules.ts'
import { readTools } from './workspace/read-tools.ts'
import { shellTool } from './workspace/shell-tool.ts'
import { writeTools } from './workspace/write-tools.ts'

/** The chat apps that are connected, seen from agents. They come and go. */
export type Chats = Parameters<typeof messageTool>[0]

const noChats: Chats = { messaging: () => null, sheets: () => [] }

/** What Parley itself can give to members of one project. */
export type Equipment = {
  files: TextFiles
  around: Surroundings
  /** For everybody; of use in a dialog that has a task document. */
  readonly taskdocTools: readonly Tool[]
  toolsFor(member: MemberConfig, name?: string): readonly Tool[]
  /** The names of all of them, so that nobody else takes one. */
  names(): readonly string[]
}

type Parts = {
  clock: Clock
  layout: Layout
  launcher: Launcher
  /** False while `sandbox: off`. */
  isSandboxed: boolean
  hasBash(): boolean
  /** Rules as they are now; without it there are none. */
  policy?: (() => Policy) | undefined
  team(): readonly { name: string; about: string }[]
  chats?: Chats | undefined
}

export function equipment(
  root: string,
  { clock, layout, launcher, isSandboxed, hasBash, policy = () => defaultPolicy, team, chats }: Parts,
): Equipment {
  const files = textFiles(clock)
  const shell = { launcher, isSandboxed, hasBash, clock }
  const kept = memories(root, files)
  const documents = taskdocs(root, files)
  let documentTools: readonly Tool[] | undefined
  let writing: Tool | undefined
  const toolsFor = (
    member: Pick<MemberConfig, 'toolsets' | 'governor' | 'readDirs' | 'writeDirs' | 'noReadDirs' | 'noWriteDirs' | 'hosts' | 'env'>,
    name = '',
  ): Tool[] => {
    const wanted = new Set(member.toolsets)
    if (wanted.size === 0) return []
    const rules = directoryRules(root, member, layout)
    return [
      ...(wanted.has('memory') ? memoryTools(kept, member) : []),
      ...(wanted.has('ws_read') ? readTools(rules) : []),
      ...(wanted.has('ws_mod') ? writeTools(rules) : []),
      ...(wanted.has('os')
        ? [
            shellTool({
              ...shell,
              rules,
              confinement: confinementOf(layout.root, rules, member),
              openHosts: (role) => openHosts(policy(), { agent: name, role, now: clock.now() }, member.hosts ?? [], { hasRules: false }),
            }),
          ]
        : []),
      ...(wanted.has('message') ? [(writing ??= messageTool(chats ?? noChats))] : []),
    ]
  }
  return {
    files,
    around: surroundings(root, { files, memories: kept, taskdocs: documents, team }),
    // Made when they are first wanted: describing a tool's input costs more than reading the whole configuration.
    get taskdocTools() {
      return (documentTools ??= taskdocTools(documents))
    },
    toolsFor,
    names() {
      const all = toolsFor({ toolsets: ['memory', 'ws_read', 'ws_mod', 'os', 'message'], governor: true })
      return [...this.taskdocTools, ...all].map(({ name }) => name)
    },
  }
}
