import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from '../../../authority/subjects/protected-paths.ts'

/** A project of which only the folder is known, and names in it that are hidden. */
export function protectionOfNames(root: string, hidden: readonly string[] = []): Layout {
  const real = realpathSync(root)
  return { root: real, hidden: hidden.map((name) => join(real, name)), fixed: [], foldsCase: true }
}
