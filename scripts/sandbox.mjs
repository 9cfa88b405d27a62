// The sandbox that agents' programs run in: bubblewrap, and socat and ripgrep for granted hosts. Debian's are installed
// when they are missing. PARLEY_TEST_WITHOUT=sandbox leaves out its tests where that is impossible.
import { spawnSync } from 'node:child_process'
import { say, SetupError } from './setup.mjs'

const knownArguments = ['sandbox', 'postgres']

/** The checks that PARLEY_TEST_WITHOUT skips. An unknown name is an error. */
export function testsWithout() {
  const named = (process.env.PARLEY_TEST_WITHOUT ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  const unknown = named.filter((name) => !knownArguments.includes(name))
  if (unknown.length > 0)
    throw new SetupError(
      `PARLEY_TEST_WITHOUT names ${unknown.join(', ')}, which cannot be left out.\n→ Known: ${knownArguments.join(', ')}`,
    )
  return named
}

/** A test or example that runs programs of agents says so in its first line. */
export const needsSandbox = (text) => text.startsWith('// needs: sandbox\n')

const programs = { bwrap: 'bubblewrap', socat: 'socat', rg: 'ripgrep' }

/** Installs what is missing and makes sure that bubblewrap works here. */
export function ensureSandbox() {
  if (testsWithout().includes('sandbox')) return
  if (process.platform === 'darwin') return
  if (process.platform !== 'linux')
    throw new SetupError('There is no sandbox for this system, so its tests cannot run.\n→ PARLEY_TEST_WITHOUT=sandbox npm test')
  const missing = Object.keys(programs).filter((name) => !has(name))
  if (missing.length > 0 && process.getuid?.() === 0 && has('apt-get')) {
    const packages = missing.map((name) => programs[name])
    say(`Installing ${packages.join(', ')} for the sandbox (once) …`)
    const apt = (...args) =>
      spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
        .status === 0
    if (apt('update', '-qq')) apt('install', '-y', '-qq', '--no-install-recommends', ...packages)
  }
  const still = Object.keys(programs).filter((name) => !has(name))
  if (still.length > 0)
    throw new SetupError(
      `The sandbox needs ${still.map((name) => programs[name]).join(', ')}.\n→ sudo apt-get install ${still.map((name) => programs[name]).join(' ')}\n→ Without it: PARLEY_TEST_WITHOUT=sandbox npm test`,
    )
  const probe = spawnSync(
    'bwrap',
    ['--unshare-all', '--unshare-user', '--disable-userns', '--ro-bind', '/', '/', '--proc', '/proc', 'true'],
    {
      encoding: 'utf8',
    },
  )
  if (probe.status !== 0)
    throw new SetupError(
      `bubblewrap does not work here: ${probe.stderr.trim().split('\n', 1)[0]}\n→ npm run parley -- doctor names the setting.\n→ Without it: PARLEY_TEST_WITHOUT=sandbox npm test`,
    )
}

const has = (command) => spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined
