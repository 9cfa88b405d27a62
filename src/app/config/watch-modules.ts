import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from './schema.ts'

/**
 * Tells when the file of a hand-written agent or plugin has changed. Looked at from time to time: such files are few, may lie
 * anywhere, and are replaced by editors in ways that file events miss. Returns a function that ends the watch.
 */
export function watchModules(config: () => Config, configFile: string, onChange: () => void, everyMs = 1_000): () => void {
  const ages = (): string =>
    [...Object.values(config().team.members), ...Object.values(config().plugins)]
      .flatMap((entry) => ('module' in entry && entry.module !== undefined ? [resolve(configFile, '..', entry.module)] : []))
      .map((file) => `${file} ${statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 'gone'}`)
      .join('\n')
  let lastAges = ages()
  const timer = setInterval(() => {
    const now = ages()
    if (now === lastAges) return
    lastAges = now
    onChange()
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
