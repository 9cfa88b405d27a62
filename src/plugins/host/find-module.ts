import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nearest } from '../../shapes/nearest.ts'
import { isRecord } from '../../shapes/record.ts'

/** Plugins that come with Parley, loaded when they are switched on. */
export const builtIn: Readonly<Record<string, () => Promise<unknown>>> = {
  'reply-end-controls': async () => (await import('../reply-end-controls/plugin.ts')).replyEndPlugin,
}

/** Where the code of a plugin is. `fault` says why nowhere. */
export type Found =
  /** `changed` is another one as soon as the file is. */
  { load: () => Promise<unknown>; isBuiltIn: boolean; changed: string } | { fault: string }

/**
 * By name one that comes with Parley; otherwise a file or a folder beside parley.yaml, or a package that npm has
 * installed beside parley.yaml. Packages that older releases fetched into the data folder are still found.
 */
export function findModule(name: string, module: string | undefined, where: { configFile: string; dataDir: string }): Found {
  if (module === undefined) {
    const load = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined
    if (load) return { load, isBuiltIn: true, changed: '' }
    const near = nearest(name, Object.keys(builtIn))
    const suggestion = near === null ? `Those are: ${Object.keys(builtIn).join(', ')}` : `Did you mean "${near}"`
    return { fault: `no plugin of this name comes with Parley. ${suggestion}? Otherwise say where it is: module: ./path/to/plugin.js` }
  }
  const folder = dirname(resolve(where.configFile))
  const target = isPath(module) ? resolve(folder, module) : packageFolder(module, [installFolder(where.dataDir, name), folder])
  if (target === null) return { fault: `the package ${module} is not installed. Install it: npm install ${module}` }
  const file = findFile(target)
  if (file === null) return { fault: `there is no module at ${module}. Check the path; it is relative to the folder of parley.yaml` }
  const changed = `${file}?changed=${statSync(file).mtimeMs}`
  return { load: () => loadFile(file), isBuiltIn: false, changed }
}

/** The folder into which older releases fetched a plugin. */
export const installFolder = (dataDir: string, name: string): string => join(dataDir, 'plugins', name)

export const isPath = (module: string): boolean => /^\.{0,2}[\\/]|^\.{1,2}$/.test(module) || isAbsolute(module)

/** The module a file or a package folder stands for. */
export function findFile(target: string): string | null {
  const match = statSync(target, { throwIfNoEntry: false })
  if (!match) return null
  if (match.isFile()) return target
  const names = [getEntry(join(target, 'package.json')), 'plugin.js', 'plugin.ts', 'index.js', 'index.ts']
  const files = names.flatMap((name) => (name === null ? [] : [join(target, name)]))
  return files.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile()) ?? null
}

function getEntry(packageFile: string): string | null {
  try {
    const { exports, main } = JSON.parse(readFileSync(packageFile, 'utf8')) as { exports?: unknown; main?: unknown }
    const root = isRecord(exports) && '.' in exports ? exports['.'] : exports
    const entry = isRecord(root) ? (root['import'] ?? root['default']) : (root ?? main)
    return typeof entry === 'string' ? entry : null
  } catch {
    return null
  }
}

function packageFolder(name: string, from: readonly string[]): string | null {
  for (const start of from) {
    for (let folder = start; ; folder = dirname(folder)) {
      const result = join(folder, 'node_modules', name)
      if (existsSync(result)) return result
      if (dirname(folder) === folder) break
    }
  }
  return null
}

async function loadFile(file: string): Promise<unknown> {
  // A changed file is another module; without this, a reload would give the old one again.
  const { mtimeMs } = statSync(file)
  return ((await import(`${pathToFileURL(file).href}?changed=${mtimeMs}`)) as { default?: unknown }).default
}
