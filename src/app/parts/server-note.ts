import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Part } from './part-stack.ts'
import { writeFileAtomic } from '../config/write-file-atomic.ts'

export type ServerNote = { url: string; pid: number; token: string; version: string; config: string }

const noteFile = (dataDir: string): string => join(dataDir, 'server.json')

/** The address of a server that another process has noted here and that answers. */
export async function findRunningServer(dataDir: string): Promise<string | null> {
  try {
    const { url, pid } = JSON.parse(readFileSync(noteFile(dataDir), 'utf8')) as { url: string; pid: number }
    if (pid === process.pid) return null
    const { ok } = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1_000) })
    return ok ? url : null
  } catch {
    return null
  }
}

/** The note that the terminal finds the server by. The first server on a data folder keeps it. */
export const serverNotePart = (dataDir: string, alreadyAt: string | null, note: ServerNote): Part<void> => ({
  name: 'server note',
  start() {
    if (alreadyAt === null) writeFileAtomic(noteFile(dataDir), JSON.stringify(note), 0o600)
  },
  stop() {
    if (alreadyAt === null) rmSync(noteFile(dataDir), { force: true })
  },
})
