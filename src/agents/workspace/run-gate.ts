import { relative } from 'node:path'
import { plainFact, wordFact } from '../../authority/shown-fact.ts'
import { authorityWords } from '../../words/index.ts'
import type { Role } from '../../authority/roles.ts'
import type { ShownCall } from '../../dialogs/rules/approval.ts'
import type { CallScene, ToolGate } from '../../ports/tool-gate.ts'
import { findCommandFiles, type CommandFiles, hashFiles } from './command-files.ts'
import type { DirectoryRules } from './directory-rules.ts'
import { diskFacts } from './path-gate.ts'

/** The input of `run`, checked. */
export type RunCall = { command: string; cwd?: string | undefined; hosts?: readonly string[] | undefined; timeout_seconds: number }

type GateParts = {
  rules: DirectoryRules
  /** False while `sandbox: off`. */
  isSandboxed: boolean
  /** Hosts that the configuration opens for every command of this agent. */
  hosts(role: Role): readonly string[]
  hasHosts: boolean
  /** Commands are run by the shell that the parser understands. */
  hasBash(): boolean
}

/**
 * The gate of `run`. Its subjects are the programs, files and hosts of the command; an approval is bound to the content of
 * the files that the command names. The shell parser is loaded with the first command.
 */
export function runGate({ rules, isSandboxed, hosts, hasHosts, hasBash }: GateParts): ToolGate {
  const read = async (command: string) => (await import('../../authority/subjects/read-command.ts')).readCommand(command)

  const findFiles = async ({ command, cwd }: RunCall): Promise<CommandFiles> =>
    findCommandFiles(await read(command), rules.folder(cwd ?? '.'))

  return {
    kind: 'run',
    ...(isSandboxed && { isInSandbox: true }),
    // Without any network but for the hosts that a call names: those of the configuration are always open.
    ...(isSandboxed && !hasHosts && { isSandboxed: true }),
    async subjects(input, { language, role }) {
      const call = input as RunCall
      const folder = rules.folder(call.cwd ?? '.', language)
      const always = hosts(role)
      const { runSubjects } = await import('../../authority/subjects/command-subjects.ts')
      const reached = runSubjects(
        {
          command: call.command,
          cwd: relative(rules.layout.root, folder),
          hosts: (call.hosts ?? []).filter((host) => !always.includes(host)),
          hasBash: hasBash(),
          isInWriteDirs: (name) => rules.allows(name, 'write'),
        },
        rules.layout,
        diskFacts,
      )
      // A standing permission for code that is not known would be one for any code.
      return (await findFiles(call)).isCertain ? reached : { ...reached, isOnceOnly: true }
    },
    bound: async (input) => hashFiles((await findFiles(input as RunCall)).files),
    show(input, scene) {
      const call = input as RunCall
      const folder = relative(rules.layout.root, rules.folder(call.cwd ?? '.', scene.language)) || '.'
      return shownCommand(call, folder, scene, isSandboxed, hosts(scene.role))
    },
  }
}

/** `folder` is the real one, so that a link that is changed later asks again. */
function shownCommand(call: RunCall, folder: string, { language }: CallScene, isSandboxed: boolean, granted: readonly string[]): ShownCall {
  const words = authorityWords[language].shown
  const hosts = [...new Set([...granted, ...(call.hosts ?? [])])]
  return {
    kind: 'run',
    target: 'run',
    server: '',
    text: call.command,
    facts: [
      plainFact(words, 'folder', folder),
      wordFact(words, 'sandbox', isSandboxed ? 'sandboxOn' : 'sandboxOff'),
      ...(isSandboxed ? [hosts.length > 0 ? plainFact(words, 'network', hosts.join(', ')) : wordFact(words, 'network', 'noNetwork')] : []),
      wordFact(words, 'timeLimit', 'seconds', call.timeout_seconds),
    ],
  }
}
