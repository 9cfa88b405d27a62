import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { shortPath } from '../places.ts'
import { secretsFile } from '../secrets-file.ts'
import { type Finding, type Patient, fixed, note, ok, warning, wrong } from './finding.ts'

const atLeast = (have: string, need: string): boolean => {
  const [a, b] = [have, need].map((text) => text.split('.').map(Number))
  for (const [at, part] of (b ?? []).entries()) {
    const mine = a?.[at] ?? 0
    if (mine !== part) return mine > part
  }
  return true
}

export function checkNode(): Finding {
  const { engines } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { engines: { node: string } }
  const need = engines.node.replace(/[^\d.]/g, '')
  const have = process.versions.node
  return atLeast(have, need)
    ? ok('node', `Node ${have}`)
    : wrong('node', `Node ${have} is too old: ${need} or newer is needed.`, 'Install a newer one: https://nodejs.org')
}

export function checkDataFolder({ places, terminal, fix }: Patient): Finding {
  const { data } = places
  const shown = shortPath(data, terminal.cwd)
  if (!existsSync(data)) {
    if (!fix) return note('data', `${shown} does not exist yet; the first start makes it.`, 'parley demo')
    mkdirSync(data, { recursive: true, mode: 0o700 })
    return fixed('data', `${shown} was made.`)
  }
  if (!statSync(data).isDirectory()) return wrong('data', `${shown} is a file, not a folder.`, 'Move it away, then: parley doctor')
  try {
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return wrong('data', `${shown} cannot be written.`, `chmod u+rwx ${shown}`)
  }
  return ok('data', `${shown} can be written.`)
}

/** Whoever can read these can speak as the owner. */
export function checkPrivacy({ places, terminal, fix }: Patient): Finding {
  if (process.platform === 'win32') return ok('privacy', 'File modes do not count on this system.')
  const files = ['server.json', 'secret'].map((name) => join(places.data, name)).concat(secretsFile(places.data))
  const open = files.filter((file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0)
  if (open.length === 0) return ok('privacy', 'Keys and tokens are readable only by you.')
  const shown = open.map((file) => shortPath(file, terminal.cwd)).join(' ')
  if (!fix) return warning('privacy', `Others on this machine can read ${shown}.`, 'parley doctor --fix')
  for (const file of open) chmodSync(file, 0o600)
  return fixed('privacy', `${shown} is now readable only by you.`)
}

export function checkPage(): Finding {
  const built = [new URL('../../../dist/web/build.json', import.meta.url), new URL('../../web/build.json', import.meta.url)].some((file) =>
    existsSync(file),
  )
  return built ? ok('page', 'The page is built.') : warning('page', 'The page is not built, so a browser shows nothing.', 'npm run build')
}
