import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { Terminal } from './terminal.ts'
import { distrustOfFile } from './trust.ts'

export type Places = { config: string; exists: boolean; data: string }

/**
 * The parley.yaml of this folder, or the nearest one above that belongs to this account and that no other account may write;
 * this folder's when there is none yet. The file names programs and modules that are run, so a stranger's file above must not
 * count. Each one that is passed over is named on stderr.
 */
export function configFile({ cwd, words, warn }: Pick<Terminal, 'cwd' | 'words' | 'warn'>): string {
  const here = resolve(cwd)
  for (let at = here; ; at = dirname(at)) {
    const file = join(at, 'parley.yaml')
    if (existsSync(file)) {
      const why = at === here ? null : distrustOfFile(file)
      if (why === null) return file
      warn(words.configIgnored(file, why))
    }
    if (dirname(at) === at) return join(here, 'parley.yaml')
  }
}

/**
 * Which files this folder's Parley uses: all of them belong to one configuration. A configuration that cannot be read leaves
 * the usual data folder.
 */
export async function listPlaces(
  terminal: Pick<Terminal, 'cwd' | 'env' | 'words' | 'warn'>,
  config: string = configFile(terminal),
): Promise<Places> {
  const { cwd, env } = terminal
  const exists = existsSync(config)
  if (env['PARLEY_DATA']) return { config, exists, data: resolve(cwd, env['PARLEY_DATA']) }
  let path: string | undefined
  if (exists) {
    const { loadConfig } = await import('../app/config/load.ts')
    try {
      path = loadConfig(config, { optional: true, env }).config.store.path
    } catch {
      path = undefined
    }
  }
  return { config, exists, data: resolve(dirname(config), path ?? '.parley') }
}

/** The path relative to this folder, where shorter. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path)
  return short === '' ? '.' : short.startsWith('..') ? path : `./${short}`
}
