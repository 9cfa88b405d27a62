import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { ParleyError } from '../../errors.ts'
import { bubblewrapProgram, isolation } from './bubblewrap.ts'
import type { Environment } from './environment.ts'
import { programsNamed } from './find-program.ts'
import { sandboxRuntime } from './network-proxy.ts'
import { systemArguments } from './system-folders.ts'

/** Why programs of agents cannot run in a sandbox here, and the next step. */
export type SandboxFault = { why: string; next: string }

/** Facts about a Linux machine that decide whether bubblewrap can work. */
export type LinuxFacts = {
  /** `ID` and `ID_LIKE` of /etc/os-release. */
  distribution: string
  isContainer: boolean
  /** Contents of files below /proc/sys; empty where there is none. */
  setting(name: string): string
}

const probeMs = 10_000

type Parts = { env: Environment; hasHosts: boolean; platform?: NodeJS.Platform; facts?: LinuxFacts }

/** Null when the sandbox works. It is really started once. */
export async function checkSandbox({
  env,
  hasHosts,
  platform = process.platform,
  facts = linuxFacts(),
}: Parts): Promise<SandboxFault | null> {
  if (platform !== 'linux' && platform !== 'darwin')
    return { why: `there is no sandbox for this system (${platform})`, next: 'Run Parley on Linux, on macOS or in WSL 2.' }
  if (platform === 'linux') {
    for (const name of ['bwrap', 'bash', ...(hasHosts ? ['socat', 'rg'] : [])])
      if (programsNamed(name, env['PATH']).length === 0)
        return { why: `${packages[name] ?? name} is not installed`, next: installCommand(facts.distribution, hasHosts) }
    const probe = spawnSync(bubblewrapProgram(env, { folders: [] }), [...isolation, ...systemArguments(), '--', 'bash', '-c', ':'], {
      env: { PATH: env['PATH'] ?? '' },
      encoding: 'utf8',
      timeout: probeMs,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    if (probe.status !== 0) return explainFailure(probe.stderr, facts)
  }
  if (platform === 'linux' && !hasHosts) return null
  const runtime = sandboxRuntime()
  try {
    await runtime.started()
    return null
  } catch (error) {
    const why = error instanceof ParleyError ? String(error.details['why']) : String(error)
    return { why, next: 'npm install --include=optional' }
  } finally {
    await runtime.close()
  }
}

const packages: Readonly<Record<string, string>> = { bwrap: 'bubblewrap', rg: 'ripgrep' }

export function installCommand(distribution: string, hasHosts: boolean): string {
  const names = ['bubblewrap', ...(hasHosts ? ['socat', 'ripgrep'] : [])].join(' ')
  if (/fedora|rhel|centos/.test(distribution)) return `sudo dnf install ${names}`
  if (/arch/.test(distribution)) return `sudo pacman -S ${names}`
  if (/suse/.test(distribution)) return `sudo zypper install ${names}`
  if (/alpine/.test(distribution)) return `apk add bash ${names}`
  return `sudo apt-get install ${names}`
}

/** Names the setting that keeps bubblewrap from working. */
export function explainFailure(stderr: string, { distribution, isContainer, setting }: LinuxFacts): SandboxFault {
  const line =
    stderr
      .trim()
      .split('\n', 1)[0]
      ?.replace(/^bwrap: /, '')
      .slice(0, 300) ?? ''
  const why = `bubblewrap cannot start${line === '' ? '' : ` (${line})`}`
  if (/unknown option/i.test(line))
    return { why: 'bubblewrap is too old; 0.8 or newer is needed, with --bind-fd', next: installCommand(distribution, false) }
  if (isContainer)
    return {
      why: `${why}: this container may not make user namespaces`,
      next: 'Start it with: docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined … (or --privileged)',
    }
  for (const [name, wanted] of [
    ['kernel.unprivileged_userns_clone', '1'],
    ['kernel.apparmor_restrict_unprivileged_userns', '0'],
    ['user.max_user_namespaces', '10000'],
  ] as const) {
    const value = setting(name)
    if (value !== '' && (wanted === '10000' ? value === '0' : value !== wanted))
      return { why: `${why}: ${name} is ${value}, so user namespaces are off`, next: `sudo sysctl -w ${name}=${wanted}` }
  }
  return { why, next: 'Run it by hand to see why: bwrap --unshare-all --unshare-user --disable-userns --ro-bind / / true' }
}

function linuxFacts(): LinuxFacts {
  return {
    distribution: (readText('/etc/os-release').match(/^ID(?:_LIKE)?=.*$/gm) ?? []).join(' ').toLowerCase(),
    isContainer: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
    setting: (name) => readText(`/proc/sys/${name.replaceAll('.', '/')}`).trim(),
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
