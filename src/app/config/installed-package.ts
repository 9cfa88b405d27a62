import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of package.json. Sources and compiled files lie at different depths below it. */
export const packageRoot: string = folderAbove(import.meta.dirname)

export const installedPackage = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  version: string
  engines: { node: string }
}

/** Where the built page is, whether or not it has been built. */
export const pageFolder: string = join(packageRoot, 'dist', 'web')

/** The page is complete when this file exists: the build writes it last. */
export const isPageBuilt = (): boolean => existsSync(join(pageFolder, 'build.json'))

function folderAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const above = dirname(folder)
  if (above === folder) throw new Error(`No package.json above ${import.meta.dirname}.`)
  return folderAbove(above)
}
