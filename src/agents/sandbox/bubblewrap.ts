import { spawn } from 'node:child_process'
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { constants as osConstants, homedir, release } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { ParleyError } from '../../errors.ts'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { type Ended, processGroup, type SendSignal } from '../runtimes/process-group.ts'
import { directoryRules } from '../workspace/directory-rules.ts'
import { isInside } from '../workspace/is-inside.ts'
import { findScripts } from '../workspace/project-protection.ts'
import { allowedEnvironment, type Environment } from './environment.ts'
import { isProgram, programsNamed, realOrNull } from './find-program.ts'
import type { Confinement, Launch, Launched, Launcher } from './launcher.ts'
import { type Mount, mountLimits, listMounts } from './mounts.ts'
import type { NetworkProxy } from './network-proxy.ts'
import { type ExceededLimit, resourceLimits, watchResources } from './resource-watch.ts'
import { coverArguments, emptyFile, emptyFolder, isSystemPath, systemArguments, temporaryHome } from './system-folders.ts'

/** Namespaces, no privileges, no way to gain any, and an end together with the server. */
export const isolation =
  '--unshare-all --unshare-user --disable-userns --cap-drop ALL --die-with-parent --new-session --hostname sandbox'.split(' ')

const statusFd = 3
const firstMountFd = 4

type Parts = {
  /** The server's environment; programs get what the allow-list passes on. */
  env: () => Environment
  clock?: Clock
  /** Started when the first program with granted hosts is. */
  proxy: NetworkProxy
  /** Most memory of one program with everything it starts. */
  memoryBytes?: number
}

/**
 * Programs in a Linux sandbox of bubblewrap:
 *
 * searched → mounts opened → started → exited: its code · ended by us: SIGTERM inside, then SIGKILL for everything
 *    └ a part is missing or changed meanwhile: sandbox_unavailable, nothing runs
 */
export function bubblewrap({ env, clock = systemClock, proxy, memoryBytes }: Parts): Launcher {
  return {
    async launch(launch) {
      const { cwd, confinement, variables, stdin } = launch
      const program = bubblewrapProgram(env(), confinement)
      const started = prepareStart(launch, env()['PATH'])
      const scripts = scriptFolders(launch.command.slice(1), launch)
      const mounts: Mount[] = []
      for (const folder of [...scripts, ...confinement.folders]) mounts.push(...(await listMounts(folder)))
      const opened = openMounts(mounts)
      try {
        const network = confinement.hosts.length === 0 ? null : await proxy.open(confinement.hosts)
        const path = [...(env()['PATH'] ?? '').split(delimiter), dirname(process.execPath)].filter(
          (one, at, all) => all.indexOf(one) === at,
        )
        const passed = allowedEnvironment(env(), confinement.env, {
          ...network?.variables,
          ...variables,
          PATH: path.join(delimiter),
          HOME: temporaryHome,
          TMPDIR: '/tmp',
        })
        const gitFolders = mounts.filter((mount) => mount.as === 'write' && basename(mount.path) === '.git').map((mount) => mount.path)
        const unlinked = gitFolders.filter((folder) => !existsSync(join(folder, 'commondir')))
        const args = [
          ...isolation,
          '--json-status-fd',
          String(statusFd),
          ...systemArguments(),
          ...started.readable.flatMap((folder) => ['--ro-bind', folder, folder]),
          ...opened.args,
          ...hiddenOutside(confinement).flatMap(coverArguments),
          ...(network?.args ?? []),
          '--remount-ro',
          '/',
          '--chdir',
          cwd,
          '--',
          ...processLimit(),
          ...(network ? network.wrap(started.command) : started.command),
        ]
        const child = spawn(program, args, { cwd: '/', env: passed, stdio: [stdin, 'pipe', 'pipe', 'pipe', ...opened.fds], detached: true })
        const status = collect(child.stdio[statusFd] as Readable)
        const stderr = collect(child.stderr as Readable)
        const signal = signalInside(child)
        const group = processGroup(child, clock, signal)
        let limit: ExceededLimit | undefined
        const exceeded = (found: ExceededLimit): void => {
          limit = found
          signal('SIGKILL')
        }
        const endWatch = child.pid === undefined ? () => {} : watchResources({ pid: child.pid, clock, exceeded, memoryBytes })
        let blocked: readonly string[] = []
        const ended = group.ended.then((end) => {
          endWatch()
          blocked = network?.blocked() ?? []
          network?.close()
          // This file would make git read its settings from another folder.
          for (const folder of unlinked) rmSync(join(folder, 'commondir'), { force: true })
          return limit === undefined ? outcome(end, status(), stderr()) : { ...end, limit }
        })
        return { child: child as Launched['child'], env: passed, ended, blockedHosts: () => blocked, end: group.end }
      } finally {
        for (const fd of opened.fds) closeSync(fd)
      }
    },
    close: () => proxy.close(),
  }
}

/** A program of that name inside a folder of an agent may be one that an agent wrote. */
export function bubblewrapProgram(env: Environment, confinement: Pick<Confinement, 'folders'>): string {
  const program = programsNamed('bwrap', env['PATH']).find((path) => {
    const real = realOrNull(path)
    return real !== null && !confinement.folders.some((folder) => isInside(folder.path, path) || isInside(folder.path, real))
  })
  if (program === undefined) throw new ParleyError('sandbox_unavailable', { why: 'bubblewrap (bwrap) is not installed' })
  return program
}

/** The command with its program, and the folders that are needed to run it besides those of the system. */
function prepareStart({ command, cwd, confinement }: Launch, path: string | undefined): { command: readonly string[]; readable: string[] } {
  const [name = '', ...args] = command
  const isVisible = (file: string): boolean => isSystemPath(file) || confinement.folders.some((folder) => isInside(folder.path, file))
  const candidates = name.includes('/') ? [resolve(cwd, name)].filter(isProgram) : programsNamed(name, path)
  const program = candidates.find((file) => isVisible(file) && isVisible(realOrNull(file) ?? '')) ?? candidates[0]
  const own = programFolders(process.execPath).filter((folder) => !isVisible(folder))
  const real = program === undefined ? null : realOrNull(program)
  if (real === null || isVisible(real)) return { command, readable: own }
  return { command: [real, ...args], readable: [...new Set([...own, ...(installedWith(real) ?? programFolders(real))])] }
}

/** A program of an npm package needs its dependencies, which are in the same folder of packages, beside it or inside it. */
function installedWith(program: string): string[] | null {
  const [before, ...packages] = program.split('/node_modules/')
  return packages.length === 0 ? null : [`${before}/node_modules`]
}

/** `…/bin` with the libraries beside it, or the program alone. */
function programFolders(program: string): string[] {
  const folder = dirname(program)
  if (basename(folder) !== 'bin') return [program]
  return [folder, ...['lib', 'lib64', 'libexec'].map((name) => join(folder, '..', name))].filter((path) => existsSync(path))
}

/** The packages of scripts that lie outside the folders of the agent, without what is hidden in them. */
function scriptFolders(args: readonly string[], { cwd, confinement }: Launch): Confinement['folders'] {
  const outside = findScripts(args, cwd)
    .flatMap((script) => realOrNull(script) ?? [])
    .filter((script) => !isSystemPath(script) && !confinement.folders.some((folder) => isInside(folder.path, script)))
  return [...new Set(outside.map(findPackage))].map((path) => ({
    path,
    rules: directoryRules(
      path,
      {},
      { root: path, hidden: confinement.folders.flatMap(({ rules }) => rules.hiddenPaths), fixed: [], foldsCase: false },
    ),
  }))
}

function findPackage(script: string): string {
  // A home or a folder such as /etc holds more than a script.
  const isTooWide = (folder: string): boolean => isInside(folder, homedir()) || dirname(folder) === '/'
  for (let folder = dirname(script); !isTooWide(folder); folder = dirname(folder))
    if (statSync(join(folder, 'package.json'), { throwIfNoEntry: false })) return folder
  return isTooWide(dirname(script)) ? script : dirname(script)
}

/**
 * Prefix of a command that bounds its tasks. Set inside of the sandbox: before Linux 5.14 all tasks of the account count, and
 * since then those of the user namespace. The kernel exempts root.
 */
function processLimit(): string[] {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  const isCountedInside = major > 5 || (major === 5 && minor >= 14)
  return isCountedInside && existsSync(prlimit) ? [prlimit, `--nproc=${resourceLimits.tasks}`, '--'] : []
}

const prlimit = '/usr/bin/prlimit'

/** Hidden paths that the folders of the system would show. */
const hiddenOutside = ({ folders }: Confinement): string[] =>
  folders.flatMap(({ path, rules }) => rules.hiddenPaths.filter((hidden) => isSystemPath(hidden) && !isInside(path, hidden)))

/** Not in Node's constants. The same on all architectures that Node runs on under Linux. */
const openPathOnly = 0o10000000

/**
 * Opens what is mounted. A path is mounted by its open file: another program of the agent may run already, and could put
 * a link to anywhere in its place.
 */
function openMounts(mounts: readonly Mount[]): { args: string[]; fds: number[] } {
  const args: string[] = []
  const fds: number[] = []
  try {
    for (const { path, as } of mounts) {
      if (as === 'empty-file') args.push(...emptyFile(path))
      else if (as === 'empty-folder') args.push(...emptyFolder(path))
      else {
        if (fds.length >= mountLimits.openMounts)
          throw new ParleyError('sandbox_unavailable', {
            why: `more than ${mountLimits.openMounts} files and folders have a rule of their own; name folders in writeDirs`,
          })
        const fd = openSync(path, openPathOnly | constants.O_NOFOLLOW)
        fds.push(fd)
        if (readlinkSync(`/proc/self/fd/${fd}`) !== path || fstatSync(fd).isSymbolicLink()) throw changed(path)
        args.push(as === 'write' ? '--bind-fd' : '--ro-bind-fd', String(firstMountFd + fds.length - 1), path)
      }
    }
    return { args, fds }
  } catch (error) {
    for (const fd of fds) closeSync(fd)
    if (error instanceof ParleyError) throw error
    throw new ParleyError('sandbox_unavailable', { why: 'the project changed while the sandbox was made; try again' }, { cause: error })
  }
}

const changed = (path: string): ParleyError =>
  new ParleyError('sandbox_unavailable', { why: `${path} changed while the sandbox was made; try again` })

/** SIGTERM goes to the program's own group; SIGKILL to bubblewrap, with which everything inside ends. */
function signalInside(child: { pid?: number | undefined }): SendSignal {
  return (name) => {
    if (child.pid === undefined) return
    try {
      if (name === 'SIGKILL') process.kill(-child.pid, name)
      else for (const first of firstProcess(child.pid)) process.kill(-first, name)
    } catch {
      // It has ended, or has not come so far; then SIGKILL follows.
    }
  }
}

const firstProcess = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

const collectedChars = 4_000

function collect(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < collectedChars) text += chunk
  })
  return () => text
}

const notFound = 'it was not found in the sandbox, or may not be run'

/** Bubblewrap reports an exit code only for a program that it has started. */
function outcome(end: Ended, status: string, stderr: string): Ended {
  if (end.startFault !== null) return { ...end, sandboxFault: end.startFault }
  if (!status.includes('"exit-code"')) {
    if (end.killedBy !== null) return end
    const why =
      stderr
        .replace(/^bwrap: /, '')
        .trim()
        .split('\n', 1)[0]
        ?.slice(0, 300) ?? ''
    if (why.startsWith('execvp ')) return { ...end, startFault: notFound }
    return { ...end, sandboxFault: why === '' ? 'bubblewrap failed' : `bubblewrap failed: ${why}` }
  }
  if (end.code === 126 || end.code === 127) if (stderr.startsWith('prlimit: failed to execute')) return { ...end, startFault: notFound }
  const killedBy = signalNames.get((end.code ?? 0) - 128)
  return killedBy === undefined ? end : { ...end, code: null, killedBy }
}

const signalNames = new Map(Object.entries(osConstants.signals).map(([name, number]) => [number, name]))
