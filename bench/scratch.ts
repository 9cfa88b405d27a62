import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const tmpfs = 0x01021994

/** A folder on a real disk, gone when the process ends. Where the usual one is kept in memory, an fsync would cost nothing. */
export function scratch(name: string): string {
  let parent = tmpdir()
  if (statfsSync(parent).type === tmpfs) {
    parent = fileURLToPath(new URL('../node_modules/.cache/bench', import.meta.url))
    mkdirSync(parent, { recursive: true })
  }
  const folder = mkdtempSync(join(parent, `parley-bench-${name}-`))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
