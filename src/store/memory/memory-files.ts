import type { Clock } from '../../ports/clock.ts'
import type { Files } from '../../ports/files.ts'

/** Files of a Parley without a data folder. They end with the process, as its store does. */
export function memoryFiles(clock: Clock): Files {
  const all = new Map<string, { bytes: Uint8Array; at: number }>()
  return {
    write: async (file, bytes) => void all.set(file, { bytes, at: clock.now() }),
    read: async (file) => all.get(file)?.bytes ?? null,
    remove: async (file) => void all.delete(file),
    list: async (after, limit) =>
      Array.from(all, ([file, { at }]) => ({ file, at }))
        .filter(({ file }) => file > after)
        .toSorted((one, two) => (one.file < two.file ? -1 : 1))
        .slice(0, limit),
  }
}
