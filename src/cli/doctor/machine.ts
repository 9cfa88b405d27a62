import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { installedPackage, isPageBuilt } from '../../app/config/installed-package.ts'
import { shortPath } from '../places.ts'
import { secretsFile } from '../../app/config/secrets-file.ts'
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
  const need = installedPackage.engines.node.replace(/[^\d.]/g, '')
  const have = process.versions.node
  return atLeast(have, need)
    ? ok('node', `Node ${have}`)
    : wrong('node', `Node ${have} is too old: ${need} or newer is needed.`, 'Install a newer one: https://nodejs.org')
}

export function checkDataFolder({ places, terminal, fix }: Patient): Finding {
  const { data } = places
  const path = shortPath(data, terminal.cwd)
  if (!existsSync(data)) {
    if (!fix) return note('data', `${path} does not exist yet; the first start makes it.`, 'parley demo')
    mkdirSync(data, { recursive: true, mode: 0o700 })
    return fixed('data', `${path} was made.`)
  }
  if (!statSync(data).isDirectory()) return wrong('data', `${path} is a file, not a folder.`, 'Move it elsewhere, then run: parley doctor')
  try {
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return wrong('data', `${path} cannot be written.`, `chmod u+rwx ${path}`)
  }
  return ok('data', `${path} can be written.`)
}

/** A person who can read these files can act as the owner. */
export function checkPrivacy({ places, terminal, fix }: Patient): Finding {
  if (process.platform === 'win32') return ok('privacy', 'File modes have no effect on this system.')
  const files = ['server.json', 'secret'].map((name) => join(places.data, name)).concat(secretsFile(places.data))
  const open = files.filter((file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0)
  if (open.length === 0) return ok('privacy', 'Keys and tokens are readable only by you.')
  const paths = open.map((file) => shortPath(file, terminal.cwd)).join(' ')
  if (!fix) return warning('privacy', `Other users of this machine can read ${paths}.`, 'parley doctor --fix')
  for (const file of open) chmodSync(file, 0o600)
  return fixed('privacy', `${paths} is now readable only by you.`)
}

export function checkPage(): Finding {
  return isPageBuilt()
    ? ok('page', 'The page is built.')
    : warning('page', 'The page is not built, so a browser shows nothing.', 'npm run build')
}
