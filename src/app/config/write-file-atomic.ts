import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Replaces a file as a whole, also when the power fails: a reader sees the old text or the new one. */
export function writeFileAtomic(file: string, text: string, mode: number): void {
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`)
  try {
    const handle = openSync(draft, 'w', mode)
    try {
      writeFileSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    // The mode of `open` is reduced by the umask, and a draft left behind by a crash keeps its own.
    chmodSync(draft, mode)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
