import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { isAbsolute, relative, resolve } from 'node:path'
import { fill, words } from '../../authority/authority-words.ts'
import { scriptOf } from '../../authority/proposals.ts'
import type { Role } from '../../authority/roles.ts'
import type { RunSubject } from '../../authority/subjects/subject.ts'
import type { ShownCall } from '../../dialog/approval.ts'
import type { CallScene, ToolGate } from '../../ports/tool-gate.ts'
import type { DirectoryRules } from './directory-rules.ts'
import { diskFacts } from './path-gate.ts'

export const scriptLimits = { bytes: 20_000_000, files: 100 } as const

/** The input of `run`, checked. */
export type RunCall = { command: string; cwd?: string | undefined; hosts?: readonly string[] | undefined; timeout_seconds: number }

type GateParts = {
  rules: DirectoryRules
  /** False while `sandbox: off`. */
  isSandboxed: boolean
  /** Hosts that the configuration opens for every command of this agent. */
  hosts(role: Role): readonly string[]
  hasHosts: boolean
  /** Whether commands are run by the shell that the parser speaks. */
  hasBash(): boolean
}

/**
 * The gate of `run`. Its subjects are the programs, files and hosts of the command; an approval is bound to the content of
 * the scripts that the command runs. The shell parser is loaded with the first command.
 */
export function runGate({ rules, isSandboxed, hosts, hasHosts, hasBash }: GateParts): ToolGate {
  const read = async (command: string) => (await import('../../authority/subjects/read-command.ts')).readCommand(command)

  /** Files whose content decides what the command does, by the name the command has for them. `isCertain`: all of them are known. */
  async function scriptsOf({ command, cwd }: RunCall): Promise<{ names: string[]; folder: string; isCertain: boolean }> {
    const folder = rules.folder(cwd ?? '.')
    const { runs, changesFolder } = await read(command)
    const scripts = runs.map(scriptOf).filter((name) => name !== null)
    const names = new Set([...scripts, ...runs.flatMap(fileWords)])
    const isCertain = !(changesFolder && scripts.some((name) => !isAbsolute(name)))
    return { names: [...names].slice(0, scriptLimits.files), folder, isCertain: isCertain && names.size <= scriptLimits.files }
  }

  async function bound(call: RunCall): Promise<Record<string, string>> {
    const { names, folder } = await scriptsOf(call)
    const found: Record<string, string> = {}
    for (const name of names) {
      const hash = await fileHash(resolve(folder, name))
      if (hash !== null) found[name] = hash
    }
    return found
  }

  return {
    kind: 'run',
    // Without any network but for the hosts that a call names: those of the configuration are always open.
    ...(isSandboxed && !hasHosts && { isSandboxed: true }),
    async subjects(input, { language, role }) {
      const call = input as RunCall
      const folder = rules.folder(call.cwd ?? '.', language)
      const always = hosts(role)
      const { runSubjects } = await import('../../authority/subjects/command-subjects.ts')
      const found = runSubjects(
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
      const scripts = found.subjects.flatMap((subject) => (subject.kind === 'run' ? (scriptOf(subject) ?? []) : []))
      if (scripts.length === 0) return found
      const [hashes, { isCertain }] = [await bound(call), await scriptsOf(call)]
      // A standing permission for a script whose content is not known would be one for any content.
      return isCertain && scripts.every((name) => hashes[name] !== undefined) ? found : { ...found, isOnceOnly: true }
    },
    bound: (input) => bound(input as RunCall),
    show: (input, scene) => shownCommand(input as RunCall, scene, isSandboxed, hosts(scene.role)),
  }
}

/** Other files named by a command that runs a script: modules it loads, and data. */
function fileWords(run: RunSubject): string[] {
  if (scriptOf(run) === null) return []
  return run.words.slice(1).flatMap(({ value, isLiteral }) => {
    const name = value.startsWith('-') ? value.slice(value.indexOf('=') + 1) : value
    return isLiteral && name !== '' && !name.startsWith('-') && name.length <= 1_000 && !name.includes('\0') ? [name] : []
  })
}

/** Null when there is no such file, or one that is too large. */
async function fileHash(path: string): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null)
  if (!file) return null
  try {
    const stat = await file.stat()
    if (!stat.isFile() || stat.size > scriptLimits.bytes) return null
    return createHash('sha256')
      .update(await file.readFile())
      .digest('base64url')
  } catch {
    return null
  } finally {
    await file.close()
  }
}

function shownCommand(call: RunCall, { language }: CallScene, isSandboxed: boolean, granted: readonly string[]): ShownCall {
  const labels = words[language].shown
  const hosts = [...new Set([...granted, ...(call.hosts ?? [])])]
  return {
    kind: 'run',
    target: 'run',
    server: '',
    text: call.command,
    facts: [
      { label: labels.folder, value: call.cwd ?? '.' },
      { label: labels.sandbox, value: isSandboxed ? labels.sandboxOn : labels.sandboxOff },
      ...(isSandboxed ? [{ label: labels.network, value: hosts.join(', ') || labels.noNetwork }] : []),
      { label: labels.timeLimit, value: fill(labels.seconds, { n: call.timeout_seconds }) },
    ],
  }
}
