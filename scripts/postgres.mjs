// PostgreSQL for its tests: an installed one, else Debian's. PARLEY_TEST_WITHOUT=postgres leaves its tests out.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { testsWithout } from './sandbox.mjs'
import { say, SetupError } from './setup.mjs'

/** The folder with `initdb`, null if there is none. Debian does not put it into PATH. */
export function findPostgres() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [process.env.PG_BIN ?? '', ...versions.map((version) => join(debian, version, 'bin'))]
  return folders.find((folder) => folder !== '' && existsSync(join(folder, 'initdb'))) ?? null
}

/** Installs PostgreSQL if it is missing. Its own server is not started: tests start one in a temporary folder. */
export function ensurePostgres() {
  if (testsWithout().includes('postgres') || findPostgres()) return
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).error === undefined) {
    say('Installing Debian’s PostgreSQL for its tests (once) …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...args) => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0
    if (apt('update', '-qq')) apt('install', '-y', '-qq', '--no-install-recommends', 'postgresql')
  }
  if (!findPostgres())
    throw new SetupError(
      'Tests of the PostgreSQL store need a PostgreSQL 15 or newer.\n→ sudo apt-get install postgresql, or set PG_BIN to the folder of its initdb\n→ Without it: PARLEY_TEST_WITHOUT=postgres npm test',
    )
}
