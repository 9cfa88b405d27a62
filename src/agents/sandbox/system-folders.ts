import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { isInside } from '../workspace/is-inside.ts'

const programFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store']

/** Files of /etc that ordinary programs need; the rest stays hidden. */
const settings = [
  'alternatives',
  'ca-certificates',
  'crypto-policies',
  'fonts',
  'gai.conf',
  'group',
  'host.conf',
  'hosts',
  'java',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'magic',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'passwd',
  'pki/ca-trust/extracted',
  'pki/tls/certs',
  'protocols',
  'services',
  'ssl/certs',
  'ssl/openssl.cnf',
  'terminfo',
  'timezone',
]

/** Parts of /proc that change the machine or tell about it. The owner of the server's account may be root. */
const coveredInProc = ['acpi', 'asound', 'kcore', 'keys', 'latency_stats', 'mtrr', 'sched_debug', 'scsi', 'sysrq-trigger', 'timer_list']
const readOnlyInProc = ['bus', 'fs', 'irq', 'pressure', 'sys']

export const sandboxLimits = { temporaryBytes: 1_073_741_824, sharedMemoryBytes: 268_435_456 } as const

let cachedFolders: readonly string[] | undefined

/** Arguments for everything outside the project: programs and libraries, devices, a new /proc and an own /tmp. */
export function systemArguments(): readonly string[] {
  cachedFolders ??= [
    ...programFolders.flatMap((folder) => {
      const entry = lstatSync(folder, { throwIfNoEntry: false })
      if (!entry) return []
      return entry.isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder]
    }),
    ...settings.map((name) => `/etc/${name}`).flatMap((path) => (existsSync(path) ? ['--ro-bind', path, path] : [])),
    '--proc',
    '/proc',
    ...readOnlyInProc.map((name) => `/proc/${name}`).flatMap((path) => (existsSync(path) ? ['--ro-bind', path, path] : [])),
    ...coveredInProc.map((name) => `/proc/${name}`).flatMap(coverArguments),
    '--dev',
    '/dev',
    ...memoryFolder('/dev/shm', sandboxLimits.sharedMemoryBytes),
    '--remount-ro',
    '/dev',
    ...memoryFolder('/tmp', sandboxLimits.temporaryBytes),
    '--dir',
    temporaryHome,
  ]
  return cachedFolders
}

const memoryFolder = (path: string, bytes: number): string[] => ['--perms', '1777', '--size', String(bytes), '--tmpfs', path]

export const temporaryHome = '/tmp/home'

/** Hides a path that exists, whatever it is. */
export function coverArguments(path: string): string[] {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  if (!entry || entry.isSymbolicLink()) return []
  return entry.isDirectory() ? emptyFolder(path) : emptyFile(path)
}

/** Mounted without devices, /dev/null can be neither read nor written. */
export const emptyFile = (path: string): string[] => ['--ro-bind', '/dev/null', path]

/** Without any permission, git takes the files in it as unreadable, not as deleted. */
export const emptyFolder = (path: string): string[] => ['--perms', '0000', '--tmpfs', path, '--remount-ro', path]

export const isSystemPath = (path: string): boolean => programFolders.some((folder) => isInside(folder, path))
