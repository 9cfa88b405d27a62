import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export type Places = { config: string; exists: boolean; data: string }

/** The parley.yaml of this folder or the nearest one above; this folder's when there is none yet. */
export function configFile(cwd: string): string {
  for (let at = resolve(cwd); ; at = dirname(at)) {
    const file = join(at, 'parley.yaml')
    if (existsSync(file)) return file
    if (dirname(at) === at) return join(resolve(cwd), 'parley.yaml')
  }
}

/** Which files this folder's Parley uses. A configuration that cannot be read leaves the usual data folder. */
export async function placesOf(cwd: string, env: NodeJS.ProcessEnv, config: string = configFile(cwd)): Promise<Places> {
  const exists = existsSync(config)
  if (env['PARLEY_DATA']) return { config, exists, data: resolve(cwd, env['PARLEY_DATA']) }
  let path: string | undefined
  if (exists) {
    const { loadConfig } = await import('../config/load.ts')
    try {
      path = loadConfig(config, { optional: true, env }).config.store.path
    } catch {
      path = undefined
    }
  }
  return { config, exists, data: resolve(dirname(config), path ?? '.parley') }
}

/** As somebody standing in this folder would write it. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path)
  return short === '' ? '.' : short.startsWith('..') ? path : `./${short}`
}
