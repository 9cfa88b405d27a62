import { spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { processGroup } from '../runtimes/process-group.ts'
import { allowedEnvironment, type Environment } from './environment.ts'
import type { Launched, Launcher } from './launcher.ts'
import { type Mount, listMounts } from './mounts.ts'
import { blockedHosts, commandId, type SandboxRuntime } from './network-proxy.ts'

type Parts = { env: () => Environment; clock?: Clock; runtime: SandboxRuntime }

/**
 * Programs in the sandbox of macOS, by sandbox-runtime. It shows the whole disk unless told otherwise, so everything that
 * belongs to people is denied first. Without process namespaces, a program that leaves its process group outlives the call.
 */
export function seatbelt({ env, clock = systemClock, runtime }: Parts): Launcher {
  return {
    async launch({ command, cwd, variables, stdin, confinement }) {
      const sandbox = await runtime.started()
      const mounts: Mount[] = []
      for (const folder of confinement.folders) mounts.push(...(await listMounts(folder)))
      const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'parley-run-')))
      const id = commandId()
      let blocked: readonly string[] = []
      const over = (): void => {
        blocked = blockedHosts(sandbox, id)
        sandbox.unregisterCommandNetworkLists(id)
        rmSync(temporary, { recursive: true, force: true })
      }
      try {
        const filesystem = filesystemRules(
          mounts,
          confinement.folders.flatMap(({ rules }) => rules.hiddenPaths),
          temporary,
        )
        sandbox.registerCommandNetworkLists(id, { allowedDomains: [...confinement.hosts] })
        const wrapped = await sandbox.wrapWithSandboxArgv(quoted(command), '/bin/bash', { filesystem }, undefined, cwd, {
          commandId: id,
          commandText: 'a program of an agent',
        })
        const [program = '', ...args] = wrapped.argv
        const passed = allowedEnvironment(env(), confinement.env, { ...variables, HOME: temporary, TMPDIR: temporary })
        const child = spawn(program, args, { cwd, env: passed, stdio: [stdin, 'pipe', 'pipe'], detached: true }) as Launched['child']
        const group = processGroup(child, clock)
        return { child, env: passed, ended: group.ended.finally(over), blockedHosts: () => blocked, end: group.end }
      } catch (error) {
        over()
        throw error
      }
    },
    close: () => runtime.close(),
  }
}

/** Denied folders that hold an allowed one stay denied around it; a denied path inside an allowed folder stays denied. */
export function filesystemRules(mounts: readonly Mount[], hidden: readonly string[], temporary: string): object {
  const paths = (...kinds: Mount['as'][]): string[] => mounts.filter(({ as }) => kinds.includes(as)).map(({ path }) => path)
  const covered = paths('empty-file', 'empty-folder')
  return {
    denyRead: [...new Set([homedir(), '/Users', '/Volumes', '/private/var', '/private/tmp', '/private/etc', ...hidden, ...covered])],
    allowRead: [...new Set([temporary, dirname(process.execPath), '/private/etc/ssl', '/private/var/select', ...paths('read', 'write')])],
    allowWrite: [temporary, ...paths('write')],
    denyWrite: [...new Set([...hidden, ...covered, ...paths('read')])].filter((path) => !isOutermost(mounts, path)),
  }
}

/** The folder itself, when it is only read: a folder in it may still be writable. */
const isOutermost = (mounts: readonly Mount[], path: string): boolean =>
  mounts.some((mount) => mount.as === 'write' && mount.path.startsWith(`${path}/`))

const quoted = (command: readonly string[]): string => command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
