import { decide } from '../authority/decide.ts'
import { openHosts } from '../authority/open-hosts.ts'
import { defaultPolicy, type Policy } from '../authority/policy.ts'
import type { Layout } from '../authority/subjects/protected-paths.ts'
import { fileSubjects } from '../authority/subjects/tool-subjects.ts'
import type { MemberConfig } from '../app/config/schema.ts'
import type { TaskdocFloor, Tool } from '../ports/agent-runtime.ts'
import type { Clock } from '../ports/clock.ts'
import type { TaskDocuments } from '../ports/task-documents.ts'
import { toConfinement } from './sandbox/confinement.ts'
import type { Launcher } from './sandbox/launcher.ts'
import { messageTool } from './message-tool.ts'
import { memories } from './memory/memory.ts'
import { memoryTools } from './memory/memory-tools.ts'
import { type Surroundings, surroundings } from './minds/surroundings.ts'
import { type TextFiles, textFiles } from './minds/text-files.ts'
import { taskdocs } from './taskdoc/taskdoc.ts'
import { taskdocTools } from './taskdoc/taskdoc-tools.ts'
import { type DirectoryRules, directoryRules } from './workspace/directory-rules.ts'
import { diskFacts } from './workspace/path-gate.ts'
import { readTools } from './workspace/read-tools.ts'
import { shellTool } from './workspace/shell-tool.ts'
import { type MayRead, writeTools } from './workspace/write-tools.ts'

/** The chat apps that are connected, seen from agents. They come and go. */
export type Chats = Parameters<typeof messageTool>[0]

const noChats: Chats = { messaging: () => null, sheets: () => [] }

/** Tools and context that Parley offers to the members of one project. */
export type Equipment = {
  files: TextFiles
  around: Surroundings
  /** For every member; used in dialogs with a task document. */
  readonly taskdocTools: readonly Tool[]
  readTaskdocFloor(taskdoc: string): TaskdocFloor | null
  taskdocs: TaskDocuments
  toolsFor(member: MemberConfig, name?: string): readonly Tool[]
  /** The names of all of them, which no other tool may take. */
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
  const memoryFiles = memories(root, files)
  const documents = taskdocs(root, files, clock)
  let documentTools: readonly Tool[] | undefined
  let writing: Tool | undefined
  const mayRead =
    (rules: DirectoryRules): MayRead =>
    (path, { dialog, agent, role }) => {
      const cause = { by: [], role, origin: 'message' as const }
      const facts = { agent, tool: 'read_file', kind: 'read' as const, toolHash: '', cause, dialog, openApprovals: 0, now: clock.now() }
      const reached = fileSubjects({ access: 'read', path }, layout, diskFacts)
      const isOpen = reached.subjects.every(
        (subject) => subject.kind === 'read' && subject.names.every(({ inside }) => inside !== null && rules.allows(inside, 'read')),
      )
      return isOpen && decide(policy(), [], { ...facts, ...reached }).decision === 'allow'
    }
  const toolsFor = (
    member: Pick<MemberConfig, 'toolsets' | 'governor' | 'readDirs' | 'writeDirs' | 'noReadDirs' | 'noWriteDirs' | 'hosts' | 'env'>,
    name = '',
  ): Tool[] => {
    const toolsets = new Set(member.toolsets)
    if (toolsets.size === 0) return []
    const rules = directoryRules(root, member, layout)
    return [
      ...(toolsets.has('memory') ? memoryTools(memoryFiles, member) : []),
      ...(toolsets.has('ws_read') ? readTools(rules) : []),
      ...(toolsets.has('ws_mod') ? writeTools(rules, mayRead(rules)) : []),
      ...(toolsets.has('os')
        ? [
            shellTool({
              ...shell,
              rules,
              confinement: toConfinement(layout.root, rules, member),
              openHosts: (role) => openHosts(policy(), { agent: name, role, now: clock.now() }, member.hosts ?? [], { hasRules: false }),
            }),
          ]
        : []),
      ...(toolsets.has('message') ? [(writing ??= messageTool(chats ?? noChats))] : []),
    ]
  }
  return {
    files,
    around: surroundings(root, { files, memories: memoryFiles, taskdocs: documents, team }),
    // Made when they are first wanted: describing a tool's input costs more than reading the whole configuration.
    get taskdocTools() {
      return (documentTools ??= taskdocTools(documents))
    },
    readTaskdocFloor: documents.floor,
    taskdocs: documents,
    toolsFor,
    names() {
      const all = toolsFor({ toolsets: ['memory', 'ws_read', 'ws_mod', 'os', 'message'], governor: true })
      return [...this.taskdocTools, ...all].map(({ name }) => name)
    },
  }
}
