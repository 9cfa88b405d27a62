import { getInConfig } from '../app/config/edit.ts'
import type { Loaded } from '../app/config/load.ts'

/** Plugins whose entry in parley.yaml cannot be read, and why: a list without them would be a riddle. */
export function leftOutPlugins(file: string, { config, problems }: Loaded): { name: string; why: string }[] {
  const written = getInConfig(file, 'plugins')
  if (typeof written !== 'object' || written === null) return []
  return Object.keys(written)
    .filter((name) => !Object.hasOwn(config.plugins, name))
    .map((name) => {
      const path = `plugins.${name}`
      const problem = problems.find((one) => one.path === path || one.path.startsWith(`${path}.`))
      if (!problem) return { name, why: 'its entry cannot be used' }
      const why = problem.why.replace(/; "[^"]*" is skipped$/, '')
      return { name, why: problem.path === path ? why : `${problem.path.slice(path.length + 1)}: ${why}` }
    })
}
