import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes of the current file; one older file of this size is kept. */
export const logFileLimits = { bytes: 4_000_000 } as const

export const logFiles = (dataDir: string): { current: string; older: string } => ({
  current: join(dataDir, 'server.log'),
  older: join(dataDir, 'server.log.1'),
})

/** Keeps lines for `parley logs`. A disk that is full or read-only stops the file, never the server. */
export function logFile(dataDir: string, bytes: number = logFileLimits.bytes): (line: string) => void {
  const { current, older } = logFiles(dataDir)
  return (line) => {
    try {
      const size = statSync(current, { throwIfNoEntry: false })?.size ?? 0
      if (size > 0 && size + Buffer.byteLength(line) > bytes) renameSync(current, older)
      appendFileSync(current, line, { mode: 0o600 })
    } catch {
      // The same line went to stderr.
    }
  }
}
